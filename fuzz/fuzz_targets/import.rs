#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| stakes_fuzzing::import(data));
