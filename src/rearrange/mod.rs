mod frame;
mod order;
mod relocate;
mod state;
use rand::SeedableRng;
use crate::*;
use glam::DVec3;
pub fn proto(n: usize, sizes: &str) {
    let env = |k: &str, d: f64| -> f64 { std::env::var(k).ok().and_then(|v| v.parse().ok()).unwrap_or(d) };
    let (phi0, g, g2, relax, tol, maxs) = (env("PHI0", 0.74), env("G", 2e-4), env("G2", 3e-2), env("RELAX", 1.85), env("TOL", 1e-4), env("MAXS", 5000.0));
    let walls = env("WALLS", 0.0) > 0.0; let threads = env("THREADS", 1.0) as usize;
    let p: Vec<f64> = sizes.split(':').skip(1).map(|s| s.parse().unwrap()).collect();
    let mut radii: Vec<f64> = (0..n).map(|i| {
        if p.is_empty() { return 0.5; }
        let (e, w) = (p[0] + 1.0, p[1]);
        let u = (i as f64 + 0.5) / n as f64;
        0.5 * (1.0 + u * (w.powf(e) - 1.0)).powf(1.0 / e)
    }).collect();
    let mut rng = rand_pcg::Pcg64::seed_from_u64(env("SEED", 1.0) as u64);
    use rand::seq::SliceRandom;
    if env("SHUF", 0.0) > 0.0 { radii.shuffle(&mut rng); }
    let volume = total_volume(&radii);
    let l0 = (volume / phi0).cbrt();
    let b = if walls { Boundaries::WALLS } else { Boundaries::PERIODIC };
    let container = Container::new(DVec3::splat(l0), b).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
    let t = std::time::Instant::now();
    let mut s = state::Rearrangement::place(&radii, container, IndexKind::LooseOctree, &mut rng, threads > 1);
    let tp = t.elapsed().as_secs_f64();
    loop {
        let o = s.sweep(relax as f32);
        let mean = o.total / n as f64;
        if env("TRACE", 0.0) > 0.0 && s.sweeps() % 10 == 0 { eprintln!("{} phi {:.4} mean {:.3e} max {:.3e} refreshed {:.4} t {:.3}", s.sweeps(), phi0 * s.scale().powi(3), mean, o.largest, s.refreshes as f64 / n as f64, t.elapsed().as_secs_f64()); }
        if o.largest < tol || s.sweeps() as f64 >= maxs { break; }
        s.grow(1.0 + g * (mean / g2).sqrt().min(1.0));
    }
    let f = s.missing_growth(&radii);
    let pre = phi0 * s.scale().powi(3);
    let secs = t.elapsed().as_secs_f64();
    let mut h = 0u64; for i in 0..n { for c in s.center(i).to_array() { h = h.rotate_left(5) ^ c.to_bits(); } }
    println!("{sizes} sweeps {} phi {:.5} pre {pre:.5} t {secs:.3} place {tp:.3} list_t {:.3} ns/visit {:.1} refreshes/sphere {:.2} listlen {:.2} active {:.3} bytes/sphere {:.0} hash {h:x}", s.sweeps(), pre / f.powi(3), s.list_time, secs * 1e9 / (s.sweeps() as f64 * n as f64), s.refreshes as f64 / n as f64, (0..n as u32).map(|i| s.lists().neighbours(i).len()).sum::<usize>() as f64 / n as f64, s.relocations() as f64 / (s.sweeps() as f64 * n as f64), s.lists().bytes() as f64 / n as f64);
    });
}
