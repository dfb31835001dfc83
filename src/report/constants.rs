//! Constants of reports and pictures, each with its reason.

/// Side of a still picture, in diagonals of the container: the shadow around the packing is visible.
pub(super) const MARGIN: f64 = 1.09;

/// Side of a still picture of disks, in longest sides of the container: the border is visible.
pub(super) const FLAT_MARGIN: f64 = 1.03;

/// Width of the border in a still picture of disks, in pixels.
pub(super) const FLAT_LINE_WIDTH: f64 = 1.5;

/// Number of directions of the sky. More directions give smoother shadows and take more time.
pub(super) const SKY_DIRECTIONS: usize = 160;

/// Largest side of the buffer of depths for each direction of the sky, in pixels.
pub(super) const SKY_SIDE: usize = 700;

/// Directions of the sky that are drawn together: enough for all threads, and 130 MB of memory.
pub(super) const BATCH: usize = 16;

/// Side of a picture in pixels from which the four points of a pixel share their light if they show the same surface; at each multiple, the
/// points of a pixel more on either axis do. The lighting is most of the time of large pictures, in which shadows change little from pixel
/// to pixel.
pub(super) const SHARED_LIGHT: usize = 1400;

/// Brightness of the sky at the horizon; overhead it is larger by 1.
pub(super) const HIGH_LIGHT: f64 = 0.6;

/// Largest area of the spheres in a picture, in areas of the picture and cube roots of the number of spheres plus one: ten times that of
/// the densest spheres without overlap. The time of a picture is proportional to it.
pub(super) const MOST_LAYERS: f64 = 3.0;

/// Exponent of a screen: the brightness of a pixel is its number to this power.
pub(super) const GAMMA: f64 = 2.2;

/// Brightness of the floor and of the background.
pub(super) const PAPER: f64 = 0.965;

/// Steps of brightness from black to white. Coarse steps keep the file small, and are still invisible.
pub(super) const BRIGHTNESS_STEPS: f64 = 85.0;

/// Slope of the view towards the floor from which the picture has a floor.
pub(super) const FLAT_VIEW: f64 = 0.05;

/// Number of recorded sweeps at which every second one is dropped. A figure is 400 pixels wide, and 100 points look smooth.
pub(super) const HISTORY_POINTS: usize = 200;

/// Depth to which spheres are visible through the gaps between others, in largest diameters. Deeper spheres are drawn only near a
/// cutting plane.
pub(super) const VISIBLE_DEPTH: f64 = 1.0;

/// Segments of a circle in the outline of a container, and twice those of the profile of a sphere: a segment of a circle of 640 pixels
/// deviates from it by a fifth of a pixel.
pub(super) const CIRCLE_SEGMENTS: usize = 96;

/// Divisions of an icosahedron that draw a ball: 1280 triangles deviate from it by 0.3 % of its radius.
pub(super) const BALL_RESOLUTION: u32 = 3;

/// Smallest cosine of the angle between a triangle and the curved surface at its corners, if the triangle belongs to this surface. Triangles
/// of the surface have 0.99 or more.
pub(super) const NEARLY_ROUND: f64 = 0.98;

/// Lines along the side of a cylinder or a cone.
pub(super) const SIDE_LINES: usize = 8;

/// Cosine of the angle by which the surface of a mesh bends at a sharp edge: 30 degrees, the usual angle of features.
#[cfg(feature = "mesh")]
pub(super) const CREASE: f64 = 0.866;

/// Largest number of edges in the outline of a mesh: 0.5 MB in the HTML report.
#[cfg(feature = "mesh")]
pub(super) const MOST_EDGES: usize = 10_000;

/// Width of the lines of an outline in a still picture, in pixels of the picture at twice its resolution.
pub(super) const LINE_WIDTH: i64 = 3;

/// Brightness of the lines of an outline: darker than paper, so that they are visible on the floor, and lighter than the gaps between
/// spheres.
pub(super) const LINE_BRIGHTNESS: f64 = 0.45;

/// Brightness of bodies that keep spheres out: darker than the floor, and without color, which spheres have.
pub(super) const BODY_BRIGHTNESS: f64 = 0.72;

/// Largest side of a still picture, in pixels.
pub(crate) const LARGEST_SIDE: usize = 8192;
