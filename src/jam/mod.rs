//! Jamming: from a dense packing to one in mechanical equilibrium, whose contacts bear force.
//!
//! The spheres become soft, and a pressure shrinks the container with all centers. Two spheres whose radii have the sum s repel each other with
//! the force s·h, where h is their overlap; a sphere and a wall do so like two equal spheres. The minimizer finds the minimum of energy and
//! pressure times volume over all centers and the scale of the container, where all forces balance. The radii stay.
//!
//! The pressure falls in steps, from a mean overlap of 3·10⁻³ diameters until the gaps are as small as requested. At a high pressure, motions against
//! little resistance need few evaluations, and the balance at each pressure must be good (0.001 of the mean force), or contacts are
//! missing in the end. Under the last pressure, the forces are balanced once more, as far as rounding or 5·10⁷ evaluations of a sphere allow. The
//! container then grows by the largest overlap. The contacts that bore force have gaps smaller than that, and their
//! forces, scaled to a pressure of 1, are those of hard spheres. After C. S. O'Hern, L. E. Silbert, A. J. Liu & S. R. Nagel, Phys. Rev. E 68
//! (2003) 011306.
//!
//! # Gravity
//! Under gravity, the container keeps its size, and the weights of the spheres take the place of the pressure. They fall like it. The container is smaller by a part
//! of the requested gap meanwhile, so that nothing overlaps when it has its own size again. A layer on the floor that is exactly flat does not buckle, even if it
//! is wedged between the walls. If a bed does not come to rest, its spheres are displaced at random, and the load falls again from a low one.
//!
//! # Models
//! Near a place, the forces change linearly with the motion of the centers, but for contacts that open or close; forces also turn with their
//! pairs. A model has these changes, in single precision and units of the overlaps, so that an evaluation takes no root and reads half as much.
//! A new model is made when a center has moved by 0.3 roots of the overlap, or when the forces of the model balance.
//!
//! Eight links between spheres are computed together, and so are the products and sums of the long vectors of L-BFGS. Their order does not
//! depend on the instruction set.
//!
//! # Minimizers
//! Equal spheres in a periodic cube, by prototypes that are not part of the crate. FIRE 2.0 is that of Guénolé et al., Comput. Mater. Sci. 175 (2020)
//! 109584. The truncated Newton method stalls with this force law, and needs a smooth one.
//!
//! | minimizer | to a mean overlap of 3·10⁻⁴, 1000 spheres | to gaps of 10⁻⁶, 4000 spheres |
//! |---|---|---|
//! | L-BFGS of the exact forces | 1655 to 3088 evaluations | 29 400 evaluations, 5.98 contacts |
//! | L-BFGS of models, 1 secant | not tried | 27 773 evaluations, 5.94 contacts |
//! | L-BFGS of models, 8 secants | not tried | 46 910 evaluations, 5.97 contacts |
//! | conjugate gradients of models, interpolated steps | not tried | 45 137 evaluations, 5.97 contacts |
//! | FIRE 2.0 | 2801 evaluations | not tried |
//! | truncated Newton | not tried | 346 506 products of the matrix with a vector, 5.97 contacts |
//!
//! At 10 000 spheres, conjugate gradients take 427 637 evaluations where L-BFGS with 5 secants takes 50 657: single spheres that buckle disturb them.

mod constants;
mod jammer;
mod links;
mod minimizer;
mod model;
mod observer;
mod secants;
mod surfaces;
mod system;
mod vectors;

pub use jammer::{JamError, JamGap, JamGapError, JamOptions, jam, jam_observed};
pub use observer::{JamObserver, JamProgress, JamState};
