fn main(){ let a:Vec<String>=std::env::args().collect(); jostle::proto(a[1].parse().unwrap(), &a[2]); }
