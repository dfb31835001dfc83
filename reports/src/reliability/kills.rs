//! Runs that are killed at random instants, and continued.

use std::{
    fs,
    path::Path,
    process::Child,
    thread::sleep,
    time::{Duration, Instant},
};

use super::{
    outcome::Outcome,
    page::{self, Part},
    program,
    random::Random,
    results::{Machine, directory},
};

/// Runs of one number of spheres.
struct Size {
    spheres: usize,
    /// Share of all kills.
    share: f64,
    interval: &'static str,
    /// Longest time from the first byte of a checkpoint to the kill, in seconds. A write takes about this time.
    longest_write: f64,
    requests: &'static [&'static str],
}

const SIZES: [Size; 3] = [
    Size {
        spheres: 10_000,
        share: 0.6,
        interval: "0.02s",
        longest_write: 0.002,
        requests: &[
            "mono:d=1 --effort normal",
            "concrete --boundary wpw --effort 0.5",
            "power-law-3 --fraction 0.7 --exchange auto --effort 0.5",
            "din-a16 --boundary www --min-gap 0.01 --effort quick",
        ],
    },
    Size {
        spheres: 100_000,
        share: 0.3,
        interval: "0.1s",
        longest_write: 0.01,
        requests: &[
            "fuller-16 --boundary ppw --effort quick",
            "mono:d=1 --effort 0.5",
        ],
    },
    Size {
        spheres: 1_000_000,
        share: 0.1,
        interval: "1s",
        longest_write: 0.1,
        requests: &[
            "concrete --effort quick",
            "mono:d=1 --boundary wpp --effort quick",
        ],
    },
];

/// Largest number of kills of one run.
const MOST_KILLS_OF_A_RUN: u64 = 6;

/// Share of the time of an undisturbed run in which a run is killed that should be over.
const LEAST_SHARE: f64 = 0.1;

/// Time from one look at the run to the next.
const LOOK: Duration = Duration::from_micros(100);

/// Names of the files of a run, and the first letters of the files from which they are renamed.
const PACKING: &str = "made.json";
const CHECKPOINT: &str = "run.checkpoint";
const UNFINISHED_PACKING: &str = ".jostle-made.json-";
const UNFINISHED_CHECKPOINT: &str = ".jostle-run.checkpoint-";

/// Result of the part.
pub struct Kills {
    pub machine: Machine,
    pub seed: u64,
    pub seconds: f64,
    pub rows: Vec<Row>,
    pub problems: Vec<String>,
}

/// Counts for one number of spheres.
#[derive(Default)]
pub struct Row {
    pub spheres: usize,
    pub interval: String,
    pub requests: Vec<String>,
    /// Wall time of an undisturbed run, the longest of the requests.
    pub seconds: f64,
    pub runs: usize,
    pub kills: usize,
    /// Kills after which an unfinished checkpoint was there.
    pub during_checkpoint: usize,
    /// Kills after which an unfinished packing was there.
    pub during_packing: usize,
    /// Kills before the first checkpoint, after which the run began again.
    pub before_first: usize,
    pub resumed: usize,
    /// Runs whose packing differs from that of the undisturbed run, or that failed.
    pub different: usize,
    /// Runs that left other files than the packing.
    pub leftovers: usize,
}

/// An undisturbed run.
struct Expected {
    arguments: String,
    packing: Vec<u8>,
    seconds: f64,
}

/// Kills runs `kills` times. Returns the number of failures.
pub fn run(seed: u64, kills: usize) -> Outcome<usize> {
    let program = program::build()?;
    let started = Instant::now();
    let mut result = Kills {
        machine: Machine::here(),
        seed,
        seconds: 0.0,
        rows: Vec::new(),
        problems: Vec::new(),
    };
    let mut left = kills;
    for (k, size) in SIZES.iter().enumerate() {
        let quota = match k {
            0 | 1 => (size.share * kills as f64).round() as usize,
            _ => left,
        };
        let quota = quota.min(left);
        left -= quota;
        let mut killer = Killer::new(&program, size, Random::new(seed, k as u64))?;
        killer.kill(quota)?;
        result.rows.push(killer.row);
        result.problems.append(&mut killer.problems);
        result.seconds = started.elapsed().as_secs_f64();
        page::show(Part::Kills, &page::of_kills(&result))?;
    }
    Ok(result.problems.len())
}

/// Kills runs of one number of spheres.
struct Killer<'a> {
    program: &'a Path,
    size: &'a Size,
    random: Random,
    row: Row,
    problems: Vec<String>,
    expected: Vec<Expected>,
}

impl<'a> Killer<'a> {
    /// Makes the undisturbed runs.
    fn new(program: &'a Path, size: &'a Size, random: Random) -> Outcome<Self> {
        let mut expected = Vec::new();
        for request in size.requests {
            let arguments = format!("pack {request} -n {} -o {PACKING} --quiet", size.spheres);
            eprintln!("kills: jostle {arguments}");
            let folder = tempfile::tempdir_in(directory()?)?;
            let clock = Instant::now();
            program::finish(program::start(program, folder.path(), &arguments)?)?;
            expected.push(Expected {
                arguments,
                packing: fs::read(folder.path().join(PACKING))?,
                seconds: clock.elapsed().as_secs_f64(),
            });
        }
        let row = Row {
            spheres: size.spheres,
            interval: size.interval.to_owned(),
            requests: size
                .requests
                .iter()
                .map(|&request| request.to_owned())
                .collect(),
            seconds: expected.iter().map(|run| run.seconds).fold(0.0, f64::max),
            ..Row::default()
        };
        Ok(Self {
            program,
            size,
            random,
            row,
            problems: Vec::new(),
            expected,
        })
    }

    /// Starts runs until `quota` kills are made and the last run is complete.
    fn kill(&mut self, quota: usize) -> Outcome {
        while self.row.kills < quota {
            let request = self.row.runs % self.expected.len();
            self.row.runs += 1;
            let folder = tempfile::tempdir_in(directory()?)?;
            let problem = match self.disturbed(request, folder.path(), quota) {
                Err(error) => Some(error.to_string()),
                Ok(()) => self.compare(request, folder.path())?,
            };
            if let Some(problem) = problem {
                self.row.different += 1;
                self.problem(request, &problem);
            }
            let others = names(folder.path(), "")?;
            if others != [PACKING] {
                self.row.leftovers += 1;
                self.problem(request, &format!("the run left {others:?}"));
            }
            let Row {
                spheres,
                runs,
                kills,
                ..
            } = self.row;
            eprintln!("kills: {spheres} spheres, {runs} runs, {kills} of {quota} kills");
        }
        Ok(())
    }

    fn problem(&mut self, request: usize, problem: &str) {
        let text = format!("jostle {}: {problem}", self.expected[request].arguments);
        eprintln!("kills: FAILED: {text}");
        self.problems.push(text);
    }

    fn compare(&self, request: usize, folder: &Path) -> Outcome<Option<String>> {
        let found = fs::read(folder.join(PACKING))?;
        let is_equal = found == self.expected[request].packing;
        Ok((!is_equal).then(|| "the packing differs from that of the undisturbed run".to_owned()))
    }

    /// Starts a run, kills and continues it some times, and waits for its end.
    fn disturbed(&mut self, request: usize, folder: &Path, quota: usize) -> Outcome {
        let mut kills_left = self.random.count(1, MOST_KILLS_OF_A_RUN);
        let mut is_first = true;
        // Wall time that the run has left, without the work that its kills lost.
        let mut left = self.expected[request].seconds;
        loop {
            let options = format!(
                "--checkpoint-every {} --threads {} --quiet",
                self.size.interval,
                self.random.pick(&[1, 2, 3])
            );
            let arguments = if folder.join(CHECKPOINT).exists() {
                self.row.resumed += 1;
                format!("resume {CHECKPOINT} {options}")
            } else {
                self.row.before_first += usize::from(!is_first);
                let pack = self.expected[request].arguments.replace(" --quiet", "");
                format!("{pack} --checkpoint {CHECKPOINT} {options}")
            };
            is_first = false;
            let before = names(folder, ".")?;
            let mut child = program::start(self.program, folder, &arguments)?;
            if kills_left == 0 || self.row.kills >= quota {
                return program::finish(child);
            }
            let latest = left.max(LEAST_SHARE * self.expected[request].seconds);
            let clock = Instant::now();
            if !self.strike(&mut child, latest, folder, &before)? {
                return program::finish(child);
            }
            left -= clock.elapsed().as_secs_f64();
            kills_left -= 1;
        }
    }

    /// Kills a run at a random instant of the next `latest` seconds, or while it writes the first checkpoint after this
    /// instant. Returns false if the run ended before.
    fn strike(
        &mut self,
        child: &mut Child,
        latest: f64,
        folder: &Path,
        before: &[String],
    ) -> Outcome<bool> {
        let unfinished = |prefix: &str| -> Outcome<bool> {
            let names = names(folder, prefix)?;
            Ok(names.iter().any(|name| !before.contains(name)))
        };
        let seconds = self.random.uniform(0.0, latest);
        let end = Instant::now() + Duration::from_secs_f64(seconds);
        while Instant::now() < end {
            if child.try_wait()?.is_some() {
                return Ok(false);
            }
            sleep(LOOK);
        }
        // Half of the kills, and one more in case that the last of them comes late.
        if 2 * self.row.during_checkpoint <= self.row.kills + 1 {
            while !unfinished(UNFINISHED_CHECKPOINT)? {
                if child.try_wait()?.is_some() {
                    return Ok(false);
                }
                sleep(LOOK);
            }
            let wait = self.random.uniform(0.0, self.size.longest_write);
            sleep(Duration::from_secs_f64(wait));
        }
        child.kill()?;
        if child.wait()?.code().is_some() {
            return Ok(false);
        }
        self.row.kills += 1;
        self.row.during_checkpoint += usize::from(unfinished(UNFINISHED_CHECKPOINT)?);
        self.row.during_packing += usize::from(unfinished(UNFINISHED_PACKING)?);
        Ok(true)
    }
}

/// Returns the names of the files in a directory that begin with `prefix`.
fn names(directory: &Path, prefix: &str) -> Outcome<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with(prefix) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
