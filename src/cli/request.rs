//! The options that determine a packing, for a new run, and to be compared with those of a checkpoint.

use std::fmt::Display;

use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;
use strum::VariantNames;

use super::{
    constants::WHOLE_SPHERES,
    fixed::FixedFile,
    start::StartFile,
    values::{self, BoxLengths, Measured},
    words::choices,
};
use crate::{
    Effort, IndexKind, PackOptions, Request, Target,
    container::{Body, BoundarySpec, ContainerSpec, Solid},
    distribution::Sampling,
    rearrange::{BreathingShare, Checkpoint, ExchangeRate, GapShare, PackError},
    request::RequestError,
};

/// Options that determine a packing.
#[derive(Args)]
pub struct RequestOptions {
    /// Pack N spheres, written as 20000 or 1e6 [default: 10000, or as many as the container and --fraction take]
    #[arg(short, long, value_name = "N", value_parser = values::whole_number)]
    number: Option<u64>,

    /// Fill a box of these lengths: one for a cube, three, or two for a rectangle, which holds disks. One of several may be auto to follow
    /// from --number. Lengths are in the unit of
    /// the diameters, or have one, as in 15cm. Without --number and --fraction, the box is filled densely [default: the smallest cube]
    #[arg(long = "box", value_name = "LENGTHS", allow_hyphen_values = true, value_parser = values::measured_box)]
    lengths: Option<Measured<ContainerSpec>>,

    /// Stop at this packing fraction, between 0 and 1, or in percent, as in 60% [default: as dense as the effort allows]
    #[arg(long, value_parser = values::fraction)]
    fraction: Option<f64>,

    /// Stop at this porosity, which is 1 less the packing fraction
    #[arg(long, value_parser = values::fraction, conflicts_with = "fraction")]
    porosity: Option<f64>,

    /// Fill a container of this shape, in the unit of the diameters, such as box:lx=3,ly=4,lz=5, cylinder:d=3,h=4, sphere:d=3,
    /// cone:d_bottom=3,d_top=1,h=4 or mesh:part.stl. Without a size, as in cylinder:aspect=2 (h/d), sphere,
    /// cone:taper=0.5,aspect=1.5 (d_top/d_bottom, h/d_bottom) or mesh:part.stl,fit, the smallest container of the shape is found.
    /// mesh:part.stl,cap closes planar openings; mesh:part.stl,inside=x,y,z fills the region around a point, such as the cavity of a vessel.
    /// cylinder:d=3,h=auto has the height that follows from --number; axis=x lays a cylinder or a cone down. rectangle:lx=3,ly=4 and
    /// circle:d=3 hold disks in the plane
    #[arg(long, value_name = "SHAPE", conflicts_with = "lengths", value_parser = values::measured_shape::<ContainerSpec>)]
    container: Option<Measured<ContainerSpec>>,

    /// Keep spheres out of this body in a container of given size, in the unit of the diameters: cylinder:d=2,h=8@5,5,5,axis=x
    /// (x,y,z is the center; h may be left out along a periodic axis), sphere:d=2@5,5,5, box:lx=1,ly=2,lz=3@5,5,5,
    /// circle:d=2@5,5 and rectangle:lx=1,ly=2@5,5 among disks,
    /// cone:d_bottom=3,d_top=1,h=4@5,5,5 (with an axis, too), or mesh:part.stl@5,5,5 (x,y,z moves the coordinates of the file). Repeat the option for several bodies
    #[arg(long, value_name = "BODY", allow_hyphen_values = true, value_parser = values::measured_shape::<Body>)]
    keep_out: Vec<Measured<Body>>,

    #[command(flatten)]
    start: StartFile,

    #[command(flatten)]
    fixed: FixedFile,

    /// Make the faces of a box along x, y and z periodic (p) or hard walls (w), such as ppp, www or ppw; the sides of a
    /// rectangle, such as pw; or the ends of a cylinder: p or w [default: periodic for a box or a rectangle, w for other shapes]
    #[arg(long)]
    boundary: Option<BoundarySpec>,

    /// Keep at least this distance between any two spheres, in the unit of the diameters [default: 0]
    #[arg(long, value_name = "GAP", value_parser = values::measured_gap)]
    min_gap: Option<Measured<f64>>,

    /// Keep at least this distance between spheres and walls, in the unit of the diameters [default: half of --min-gap]
    #[arg(long, value_name = "GAP", value_parser = values::measured_gap)]
    wall_gap: Option<Measured<f64>>,

    /// Pack denser but slower: quick, normal, thorough, or a number from 0 (quick) to 2 (thorough) [default: normal; towards a
    /// packing fraction or box, what the sizes need, up to thorough]
    #[arg(long)]
    effort: Option<Effort>,

    /// Let spheres of nearly equal size exchange their positions, for packings denser than random close packing: off, auto, or
    /// a number of attempts per sphere and sweep. With --fraction or --box, exchanges start where the request is out of reach
    /// without them [default: off]
    #[arg(long, value_name = "RATE")]
    exchange: Option<ExchangeRate>,

    /// Let radii breathe for still denser packings: before each sweep, the radius of each sphere follows its overlaps by this share,
    /// auto or from 0 to 1, and the given radii return to the spheres in this order [default: off]
    #[arg(long, value_name = "SHARE")]
    breathe: Option<BreathingShare>,

    /// Move each sphere without overlap toward its nearest neighbor, by this share of the gap between them, from 0 to 1, before
    /// each sweep [default: off]
    #[arg(long, value_name = "SHARE")]
    toward_nearest: Option<GapShare>,

    #[arg(long, help = choices("Find neighbors with this global index; it changes the speed, not the packing", IndexKind::VARIANTS, IndexKind::default()))]
    index: Option<IndexKind>,

    #[arg(long, value_name = "METHOD", help = choices("Draw diameters as close to the distribution as N allows, or at random", Sampling::VARIANTS, Sampling::default()))]
    sampling: Option<Sampling>,

    /// Use SEED for all random numbers; the same seed gives the same packing, with any number of threads [default: 1]
    #[arg(long, value_parser = values::count::<u64>)]
    seed: Option<u64>,

    /// Stop after SWEEPS sweeps; each sweep visits every sphere once [default: no limit]
    #[arg(long, value_name = "SWEEPS", value_parser = values::whole_number)]
    max_sweeps: Option<u64>,
}

impl RequestOptions {
    /// Returns the request for the spheres of --start, with the unit of their file; `None` without it.
    pub fn of_start(&self, quiet: bool) -> Result<Option<(Request, String)>> {
        // A length with a unit cannot be that of a file whose unit is not known yet.
        let spec = self.lengths.as_ref().or(self.container.as_ref());
        let spec = spec.and_then(Measured::without_unit);
        self.start.request(spec, self.boundary, quiet)
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
            .index(self.index.unwrap_or_default());
        if let Some(seed) = self.seed {
            options.seed = seed;
        }
        let request = request
            .sampling(self.sampling.unwrap_or_default())
            .number(self.number)
            .fraction(self.fraction())
            .boundary(self.boundary)
            .bodies(self.bodies(unit)?)
            .container(self.spec(unit)?)
            .options(options);
        if !self.fixed.is_given() {
            return Ok(request);
        }
        let container = request.requested_container();
        let container = container.map_err(Self::explain_request)?;
        let fixed = self.fixed.read(&container, quiet)?;
        Ok(request.fixed(fixed))
    }

    /// Returns the requested packing fraction, which may follow from the porosity.
    fn fraction(&self) -> Option<f64> {
        self.fraction
            .or_else(|| self.porosity.map(|porosity| 1.0 - porosity))
    }

    /// Returns the requested container, in the unit of the sizes.
    fn spec(&self, unit: &str) -> Result<Option<ContainerSpec>> {
        in_unit(self.lengths.as_ref().or(self.container.as_ref()), unit)
    }

    fn bodies(&self, unit: &str) -> Result<Vec<Body>> {
        let bodies = self.keep_out.iter();
        bodies.map(|body| body.in_unit(unit)).collect()
    }

    /// Names the options of a request that gives too much or too little.
    pub fn explain_request(error: RequestError) -> anyhow::Error {
        let options = match error {
            RequestError::TooMuch => "--box or --container, --fraction, --number",
            RequestError::FreeLength => "--number",
            RequestError::NoSize(_) => "add --box or --container to --keep-out or --fixed",
            _ => return error.into(),
        };
        anyhow!("{error} ({options})")
    }

    /// Names the file and the option in an error about fixed spheres.
    pub fn explain(&self, error: PackError) -> anyhow::Error {
        match error {
            PackError::Fixed(fixed) => self.fixed.explain(&fixed),
            _ => error.into(),
        }
    }

    /// Returns the packing fraction that the spheres of a container of given size should have.
    pub fn fraction_of_container(&self) -> Option<f64> {
        let spec = self.lengths.as_ref().or(self.container.as_ref());
        let is_exact = spec.is_some_and(|spec| spec.in_any_unit().is_exact());
        self.fraction().filter(|_| is_exact)
    }

    /// Rejects bodies and fixed spheres that differ from those in the container of a checkpoint.
    fn check_contents(&self, run: &PackOptions, unit: &str) -> Result<()> {
        ensure!(
            self.keep_out.is_empty() || self.bodies(unit)? == run.container.bodies(),
            "--keep-out contradicts the checkpoint, whose run has other bodies in the container; leave the option out"
        );
        let fixed = self.fixed.read(&run.container, true)?;
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
        let given_lengths = given(&self.lengths)?.and_then(|spec| lengths(spec.solid()));
        let found_lengths = lengths(solid).filter(|_| is_exact);
        Ok(vec![
            setting("--box", given_lengths, found_lengths),
            setting("--container", given(&self.container)?, Some(container)),
            setting(
                "--boundary",
                self.boundary,
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
            setting("--index", self.index, Some(run.index)),
            setting(
                "--sampling",
                self.sampling,
                sizes.map(|sizes| sizes.sampling),
            ),
            setting("--seed", self.seed, Some(run.seed)),
            setting("--max-sweeps", self.max_sweeps, run.max_sweeps),
        ]
    }

    /// Rejects options that differ from those of a checkpoint.
    pub fn check_agreement(&self, checkpoint: &Checkpoint) -> Result<()> {
        let run = checkpoint.options();
        let unit = run.sizes.as_ref().map_or("", |sizes| sizes.unit.as_str());
        self.check_contents(run, unit)?;
        self.start.check_agreement(checkpoint)?;
        let mut settings = vec![setting("--number", self.number, Some(checkpoint.spheres()))];
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

/// Returns a value in the unit of the sizes, if it is given.
fn in_unit<T: Clone>(value: Option<&Measured<T>>, unit: &str) -> Result<Option<T>> {
    value.map(|value| value.in_unit(unit)).transpose()
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
