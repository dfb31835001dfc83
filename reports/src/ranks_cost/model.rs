//! Predicted time of runs on many nodes.

use super::{
    Sizes,
    law::{Laws, neighbors},
    markdown::table,
};

const SPHERES: f64 = 1e9;
const NODES: [f64; 3] = [16.0, 64.0, 256.0];

/// A network: the time of a short message in seconds, and the bytes per second of a node.
struct Network {
    name: &'static str,
    latency: f64,
    bandwidth: f64,
}

const NETWORKS: [Network; 2] = [
    // https://blogs.cisco.com/performance/mpi-over-40gb-ethernet: half a round trip of Open MPI 1.8.1 takes 1.93 µs, and 37.23 Gb/s.
    Network {
        name: "40 Gb/s",
        latency: 1.93e-6,
        bandwidth: 37.23e9 / 8.0,
    },
    // An assumption: the rate of one link of HDR InfiniBand, and the same latency.
    Network {
        name: "200 Gb/s",
        latency: 1.93e-6,
        bandwidth: 200e9 / 8.0,
    },
];

/// Threads of a node, and the time of a run on one thread and the speed-up of these threads as `docs/reports/performance.md` states them.
pub struct Node {
    /// Seconds per sphere: 10⁶ spheres, effort 0.
    pub per_sphere: f64,
    /// Predicted speed-up on 64 threads.
    pub speed_up: f64,
}

/// Returns the table of the predicted times.
pub fn predictions(laws: &[(&Sizes, Laws)]) -> String {
    let mut rows = Vec::new();
    for (sizes, laws) in laws {
        let node = &sizes.node;
        for ranks in NODES {
            let own = SPHERES / ranks;
            let work = node.per_sphere * own / node.speed_up;
            let mut row = vec![
                sizes.name.to_owned(),
                format!("{ranks}"),
                format!("{:.1}", own / 1e6),
                format!("{:.1}", (laws.base + laws.memory.at(SPHERES, ranks)) / 1e9),
                format!("{work:.0}"),
            ];
            for network in &NETWORKS {
                let [phases, refreshes, sums] = network.times(laws, ranks);
                let share = (phases + refreshes + sums) / (work + phases + refreshes + sums);
                row.push(format!(
                    "{phases:.2} + {refreshes:.1} + {sums:.1} ({:.0} %)",
                    100.0 * share
                ));
            }
            rows.push(row);
        }
    }
    let mut head = vec![
        "sizes".to_owned(),
        "nodes".to_owned(),
        "10⁶ spheres per node".to_owned(),
        "GB per node".to_owned(),
        "s of work".to_owned(),
    ];
    head.extend(NETWORKS.map(|network| format!("s of messages, {}", network.name)));
    table(&head, rows)
}

impl Network {
    /// Returns the seconds of messages in phases, of refreshed spheres and of sums, in a run with one rank for each node.
    fn times(&self, laws: &Laws, ranks: f64) -> [f64; 3] {
        let time =
            |messages: f64, bytes: f64| messages * self.latency + bytes / ranks / self.bandwidth;
        let others = ranks - 1.0;
        [
            time(
                laws.phases * neighbors(ranks),
                laws.exchanges.at(SPHERES, ranks),
            ),
            time(
                laws.all_to_all_calls.at(SPHERES, ranks) * others,
                laws.all_to_all.at(SPHERES, ranks),
            ),
            time(
                laws.all_gather_calls.at(SPHERES, ranks) * others,
                laws.all_gather.at(SPHERES, ranks),
            ),
        ]
    }
}
