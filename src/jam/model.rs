//! The forces near a place: linear in the motion, but for contacts that open and close.

use glam::{DVec3, Vec3, Vec4};

use super::{
    constants::{GROWTH_STIFFNESS, SCALED},
    links::{Link, Links, Node},
    system::{Contact, Load, Partner, System},
    vectors::{Part, of_spheres, zeros},
};
use crate::machine::lanes::{Kernel, Lanes, run};

/// The displacement of each sphere, and the growth of the container, by a motion of 1. The energy rises about as fast by each of them,
/// so that spheres of any size need as many steps.
pub(super) struct Scales {
    displacements: Vec<f32>,
    growth: f64,
}

impl Scales {
    /// Returns the scales for the near pairs of a system; those of fixed spheres are 0.
    pub fn new(system: &System) -> Self {
        let mut stiffness: Vec<f64> = system.radii.iter().map(|radius| 2.0 * radius).collect();
        let mut of_growth = 1.0;
        system.visit(SCALED, |contact| {
            stiffness[contact.sphere as usize] += contact.stiffness;
            if let Partner::Sphere(id) = contact.partner {
                stiffness[id as usize] += contact.stiffness;
            }
            of_growth += contact.stiffness * contact.distance * contact.distance;
        });
        let scale = |stiffness: f64| stiffness.sqrt().recip();
        let of_sphere = |(stiffness, is_fixed): (f64, bool)| {
            if is_fixed {
                0.0
            } else {
                scale(stiffness) as f32
            }
        };
        let displacements = stiffness.into_iter().zip(system.are_fixed());
        Self {
            displacements: displacements.map(of_sphere).collect(),
            growth: match system.gravity {
                // The container keeps its size.
                Some(_) => 0.0,
                None => scale(GROWTH_STIFFNESS * of_growth),
            },
        }
    }

    /// Returns the motions by which spheres are displaced this far.
    pub fn motions(&self, displacements: impl Iterator<Item = f64>) -> Vec<f32> {
        let scaled = displacements.zip(&self.displacements);
        scaled.map(|(far, scale)| far as f32 / scale).collect()
    }
}

/// The forces near a place.
///
/// Motions and sums of forces are three numbers for each sphere, and then the growth of the container or the excess of the virial. Both are
/// [scaled](Scales).
pub(super) struct Model<'a> {
    scales: &'a Scales,
    links: Links,
    /// The forces at the place.
    pub sums: Vec<Part>,
    /// Mean force of a contact, in which each one counts by its force.
    pub mean: f64,
    /// Root mean square and largest sum of the forces on a sphere.
    pub residuals: [f64; 2],
    /// Excess of the virial over that of the pressure, relative to it.
    excess: f64,
}

impl<'a> Model<'a> {
    /// Returns the forces of a system near its place, under a load. `within` is the largest gap of a link, in
    /// diameters; `unit` is the order of the overlaps.
    pub fn new(
        system: &System,
        scales: &'a Scales,
        load: Load,
        (within, unit): (f64, f64),
    ) -> Self {
        let spheres = system.radii.len();
        let mut links = Links::default();
        let weight = load.weight / unit;
        let mut sums: Vec<DVec3> = system.masses().map(|mass| mass * weight).collect();
        let (mut of_contacts, mut total, mut squares) = (0.0, 0.0, 0.0);
        system.visit(within, |contact: Contact| {
            let push = contact.force() / unit * contact.normal;
            sums[contact.sphere as usize] -= push;
            let (partner, tension) = match contact.partner {
                Partner::Sphere(id) => {
                    sums[id as usize] += push;
                    (id, contact.force() / contact.distance)
                }
                // The tension of a curved wall is that of another radius, and small.
                Partner::Wall => (spheres as u32, 0.0),
            };
            links.push(&Link {
                nodes: [contact.sphere, partner],
                normal: contact.normal.as_vec3(),
                overlap: (contact.overlap() / unit) as f32,
                distance: contact.distance as f32,
                stiffness: contact.stiffness as f32,
                tension: tension as f32,
            });
            let force = contact.force() / unit;
            of_contacts += force * contact.distance;
            total += force;
            squares += force * force;
        });
        for (sum, _) in (sums.iter_mut().zip(system.are_fixed())).filter(|(_, is_fixed)| *is_fixed)
        {
            *sum = DVec3::ZERO;
        }
        let virial = load.virial * system.volume() / unit;
        let squared = sums.iter().map(|sum| sum.length_squared());
        let (sum, largest) = squared.fold((0.0, 0.0), |(sum, largest), square| {
            (sum + square, f64::max(largest, square))
        });
        let scaled = sums.iter().zip(&scales.displacements);
        let scaled = scaled.flat_map(|(sum, scale)| (*scale * sum.as_vec3()).to_array());
        let of_growth = (scales.growth * (of_contacts - virial)) as f32;
        let mut sums = zeros(3 * spheres + 1);
        let numbers = sums.as_flattened_mut().iter_mut();
        for (number, value) in numbers.zip(scaled.chain([of_growth])) {
            *number = value;
        }
        Self {
            scales,
            links,
            sums,
            mean: if total > 0.0 { squares / total } else { 0.0 },
            residuals: [(sum / spheres as f64).sqrt(), largest.sqrt()],
            excess: if virial > 0.0 {
                (of_contacts - virial) / virial
            } else {
                0.0
            },
        }
    }

    /// Returns the root mean square of the forces on a sphere in mean forces, or the relative excess of the virial if that is more.
    pub fn unbalance(&self) -> f64 {
        if self.mean > 0.0 {
            self.excess.abs().max(self.residuals[0] / self.mean)
        } else {
            f64::INFINITY
        }
    }

    /// Returns the relative growth of the container in a motion, in units of the model.
    pub fn growth(&self, motion: &[Part]) -> f64 {
        f64::from(motion.as_flattened()[3 * self.scales.displacements.len()]) * self.scales.growth
    }

    /// Returns the displacements in a motion, in units of the model.
    pub fn displacements(&self, motion: &[Part]) -> impl Iterator<Item = DVec3> {
        let scaled = of_spheres(motion).zip(&self.scales.displacements);
        scaled.map(|(motion, scale)| (*scale * motion).as_dvec3())
    }

    /// Writes the forces after a motion. There is a node for each sphere, and one for all walls.
    pub fn forces(&self, motion: &[Part], nodes: &mut [Node], sums: &mut [Part]) {
        run(Forces {
            model: self,
            motion,
            nodes,
            sums,
        });
    }
}

/// The forces after a motion.
struct Forces<'a> {
    model: &'a Model<'a>,
    motion: &'a [Part],
    nodes: &'a mut [Node],
    sums: &'a mut [Part],
}

impl Kernel for Forces<'_> {
    type Output = ();

    #[inline(always)]
    fn compute<L: Lanes>(self, lanes: L) {
        let (model, nodes) = (self.model, self.nodes);
        let scales = &model.scales.displacements;
        for ((node, motion), scale) in nodes.iter_mut().zip(of_spheres(self.motion)).zip(scales) {
            *node = Node {
                displacement: (*scale * motion).extend(0.0),
                change: Vec4::ZERO,
            };
        }
        let growth = model.growth(self.motion) as f32;
        let virial = model.links.add_changes(lanes, growth, nodes);
        let (sums, at_rest) = (self.sums.as_flattened_mut(), model.sums.as_flattened());
        let last = 3 * scales.len();
        sums[last] = at_rest[last] + (model.scales.growth * virial) as f32;
        let (sums, at_rest) = (&mut sums[..last], &at_rest[..last]);
        let spheres = sums.as_chunks_mut().0.iter_mut().zip(at_rest.as_chunks().0);
        for ((sum, at_rest), (node, scale)) in spheres.zip(nodes.iter().zip(scales)) {
            let at_rest: [f32; 3] = *at_rest;
            *sum = (Vec3::from_array(at_rest) + *scale * node.change.truncate()).to_array();
        }
    }
}
