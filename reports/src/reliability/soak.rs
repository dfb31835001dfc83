//! Packings of random requests.

use std::{
    collections::BTreeMap,
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use super::{
    attempt::{End, Request},
    outcome::Outcome,
    page::{self, Part},
    results::Machine,
};

/// Wall time after which a request counts as hanging. The longest requests take some seconds.
const LONGEST: Duration = Duration::from_secs(900);

/// Time from one report on stderr to the next. The page is written at the same times.
const REPORT: Duration = Duration::from_secs(60);

/// Result of the part.
pub struct Soak {
    pub machine: Machine,
    pub seed: u64,
    pub seconds: f64,
    pub all: Count,
    /// Requests by kind of property and by property.
    pub counts: BTreeMap<String, BTreeMap<String, Count>>,
    /// Packed spheres, without those of second runs.
    pub spheres: u64,
    /// Wall time of the longest request, in seconds.
    pub longest: f64,
    /// Packings whose smallest gap is negative within the rounding of the check.
    pub within_rounding: u64,
    /// One message for each kind of rejection.
    pub rejections: BTreeMap<String, String>,
    pub failures: Vec<Failure>,
}

/// Numbers of requests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    pub requests: u64,
    pub rejected: u64,
    pub packed: u64,
    pub failed: u64,
}

/// A request that broke a promise.
pub struct Failure {
    pub number: u64,
    pub problem: String,
}

/// The end of a request, or the reason why it has none.
enum Attempted {
    Ended(End),
    Panicked(String),
    Hangs,
}

/// Packs random requests for some minutes. Returns the number of failures.
pub fn run(seed: u64, minutes: f64) -> Outcome<usize> {
    eprintln!("soak: seed {seed}, {minutes} minutes");
    let started = Instant::now();
    let mut reported = started;
    let mut soak = Soak {
        machine: Machine::here(),
        seed,
        seconds: 0.0,
        all: Count::default(),
        counts: BTreeMap::new(),
        spheres: 0,
        longest: 0.0,
        within_rounding: 0,
        rejections: BTreeMap::new(),
        failures: Vec::new(),
    };
    for number in 0.. {
        soak.request(seed, number);
        soak.seconds = started.elapsed().as_secs_f64();
        let is_over = soak.seconds >= 60.0 * minutes;
        if is_over || reported.elapsed() >= REPORT {
            reported = Instant::now();
            page::show(Part::Soak, &page::of_soak(&soak))?;
            eprintln!("soak: {:.0} s, {:?}", soak.seconds, soak.all);
        }
        if is_over {
            break;
        }
    }
    Ok(soak.failures.len())
}

/// Runs one request and prints it.
pub fn one(seed: u64, number: u64) -> Outcome {
    let (request, rejection) = Request::draw(seed, number);
    println!("{}", serde_json::to_string_pretty(&request)?);
    println!("{} radii", request.radii.len());
    let clock = Instant::now();
    let end = rejection.map_or_else(|| request.attempt(), End::Rejected);
    println!("{end:#?}\n{:.2} s", clock.elapsed().as_secs_f64());
    let has_failed = matches!(&end, End::Packed { checked, .. } if !checked.failures.is_empty());
    if has_failed {
        return Err("the packing does not pass".into());
    }
    Ok(())
}

impl Soak {
    /// Runs and counts one request.
    fn request(&mut self, seed: u64, number: u64) {
        let clock = Instant::now();
        let drawn = in_time(move || Request::draw(seed, number));
        let (request, attempted) = match drawn {
            Ok((request, Some(message))) => {
                (Some(request), Attempted::Ended(End::Rejected(message)))
            }
            Ok((request, None)) => {
                let copy = request.clone();
                let attempted = in_time(move || copy.attempt());
                (
                    Some(request),
                    attempted.map_or_else(|failed| failed, Attempted::Ended),
                )
            }
            Err(failed) => (None, failed),
        };
        self.longest = self.longest.max(clock.elapsed().as_secs_f64());
        let mut count = Count {
            requests: 1,
            ..Count::default()
        };
        let mut problems = Vec::new();
        let mut end = None;
        match attempted {
            Attempted::Panicked(message) => problems.push(format!("panic: {message}")),
            Attempted::Hangs => problems.push(format!("no end after {LONGEST:?}")),
            Attempted::Ended(End::Rejected(message)) => {
                count.rejected = 1;
                if message.lines().count() != 1 || message.contains(char::is_control) {
                    problems.push(format!("the message is not one line: {message:?}"));
                }
                self.rejections.entry(kind(&message)).or_insert(message);
            }
            Attempted::Ended(End::Packed { stop, checked, .. }) => {
                count.packed = 1;
                self.within_rounding += u64::from(checked.is_within_rounding);
                let by = if checked.all_pairs {
                    "all pairs"
                } else {
                    "R*-tree"
                };
                problems.extend(checked.failures);
                end = Some((stop, by));
            }
        }
        count.failed = u64::from(!problems.is_empty());
        self.count(request.as_ref(), end, count);
        let text = request.map_or_else(String::new, |request| {
            serde_json::to_string(&request).unwrap_or_default()
        });
        for problem in problems {
            eprintln!("request {number} of seed {seed} FAILED: {problem}\n{text}");
            self.failures.push(Failure { number, problem });
        }
    }

    /// Adds the counts of one request to those of its properties.
    fn count(&mut self, request: Option<&Request>, end: Option<(String, &str)>, count: Count) {
        self.all.add(count);
        let Some(request) = request else { return };
        self.add("law", request.sample.sizes.law, count);
        let Some(run) = &request.run else { return };
        let spheres = request.radii.len();
        let decade = match spheres {
            ..10 => "1 to 9",
            10..100 => "10 to 99",
            100..1000 => "100 to 999",
            1000..10_000 => "1000 to 9999",
            _ => "10000 and more",
        };
        let options = &run.options;
        let walls = (0..3).filter(|&axis| !options.container.is_periodic(axis));
        let target = format!("{:?}", options.target);
        let target = target.split('(').next().unwrap_or_default().to_lowercase();
        let yes = |is: bool| if is { "yes" } else { "no" };
        self.add("spheres", decade, count);
        self.add("sampling", &request.sample.sampling.to_string(), count);
        self.add("walled axes", &walls.count().to_string(), count);
        self.add("target", &target, count);
        self.add("minimum gap", yes(options.min_gap > 0.0), count);
        self.add("exchanges", yes(f64::from(options.exchange) > 0.0), count);
        self.add("index", &options.index.to_string(), count);
        self.add("threads", &options.threads.to_string(), count);
        let Some((stop, by)) = end else { return };
        self.spheres += spheres as u64;
        self.add("end", &stop, count);
        self.add("certified by", by, count);
        self.add("second run", run.again.name(), count);
        self.add("file", &run.format, count);
    }

    fn add(&mut self, kind: &str, property: &str, count: Count) {
        let counts = self.counts.entry(kind.to_owned()).or_default();
        counts.entry(property.to_owned()).or_default().add(count);
    }
}

impl Count {
    fn add(&mut self, other: Self) {
        self.requests += other.requests;
        self.rejected += other.rejected;
        self.packed += other.packed;
        self.failed += other.failed;
    }
}

/// Runs a function on a thread, and waits at most [`LONGEST`]. A thread that takes longer is left alone.
fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Attempted> {
    let (sender, receiver) = channel();
    let worker = thread::spawn(move || {
        // The receiver waits, or has given up.
        let _ = sender.send(work());
    });
    match receiver.recv_timeout(LONGEST) {
        Ok(result) => Ok(result),
        Err(RecvTimeoutError::Timeout) => Err(Attempted::Hangs),
        Err(RecvTimeoutError::Disconnected) => {
            let panic = worker.join().err();
            let message = panic.and_then(|panic| {
                let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                text.or_else(|| panic.downcast_ref::<String>().cloned())
            });
            Err(Attempted::Panicked(message.unwrap_or_default()))
        }
    }
}

/// Returns a message without its numbers.
fn kind(message: &str) -> String {
    let words = message.split_whitespace();
    let plain = words.filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
    plain.take(8).collect::<Vec<_>>().join(" ")
}
