#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::rows_round_trip(bytes));
