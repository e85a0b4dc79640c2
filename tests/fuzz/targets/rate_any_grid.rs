#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::rate_any_grid(bytes));
