use jostle::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a[1].parse().unwrap();
    let spec = SizeSpec::load(&a[2]).unwrap();
    let s = spec.distribution.sample(n, Sampling::Stratified, 1);
    let r: Vec<f64> = s.diameters.iter().map(|d| d * 0.5).collect();
    let mut o = PackOptions::default();
    o.threads = 1;
    o.seed = 1;
    for kv in &a[3..] {
        let (k, v) = kv.split_once('=').unwrap();
        match k {
            "f" => o.target = Target::Fraction(v.parse().unwrap()),
            "b" => o.boundary = v.parse().unwrap(),
            "e" => o.effort = v.parse().unwrap(),
            "t" => o.threads = v.parse().unwrap(),
            "i" => o.index = v.parse().unwrap(),
            "g" => o.min_gap = v.parse().unwrap(),
            "s" => o.seed = v.parse().unwrap(),
            _ => panic!(),
        }
    }
    let run = pack(&r, &o, &mut ()).unwrap();
    let p = &run.packing;
    let pr = p.provenance.as_ref().unwrap();
    let mut h = 0u64;
    for c in p.spheres.centers() {
        for c in c.to_array() {
            h = h.rotate_left(5) ^ c.to_bits();
        }
    }
    println!(
        "{} n {n} phi {:.5} overlap {} gap {:.2e} {:?} sweeps {} t {:.3} ns/visit {:.1} L {} h {h:x}",
        a[2],
        p.packing_fraction(),
        p.certificate.max_overlap,
        p.certificate.min_gap,
        pr.stop,
        pr.sweeps,
        run.elapsed.as_secs_f64(),
        run.elapsed.as_secs_f64() * 1e9 / (pr.sweeps as f64 * n as f64),
        p.container.lengths()
    );
}
