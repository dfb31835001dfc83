//! The forces near a place: linear in the motion, but for contacts that open and close.

use glam::{DVec3, Vec4};

use super::{
    constants::{GROWTH_STIFFNESS, SCALED},
    system::{Contact, Partner, System},
};

/// Spheres that touch or nearly do, or a sphere and a wall. Lengths are in units of the model, and small against the spheres.
#[derive(Clone, Copy, Debug)]
struct Link {
    other: u32,
    distance: f32,
    stiffness: f32,
    /// Overlap at the place of the model, or else 0.
    overlap: f32,
    /// Minus the gap at that place, or else 0.
    opening: f32,
    /// Force over distance: the resistance to a rotation of the link is minus that.
    tension: f32,
}

impl Link {
    /// Returns the change of the force on the partner by a displacement relative to the sphere and by growth of the container, and the
    /// change of the virial.
    #[inline(always)]
    fn change(&self, normal: Vec4, branch: Vec4, growth: f32) -> (Vec4, f32) {
        let along = normal * branch;
        let along = (along.x + along.z) + along.y;
        let approach = self.opening - (along + self.distance * growth);
        // Small changes keep all their digits.
        let approach = if approach > -self.overlap {
            approach
        } else {
            -self.overlap
        };
        let force = self.stiffness * approach;
        let change = normal * (force - self.tension * along) + branch * self.tension;
        (change, force * self.distance)
    }
}

/// The displacement of each sphere, and the growth of the container, by a motion of 1. The energy rises about as fast by each of them,
/// so that spheres of any size need as many steps.
pub(super) struct Scales {
    displacements: Vec<f32>,
    growth: f64,
}

impl Scales {
    /// Returns the scales for the near pairs of a system.
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
        Self {
            displacements: stiffness.into_iter().map(|of| scale(of) as f32).collect(),
            growth: scale(GROWTH_STIFFNESS * of_growth),
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
/// Motions and sums of forces are one vector for each sphere, with a last component of zero. A last vector begins with the growth of the
/// container or the excess of the virial. Both are [scaled](Scales).
pub(super) struct Model<'a> {
    scales: &'a Scales,
    /// The end of the links of each sphere.
    ends: Vec<u32>,
    links: Vec<Link>,
    normals: Vec<Vec4>,
    /// Spheres at walls, and the links.
    walls: Vec<(u32, Vec4, Link)>,
    /// The forces at the place.
    pub sums: Vec<Vec4>,
    /// Mean force of a contact, in which each one counts by its force.
    pub mean: f64,
    /// Root mean square and largest sum of the forces on a sphere.
    pub residuals: [f64; 2],
    /// Excess of the virial over that of the pressure, relative to it.
    excess: f64,
}

impl<'a> Model<'a> {
    /// Returns the forces of a system near its place, under a pressure of this virial at scale 1. `within` is the largest gap of a link, in
    /// diameters; `unit` is the order of the overlaps.
    pub fn new(
        system: &System,
        scales: &'a Scales,
        virial: f64,
        (within, unit): (f64, f64),
    ) -> Self {
        let spheres = system.radii.len();
        let (mut ends, mut walls) = (vec![0; spheres], Vec::new());
        let (mut links, mut normals) = (Vec::new(), Vec::new());
        let mut sums = vec![DVec3::ZERO; spheres];
        let (mut of_contacts, mut total, mut squares) = (0.0, 0.0, 0.0);
        system.visit(within, |contact: Contact| {
            let link = |other| Link {
                other,
                distance: contact.distance as f32,
                stiffness: contact.stiffness as f32,
                overlap: (contact.overlap().max(0.0) / unit) as f32,
                opening: (contact.overlap().min(0.0) / unit) as f32,
                tension: (contact.force() / contact.distance) as f32,
            };
            let normal = contact.normal.as_vec3().extend(0.0);
            let push = contact.force() / unit * contact.normal;
            sums[contact.sphere as usize] -= push;
            match contact.partner {
                Partner::Sphere(id) => {
                    sums[id as usize] += push;
                    links.push(link(id));
                    normals.push(normal);
                    ends[contact.sphere as usize] = links.len() as u32;
                }
                // The tension of a curved wall is that of another radius, and small.
                Partner::Wall => {
                    let tension = 0.0;
                    let link = Link { tension, ..link(0) };
                    walls.push((contact.sphere, normal, link));
                }
            }
            let force = contact.force() / unit;
            of_contacts += force * contact.distance;
            total += force;
            squares += force * force;
        });
        for id in 1..spheres {
            ends[id] = ends[id].max(ends[id - 1]);
        }
        let virial = virial * system.volume() / unit;
        let squared = sums.iter().map(|sum| sum.length_squared());
        let (sum, largest) = squared.fold((0.0, 0.0), |(sum, largest), square| {
            (sum + square, f64::max(largest, square))
        });
        let sums = sums.iter().zip(&scales.displacements);
        let mut sums: Vec<Vec4> = sums
            .map(|(sum, scale)| *scale * sum.as_vec3().extend(0.0))
            .collect();
        sums.push(Vec4::X * (scales.growth * (of_contacts - virial)) as f32);
        Self {
            scales,
            ends,
            links,
            normals,
            walls,
            sums,
            mean: if total > 0.0 { squares / total } else { 0.0 },
            residuals: [(sum / spheres as f64).sqrt(), largest.sqrt()],
            excess: (of_contacts - virial) / virial,
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
    pub fn growth(&self, motion: &[Vec4]) -> f64 {
        motion.last().map_or(0.0, |last| f64::from(last.x)) * self.scales.growth
    }

    /// Returns the displacements in a motion, in units of the model.
    pub fn displacements(&self, motion: &[Vec4]) -> impl Iterator<Item = DVec3> {
        let scaled = motion.iter().zip(&self.scales.displacements);
        scaled.map(|(motion, scale)| (*scale * *motion).truncate().as_dvec3())
    }

    /// Writes the forces after a motion.
    pub fn forces(&self, motion: &[Vec4], sums: &mut [Vec4]) {
        sums.copy_from_slice(&self.sums);
        let scales = &self.scales.displacements[..];
        let growth = self.growth(motion) as f32;
        let (mut virial, mut start) = (0.0, 0);
        for (id, &end) in self.ends.iter().enumerate() {
            let (mut own, mut of_row) = (Vec4::ZERO, 0.0);
            let row = start as usize..end as usize;
            let moved = scales[id] * motion[id];
            for (link, normal) in self.links[row.clone()].iter().zip(&self.normals[row]) {
                let other = link.other as usize;
                let branch = scales[other] * motion[other] - moved;
                let (push, of_link) = link.change(*normal, branch, growth);
                sums[other] += scales[other] * push;
                own += push;
                of_row += of_link;
            }
            sums[id] -= scales[id] * own;
            virial += f64::from(of_row);
            start = end;
        }
        for (id, normal, link) in &self.walls {
            let id = *id as usize;
            let (push, of_link) = link.change(*normal, -scales[id] * motion[id], growth);
            sums[id] -= scales[id] * push;
            virial += f64::from(of_link);
        }
        if let Some(last) = sums.last_mut() {
            last.x += (self.scales.growth * virial) as f32;
        }
    }
}
