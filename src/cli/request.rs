//! The options that determine a packing, for a new run, and to be compared with those of a checkpoint.

use std::{fmt::Display, path::PathBuf};

use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;
use glam::DVec3;
use jostle::{
    Body, BoundarySpec, Checkpoint, Container, ContainerShape, ContainerSpec, Effort, ExchangeRate,
    FixedSpheres, IndexKind, PackError, PackOptions, Sampling, Target, read_packing,
};
use strum::VariantNames;

use super::{
    constants::{DEFAULT_NUMBER, DEFAULT_SEED, WHOLE_SPHERES},
    files::note_input,
    values::{self, BoxLengths},
    words::choices,
};

/// Options that determine a packing.
#[derive(Args)]
pub struct Request {
    /// Pack N spheres, written as 20000 or 1e6 [default: 10000, or as many as the container and --fraction take]
    #[arg(short, long, value_name = "N", value_parser = values::whole_number)]
    number: Option<u64>,

    /// Fill a box of these lengths, in the unit of the diameters: one length for a cube or three. Needs --number or
    /// --fraction [default: the smallest cube]
    #[arg(long = "box", value_name = "LENGTHS", allow_hyphen_values = true)]
    lengths: Option<BoxLengths>,

    /// Stop at this packing fraction, between 0 and 1 [default: as dense as the effort allows]
    #[arg(long, value_parser = values::fraction)]
    fraction: Option<f64>,

    /// Fill a container of this shape, in the unit of the diameters, such as box:lx=3,ly=4,lz=5, cylinder:d=3,h=4, sphere:d=3,
    /// cone:d_bottom=3,d_top=1,h=4 or mesh:part.stl. Without a size, as in cylinder:aspect=2 (h/d), sphere,
    /// cone:taper=0.5,aspect=1.5 (d_top/d_bottom, h/d_bottom) or mesh:part.stl,fit, the smallest container of the shape is found
    #[arg(long, value_name = "SHAPE", conflicts_with = "lengths", value_parser = values::shape::<ContainerSpec>)]
    container: Option<ContainerSpec>,

    /// Keep spheres out of this body in a container of given size, in the unit of the diameters: cylinder:d=2,h=8@5,5,5,axis=x
    /// (x,y,z is the centre; h may be left out along a periodic axis), sphere:d=2@5,5,5, box:lx=1,ly=2,lz=3@5,5,5, or
    /// mesh:part.stl@5,5,5 (x,y,z moves the coordinates of the file). Repeat the option for several bodies
    #[arg(long, value_name = "BODY", allow_hyphen_values = true, value_parser = values::shape::<Body>)]
    keep_out: Vec<Body>,

    /// Keep the spheres of FILE, in any format that can be read, at their positions, and pack the others around them. The
    /// container needs a size. --fraction counts the fixed spheres. Spheres that find no room are left out
    #[arg(long, value_name = "FILE")]
    fixed: Option<PathBuf>,

    /// Let fixed spheres overlap each other, walls and bodies
    #[arg(long, requires = "fixed")]
    fixed_may_overlap: bool,

    /// Make the faces of a box along x, y and z periodic (p) or hard walls (w), such as ppp, www or ppw; or the ends of a
    /// cylinder: p or w [default: ppp for a box, w for other shapes]
    #[arg(long)]
    boundary: Option<BoundarySpec>,

    /// Keep at least this distance between any two spheres, in the unit of the diameters [default: 0]
    #[arg(long, value_name = "GAP", value_parser = values::gap)]
    min_gap: Option<f64>,

    /// Keep at least this distance between spheres and walls, in the unit of the diameters [default: half of --min-gap]
    #[arg(long, value_name = "GAP", value_parser = values::gap)]
    wall_gap: Option<f64>,

    /// Pack denser but slower: quick, normal, thorough, or a number from 0 (quick) to 2 (thorough) [default: normal; towards a
    /// packing fraction or box, what the sizes need, up to thorough]
    #[arg(long)]
    effort: Option<Effort>,

    /// Let spheres of nearly equal size exchange their positions, for packings denser than random close packing: off, auto, or
    /// a number of attempts per sphere and sweep. With --fraction or --box, exchanges start where the request is out of reach
    /// without them [default: off]
    #[arg(long, value_name = "RATE")]
    exchange: Option<ExchangeRate>,

    #[arg(long, help = choices("Find neighbours with this global index; it changes the speed, not the packing", IndexKind::VARIANTS, IndexKind::default()))]
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

/// The number of spheres to draw, or their volume.
pub enum Amount {
    Number(u64),
    Volume(f64),
}

impl Request {
    /// Returns the method by which diameters are drawn, and the seed of all random numbers.
    pub fn sampling(&self) -> (Sampling, u64) {
        let seed = self.seed.unwrap_or(DEFAULT_SEED);
        (self.sampling.unwrap_or_default(), seed)
    }

    /// Returns the options that determine the packing, in this container.
    pub fn options(&self, container: Container, target: Target) -> PackOptions {
        let mut options = PackOptions::default()
            .container(container)
            .target(target)
            .min_gap(self.min_gap.unwrap_or_default())
            .exchange(self.exchange.unwrap_or_default())
            .index(self.index.unwrap_or_default())
            .seed(self.sampling().1);
        options.effort = self.effort;
        options.wall_gap = self.wall_gap;
        options.max_sweeps = self.max_sweeps;
        options
    }

    /// Names the file and the option in an error about fixed spheres.
    pub fn explain(&self, error: PackError) -> anyhow::Error {
        let Some(path) = &self.fixed else {
            return error.into();
        };
        let file = path.display();
        match error {
            PackError::Fixed(ref fixed) if fixed.is_overlap() => {
                anyhow!("'{file}': {error}; --fixed-may-overlap allows it")
            }
            PackError::Fixed(_) => anyhow!("'{file}': {error}"),
            _ => error.into(),
        }
    }

    /// Returns the packing fraction that the spheres of a container of given size should have.
    pub fn fraction_of_container(&self) -> Option<f64> {
        self.fraction.filter(|_| self.is_exact())
    }

    /// Returns whether the size of the container is given.
    fn is_exact(&self) -> bool {
        let spec = self.container.as_ref();
        self.lengths.is_some() || spec.is_some_and(ContainerSpec::is_exact)
    }

    /// Returns the container, of the requested size if it is given.
    pub fn container(&self) -> Result<Container> {
        let spec = match (&self.container, self.lengths) {
            (Some(spec), _) => spec.clone(),
            (None, Some(BoxLengths(lengths))) => {
                ContainerSpec::exact(ContainerShape::Box { lengths })
            }
            (None, None) => ContainerSpec::smallest(ContainerShape::Box {
                lengths: DVec3::ONE,
            }),
        };
        let container = spec.container(self.boundary)?;
        ensure!(
            container.volume().is_normal(),
            "the container {spec} has a volume of {:e}, beyond the range of numbers; choose a unit in which its lengths are nearer to 1",
            container.volume()
        );
        ensure!(
            self.keep_out.is_empty() || self.is_exact(),
            "--keep-out is given without the size of the container; add --box, or --container with its lengths, as in cylinder:d=3,h=4"
        );
        Ok(container.without(self.keep_out.iter().cloned())?)
    }

    /// Reads the fixed spheres, which lie in this container.
    pub fn fixed(&self, container: &Container) -> Result<Option<FixedSpheres>> {
        let Some(path) = &self.fixed else {
            return Ok(None);
        };
        note_input(path);
        let read = read_packing(path, Some(container.clone().into()))?;
        let fixed = FixedSpheres::new(read.packing.spheres).may_overlap(self.fixed_may_overlap);
        Ok(Some(fixed))
    }

    /// Returns the number or volume of the spheres that are not fixed, and the size of the container.
    pub fn amount_and_target(
        &self,
        container: &Container,
        fixed: Option<&FixedSpheres>,
    ) -> Result<(Amount, Target)> {
        if !self.is_exact() {
            ensure!(
                fixed.is_none(),
                "--fixed is given without the size of the container; add --box, or --container with its lengths, as in cylinder:d=3,h=4"
            );
            let target = self.fraction.map_or(Target::Densest, Target::Fraction);
            return Ok((
                Amount::Number(self.number.unwrap_or(DEFAULT_NUMBER)),
                target,
            ));
        }
        let option = if self.lengths.is_some() {
            "--box"
        } else {
            "--container"
        };
        let amount = match (self.fraction, self.number) {
            (Some(_), Some(_)) => bail!(
                "{option}, --fraction and --number are given together; give two of them, and the third follows"
            ),
            (None, None) => bail!(
                "{option} is given alone; add --number for N spheres in this container, or --fraction for as many as fill it to that packing fraction"
            ),
            (Some(fraction), None) => {
                let present = fixed.map_or(0.0, |fixed| fixed.spheres.volume());
                let volume = fraction * container.volume() - present;
                ensure!(
                    volume > 0.0,
                    "the fixed spheres fill the container to packing fraction {:.4}; --fraction counts them and must be larger",
                    present / container.volume()
                );
                Amount::Volume(volume)
            }
            (None, Some(number)) => Amount::Number(number),
        };
        Ok((amount, Target::Exact))
    }

    /// Rejects fixed spheres that differ from those of a checkpoint.
    fn check_fixed(&self, run: &PackOptions) -> Result<()> {
        let fixed = self.fixed(&run.container)?;
        ensure!(
            fixed.is_none() || fixed == run.fixed,
            "--fixed contradicts the checkpoint, whose run has other fixed spheres; leave the option out"
        );
        Ok(())
    }

    /// Rejects bodies that differ from those in the container of a checkpoint.
    fn check_bodies(&self, container: &Container) -> Result<()> {
        ensure!(
            self.keep_out.is_empty() || self.keep_out == container.bodies(),
            "--keep-out contradicts the checkpoint, whose run has other bodies in the container; leave the option out"
        );
        Ok(())
    }

    /// Rejects options that differ from those of a checkpoint.
    pub fn check_agreement(&self, checkpoint: &Checkpoint) -> Result<()> {
        let run = checkpoint.options();
        let sizes = run.sizes.as_ref();
        let shape = run.container.shape();
        let is_exact = run.target == Target::Exact;
        let lengths = match shape {
            ContainerShape::Box { lengths } if is_exact => Some(BoxLengths(lengths)),
            _ => None,
        };
        let container = if is_exact {
            ContainerSpec::exact(shape)
        } else {
            ContainerSpec::smallest(shape)
        };
        self.check_bodies(&run.container)?;
        self.check_fixed(run)?;
        let settings = [
            setting("--number", self.number, Some(checkpoint.spheres())),
            setting("--box", self.lengths, lengths),
            setting("--container", self.container.as_ref(), Some(container)),
            setting(
                "--boundary",
                self.boundary,
                Some(run.container.boundary_spec()),
            ),
            setting("--min-gap", self.min_gap, Some(run.min_gap)),
            setting("--wall-gap", self.wall_gap, run.wall_gap),
            setting("--effort", self.effort.map(f64::from), effort(run)),
            setting(
                "--exchange",
                self.exchange.map(f64::from),
                Some(f64::from(run.exchange)),
            ),
            setting("--index", self.index, Some(run.index)),
            setting(
                "--sampling",
                self.sampling,
                sizes.map(|sizes| sizes.sampling),
            ),
            setting("--seed", self.seed, Some(run.seed)),
            setting("--max-sweeps", self.max_sweeps, run.max_sweeps),
        ];
        let differs =
            |(_, given, found): &&Setting| given.as_ref().is_some_and(|given| given != found);
        if let Some((option, Some(given), found)) = settings.iter().find(differs) {
            bail!(
                "{option} {given} contradicts the checkpoint, whose run has {option} {found}; leave the option out"
            );
        }
        match (self.fraction, requested_fraction(checkpoint)) {
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
            let fixed = fixed.as_ref().map_or(0.0, |fixed| fixed.spheres.volume());
            Some((checkpoint.volume() + fixed) / container.volume())
        }
        _ => None,
    }
}
