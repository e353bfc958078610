#![no_main]
libfuzzer_sys::fuzz_target!(init: stakes_fuzzing::leave_decoders_to_reader(), |data: &[u8]| {
    stakes_fuzzing::xlsx(data)
});
