//! Target `pose` of `stillframe fuzz`, on bytes of libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| stillframe_fuzz::try_bytes("pose", bytes));
