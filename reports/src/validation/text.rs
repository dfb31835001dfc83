//! The sentences of the page.

use super::mean::Mean;

pub const HEAD: &str = "# Validation against published results

Written by `cargo run --release -p reports -- validation`.

No constant of the program was fitted to these results. Unless a table says otherwise, packings are periodic cubes at normal effort,
samples are stratified, and three packings have different seeds. Errors are standard errors of the mean over the seeds.
";

pub const EQUAL: &str = "## Equal spheres

10 000 equal spheres, five packings of each effort. The effort sets how fast the container grows. Slower growth gives denser packings
with smaller density fluctuations. Random close packings of other methods have packing fractions from 0.634 to 0.645. A share of
crystal-like spheres that rises with the packing fraction would show that order causes the gain. S(k → 0) comes from a straight line
through the structure factor at small wave numbers: Donev, Stillinger & Torquato (2005,
[doi:10.1103/PhysRevLett.95.090604](https://doi.org/10.1103/PhysRevLett.95.090604)) extrapolate to values below 10⁻³ for slowly compressed
packings.
";

pub const CONTACTS: &str = "
### Contacts and rattlers

The same packings at effort 2. Jammed packings of frictionless spheres have 6 contacts without rattlers, and 1.5 to 2.5 % rattlers
(O'Hern et al. 2003, [doi:10.1103/PhysRevE.68.011306](https://doi.org/10.1103/PhysRevE.68.011306)). Spheres of this program do not overlap,
and do not press against each other. A contact therefore needs a largest gap, and the table shows how the numbers depend on it.
";

pub const PEAK: &str = "
### Second peak of g(r)

The second peak of the radial distribution function is split, as in all random close packings of equal spheres. The maximum near √3 d
belongs to two touching pairs of neighbors, the maximum at 2 d to three spheres in a line. The packings are those at effort 2.
";

pub const FINITE_SIZE: &str = "## Number of spheres

Equal spheres at normal effort. Walls order the spheres beside them and leave voids. Their share of the volume falls with N^(−1/3), so
that the last column approaches a constant.
";

/// Returns the sentences about the limits of many spheres.
pub fn limits(periodic: Mean, walled: Mean) -> String {
    format!(
        "
Extrapolation to an infinite number of spheres, by a straight line through the means of at least 1000 spheres, weighted by their errors:
{} in periodic cubes over 1/N, and {} between walls over N^(−1/3).
",
        periodic.describe(),
        walled.describe()
    )
}

pub const NARROW: &str = "## Narrow distributions

Desmond & Weeks (2014, [arXiv:1303.4627](https://arxiv.org/abs/1303.4627)) fit φ = 0.634 + 0.0658 δ + 0.0857 S δ² to
simulations, with the standard deviation δ of the radii in means, up to 0.4, and their skewness S. Both come from the sample. Equal spheres
of this program are denser than 0.634 at normal effort; the difference of the first row is part of all rows.
";

pub const LOGNORMAL: &str = "## Lognormal distributions

20 000 spheres whose ln d has the standard deviation σ by number. Farr (2013, [arXiv:1306.1442](https://arxiv.org/abs/1306.1442))
gives a formula for an infinite number of spheres.
";

/// Returns the introduction of the section on two sizes.
pub fn binary(picture: &str) -> String {
    format!(
        "## Two sizes

The large spheres jam if they have most of the mass, and the small ones jam around them otherwise. At an infinite ratio the packing
fraction is the smaller of φ₀ / (1 − x) and 1 / (1 − x + x / φ₀), for the mass share x of the small spheres and the packing fraction φ₀ of
equal spheres (Furnas 1931). Two packings have different seeds where there are more than 50 000 spheres. A composition is left out where the
number of spheres allows fewer than four large ones.

The compressible packing model of de Larrard (1999) is that of [compressible-packing.md](../method/compressible-packing.md): compaction index
9, and equal spheres packed to 0.6435. It was validated with aggregates, which loosen each other more than spheres without friction do. Where the large spheres have
most of the mass, at ratios from 4 to 20, it predicts less than is measured.

![Packing fraction of two sizes over the composition](../{picture})
"
    )
}

pub const BINARY_EXPERIMENTS: &str = "
Two experiments explain the differences above 0.01:

- **The few large spheres.** The large spheres alone, as many as in the mixture, reach the packing fraction φ₁ in a periodic cube at thorough
  effort. With the small ones in their voids, the mixture reaches at most φ₁ / (1 − x), the column *they allow*. The prediction of the
  rods does not depend on the number of spheres. Where this limit is below the prediction, it explains the difference.
- **Slow growth.** Elsewhere the mixture is packed at thorough effort.
";

pub const WIDE: &str = "## Wide distributions

Volume curves (d^q − d_min^q) / (d_max^q − d_min^q), beside the prediction of Farr & Groot (2009,
[doi:10.1063/1.3276799](https://doi.org/10.1063/1.3276799)) for the same samples. The authors state that it agrees with simulations to about 0.01 up to
ratio 10.
";

pub const WALLS: &str = "## Layers at walls

[walls.md](walls.md) compares the porosity beside the wall of a cylinder with the correlation of de Klerk (2003).
";

pub const DISKS: &str = "## Disks

10 000 disks in periodic squares, five packings with different seeds. ψ₆ is the hexatic order of
[analysis.md](../guide/analysis.md): |ψ₆| of a disk is 1 in a triangular lattice.

### Two sizes in the plane

Diameters 1 and 1.4, half of the disks each. Jammed packings of soft disks of these sizes have φ = 0.84 after fast quenches and up to 0.853
after slow ones (Schreck, O'Hern & Silbert 2011, [arXiv:1007.2162](https://arxiv.org/abs/1007.2162)).
";

pub const EQUAL_DISKS: &str = "
### Equal disks

Equal disks crystallize: the mean |ψ₆| approaches 1, and the packing fraction approaches π / √12 = 0.9069. Crystals of different
orientation lower the modulus of the mean of ψ₆.
";

pub const SYMMETRIC_DISKS: &str = "
### Distributions of low skewness

At low skewness of the radii, packings of disks tend to φ = 0.840 whatever their standard deviation δ (Meer et al. 2024,
[arXiv:2404.02316](https://arxiv.org/abs/2404.02316)). Narrow distributions crystallize in part.
";

pub const DISK_INDEXES: &str = "## Indexes in the plane

Equal disks, and equal spheres, packed at quick effort: means over four packings, of 2500 disks or spheres and of containers up to 1.7 times as long. The
cells of an octree are halves, quarters and so on of the container, so that their memory and the number of relocations between cells depend on the ratio of
its length to a diameter. Nodes of two diameters hold about 4 disks or 9 spheres, so that a quadtree has more nodes for each disk; a node takes 16 bytes in
both. A query searches within 0.1 diameters of the surface of a disk or a sphere. Times are of one thread.
";

pub const PLANE_MODEL: &str = "
The cost model of the hierarchical grid in the plane: the example of Krijgsman, Ogarko & Luding (2014), exponent −3, size ratio 20, φ = 0.4, K =
0.2, cell sizes 4, 7.9, 15.1, 27.2 and 40 smallest radii. Counts are those of 20 000 disks at random positions.
";

pub const MANY_DISKS: &str = "
### Number of disks

Two sizes as above at normal effort, one packing each, on all threads of the machine. [Starts of disks](#starts-of-disks) explains the decrease of the
packing fraction.
";

pub const JAMMED_DISKS: &str = "## Jammed disks

For each row, 1000 disks are packed in a periodic square with eight seeds, and jammed to gaps of at most 10⁻⁶ diameters (`--jam`). Contacts are those that
bear force; rattlers bear none. Jammed disks are isostatic if they have 4 contacts each, without rattlers, up to 2/N. Fast compression finds the lower end of the published
range of two sizes (Schreck, O'Hern & Silbert 2011, [arXiv:1007.2162](https://arxiv.org/abs/1007.2162)); the other value is the limit of Meer et al. (2024,
[arXiv:2404.02316](https://arxiv.org/abs/2404.02316)) at low skewness S. Equal disks crystallize.
";

pub const DISK_MIXTURES: &str = "## Jammed disks of two sizes

1000 disks of two sizes in periodic squares, packed at quick effort and jammed, with four seeds. Meer et al. (2024,
[arXiv:2404.02316](https://arxiv.org/abs/2404.02316)) state that φ is about 0.840 at low skewness S of the radii, and that at high S it tends to a limit, which
depends on their standard deviation δ alone. Santos & López de Haro (2025, [arXiv:2512.23613](https://arxiv.org/abs/2512.23613)) state that φ of two sizes is
nearly linear in a parameter that they derive from the reduced third virial coefficient. Both statements are those of the abstracts. B₃ / area² is
the third virial coefficient over the square of the mean area, 3.128 for equal disks; the line is fitted to these rows. High S leaves many equal disks,
which crystallize in part.
";

pub const DISK_POWER_LAWS: &str = "## Power laws of disks

50 000 disks with radii f(r) ∝ r^(−D − 1), D = 1.5, in periodic squares at quick effort, three seeds. S(k) ∝ k^(−α) is fitted for wavelengths from 5 smallest
diameters to half of the largest one. Vladimirov, Cherny, Anitas & Osipov (2025, [arXiv:2504.10095](https://arxiv.org/abs/2504.10095), abstract) find α = D for
disks that are inserted into gaps between others. For packings compressed by a constant pressure, they find that α differs from D at ratios of about 300
and 1500, and approaches D as the ratio increases.
";

pub const STARTS_OF_DISKS: &str = "## Starts of disks

Two sizes in periodic squares, as above. A start at random has fluctuations of the density at all lengths. Relocations smooth those of short lengths, and
the densest parts determine the size of the container. Many disks have longer fluctuations, and are looser. Starts with one disk at random in each cell of a
square lattice have no long fluctuations. More sweeps, at higher effort, smooth longer lengths.
";
