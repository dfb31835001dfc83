//! Ranks that are threads of one process make the packings of a run without ranks.

use std::{
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::{
    Boundary, Communicator, Container, Effort, ExchangeRate, PackOptions, Packer, Spheres,
    packing::Packing,
};

/// A rank whose messages go through channels.
pub(super) struct Thread {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
}

impl Thread {
    /// Returns the ends of all channels between `ranks` threads.
    pub fn all(ranks: usize) -> Vec<Self> {
        let channels: Vec<Vec<_>> = (0..ranks)
            .map(|_| (0..ranks).map(|_| channel()).collect())
            .collect();
        let mut to: Vec<Vec<Sender<Vec<u8>>>> = vec![Vec::new(); ranks];
        let mut from: Vec<Vec<Mutex<Receiver<Vec<u8>>>>> = (0..ranks).map(|_| Vec::new()).collect();
        for (sender, row) in channels.into_iter().enumerate() {
            for (receiver, (tx, rx)) in row.into_iter().enumerate() {
                to[sender].push(tx);
                from[receiver].push(Mutex::new(rx));
            }
        }
        let ends = to.into_iter().zip(from).enumerate();
        ends.map(|(rank, (to, from))| Self { rank, to, from })
            .collect()
    }

    fn receive(&self, sender: usize) -> Vec<u8> {
        self.from[sender].lock().unwrap().recv().unwrap()
    }
}

impl Communicator for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.to.len()
    }

    fn all_to_all(&self, messages: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        for (to, message) in self.to.iter().zip(messages) {
            to.send(message).unwrap();
        }
        (0..self.ranks()).map(|rank| self.receive(rank)).collect()
    }

    fn exchange(&self, messages: &[(usize, Vec<u8>)], senders: &[usize]) -> Vec<Vec<u8>> {
        for (rank, message) in messages {
            self.to[*rank].send(message.clone()).unwrap();
        }
        senders.iter().map(|&rank| self.receive(rank)).collect()
    }

    fn all_gather(&self, message: &[u8]) -> Vec<Vec<u8>> {
        self.all_to_all(vec![message.to_vec(); self.ranks()])
    }
}

/// Returns the packing of some ranks.
fn packed_on(ranks: usize, radii: &[f64], options: &PackOptions) -> Packing {
    let packings: Vec<Packing> = thread::scope(|scope| {
        let runs: Vec<_> = Thread::all(ranks)
            .into_iter()
            .map(|thread| {
                scope.spawn(move || {
                    let mut packer = Packer::on_ranks(radii, options, Arc::new(thread)).unwrap();
                    while packer.sweep().is_some() {}
                    packer.finish().packing
                })
            })
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    let share = radii.len().div_ceil(ranks);
    let mut all = packings[0].clone();
    let (mut centers, mut radii) = (Vec::new(), Vec::new());
    for packing in packings {
        assert!(
            packing.spheres.len() <= share,
            "{} spheres",
            packing.spheres.len()
        );
        assert_eq!(packing.certificate, all.certificate);
        let (own_centers, own_radii) = packing.spheres.into_parts();
        centers.extend(own_centers);
        radii.extend(own_radii);
    }
    all.spheres = Spheres::new(centers, radii);
    all
}

/// Returns `n` radii with f(r) ∝ r⁻³ of a ratio.
fn power_law(n: usize, ratio: f64) -> Vec<f64> {
    let mut rng = Pcg64::seed_from_u64(8);
    (0..n)
        .map(|_| 0.5 * (1.0 - rng.random::<f64>() * (1.0 - ratio.powi(-2))).powf(-0.5))
        .collect()
}

fn cube(boundary: &str) -> Container {
    Container::cuboid(DVec3::ONE, boundary.parse().unwrap()).unwrap()
}

#[test]
fn ranks_make_the_packing_of_one_process() {
    for (radii, container) in [
        (vec![0.5; 6000], cube("ppp")),
        (power_law(6000, 10.0), cube("pwp")),
        (power_law(4000, 50.0), cube("ppp")),
        (
            vec![0.5; 4000],
            Container::cylinder(1.0, 2.0, Boundary::Wall).unwrap(),
        ),
    ] {
        let options = PackOptions::default()
            .container(container)
            .effort(Effort::QUICK)
            .threads(1);
        let mut packer = Packer::new(&radii[..], &options).unwrap();
        while packer.sweep().is_some() {}
        let expected = packer.finish().packing;
        for ranks in [1, 2, 3, 4, 8] {
            assert_eq!(
                packed_on(ranks, &radii, &options),
                expected,
                "{ranks} ranks"
            );
        }
    }
}

#[test]
fn ranks_make_the_same_exchanges() {
    let radii = power_law(5000, 10.0);
    let options = PackOptions::default()
        .effort(Effort::QUICK)
        .exchange(ExchangeRate::AUTO)
        .threads(1);
    let mut packer = Packer::new(&radii[..], &options).unwrap();
    while packer.sweep().is_some() {}
    let expected = packer.finish().packing;
    let exchanges = expected.provenance.as_ref().unwrap().exchanges;
    assert!(exchanges > 1000, "{exchanges}");
    for ranks in [1, 3, 4] {
        assert_eq!(
            packed_on(ranks, &radii, &options),
            expected,
            "{ranks} ranks"
        );
    }
}
