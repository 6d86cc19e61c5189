//! Laws: what every importer's model keeps, whatever the file says; and how files are spoilt to put them to the test.

use glam::Mat4;
use proptest::prelude::prop::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use stillframe::asset::Geometry;
use stillframe::bake::{TangentWish, complete};
use stillframe::import::Model;
use stillframe::pose::{self, Playing};
use stillframe_base::tick::Tick;

/// Times that a clip is asked for: the ends of all time, its start and what is around it, half a second.
pub const MOMENTS: [Tick; 6] = [Tick(i64::MIN), Tick(-1), Tick(0), Tick(1), Tick(352_800_000), Tick(i64::MAX)];

/// Everything that a model shows as its nodes are stored: the node, the geometry bent, where it stands.
pub fn shown(model: &Model) -> Vec<(usize, Geometry, Mat4)> {
    let pose = pose::pose(model, &[]);
    let mut out = Vec::new();
    for (index, node) in model.nodes.iter().enumerate() {
        for part in &node.parts {
            let stored = || model.geometries[part.geometry].surface.clone();
            let bent = pose::bend(model, index, part.geometry, &pose).unwrap_or_else(stored);
            out.push((index, bent, pose.model_from_parts[index]));
        }
    }
    out
}

/// What everything after the import relies on.
pub fn check(model: &Model) {
    for geometry in &model.geometries {
        let (influences, targets, geometry) = (&geometry.influences, &geometry.targets, &geometry.surface);
        let count = geometry.positions.len();
        assert!(geometry.positions.iter().flatten().all(|x| x.is_finite()));
        assert!(geometry.indices.iter().all(|i| (*i as usize) < count) && geometry.indices.len() % 3 == 0);
        for length in [
            geometry.normals.len(),
            geometry.tangents.len(),
            geometry.uv0.len(),
            geometry.uv1.len(),
            geometry.colors.len(),
        ] {
            assert!(length == 0 || length == count);
        }
        assert!(influences.starts.is_empty() || influences.starts.len() == count + 1);
        assert!(influences.starts.is_sorted() && influences.joints.len() == influences.weights.len());
        assert_eq!(influences.starts.last().map_or(0, |end| *end as usize), influences.joints.len());
        for target in targets {
            let moved = target.vertices.len();
            assert!(target.vertices.is_sorted() && target.vertices.iter().all(|v| (*v as usize) < count));
            assert!(target.positions.len() == moved);
            assert!([target.normals.len(), target.tangents.len()].iter().all(|n| *n == 0 || *n == moved));
        }
        for wish in [TangentWish::Any, TangentWish::Uv(0)] {
            let baked = complete(geometry.clone(), wish).geometry;
            let unit = |v: &[f32]| (v.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-3;
            assert!(baked.normals.iter().all(|n| unit(n)) && baked.tangents.iter().all(|t| unit(&t[..3])));
            assert!(baked.indices.iter().all(|i| (*i as usize) < baked.positions.len()));
        }
    }
    for skin in &model.skins {
        assert!(!skin.joints.is_empty());
        assert!(skin.joints.iter().all(|j| j.node < model.nodes.len() && j.joint_from_mesh.is_finite()));
    }
    for (index, node) in model.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| parent < index));
        for part in node.parts.iter().filter(|_| node.skin.is_some()) {
            let joints = &model.skins[node.skin.expect("filtered")].joints;
            let influences = &model.geometries[part.geometry].influences;
            assert!(influences.joints.iter().all(|joint| (*joint as usize) < joints.len()));
        }
    }
    // Every moment of every clip can be asked for.
    for clip in 0..model.clips.len() {
        for time in MOMENTS {
            let pose = pose::pose(model, &[Playing { clip, time }]);
            assert_eq!(pose.model_from_local.len(), model.nodes.len());
        }
    }
    shown(model);
    for node in &model.nodes {
        assert!(node.parts.iter().all(|p| p.geometry < model.geometries.len() && p.material < model.materials.len()));
    }
}

/// `PROPTEST_CASES` can ask for more cases, `PROPTEST_RNG_SEED` for others.
pub fn runner(cases: u32) -> TestRunner {
    let mut config = Config { failure_persistence: None, ..Config::default() };
    config.cases = config.cases.max(cases);
    TestRunner::new(config)
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
