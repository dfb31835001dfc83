//! Positions in the disc and in the ball: the cross-section of a cylinder, and the sphere.

use super::{
    constants::WALL_STEPS,
    frame::{Frame, Steps},
};

/// Returns the coordinates along `axes` of a sphere that moves by `displacement`, but stops at the round wall that the faces of
/// the bounding box touch.
///
/// The bounding box has equal lengths along `axes`, so that distances may be measured in steps. All numbers are exact until the
/// square root.
#[inline(always)]
pub(super) fn confine_to_ball<const N: usize>(
    axes: [usize; N],
    frame: &Frame,
    at: Steps,
    displacement: [i64; 3],
    radius: f32,
) -> [i32; N] {
    let middle = frame.span(axes[0]) / 2;
    let target = axes.map(|axis| i64::from(at[axis]) + displacement[axis]);
    let from_middle = target.map(|coordinate| (coordinate - middle) as f64);
    let squared: f64 = from_middle.iter().map(|x| x * x).sum();
    let margin = f64::from(radius / frame.unit[axes[0]]) + WALL_STEPS;
    let limit = (middle as f64 - margin).max(0.0);
    if squared <= limit * limit {
        return target.map(|coordinate| coordinate as i32);
    }
    let factor = limit / squared.sqrt();
    // Conversion rounds towards the middle.
    from_middle.map(|x| (middle + (x * factor) as i64) as i32)
}
