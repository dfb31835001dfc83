//! Integrals of functions of one variable that are smooth between known points, and evenly spread points.

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;

/// Positive nodes and weights of the Kronrod rule with 15 points, and weights of the Gauss rule with the seven points at odd
/// positions (R. Piessens et al., QUADPACK, 1983).
const RULE: [(f64, f64, f64); 8] = [
    (0.991_455_371_120_812_6, 0.022_935_322_010_529_224, 0.0),
    (
        0.949_107_912_342_758_5,
        0.063_092_092_629_978_55,
        0.129_484_966_168_869_7,
    ),
    (0.864_864_423_359_769_1, 0.104_790_010_322_250_18, 0.0),
    (
        0.741_531_185_599_394_4,
        0.140_653_259_715_525_92,
        0.279_705_391_489_276_64,
    ),
    (0.586_087_235_467_691_1, 0.169_004_726_639_267_9, 0.0),
    (
        0.405_845_151_377_397_2,
        0.190_350_578_064_785_4,
        0.381_830_050_505_118_9,
    ),
    (0.207_784_955_007_898_47, 0.204_432_940_075_298_9, 0.0),
    (0.0, 0.209_482_141_084_727_82, 0.417_959_183_673_469_4),
];

/// Most divisions of an interval into halves. An interval with a jump then is 10⁻⁸ of the first one.
const MOST_DIVISIONS: u32 = 26;

/// Shares of Roberts' sequence in three dimensions: the powers −1, −2 and −3 of the root of x⁴ = x + 1 (M. Roberts, The unreasonable
/// effectiveness of quasirandom sequences, 2018).
const SHARES: DVec3 = DVec3::new(
    0.819_172_513_396_164_5,
    0.671_043_606_703_789_2,
    0.549_700_477_901_97,
);

/// Returns a point of a sequence that is spread evenly over the unit cube: multiples of irrational shares, which Roberts (2018) found
/// best in three dimensions.
pub(crate) fn even_point(number: u64) -> DVec3 {
    (0.5 + number as f64 * SHARES).fract()
}

/// Returns the integral of `f` from `low` to `high`. Each part of the interval has at most the error `tolerance`.
///
/// `f` may have square roots of zero at both ends: the variable is the sine of an angle, so that such roots are smooth.
pub(super) fn integral(f: &mut dyn FnMut(f64) -> f64, low: f64, high: f64, tolerance: f64) -> f64 {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let mut of_angle = |angle: f64| {
        let (sine, cosine) = libm::sincos(angle);
        f(middle + half * sine) * half * cosine
    };
    adaptive(
        &mut of_angle,
        [-FRAC_PI_2, FRAC_PI_2],
        tolerance,
        MOST_DIVISIONS,
    )
}

/// Returns the sum of the integrals of `f` between successive points in ascending order.
pub(super) fn integral_between(
    points: &[f64],
    f: &mut dyn FnMut(f64) -> f64,
    tolerance: f64,
) -> f64 {
    let parts = points.windows(2).filter(|ends| ends[0] < ends[1]);
    parts
        .map(|ends| integral(f, ends[0], ends[1], tolerance))
        .sum()
}

fn adaptive(
    f: &mut dyn FnMut(f64) -> f64,
    [low, high]: [f64; 2],
    tolerance: f64,
    divisions: u32,
) -> f64 {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let (mut fine, mut coarse) = (0.0, 0.0);
    for (node, kronrod, gauss) in RULE {
        let mut sum = f(middle + half * node);
        if node > 0.0 {
            sum += f(middle - half * node);
        }
        fine += kronrod * sum;
        coarse += gauss * sum;
    }
    if half * (fine - coarse).abs() <= tolerance || divisions == 0 {
        return half * fine;
    }
    adaptive(f, [low, middle], tolerance, divisions - 1)
        + adaptive(f, [middle, high], tolerance, divisions - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_roots_kinks_and_jumps_are_integrated() {
        // Without a division, both rules are exact for these polynomials.
        for power in 0..=13 {
            let mut f = |x: f64| x.powi(power);
            let exact = (1.0 - (-1f64).powi(power + 1)) / f64::from(power + 1);
            let found = adaptive(&mut f, [-1.0, 1.0], 1e-14, 0);
            assert!((found - exact).abs() < 1e-14, "{power}: {found}");
            let found = adaptive(&mut f, [-1.0, 1.0], 1e-14, 1);
            assert!((found - exact).abs() < 1e-14, "{power}: {found}");
        }
        let half_disc = integral(&mut |x| (1.0 - x * x).max(0.0).sqrt(), -1.0, 1.0, 1e-12);
        assert!((half_disc - FRAC_PI_2).abs() < 1e-12);
        let kink = integral(&mut |x: f64| (x - 0.3).abs(), 0.0, 1.0, 1e-12);
        assert!((kink - 0.29).abs() < 1e-10);
        let jump = integral(&mut |x: f64| f64::from(x > 0.3), 0.0, 1.0, 1e-12);
        assert!((jump - 0.7).abs() < 1e-7);
    }
}
