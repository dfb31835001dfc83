//! Letters that the font of pixels lacks, as strokes of a pen.

/// A part of a letter, in sizes of the text, from the left end of its base line to the right and up.
pub(super) enum Stroke {
    Line(&'static [[f64; 2]]),
    /// Center, half axes, and the angles of the ends in degrees.
    Arc([f64; 2], [f64; 2], [f64; 2]),
}

use Stroke::{Arc, Line};

/// Angle between the points of an arc, in degrees.
const STEP: f64 = 15.0;

const ALL: [f64; 2] = [0.0, 360.0];

/// The letters, as wide as those of the font.
const LETTERS: [(char, &[Stroke]); 15] = [
    (
        'α',
        &[
            Arc([0.24, 0.265], [0.17, 0.245], ALL),
            Line(&[
                [0.46, 0.52],
                [0.41, 0.27],
                [0.43, 0.08],
                [0.47, 0.02],
                [0.54, 0.03],
            ]),
        ],
    ),
    (
        'β',
        &[
            Line(&[[0.1, -0.22], [0.1, 0.56]]),
            Arc([0.26, 0.56], [0.16, 0.15], [180.0, -80.0]),
            Arc([0.27, 0.21], [0.22, 0.2], [90.0, -130.0]),
        ],
    ),
    (
        'δ',
        &[
            Arc([0.29, 0.225], [0.21, 0.225], ALL),
            Line(&[
                [0.36, 0.43],
                [0.18, 0.57],
                [0.17, 0.65],
                [0.24, 0.71],
                [0.36, 0.71],
                [0.46, 0.68],
            ]),
        ],
    ),
    (
        'λ',
        &[
            Line(&[[0.07, 0.0], [0.28, 0.48]]),
            Line(&[
                [0.11, 0.71],
                [0.18, 0.71],
                [0.23, 0.64],
                [0.45, 0.06],
                [0.54, 0.01],
            ]),
        ],
    ),
    (
        'π',
        &[
            Line(&[[0.05, 0.48], [0.54, 0.48]]),
            Line(&[[0.17, 0.48], [0.16, 0.0]]),
            Line(&[[0.41, 0.48], [0.41, 0.08], [0.45, 0.02], [0.53, 0.02]]),
        ],
    ),
    (
        'ρ',
        &[
            Arc([0.3, 0.265], [0.2, 0.245], ALL),
            Line(&[[0.1, 0.265], [0.1, -0.22]]),
        ],
    ),
    (
        'σ',
        &[
            Arc([0.26, 0.24], [0.21, 0.235], ALL),
            Line(&[[0.26, 0.475], [0.56, 0.475]]),
        ],
    ),
    (
        'φ',
        &[
            Arc([0.293, 0.265], [0.22, 0.245], ALL),
            Line(&[[0.293, -0.22], [0.293, 0.71]]),
        ],
    ),
    (
        'ψ',
        &[
            Line(&[[0.293, -0.22], [0.293, 0.71]]),
            Line(&[[0.07, 0.52], [0.07, 0.23]]),
            Arc([0.293, 0.23], [0.223, 0.21], [180.0, 360.0]),
            Line(&[[0.516, 0.23], [0.516, 0.52]]),
        ],
    ),
    (
        'ω',
        &[
            Arc([0.175, 0.22], [0.118, 0.2], [120.0, 360.0]),
            Line(&[[0.293, 0.22], [0.293, 0.4]]),
            Arc([0.411, 0.22], [0.118, 0.2], [180.0, 420.0]),
        ],
    ),
    ('–', &[Line(&[[0.04, 0.26], [0.55, 0.26]])]),
    ('−', &[Line(&[[0.07, 0.34], [0.52, 0.34]])]),
    (
        '→',
        &[
            Line(&[[0.04, 0.34], [0.54, 0.34]]),
            Line(&[[0.36, 0.5], [0.54, 0.34], [0.36, 0.18]]),
        ],
    ),
    (
        '≤',
        &[
            Line(&[[0.51, 0.62], [0.08, 0.42], [0.51, 0.22]]),
            Line(&[[0.08, 0.07], [0.51, 0.07]]),
        ],
    ),
    (
        '≥',
        &[
            Line(&[[0.08, 0.62], [0.51, 0.42], [0.08, 0.22]]),
            Line(&[[0.08, 0.07], [0.51, 0.07]]),
        ],
    ),
];

/// Returns the strokes of a letter.
pub(super) fn strokes(letter: char) -> Option<&'static [Stroke]> {
    let found = LETTERS.iter().find(|(other, _)| *other == letter);
    found.map(|(_, strokes)| *strokes)
}

impl Stroke {
    /// Returns the points of a stroke.
    pub fn points(&self) -> Vec<[f64; 2]> {
        match self {
            Line(points) => points.to_vec(),
            Arc([x, y], [a, b], [from, to]) => {
                let steps = ((to - from).abs() / STEP).ceil();
                let point = |step: usize| {
                    let angle = (from + (to - from) * step as f64 / steps).to_radians();
                    [x + a * libm::cos(angle), y + b * libm::sin(angle)]
                };
                (0..=steps as usize).map(point).collect()
            }
        }
    }
}
