//! Laws: what every importer's model keeps, whatever the file says; and how files are spoilt to put them to the test.

use proptest::prelude::prop::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use stillframe_lab::fuzz::law;
use stillframe_models::import::Model;
use stillframe_testkit::depth::cases;

/// What everything after the import relies on.
pub fn check(model: &Model) {
    assert_eq!(law::model(model), Ok(()));
}

/// `PROPTEST_RNG_SEED` asks for other cases.
pub fn runner(push: u32) -> TestRunner {
    TestRunner::new(Config { cases: cases(push), failure_persistence: None, ..Config::default() })
}

/// Puts bytes in the place of others.
pub fn overwrite(bytes: &mut [u8], changes: Vec<(Index, u8)>) {
    for (place, byte) in changes {
        bytes[place.index(bytes.len())] = byte;
    }
}

/// Leaves the beginning, if there is a cut.
pub fn cut_off(bytes: &mut Vec<u8>, cut: Option<Index>) {
    if let Some(cut) = cut {
        bytes.truncate(cut.index(bytes.len()));
    }
}
