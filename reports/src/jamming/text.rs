//! The sentences of the page that do not depend on the rows.

pub const HEAD: &str = "# Jammed packings

Written by `cargo run --release -p reports -- jamming`.

Packings in periodic cubes, jammed to the default gap. Contacts are the pairs that bear force, and rattlers are the spheres that bear none.
Samples are stratified. Errors are standard errors of the mean over packings with different seeds. No constant of the program was fitted to
the published values.
";

pub const EQUAL: &str = "4000 equal spheres at five efforts. S(k → 0) comes from a straight line through the structure factor at small wave numbers.
";

pub const PUBLISHED: &str = "
| published | φ | contacts | rattlers | S(k → 0) |
|---|---|---|---|---|
| O'Hern et al. 2003, [doi:10.1103/PhysRevE.68.011306](https://doi.org/10.1103/PhysRevE.68.011306) | 0.639 | 6 | 1.5 to 2.5 % | – |
| Torquato & Kim 2025, [arXiv:2504.10310](https://arxiv.org/abs/2504.10310) | 0.638 | 6 | – | – |
| Donev, Stillinger & Torquato 2005, [doi:10.1103/PhysRevLett.95.090604](https://doi.org/10.1103/PhysRevLett.95.090604) | – | – | – | below 0.001 |

";

pub const NUMBER: &str = "Equal spheres at normal effort. A backbone of n spheres in a periodic cube is isostatic with 6 − 6/n contacts a sphere, and one
contact more where the cube may grow.
";

pub const GAPS: &str = "4000 equal spheres at normal effort. Spheres touch up to the given gap; rattlers follow from the directions of the contacts.
";

pub const DESMOND_WEEKS: &str = "Desmond & Weeks (2014, [arXiv:1303.4627](https://arxiv.org/abs/1303.4627)) fit φ = 0.634 + 0.0658 δ + 0.0857 S δ² to simulations,
with the standard deviation δ of the radii in means and their skewness S, up to δ = 0.4. For two sizes 1 : 1.4, number half and half, O'Hern
et al. (2003) find 0.648. The difference of equal spheres is part of all rows.
";

pub const BREATHING: &str = "4000 spheres of f(r) ∝ r⁻³, ratio 5.9, which is a relative standard deviation of 0.50. Hoy (2025,
[arXiv:2506.16521](https://arxiv.org/abs/2506.16521)) reaches φ = 0.747 with exchanges and breathing radii. The z-score is that of
[exchange.md](exchange.md#structure): 1 is random, and more than 1 is segregated.
";

pub const TIME: &str =
    "One thread, medians of three seeds. The time belongs to the machine that wrote this page.
";

pub const NO_SPHEROPACK: &str = "
The event-driven program spheropack was not measured: `pip install spheropack==0.2.0` installs it for python3.
";
