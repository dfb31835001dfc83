//! Indexes of the spheres that have Verlet lists.

use std::any::Any;

use super::{
    entry::Entry,
    global_index::{GlobalIndex, IndexBuilder},
    kind::IndexKind,
    octree::{LooseOctree, StrictOctree},
    subset::Subset,
};
use crate::{container::Container, machine::ids::Ids};

/// A function that returns the sphere with an id. It may be called several times for each sphere.
pub(crate) type SphereOf<'a> = &'a (dyn Fn(u32) -> Entry + Sync);

/// Builds an index over the spheres `held`, for probes that contain many spheres each. Their ids are below `id_limit`, as are those of
/// spheres that are inserted later, however few spheres there are.
///
/// The octrees are shallow, need no copy of the entries, and keep the ids. Any other index numbers a part of the spheres without gaps.
///
/// # Panics
/// As for [`IndexBuilder::build`].
pub(crate) fn build_for_lists(
    builder: &dyn IndexBuilder,
    container: &Container,
    held: &Ids,
    id_limit: u32,
    sphere: SphereOf,
) -> Box<dyn GlobalIndex> {
    let kind = (builder as &dyn Any).downcast_ref::<IndexKind>();
    match (kind, held) {
        (Some(IndexKind::LooseOctree), _) => {
            Box::new(LooseOctree::shallow(container, held, id_limit, sphere))
        }
        (Some(IndexKind::StrictOctree), _) => {
            Box::new(StrictOctree::shallow(container, held, id_limit, sphere))
        }
        (_, Ids::All(_)) => {
            let entries: Vec<Entry> = held.iter().map(sphere).collect();
            builder.build(container, &entries)
        }
        (_, Ids::Some(ids)) => {
            let of_slot = |(slot, &id): (u32, &u32)| Entry {
                id: slot,
                ..sphere(id)
            };
            let entries: Vec<Entry> = (0..).zip(ids).map(of_slot).collect();
            Box::new(Subset::new(
                builder.build(container, &entries),
                ids,
                id_limit,
            ))
        }
    }
}
