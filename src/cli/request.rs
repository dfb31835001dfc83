//! The options that determine a packing, for a new run, and to be compared with those of a checkpoint.

use std::fmt::Display;

use anyhow::{Result, bail, ensure};
use clap::Args;

use super::{
    constants::WHOLE_SPHERES,
    help,
    sample::SampleOptions,
    space::{SpaceOptions, explain_request, in_unit},
    start::StartFile,
    values::{self, BoxLengths, Measured},
    words::choices,
};
use crate::{
    Effort, IndexKind, PackOptions, Request, Target,
    container::{ContainerSpec, Solid},
    jam::JamGap,
    rearrange::{BreathingShare, Checkpoint, ExchangeRate, GapShare},
};

/// Options that determine a packing.
#[derive(Args)]
#[command(next_help_heading = help::DENSITY)]
pub struct RequestOptions {
    #[command(flatten)]
    sample: SampleOptions,

    #[command(flatten)]
    pub space: SpaceOptions,

    /// Stop at this packing fraction, between 0 and 1, or in percent, as in 60% [default: as dense as the effort allows]
    #[arg(long, help_heading = help::DENSITY, value_parser = values::fraction)]
    fraction: Option<f64>,

    /// Stop at this porosity, which is 1 less the packing fraction
    #[arg(long, help_heading = help::DENSITY, value_parser = values::fraction, conflicts_with = "fraction")]
    porosity: Option<f64>,

    #[command(flatten)]
    start: StartFile,

    /// Keep at least this distance between any two spheres, in the unit of the diameters [default: 0]
    #[arg(long, value_name = "GAP", help_heading = help::CONTAINER, value_parser = values::measured_gap)]
    min_gap: Option<Measured<f64>>,

    /// Keep at least this distance between spheres and walls, in the unit of the diameters [default: half of --min-gap]
    #[arg(long, value_name = "GAP", help_heading = help::CONTAINER, value_parser = values::measured_gap)]
    wall_gap: Option<Measured<f64>>,

    /// Pack denser but slower: quick, normal, thorough, or a number from 0 to 2 [default: normal; towards a packing fraction or box,
    /// what the sizes need, up to thorough]
    #[arg(long, help_heading = help::DENSITY)]
    effort: Option<Effort>,

    /// Let spheres of nearly equal size exchange their positions, for denser packings. RATE is off, auto, or a number of attempts per sphere
    /// and sweep. The packings may be denser than random close packing. With --fraction or --box, exchanges start where the request is out of reach
    /// without them [default: off]
    #[arg(long, value_name = "RATE", help_heading = help::DENSITY)]
    exchange: Option<ExchangeRate>,

    /// Let radii breathe for still denser packings. Before each sweep, the radius of each sphere follows its overlaps by this share,
    /// auto or from 0 to 1, and the given radii return to the spheres in this order [default: off]
    #[arg(long, value_name = "SHARE", help_heading = help::DENSITY)]
    breathe: Option<BreathingShare>,

    /// Move spheres without overlap toward their nearest neighbors before each sweep. SHARE is a share of the gap between them, from 0
    /// to 1 [default: off]
    #[arg(long, value_name = "SHARE", hide_short_help = true, help_heading = help::DENSITY)]
    toward_nearest: Option<GapShare>,

    /// Jam the packing at last: shrink the container until the contacts bear force, with gaps of at most GAP diameters. With --fraction or
    /// --box, a packing that reaches them keeps them [default: off; without GAP: auto, which is 1e-6]
    #[arg(long, value_name = "GAP", help_heading = help::DENSITY, num_args = 0..=1, default_missing_value = "auto")]
    jam: Option<JamGap>,

    #[arg(long, help_heading = help::RUN, help = choices("Find neighbors with this global index, which changes the speed only", IndexKind::NAMES, IndexKind::default()))]
    index: Option<IndexKind>,

    /// Stop after SWEEPS sweeps. Each sweep visits every sphere once [default: no limit]
    #[arg(long, hide_short_help = true, help_heading = help::RUN, value_name = "SWEEPS", value_parser = values::whole_number)]
    max_sweeps: Option<u64>,
}

impl RequestOptions {
    /// Returns the request for the spheres of --start, with the unit of their file; `None` without it.
    pub fn of_start(&self, quiet: bool) -> Result<Option<(Request, String)>> {
        // A length with a unit cannot be that of a file whose unit is not known yet.
        let spec = self.space.described().and_then(Measured::without_unit);
        self.start.request(spec, self.space.boundary, quiet)
    }

    /// Completes a request for spheres whose sizes have this unit, with the options that do not change the packing. The fixed spheres are
    /// read.
    pub fn complete(
        &self,
        request: Request,
        unit: &str,
        session: PackOptions,
        quiet: bool,
    ) -> Result<Request> {
        let mut options = PackOptions {
            effort: self.effort,
            wall_gap: in_unit(self.wall_gap.as_ref(), unit)?,
            max_sweeps: self.max_sweeps,
            ..session
        };
        options = options
            .min_gap(in_unit(self.min_gap.as_ref(), unit)?.unwrap_or_default())
            .exchange(self.exchange.unwrap_or_default())
            .breathe(self.breathe.unwrap_or_default())
            .toward_nearest(self.toward_nearest.unwrap_or_default())
            .jam(self.jam.unwrap_or_default())
            .index(self.index.unwrap_or_default());
        if let Some(seed) = self.sample.seed {
            options.seed = seed;
        }
        let request = request
            .sampling(self.sample.sampling.unwrap_or_default())
            .number(self.sample.number)
            .fraction(self.fraction())
            .boundary(self.space.boundary)
            .bodies(self.space.bodies(unit)?)
            .container(self.space.spec(unit)?)
            .options(options);
        if !self.space.fixed.is_given() {
            return Ok(request);
        }
        let container = request.requested_container();
        let container = container.map_err(explain_request)?;
        let fixed = self.space.fixed(&container, quiet)?;
        Ok(request.fixed(fixed))
    }

    /// Returns the seed of the run.
    pub fn seed(&self) -> u64 {
        self.sample.seed.unwrap_or(PackOptions::default().seed)
    }

    /// Replaces the effort and the seed.
    pub fn set(&mut self, effort: Effort, seed: u64) {
        self.effort = Some(effort);
        self.sample.seed = Some(seed);
    }

    /// Returns the requested packing fraction, which may follow from the porosity.
    fn fraction(&self) -> Option<f64> {
        self.fraction
            .or_else(|| self.porosity.map(|porosity| 1.0 - porosity))
    }

    /// Returns the packing fraction that the spheres of a container of given size should have.
    pub fn fraction_of_container(&self) -> Option<f64> {
        let is_exact = self
            .space
            .described()
            .is_some_and(|spec| spec.in_any_unit().is_exact());
        self.fraction().filter(|_| is_exact)
    }

    /// Rejects bodies and fixed spheres that differ from those in the container of a checkpoint.
    fn check_contents(&self, run: &PackOptions, unit: &str) -> Result<()> {
        ensure!(
            self.space.keep_out.is_empty() || self.space.bodies(unit)? == run.container.bodies(),
            "--keep-out contradicts the checkpoint, whose run has other bodies in the container; leave the option out"
        );
        let fixed = self.space.fixed(&run.container, true)?;
        ensure!(
            fixed.is_none() || fixed == run.fixed,
            "--fixed contradicts the checkpoint, whose run has other fixed spheres; leave the option out"
        );
        Ok(())
    }

    /// Returns the options of the container, as given and as in a run. A free length has become a length of the run.
    fn container_settings(&self, run: &PackOptions, unit: &str) -> Result<Vec<Setting>> {
        let solid = run.container.solid();
        let is_exact = run.target == Target::Exact;
        let lengths = |solid: &Solid| match solid {
            Solid::Box(cuboid) => Some(BoxLengths(cuboid.lengths)),
            Solid::Rectangle(_) => Some(BoxLengths(solid.lengths())),
            _ => None,
        };
        let container = if is_exact {
            ContainerSpec::exact(solid.clone())
        } else {
            ContainerSpec::smallest(solid.clone())
        };
        let container = container.along(run.container.axis());
        let given = |spec: &Option<Measured<ContainerSpec>>| {
            let spec = in_unit(spec.as_ref(), unit)?;
            anyhow::Ok(spec.filter(|spec| !spec.has_free_length()))
        };
        let given_lengths = given(&self.space.lengths)?.and_then(|spec| lengths(spec.solid()));
        let found_lengths = lengths(solid).filter(|_| is_exact);
        Ok(vec![
            setting("--box", given_lengths, found_lengths),
            setting(
                "--container",
                given(&self.space.container)?,
                Some(container),
            ),
            setting(
                "--boundary",
                self.space.boundary,
                Some(run.container.boundary_spec()),
            ),
            setting(
                "--min-gap",
                in_unit(self.min_gap.as_ref(), unit)?,
                Some(run.min_gap),
            ),
            setting(
                "--wall-gap",
                in_unit(self.wall_gap.as_ref(), unit)?,
                run.wall_gap,
            ),
        ])
    }

    /// Returns the options of the run itself, as given and as in a run.
    fn run_settings(&self, run: &PackOptions) -> Vec<Setting> {
        let sizes = run.sizes.as_ref();
        vec![
            setting("--effort", self.effort.map(f64::from), effort(run)),
            setting(
                "--exchange",
                self.exchange.map(f64::from),
                Some(f64::from(run.exchange)),
            ),
            setting(
                "--breathe",
                self.breathe.map(f64::from),
                Some(f64::from(run.breathe)),
            ),
            setting(
                "--toward-nearest",
                self.toward_nearest.map(f64::from),
                Some(f64::from(run.toward_nearest)),
            ),
            setting("--jam", self.jam.map(f64::from), Some(f64::from(run.jam))),
            setting("--index", self.index, Some(run.index)),
            setting(
                "--sampling",
                self.sample.sampling,
                sizes.map(|sizes| sizes.sampling),
            ),
            setting("--seed", self.sample.seed, Some(run.seed)),
            setting("--max-sweeps", self.max_sweeps, run.max_sweeps),
        ]
    }

    /// Rejects options that differ from those of a checkpoint.
    pub fn check_agreement(&self, checkpoint: &Checkpoint) -> Result<()> {
        let run = checkpoint.options();
        let unit = run.sizes.as_ref().map_or("", |sizes| sizes.unit.as_str());
        self.check_contents(run, unit)?;
        self.start.check_agreement(checkpoint)?;
        let mut settings = vec![setting(
            "--number",
            self.sample.number,
            Some(checkpoint.spheres()),
        )];
        settings.extend(self.container_settings(run, unit)?);
        settings.extend(self.run_settings(run));
        let differs =
            |(_, given, found): &&Setting| given.as_ref().is_some_and(|given| given != found);
        if let Some((option, Some(given), found)) = settings.iter().find(differs) {
            bail!(
                "{option} {given} contradicts the checkpoint, whose run has {option} {found}; leave the option out"
            );
        }
        match (self.fraction(), requested_fraction(checkpoint)) {
            (Some(given), Some(found)) if (found - given).abs() <= WHOLE_SPHERES * given => Ok(()),
            (Some(given), found) => bail!(
                "--fraction {given} contradicts the checkpoint, whose run has --fraction {}; leave the option out",
                text(found)
            ),
            (None, _) => Ok(()),
        }
    }
}

/// The name of an option, the given value if there is one, and the value in a checkpoint.
type Setting = (&'static str, Option<String>, String);

fn setting<A: Display, B: Display>(
    name: &'static str,
    given: Option<A>,
    found: Option<B>,
) -> Setting {
    (name, given.map(|given| given.to_string()), text(found))
}

/// Returns the effort that a run names, or that it has without a name.
fn effort(run: &PackOptions) -> Option<f64> {
    let effort = match run.target {
        Target::Densest => Some(run.effort.unwrap_or_default()),
        _ => run.effort,
    };
    effort.map(f64::from)
}

fn text(found: Option<impl Display>) -> String {
    found.map_or_else(|| "unset".to_owned(), |found| found.to_string())
}

/// Returns the packing fraction that the run of a checkpoint shall reach; `None` if it shall be as dense as possible.
fn requested_fraction(checkpoint: &Checkpoint) -> Option<f64> {
    match checkpoint.options().target {
        Target::Fraction(fraction) => Some(fraction),
        Target::Exact => {
            let PackOptions {
                container, fixed, ..
            } = checkpoint.options();
            let fixed = fixed
                .as_ref()
                .map_or(0.0, |fixed| container.volume_of(fixed.spheres.radii()));
            Some((checkpoint.volume() + fixed) / container.volume())
        }
        _ => None,
    }
}
