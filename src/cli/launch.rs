//! The processes that `mpirun` started together.

use std::{
    borrow::Cow,
    ffi::OsString,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use anyhow::{Result, anyhow, bail};
use serde::Serialize;

use super::{constants::WITH_COPIES, errors, words::resume_command};
use crate::{Packing, distribution::prediction_with_gap, machine::divided::Divided, ranks::Ranks};

/// The processes that were started together.
pub struct Launch {
    /// This process alone without `mpirun`.
    pub ranks: Ranks,
    /// Whether all processes have agreed on the run. Errors are the same on all of them from then on.
    have_agreed: AtomicBool,
}

impl Launch {
    /// Joins the other processes. Processes that are not the first one print nothing from then on.
    #[cfg(feature = "mpi")]
    pub fn join() -> Result<Self> {
        if started_by_launcher().is_none() {
            return Ok(Self::new(Ranks::default()));
        }
        prefer_shared_memory();
        let launch = Self::new(std::sync::Arc::new(crate::ranks::Mpi::start()?).into());
        if !launch.ranks.is_first() {
            super::output::silence();
        }
        Ok(launch)
    }

    /// Rejects several processes, for which this program was not built.
    #[cfg(not(feature = "mpi"))]
    pub fn join() -> Result<Self> {
        if started_by_launcher().is_some_and(|ranks| ranks > 1) {
            bail!(
                "this program was built without MPI, so that each process would make the same packing; build it with \
                 'cargo build --release --features mpi', or start one process"
            );
        }
        Ok(Self::new(Ranks::default()))
    }

    /// Rejects processes of which one has another version or other arguments.
    pub fn check_arguments(&self, arguments: &[OsString]) -> Result<()> {
        let version = env!("CARGO_PKG_VERSION").as_bytes();
        self.check_agreement(version, "another version of jostle")?;
        let arguments = format!("{:?}", arguments.get(1..));
        self.check_agreement(arguments.as_bytes(), "other arguments")
    }

    fn new(ranks: Ranks) -> Self {
        Self {
            ranks,
            have_agreed: AtomicBool::new(false),
        }
    }

    /// Returns the sentence for the moment when the launcher ends all processes, as it does when one of them was killed; `None` for a
    /// single process.
    pub fn farewell(&self, checkpoint: Option<&Path>) -> Option<String> {
        (!self.ranks.is_alone()).then(|| {
            let remedy = checkpoint.map_or_else(
                || "with --checkpoint FILE, 'jostle resume FILE' could continue it".to_owned(),
                |path| {
                    format!(
                        "'{}' continues it from the last checkpoint",
                        resume_command(path)
                    )
                },
            );
            format!(
                "the launcher ends all ranks of this run, perhaps because one was killed; {remedy}"
            )
        })
    }

    /// Returns the share of the spheres that the processes of this machine hold together, with their copies of other spheres.
    pub fn share_here(&self) -> f64 {
        if self.ranks.is_alone() {
            return 1.0;
        }
        let ranks = self.ranks.ranks();
        // Open MPI, and the launchers of MPICH and Intel MPI. Otherwise all processes may be here.
        let here = launched_here();
        here.unwrap_or(ranks).min(ranks) as f64 / ranks as f64 * WITH_COPIES
    }

    /// Returns whether this process prints and writes files.
    pub fn is_first(&self) -> bool {
        self.ranks.is_first()
    }

    /// Rejects a subcommand that one process must perform alone.
    pub fn check_alone(&self) -> Result<()> {
        if !self.ranks.is_alone() {
            bail!(
                "{} processes were started together; only 'jostle pack', 'jostle resume' and 'jostle analyze' share their work among processes",
                self.ranks.ranks()
            );
        }
        Ok(())
    }

    /// Rejects an option that one process must perform alone.
    pub fn check_alone_for(&self, option: &str) -> Result<()> {
        if !self.ranks.is_alone() {
            bail!(
                "{} processes were started together; start one process for {option}",
                self.ranks.ranks()
            );
        }
        Ok(())
    }

    /// Rejects processes with other `input` than the first one.
    pub fn check_input(&self, input: &impl Serialize) -> Result<()> {
        if self.ranks.is_alone() {
            return Ok(());
        }
        self.check_agreement(&serde_json::to_vec(input)?, "other input")
    }

    /// Begins a run once all processes are ready for it.
    pub fn begin(&self) -> Result<()> {
        self.check_input(&())?;
        self.have_agreed.store(true, Relaxed);
        Ok(())
    }

    /// Returns a packing, of which each process holds a share, with all spheres on the first process.
    pub fn whole<'a>(&self, packing: &'a Packing) -> Cow<'a, Packing> {
        if self.ranks.is_alone() {
            return Cow::Borrowed(packing);
        }
        Cow::Owned(packing.on_first_rank(&self.ranks))
    }

    /// Lets the first process make a file or directory, and returns its path on all processes.
    pub fn made_by_first(&self, make: impl FnOnce() -> Result<PathBuf>) -> Result<PathBuf> {
        if self.ranks.is_alone() {
            return make();
        }
        let make = || {
            let path = make()?;
            let name = path.to_str().map(ToOwned::to_owned);
            name.ok_or_else(|| anyhow!("the name '{}' is not UTF-8", path.display()))
        };
        let message = match self.is_first().then(make) {
            None => Vec::new(),
            Some(Ok(name)) => [b"=", name.as_bytes()].concat(),
            Some(Err(error)) => [b"!", errors::with_causes(&error).as_bytes()].concat(),
        };
        let all = self.ranks.all_gather(&message);
        match first_failure(&all) {
            Some(failure) => Err(failure),
            None => Ok(String::from_utf8_lossy(&all[0][1..]).into_owned().into()),
        }
    }

    /// Returns the expected packing fraction of a packing, of which each process holds a share, with this smallest gap.
    pub fn predicted_packing_fraction(&self, packing: &Packing, min_gap: f64) -> f64 {
        let radii = Divided::new(packing.spheres.radii(), &self.ranks);
        prediction_with_gap(packing.container.dimension(), &radii, min_gap)
    }

    /// Returns the exit code after an error. The first process prints it, even if another process failed.
    pub fn refuse(&self, error: &anyhow::Error) -> u8 {
        if self.ranks.is_alone() || self.have_agreed.load(Relaxed) {
            return errors::refuse(error);
        }
        // The other processes have failed as well, or wait for the agreement.
        let text = errors::with_causes(error);
        let all = self.ranks.all_gather(&[b"!", text.as_bytes()].concat());
        errors::refuse(&first_failure(&all).unwrap_or_else(|| anyhow!(text)))
    }

    /// Rejects processes whose `input` differs. `difference` names another input.
    fn check_agreement(&self, input: &[u8], difference: &str) -> Result<()> {
        let all = self
            .ranks
            .all_gather(&[b"=", &crc32fast::hash(input).to_le_bytes()[..]].concat());
        let differs = all.iter().position(|other| *other != all[0]);
        let failure = first_failure(&all).or_else(|| {
            let rank = differs?;
            Some(anyhow!(
                "rank {rank} has {difference} than rank 0; all ranks need the same"
            ))
        });
        // All processes have the same failure.
        self.have_agreed.store(failure.is_some(), Relaxed);
        failure.map_or(Ok(()), Err)
    }
}

/// Returns the first error among the messages of all processes.
fn first_failure(messages: &[Vec<u8>]) -> Option<anyhow::Error> {
    let text = messages
        .iter()
        .find_map(|message| message.strip_prefix(b"!"))?;
    Some(anyhow!("{}", String::from_utf8_lossy(text)))
}

/// Returns the number of processes that a launcher of MPI started, if one did.
fn started_by_launcher() -> Option<usize> {
    // Open MPI, and the launchers that use PMI, such as those of MPICH and Intel MPI.
    number_of(&["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"])
}

/// Returns the number of processes that the launcher started on this machine, if it tells.
fn launched_here() -> Option<usize> {
    number_of(&["OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"])
}

/// Lets Open MPI use shared memory at once if all processes are on this machine. Must precede the start of threads.
///
/// Otherwise it looks for fast networks first, which takes 0.2 s of each run. A choice of the user stays.
#[cfg(feature = "mpi")]
fn prefer_shared_memory() {
    const MESSAGES: &str = "OMPI_MCA_pml";
    if started_by_launcher() == launched_here() && std::env::var_os(MESSAGES).is_none() {
        // SAFETY: the program has no other thread yet.
        unsafe { std::env::set_var(MESSAGES, "ob1") };
    }
}

/// Returns the number in the first of these environment variables that is set.
fn number_of(names: &[&str]) -> Option<usize> {
    names
        .iter()
        .find_map(|name| std::env::var(name).ok()?.parse().ok())
}
