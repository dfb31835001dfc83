//! Runs on several ranks, and what they cost.

use std::{env, fs, path::PathBuf, process::Command, sync::Arc};

use jostle::{
    Effort, PackOptions, Request, SizeSpec,
    ranks::{Communicator, Mpi},
};
use serde::{Deserialize, Serialize};

use super::{
    counted::{Counted, Sent, Traffic},
    outcome::Outcome,
    resident::largest_resident,
};

/// Where the results of runs are kept.
const RESULTS: &str = "target/ranks_cost";

/// A run from the sizes to the certificate, with effort 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub sizes: &'static str,
    pub spheres: usize,
    pub ranks: usize,
}

/// The cost of a run for one rank.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct RankCost {
    pub sweeps: u64,
    /// Largest resident memory in bytes.
    pub peak: f64,
    pub traffic: Traffic,
}

/// The cost of a run.
#[derive(Clone, Debug)]
pub struct Cost {
    pub run: Run,
    pub ranks: Vec<RankCost>,
}

impl Run {
    fn file(self) -> PathBuf {
        let Self {
            sizes,
            spheres,
            ranks,
        } = self;
        PathBuf::from(RESULTS).join(format!("{sizes} {spheres} {ranks}.json"))
    }

    /// Runs this program on the ranks, and keeps the result.
    pub fn measure(self) -> Outcome {
        println!("{self:?}");
        let output = Command::new("mpirun")
            .args(["--oversubscribe", "-n", &self.ranks.to_string()])
            .arg(env::current_exe()?)
            .args(["ranks-cost", self.sizes, &self.spheres.to_string()])
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        fs::create_dir_all(RESULTS)?;
        fs::write(self.file(), output.stdout)?;
        Ok(())
    }

    /// Returns the result of the last measurement.
    pub fn cost(self) -> Outcome<Cost> {
        let text = fs::read_to_string(self.file())?;
        let ranks: Result<Vec<RankCost>, _> = text.lines().map(serde_json::from_str).collect();
        Ok(Cost {
            run: self,
            ranks: ranks?,
        })
    }
}

impl Cost {
    /// Returns the messages of one kind of the rank for which `of` is largest, and the sum over all ranks.
    fn of(&self, kind: fn(&Traffic) -> Sent, of: fn(Sent) -> u64) -> (f64, f64) {
        let counts = self.ranks.iter().map(|rank| of(kind(&rank.traffic)) as f64);
        (counts.clone().fold(0.0, f64::max), counts.sum())
    }

    /// Returns the largest number of messages of a rank.
    pub fn messages(&self, kind: fn(&Traffic) -> Sent) -> f64 {
        self.of(kind, |sent| sent.messages).0
    }

    /// Returns the number of calls, which is that of each rank.
    pub fn calls(&self, kind: fn(&Traffic) -> Sent) -> f64 {
        self.of(kind, |sent| sent.calls).0
    }

    /// Returns the largest number of bytes of a rank, and that of all ranks together.
    pub fn bytes(&self, kind: fn(&Traffic) -> Sent) -> (f64, f64) {
        self.of(kind, |sent| sent.bytes)
    }

    /// Returns the largest resident memory of a rank, and that of all ranks together, in bytes.
    pub fn peak(&self) -> (f64, f64) {
        let peaks = self.ranks.iter().map(|rank| rank.peak);
        (peaks.clone().fold(0.0, f64::max), peaks.sum())
    }

    pub fn sweeps(&self) -> f64 {
        self.ranks[0].sweeps as f64
    }
}

/// Packs as one of several ranks. The first rank prints a line for each.
pub fn pack_as_rank(sizes: &str, spheres: usize) -> Outcome {
    let mpi: Arc<dyn Communicator> = Arc::new(Mpi::start()?);
    let counted = Arc::new(Counted::new(Arc::clone(&mpi)));
    let communicator: Arc<dyn Communicator> = counted.clone();
    let request = Request::new(SizeSpec::load(sizes)?).number(spheres as u64);
    let options = PackOptions::default().effort(Effort::QUICK).threads(1);
    let mut packer = request.options(options).packer(&communicator.into())?;
    let mut sweeps = 0;
    while packer.sweep().is_some() {
        sweeps += 1;
    }
    packer.finish();
    let cost = RankCost {
        sweeps,
        peak: largest_resident("self").ok_or("no VmHWM in /proc")?,
        traffic: counted.traffic(),
    };
    let line = serde_json::to_string(&cost)?;
    for line in mpi.all_gather(line.as_bytes()) {
        if mpi.rank() == 0 {
            println!("{}", String::from_utf8(line)?);
        }
    }
    Ok(())
}
