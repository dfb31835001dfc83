//! The time of jamming, and that of the event-driven program spheropack.

use std::process::{Command, Stdio};

use serde::Deserialize;

use super::{
    markdown,
    numbers::grouped,
    outcome::Outcome,
    packings::{Backbone, Request},
    text,
};

const SIZES: [(&str, &str, usize); 4] = [
    ("equal", "mono:d=1", 4_000),
    ("equal", "mono:d=1", 10_000),
    (
        "f(r) ∝ r⁻³, ratio 10",
        "power-law:exponent=-3,d_min=1,d_max=10",
        4_000,
    ),
    ("Fuller, ratio 16", "fuller:d_min=1,d_max=16", 2_000),
];

/// The row with which spheropack is compared.
const COMPARED: usize = 1;

/// Lets spheropack jam equal spheres.
const SPHEROPACK: &str = "
import json, sys, time
try:
    import spheropack
except ImportError:
    print('null')
    sys.exit()
start = time.perf_counter()
packing = spheropack.pack(n=int(sys.argv[1]), density='max', seed=1)
print(json.dumps({'seconds': time.perf_counter() - start, 'fraction': packing.density}))
";

/// A packing of spheropack.
#[derive(Deserialize)]
struct Peer {
    seconds: f64,
    fraction: f64,
}

/// Returns the section.
pub fn section() -> Outcome<String> {
    let (mut lines, mut compared) = (Vec::new(), None);
    for (title, sizes, spheres) in SIZES {
        let mut rows = Vec::new();
        for seed in 1..=3 {
            let mut request = Request::new(sizes, spheres, 1);
            request.options = request.options.seed(seed);
            let (seconds, packing) = request.seconds()?;
            rows.push((seconds, Backbone::of(&packing)?, packing.packing_fraction()));
        }
        rows.sort_by(|(a, ..), (b, ..)| (a[1] - a[0]).total_cmp(&(b[1] - b[0])));
        let ([before, with], backbone, fraction) = rows[1];
        if lines.len() == COMPARED {
            compared = Some((with, fraction, spheres));
        }
        lines.push(vec![
            title.to_owned(),
            grouped(spheres),
            format!("{before:.2} s"),
            format!("{:.2} s", with - before),
            format!("{:.1}", with / before),
            format!("{:.3}", backbone.contacts),
        ]);
    }
    let header = [
        "sizes",
        "spheres",
        "time before",
        "time of jamming",
        "with / without jamming",
        "contacts",
    ];
    let sentence = match compared {
        Some((own, fraction, spheres)) => of_spheropack(own, fraction, spheres)?,
        None => String::new(),
    };
    Ok(text::TIME.to_owned() + &markdown::table(&header, lines) + &sentence)
}

/// Returns a sentence about the time of spheropack, in that of jostle.
fn of_spheropack(own: f64, fraction: f64, spheres: usize) -> Outcome<String> {
    let output = Command::new("python3")
        .args(["-c", SPHEROPACK, &spheres.to_string()])
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err("spheropack has failed".into());
    }
    let Some(peer) = serde_json::from_slice::<Option<Peer>>(&output.stdout)? else {
        return Ok(text::NO_SPHEROPACK.to_owned());
    };
    Ok(format!(
        "
The event-driven program spheropack 0.2.0 takes {:.0} s to its jammed state of {} equal spheres, with φ {:.4}: {:.1} times as long as jostle
for packing and jamming, with φ {fraction:.4}.
",
        peer.seconds,
        grouped(spheres),
        peer.fraction,
        peer.seconds / own
    ))
}
