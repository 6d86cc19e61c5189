//! Place: crowds from a seed.

use glam::Vec3;
use proptest::prelude::*;
use stillframe_anim::crowd::{Actor, SPEED_ONE, grid, scatter};
use stillframe_base::rng::Rng;

#[test]
fn a_grid_is_about_the_origin() {
    let places = grid(3, 2, 2.0);
    let want = [[-2.0, -1.0], [0.0, -1.0], [2.0, -1.0], [-2.0, 1.0], [0.0, 1.0], [2.0, 1.0]];
    assert_eq!(places, want.map(|[x, z]| Vec3::new(x, 0.0, z)));
    assert_eq!(grid(0, 5, 1.0), []);
    assert_eq!(size_of::<Actor>(), 80, "shaders read it");
}

proptest! {
    /// Who else there is does not change an actor.
    #[test]
    fn actors_are_scattered_one_by_one(seed in any::<u64>(), clips in 1u32..5) {
        let places = grid(6, 6, 1.0);
        let all = scatter(&places, clips, Rng::new(seed));
        prop_assert_eq!(&all[..10], &scatter(&places[..10], clips, Rng::new(seed))[..]);
        for (actor, place) in all.iter().zip(&places) {
            let world = actor.world_from_model();
            prop_assert_eq!(Vec3::from(world.translation), *place);
            prop_assert!((world.matrix3.determinant() - 1.0).abs() < 1e-5);
            prop_assert!(world.transform_vector3(Vec3::Y).distance(Vec3::Y) < 1e-6);
            let track = actor.tracks[0];
            prop_assert!(track.clip < clips && (track.speed - SPEED_ONE).abs() <= SPEED_ONE / 10);
            prop_assert_eq!((actor.fade, actor.lod_min), (0.0, 0));
        }
        // Not all alike.
        prop_assert!(all.iter().any(|actor| actor.tracks[0].phase != all[0].tracks[0].phase));
    }
}
