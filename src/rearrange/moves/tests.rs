//! A move that is not built in: random kicks, with a state of its own.

use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::{Value, json};

use super::interface::{Arrangement, Move};
use crate::{
    packing::Packing,
    rearrange::{
        Effort, PackOptions, Packer, PackerBuilder, ResumeError,
        halo::tests::{joined, power_law},
    },
};

/// Kicks one sphere of ten at random before every fifth sweep.
#[derive(Debug, Default)]
struct Kicks {
    rounds: u64,
}

impl Move for Kicks {
    fn name(&self) -> &'static str {
        "kicks"
    }

    fn is_due(&self, spheres: &Arrangement) -> bool {
        spheres.is_complete() && spheres.sweeps().is_multiple_of(5) && self.rounds < 20
    }

    fn round(&mut self, spheres: &mut Arrangement) {
        self.rounds += 1;
        let kick = |id: u32| {
            let number = spheres.number(id);
            let mut rng = Pcg64::seed_from_u64(self.rounds << 32 | u64::from(number));
            let direction = DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0)));
            rng.random_bool(0.1)
                .then(|| (id, 0.5 * spheres.radius(id) * direction))
        };
        let kicked: Vec<(u32, DVec3)> = spheres.own().filter_map(kick).collect();
        spheres.displace(&kicked);
        if spheres.0.halo.holds_all() {
            kicked
                .iter()
                .for_each(|&(id, _)| assert_neighbors(spheres, id));
        }
    }

    fn state(&self) -> Value {
        json!({ "rounds": self.rounds })
    }

    fn restore(&mut self, state: Value, _: &Arrangement) -> Result<(), ResumeError> {
        let rounds = state["rounds"].as_u64();
        self.rounds = rounds.ok_or(ResumeError::Contradiction("no number of kicks".into()))?;
        Ok(())
    }
}

/// Panics if a sphere overlaps another one that is no neighbor.
fn assert_neighbors(spheres: &Arrangement, id: u32) {
    let container = spheres.container();
    let (center, radius) = (spheres.center(id), spheres.radius(id));
    for other in spheres.own().filter(|&other| other != id) {
        let distance = container
            .displacement(center, spheres.center(other))
            .length();
        let overlaps = distance < 0.999 * (radius + spheres.radius(other));
        assert!(
            !overlaps || spheres.neighbors(id).contains(&other),
            "{id} and {other} overlap"
        );
    }
}

fn kicked() -> PackerBuilder {
    Packer::builder().with_move(Kicks::default())
}

fn finished(mut packer: Packer) -> Packing {
    while packer.sweep().is_some() {}
    packer.finish().packing
}

#[test]
fn a_run_with_an_added_move_continues_from_a_checkpoint() {
    let options = PackOptions::default().effort(Effort::QUICK);
    let radii = power_law(800, 10.0);
    let mut packer = kicked().place(&radii[..], &options).unwrap();
    let mut checkpoints = Vec::new();
    while packer.sweep().is_some() {
        if packer.progress().unwrap().sweeps.is_multiple_of(37) {
            checkpoints.push(packer.checkpoint());
        }
    }
    let expected = packer.finish().packing;
    assert_ne!(
        expected,
        finished(Packer::new(&radii[..], &options).unwrap())
    );
    assert!(checkpoints.len() > 2);
    for checkpoint in checkpoints {
        let names = ["exchanges", "insertions", "kicks", "sweeps"];
        assert!(checkpoint.account.moves.keys().eq(names));
        // The move continues with its own count, and no checkpoint loses a move silently.
        let error = Packer::resume(checkpoint.clone()).err().unwrap();
        assert!(error.to_string().contains("'kicks'"), "{error}");
        let continued = kicked().resume(checkpoint).unwrap();
        assert_eq!(finished(continued), expected);
    }
}

#[test]
fn ranks_make_the_packing_of_one_process_with_an_added_move() {
    use crate::machine::{ranks::Ranks, threads::on_ranks};

    let options = PackOptions::default().effort(Effort::QUICK).threads(1);
    for radii in [vec![0.5; 1500], power_law(1500, 10.0)] {
        let expected = finished(kicked().place(&radii[..], &options).unwrap());
        for ranks in [2, 3] {
            let packings = on_ranks(ranks, |thread| {
                let ranks = Ranks::from(thread);
                let own = radii[ranks.share(radii.len())].to_vec();
                finished(kicked().ranks(ranks).place(own, &options).unwrap())
            });
            assert_eq!(joined(packings), expected, "{ranks} ranks");
        }
    }
}
