//! The steepest way down from contacts.

use glam::DVec3;

/// Rounding of a component of a unit vector, with some margin.
const ROUNDING: f64 = 1e-9;

/// Rounding of a component of the shortest directions, with some margin: the factors of the normals in them are large.
const LEAST: f64 = 1e-11;

/// Component against a contact that a sphere only grazes on its way: it then overlaps by a square of this, in radii, and leaves the contact.
const GRAZING: f64 = 1e-6;

/// The steepest way down from contacts, and the contacts that carry weight.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Descent {
    /// The vector down less the part against which contacts push: its length is the sine of the slope, 0 at rest.
    pub direction: DVec3,
    /// The positions in the list of normals of the contacts that carry weight, followed by gaps.
    pub carrying: Carrying,
}

/// The positions of at most three contacts.
pub(super) type Carrying = [Option<usize>; 3];

/// Returns the steepest way down from contacts with these normals, which point to the center of the sphere.
///
/// It is the projection of the vector down onto the directions that leave no contact overlapping. Its contacts are found by trying all
/// subsets: a sphere has few contacts at a time. Where a contact is only grazed, several subsets have nearly the same way; those of
/// `blocked` lead into a contact, and another one is chosen.
pub(super) fn descent(normals: &[DVec3], blocked: &[Carrying]) -> Descent {
    let down = DVec3::NEG_Z;
    let (tolerance, least) = if blocked.is_empty() {
        (ROUNDING, 0.0)
    } else {
        (GRAZING, -GRAZING)
    };
    let is_free = |direction: DVec3| {
        let limit = -(tolerance * direction.length()).max(LEAST);
        normals.iter().all(|normal| direction.dot(*normal) >= limit)
    };
    if is_free(down) {
        return Descent {
            direction: down,
            carrying: [None; 3],
        };
    }
    for (i, a) in normals.iter().enumerate() {
        let direction = down + a.z * *a;
        let carrying = [Some(i), None, None];
        if a.z > 0.0 && is_free(direction) && !blocked.contains(&carrying) {
            return Descent {
                direction,
                carrying,
            };
        }
    }
    for (i, a) in normals.iter().enumerate() {
        for (j, b) in normals.iter().enumerate().skip(i + 1) {
            if let Some([along_a, along_b]) = shares(*a, *b) {
                let direction = down + along_a * *a + along_b * *b;
                let carrying = [Some(i), Some(j), None];
                let carry = along_a > least && along_b > least;
                if carry && is_free(direction) && !blocked.contains(&carrying) {
                    return Descent {
                        direction,
                        carrying,
                    };
                }
            }
        }
    }
    Descent {
        direction: DVec3::ZERO,
        carrying: enclosing(normals),
    }
}

/// Returns the factors of two normals in the part of the vertical in their plane; `None` if they are parallel.
fn shares(a: DVec3, b: DVec3) -> Option<[f64; 2]> {
    let cosine = a.dot(b);
    let determinant = 1.0 - cosine * cosine;
    (determinant > 1e-12).then(|| {
        [
            (a.z - cosine * b.z) / determinant,
            (b.z - cosine * a.z) / determinant,
        ]
    })
}

/// Returns the three normals that enclose the vertical with the largest smallest factor.
fn enclosing(normals: &[DVec3]) -> Carrying {
    let mut best = (f64::NEG_INFINITY, [None; 3]);
    for (i, a) in normals.iter().enumerate() {
        for (j, b) in normals.iter().enumerate().skip(i + 1) {
            for (k, c) in normals.iter().enumerate().skip(j + 1) {
                let volume = a.cross(*b).dot(*c);
                let factors = [b.cross(*c).z, c.cross(*a).z, a.cross(*b).z].map(|x| x / volume);
                let least = factors.into_iter().fold(f64::INFINITY, f64::min);
                if volume.abs() > 1e-12 && least > best.0 {
                    best = (least, [i, j, k].map(Some));
                }
            }
        }
    }
    best.1
}
