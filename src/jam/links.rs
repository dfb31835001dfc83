//! Links: the spheres that touch or nearly do, side by side in lanes.

use glam::{Vec3, Vec4};

use crate::machine::lanes::{LANES, Lanes};

/// Groups of links in a block, whose virials are summed with single precision.
const GROUPS: usize = 16;

/// Two spheres that touch or nearly do, or a sphere and a wall. Lengths are in units of the model, and small against the spheres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The nodes of the sphere and its partner.
    pub nodes: [u32; 2],
    /// The unit vector to the partner.
    pub normal: Vec3,
    /// The overlap at the place of the model, or minus the gap.
    pub overlap: f32,
    pub distance: f32,
    pub stiffness: f32,
    /// Force over distance: the resistance to a rotation of the link is minus that.
    pub tension: f32,
}

/// A sphere in motion, or all walls.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    pub displacement: Vec4,
    /// The change of the forces.
    pub change: Vec4,
}

/// Links in blocks. Consecutive links are in other groups of a block, so that the forces on a sphere need not wait for each other.
#[derive(Default)]
pub(super) struct Links {
    blocks: Vec<[Group; GROUPS]>,
    count: usize,
}

impl Links {
    /// Adds a link.
    pub fn push(&mut self, link: &Link) {
        let place = self.count % (GROUPS * LANES);
        if place == 0 {
            self.blocks.push([Group::default(); GROUPS]);
        }
        if let Some(block) = self.blocks.last_mut() {
            block[place % GROUPS].set(place / GROUPS, link);
        }
        self.count += 1;
    }

    /// Adds the changes of the forces on nodes by their displacements and by growth of the container. Returns the change of the virial.
    #[inline(always)]
    pub fn add_changes<L: Lanes>(&self, lanes: L, growth: f32, nodes: &mut [Node]) -> f64 {
        let growth = lanes.splat(growth);
        let mut virial = 0.0;
        for block in &self.blocks {
            let mut of_block = lanes.splat(0.0);
            for group in block {
                of_block = lanes.add(of_block, group.add_changes(lanes, growth, nodes));
            }
            let [of_block, ..] = lanes.sums([of_block; 4]);
            virial += f64::from(of_block);
        }
        virial
    }
}

/// Links side by side.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    /// The nodes of the spheres, and those of their partners.
    nodes: [[u32; LANES]; 2],
    normal: [[f32; LANES]; 3],
    overlap: [f32; LANES],
    distance: [f32; LANES],
    stiffness: [f32; LANES],
    tension: [f32; LANES],
}

impl Group {
    fn set(&mut self, lane: usize, link: &Link) {
        for (nodes, node) in self.nodes.iter_mut().zip(link.nodes) {
            nodes[lane] = node;
        }
        for (components, component) in self.normal.iter_mut().zip(link.normal.to_array()) {
            components[lane] = component;
        }
        self.overlap[lane] = link.overlap;
        self.distance[lane] = link.distance;
        self.stiffness[lane] = link.stiffness;
        self.tension[lane] = link.tension;
    }

    /// Adds the changes of the forces on nodes. Returns the changes of the virial.
    #[inline(always)]
    fn add_changes<L: Lanes>(&self, lanes: L, growth: L::F32, nodes: &mut [Node]) -> L::F32 {
        let [from, to] = &self.nodes;
        let mut branch = displacements(lanes, nodes, to);
        for (to, from) in branch.iter_mut().zip(displacements(lanes, nodes, from)) {
            *to = lanes.sub(*to, from);
        }
        let ([x, y, z], virial) = self.changes(lanes, branch, growth);
        let pushes = lanes.rows([x, y, z, lanes.splat(0.0)]);
        for ((push, from), to) in pushes.iter().zip(from).zip(to) {
            let push = Vec4::from_array(*push);
            nodes[*to as usize].change += push;
            nodes[*from as usize].change -= push;
        }
        virial
    }

    /// Returns the changes of the forces on the partners by displacements relative to the spheres, and those of the virial.
    #[inline(always)]
    fn changes<L: Lanes>(
        &self,
        lanes: L,
        branch: [L::F32; 3],
        growth: L::F32,
    ) -> ([L::F32; 3], L::F32) {
        let [x, y, z] = &self.normal;
        let normal = [lanes.read(x), lanes.read(y), lanes.read(z)];
        let (distance, tension) = (lanes.read(&self.distance), lanes.read(&self.tension));
        let mut along = lanes.mul(normal[0], branch[0]);
        for axis in 1..3 {
            along = lanes.add(along, lanes.mul(normal[axis], branch[axis]));
        }
        let (overlap, zero) = (lanes.read(&self.overlap), lanes.splat(0.0));
        let (closed, opening) = (lanes.max(overlap, zero), lanes.min(overlap, zero));
        // Small changes keep all their digits.
        let parting = lanes.add(along, lanes.mul(distance, growth));
        let approach = lanes.max(lanes.sub(opening, parting), lanes.sub(zero, closed));
        let force = lanes.mul(lanes.read(&self.stiffness), approach);
        let straight = lanes.sub(force, lanes.mul(tension, along));
        let mut changes = branch;
        for (change, normal) in changes.iter_mut().zip(normal) {
            *change = lanes.add(lanes.mul(normal, straight), lanes.mul(*change, tension));
        }
        (changes, lanes.mul(force, distance))
    }
}

/// Returns the displacements of eight nodes.
#[inline(always)]
fn displacements<L: Lanes>(lanes: L, nodes: &[Node], ids: &[u32; LANES]) -> [L::F32; 3] {
    let displacement = |lane: usize| &raw const nodes[ids[lane] as usize].displacement;
    // SAFETY: displacements are 16 bytes, and aligned to 16 bytes.
    let [x, y, z, _] = unsafe { lanes.transpose(displacement) };
    [
        lanes.bits_to_f32(x),
        lanes.bits_to_f32(y),
        lanes.bits_to_f32(z),
    ]
}
