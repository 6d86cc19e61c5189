//! Time control against its laws. `p01` to `p43` are the laws by number; the oracle (`stillframe-oracle`) is written
//! from the definition.

mod drive;
mod ends;
mod errors;
mod events;
mod replies;
mod state;
mod sync;
mod transitions;

use proptest::prelude::*;
use stillframe_oracle::strategy::scripts;
use stillframe_oracle::{Real, judge};
use stillframe_testkit::depth::cases;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(4096)))]

    #[test]
    fn the_controller_plays_every_script_as_the_oracle(script in scripts()) {
        prop_assert_eq!(judge(&script, &mut Real::new(&script)), Ok(()));
    }
}
