//! Coverage-guided fuzzing of the parsers of jostle.

mod parsers;

/// Checks one input in the calling thread, so that the fuzzer sees the same code paths in every run.
pub fn check(parser: &str, input: &[u8]) {
    parsers::check(parser, input);
}

/// Makes the calling thread the only one of rayon.
pub fn use_one_thread() {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build_global()
        .expect("nothing has used the threads before");
}
