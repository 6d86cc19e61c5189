//! The nouns of a scene, one file or folder each: what a file may say about it, what that becomes, how it is printed
//! and what moves.
//!
//! In: checked tables. Out: the types of a [`Scene`](super::Scene). `SCENE` and `KINDS` are the list of nouns. Never
//! here: the language, and what nouns have in common.

pub(crate) mod accumulate;
pub(crate) mod animator;
pub(crate) mod aov;
pub(crate) mod camera;
pub(crate) mod clip;
pub(crate) mod crowd;
pub(crate) mod effect;
pub(crate) mod environment;
pub(crate) mod light;
pub(crate) mod light_probe;
pub(crate) mod material;
pub(crate) mod method;
pub(crate) mod model;
pub(crate) mod node;
pub(crate) mod output;
pub(crate) mod placement;
pub(crate) mod plan;
pub(crate) mod render;
pub(crate) mod test;
pub(crate) mod view;

use super::key::{Inner, Key, List, Named, optional, required, rows};
use super::schema::{Kind, Row, Type, kind};
use super::text::keyed;

/// A scene file.
pub static SCENE: Kind = kind(
    "scene file",
    "Only `title`, a camera and one node are needed; every other key has a default. Unknown keys are errors.",
    KEYS,
);

pub(crate) const TITLE: Key<String> = required("title", Type::Text, "What the picture shows, in a few words.");
pub(crate) const INCLUDE: Key<Vec<String>> = optional(
    "include",
    Type::Files,
    "none",
    "Scene files that this one extends and overrides, and MaterialX files (`.mtlx`). Later files override earlier ones; see [Including](#including).",
);
pub(crate) const PARAM: Key<Option<String>> =
    optional("param", Type::Params, "none", "Named values that other values can use; see [Parameters](#parameters).");
pub(crate) const OUTPUT: Key<Inner> =
    optional("output", Type::Table(&output::TABLE), "every default", "What comes out.");
pub(crate) const SHOT: Key<Named> =
    optional("shot", Type::Named(&output::SHOT_TABLE), "none", "Further pictures of the same scene, by name.");
pub(crate) const ENVIRONMENT: Key<Inner> = optional(
    "environment",
    Type::Table(&environment::TABLE),
    "none",
    "The surroundings, which light the scene from all sides.",
);
pub(crate) const CAMERA: Key<Named> = optional(
    "camera",
    Type::Named(&camera::TABLE),
    "none",
    "Cameras. The first one is used unless `output.camera` names another.",
);
pub(crate) const MODEL: Key<Named> =
    optional("model", Type::Named(&model::TABLE), "none", "Model files that nodes can show.");
pub(crate) const MATERIAL: Key<Named> =
    optional("material", Type::Named(&material::TABLE), "none", "Materials that nodes can use.");
pub(crate) const CLIP: Key<List> =
    optional("clip", Type::List(&clip::TABLE), "none", "Clips, for animators and crowds.");
pub(crate) const ANIMATOR: Key<List> = optional(
    "animator",
    Type::List(&animator::TABLE),
    "none",
    "Animators, which give the models of nodes their poses.",
);
pub(crate) const NODE: Key<List> =
    optional("node", Type::List(&node::TABLE), "none", "Models, shapes and groups, each with a place.");
pub(crate) const CROWD: Key<List> = optional("crowd", Type::List(&crowd::TABLE), "none", "Many figures of one model.");
pub(crate) const LIGHT: Key<List> = optional("light", Type::List(&light::TABLE), "none", "Lights, in physical units.");
pub(crate) const LIGHT_PROBE: Key<List> = optional(
    "light_probe",
    Type::List(&light_probe::TABLE),
    "none",
    "Light from around that holds in one place, captured there or given.",
);
pub(crate) const ACCUMULATE: Key<Inner> = optional(
    "accumulate",
    Type::Table(&accumulate::TABLE),
    "one plain picture",
    "The picture as the mean of many: anti-aliasing, depth of field, motion blur and soft shadows without approximation.",
);
pub(crate) const EFFECT: Key<List> = optional(
    "effect",
    Type::List(&effect::TABLE),
    "none",
    "What becomes of the picture after it is drawn: bloom, fog, grading and more.",
);
pub(crate) const VIEW: Key<List> = optional(
    "view",
    Type::List(&view::TABLE),
    "none",
    "Further pictures of the same moment, for files and for materials: cameras, mirrors, panoramas.",
);
pub(crate) const PLAN: Key<Inner> =
    optional("plan", Type::Table(&plan::TABLE), "every default", "How memory is used while the picture is drawn.");
pub(crate) const RENDER: Key<Inner> =
    optional("render", Type::Table(&render::TABLE), "every default", "How lights are brought to surfaces.");
pub(crate) const TEST: Key<Inner> = optional("test", Type::Table(&test::TABLE), "none", "How the picture is tested.");
static KEYS: &[Row] = rows! {
    TITLE, INCLUDE, PARAM, OUTPUT, SHOT, ENVIRONMENT, CAMERA, MODEL, MATERIAL, CLIP, ANIMATOR, NODE, CROWD, LIGHT, LIGHT_PROBE, EFFECT, VIEW, ACCUMULATE, RENDER, PLAN, TEST
};

/// Every kind, in the order of docs/scene.md.
pub(crate) static KINDS: &[&Kind] = &[
    &SCENE,
    &output::TABLE,
    &output::SHOT_TABLE,
    &environment::TABLE,
    &environment::SKY_TABLE,
    &environment::GRADIENT_TABLE,
    &camera::TABLE,
    &camera::CONTROL_TABLE,
    &camera::INPUT_TABLE,
    &model::TABLE,
    &model::PROPORTION_TABLE,
    &material::TABLE,
    &material::NODE_TABLE,
    &material::TEXTURE_TABLE,
    &node::TABLE,
    &node::MORPH_TABLE,
    &node::LINE_TABLE,
    &node::GRID_TABLE,
    &node::RING_TABLE,
    &node::SCATTER_TABLE,
    &clip::TABLE,
    &clip::EVENT_TABLE,
    &clip::MARKER_TABLE,
    &clip::RENAME_TABLE,
    &animator::TABLE,
    &animator::PARAMETER_TABLE,
    &animator::mask::TABLE,
    &animator::mask::BRANCH_TABLE,
    &animator::mask::SHAPE_TABLE,
    &animator::MORPH_TABLE,
    &animator::graph::TABLE,
    &animator::graph::ADD_TABLE,
    &animator::graph::INPUT_TABLE,
    &animator::graph::JOINT_TABLE,
    &animator::graph::LAYER_TABLE,
    &animator::graph::STATE_TABLE,
    &animator::graph::TRANSITION_TABLE,
    &animator::play::TABLE,
    &animator::solver::TABLE,
    &animator::solver::TARGETS_TABLE,
    &animator::solver::SHARE_TABLE,
    &animator::solver::LIMIT_TABLE,
    &animator::solver::BEND_TABLE,
    &crowd::TABLE,
    &crowd::LOD_TABLE,
    &light::TABLE,
    &light::SHADOW_TABLE,
    &light_probe::TABLE,
    &effect::TABLE,
    &view::TABLE,
    &keyed::TABLE,
    &accumulate::TABLE,
    &render::TABLE,
    &plan::TABLE,
    &test::TABLE,
    &test::TOLERANCE_TABLE,
];
