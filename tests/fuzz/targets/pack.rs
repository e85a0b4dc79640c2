#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::pack(bytes));
