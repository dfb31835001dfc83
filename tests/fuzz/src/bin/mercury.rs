#![no_main]

libfuzzer_sys::fuzz_target!(
    init: jostle_fuzz::use_one_thread(),
    |input: &[u8]| jostle_fuzz::check("mercury", input)
);
