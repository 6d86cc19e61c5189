//! Methods of lighting: random scenes by each, bit for bit, and the page of their rows.

use std::fmt::Write;

use proptest::prelude::*;
use stillframe::take::{Settings, take};
use stillframe_frames::compare::Tolerance;
use stillframe_frames::{Picture, Samples};
use stillframe_scene::scene::{LightingMethod, Likeness, RenderOptions, Scene};

use crate::truth::scene_of;

fn picture(scene: &Scene, bits: u8) -> Picture {
    let mut taken = take(scene, &Settings { bits, ..Settings::default() }, &mut |_| ()).expect("a picture");
    taken.pictures.remove(0).1
}

/// Bits of the linear picture.
fn bits(scene: &Scene) -> Vec<u32> {
    match &picture(scene, 32).samples {
        Samples::F32(values) => values.iter().map(|value| value.to_bits()).collect(),
        other => panic!("{other:?}"),
    }
}

/// Surfaces of all sorts: what screens shade, and what is drawn forward.
const SURFACES: [&str; 9] = [
    "roughness = 0.3",
    "metallic = 1.0\nroughness = 0.2",
    "metallic = 1.0\nanisotropy = 0.8\nroughness = 0.5",
    "clearcoat = 0.7\nior = 1.8",
    "model = 'oren_nayar'",
    "model = 'blinn'",
    "model = 'openpbr'\nsubsurface_weight = 0.8\nsubsurface_radius_m = 0.2",
    "unlit = true",
    "alpha_mode = 'blend'",
];

fn place(extent: f32) -> impl Strategy<Value = [f32; 3]> {
    [-extent..extent, 0.05f32..1.6, -extent..extent]
}

/// A floor with things on it, under lights of short and of endless reach. `floors`: its surfaces, one in the other.
fn text(
    floors: &[usize],
    things: &[(usize, [f32; 3], [f32; 4])],
    lights: &[([f32; 3], f32, usize)],
    samples: u32,
) -> String {
    let mut out = format!(
        "title = 'random'\n[output]\nsize_px = [70, 53]\nsamples = {samples}\ntonemap = 'none'\n\
         [camera.main]\nposition = [0.3, 2.6, 4.5]\nlook_at = [0.0, 0.3, 0.0]\n\
         [environment]\ngradient = {{ zenith = '#304060', horizon = '#404040', ground = '#202020' }}\n"
    );
    for (at, surface) in floors.iter().enumerate() {
        let (size_m, color) =
            (8.0 - 2.0 * (at % 2) as f32, [[0.9, 0.1, 0.1], [0.1, 0.8, 0.2], [0.1, 0.2, 0.9]][at % 3]);
        _ = write!(
            out,
            "[material.f{at}]\nbase_color = {color:?}\n{}\n[[node]]\nname = 'floor {at}'\nshape = 'plane'\n\
             size_m = [{size_m:?}, {size_m:?}]\nmaterial = 'f{at}'\n",
            SURFACES[*surface]
        );
    }
    for (at, (surface, position, color)) in things.iter().enumerate() {
        let color: Vec<String> = color.iter().map(|value| format!("{value:?}")).collect();
        _ = write!(
            out,
            "[material.m{at}]\nbase_color = [{}]\n{}\n[[node]]\nname = 'n{at}'\nshape = 'sphere'\nradius_m = 0.4\n\
             position = {position:?}\nmaterial = 'm{at}'\n",
            color.join(", "),
            SURFACES[*surface % SURFACES.len()]
        );
    }
    for (at, (position, range_m, kind)) in lights.iter().enumerate() {
        let kind = match kind % 4 {
            0 => format!("kind = 'point'\nintensity_cd = 3.0\nrange_m = {range_m:?}\nshadow = {}", at == 0),
            1 => format!(
                "kind = 'spot'\nintensity_cd = 6.0\nrange_m = {range_m:?}\ndirection = [0.2, -1.0, 0.1]\nshadow = false"
            ),
            2 => "kind = 'point'\nintensity_cd = 0.5\nshadow = false".to_string(),
            _ => {
                "kind = 'rect'\nluminance_nits = 0.5\nsize_m = [0.5, 0.4]\ndirection = [0.0, -1.0, 0.2]\nshadow = false"
                    .to_string()
            }
        };
        _ = write!(out, "[[light]]\nname = 'l{at:02}'\nposition = {position:?}\n{kind}\n");
    }
    out
}

/// Whether the picture of `other` is as near to that of `forward` as is said.
fn is_like(forward: &Scene, other: &Scene, likeness: Likeness) -> Result<(), String> {
    match likeness {
        Likeness::Other(_) => Ok(()),
        Likeness::Equal if bits(forward) == bits(other) => Ok(()),
        Likeness::Equal => Err("other bits".to_string()),
        Likeness::Near { delta, share } => {
            let near = Tolerance { delta, share }.judge(&picture(forward, 8), &picture(other, 8)).unwrap();
            near.passed.then_some(()).ok_or_else(|| format!("{near:?}"))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Every method is as near to `forward` with the same shading as its row says, with depth drawn first and without.
    #[test]
    fn every_method_is_forward(
        floors in prop::collection::vec(0usize..8, 1..5),
        things in prop::collection::vec((0usize..8, place(2.0), [0.1f32..1.0, 0.1f32..1.0, 0.1f32..1.0, 0.3f32..0.9]), 3..9),
        lights in prop::collection::vec((place(3.0), 0.2f32..2.5, 0usize..4), 1..24),
        by_sample: bool,
        lights_per_draw in 1u32..9,
    ) {
        let mut scene = scene_of(&text(&floors, &things, &lights, if by_sample { 4 } else { 1 }));
        if by_sample {
            scene.output.shading = Some(stillframe_scene::scene::Shading::Sample);
        }
        for (name, lighting) in LightingMethod::WORDS {
            for depth_prepass in [false, true] {
                let render = RenderOptions { lighting: *lighting, lights_per_draw, depth_prepass, ..scene.render };
                let like = is_like(&scene, &Scene { render, ..scene.clone() }, lighting.row().likeness);
                prop_assert!(like.is_ok(), "{name}, depth first: {depth_prepass}: {like:?}");
            }
        }
    }
}

/// Of surfaces in the same place the first one is seen, whatever is kept of each until it is shaded.
#[test]
fn of_surfaces_in_one_place_the_first_is_seen() {
    let lights: Vec<_> = (0..4).map(|at| ([at as f32 - 2.0, 0.8, 0.5], 2.5, at)).collect();
    // What all methods but one keep, what none keeps, what gathers light from its neighbours, what has no light.
    let surfaces = [0, 2, 6, 7];
    for [first, second] in (0..16).map(|pair| [surfaces[pair / 4], surfaces[pair % 4]]) {
        let mut scene = scene_of(&text(&[first, second], &[], &lights, 1));
        scene.output.width_px = 24;
        scene.output.height_px = 16;
        scene.render.lights_per_draw = 2;
        let forward = scene.clone();
        for (name, lighting) in LightingMethod::WORDS {
            scene.render.lighting = *lighting;
            let likeness = match lighting.row().likeness {
                // The two floors differ by more than methods do.
                Likeness::Other(_) => Likeness::Near { delta: 60.0, share: 0.02 },
                likeness => likeness,
            };
            is_like(&forward, &scene, likeness)
                .unwrap_or_else(|error| panic!("{first} before {second}, {name}: {error}"));
        }
    }
}

/// Of surfaces in the same place the first one is seen, and it alone gathers the light of every round.
#[test]
fn surfaces_in_one_place_are_lit_in_rounds() {
    let lights: Vec<_> = (0..5).map(|at| ([at as f32 - 2.0, 0.8, 0.5], 2.5, at)).collect();
    let mut scene = text(
        &[0],
        &[(0, [-0.4, 0.4, 0.0], [0.8, 0.3, 0.2, 1.0]), (1, [-0.4, 0.4, 0.0], [0.2, 0.9, 0.3, 1.0])],
        &lights,
        1,
    );
    scene.push_str("[[node]]\nname = 'twin'\nshape = 'plane'\nsize_m = [3.0, 3.0]\nmaterial = 'm1'\n");
    let mut scene = scene_of(&scene);
    let forward = bits(&scene);
    scene.render.lighting = LightingMethod::Multipass;
    for lights_per_draw in [1, 2, 3, 4, 5, 4096] {
        scene.render.lights_per_draw = lights_per_draw;
        assert!(bits(&scene) == forward, "{lights_per_draw} lights a drawing");
    }
}

/// Four samples of a stored surface are four samples of the picture, not one.
#[test]
fn stored_surfaces_have_every_sample() {
    let things = [(1, [0.0, 0.4, 0.0], [0.8, 0.7, 0.6, 1.0])];
    let picture = |samples, lighting| {
        let mut scene = scene_of(&text(&[0], &things, &[([0.5, 1.0, 1.0], 2.0, 0)], samples));
        scene.render.lighting = lighting;
        bits(&scene)
    };
    let [one, four] = [1, 4].map(|samples| picture(samples, LightingMethod::Deferred));
    assert_ne!(one, four);
    assert_eq!(one, picture(1, LightingMethod::Forward));
}

/// What lies between fetched corners is what the rasterizer interpolates, but for the last bits: textures with their
/// levels, bumps, holes, colours of vertices, and a floor of two triangles that reaches behind the eye.
#[test]
fn triangles_are_numbered_and_fetched() {
    let scene = scene_of(
        "title = 'fetched'
[output]
size_px = [121, 83]
samples = 1
tonemap = 'none'
[camera.main]
position = [0.3, 0.9, 3.2]
look_at = [0.0, 0.4, 0.0]
[environment]
gradient = { zenith = '#304060', horizon = '#404040', ground = '#202020' }
[[light]]
name = 'sun'
kind = 'directional'
illuminance_lux = 2.0
direction = [-0.5, -1.0, -0.3]
[material.floor]
base_color_texture = { file = 'assets/panel_hues.png', scale = [20, 20] }
[material.bumps]
metallic = 1.0
roughness = 0.3
normal_texture = { file = 'assets/terrain_normal.png', scale = [2, 2] }
specular_aa = true
[material.leaf]
base_color_texture = 'assets/leaf_card_base.png'
alpha_mode = 'mask'
double_sided = true
[[node]]
name = 'floor'
shape = 'plane'
size_m = [30.0, 30.0]
material = 'floor'
[[node]]
name = 'ball'
shape = 'sphere'
radius_m = 0.5
position = [-0.5, 0.5, 0.0]
material = 'bumps'
[[node]]
name = 'leaf'
shape = 'quad'
position = [0.7, 0.6, 0.3]
rotation_deg = [10.0, 200.0, 0.0]
material = 'leaf'
[model.torus]
file = 'assets/torus_hues.ply'
[[node]]
name = 'torus'
model = 'torus'
position = [0.2, 0.3, 1.0]
scale = 0.3
",
    );
    let by = |lighting| {
        let mut scene = scene.clone();
        scene.render.lighting = lighting;
        bits(&scene).into_iter().map(f32::from_bits).collect::<Vec<f32>>()
    };
    let [forward, fetched] = [LightingMethod::Forward, LightingMethod::Visibility].map(by);
    let off: Vec<f32> = forward.iter().zip(&fetched).map(|(a, b)| (a - b).abs() / (a.abs() + 0.01)).collect();
    let share = |least: f32| off.iter().filter(|off| **off > least).count() as f32 / off.len() as f32;
    // Places in the floor's texture have the last bits of 20 repeats.
    let found = [1e-4, 1e-3, 1e-2].map(share);
    assert!(found[0] <= 0.25 && found[1] <= 0.04 && found[2] <= 0.0, "{found:?}");
    // It is another way to the same picture.
    assert_ne!(forward, fetched);
}

const PAGE: &str = "docs/lighting-methods.md";
const MARK: &str = "<!-- Below: from the rows of the methods. -->\n";

#[test]
#[expect(clippy::disallowed_methods, reason = "a test reads its own switches from the environment")]
fn the_page_of_the_methods_is_fresh() {
    let mut out =
        "| `lighting` | passes | lights that a pixel asks | surfaces drawn forward | against `forward` | pays \
                   with | source |\n| --- | --- | --- | --- | --- | --- | --- |\n"
            .to_string();
    for (name, method) in LightingMethod::WORDS {
        let row = method.row();
        assert_eq!(*name, row.name);
        _ = writeln!(
            out,
            "| `{name}` | {} | {} | {} | {} | {} | {} |",
            row.passes,
            row.asks.words(),
            row.forward,
            row.likeness.words(),
            row.pays,
            row.source
        );
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let have = std::fs::read_to_string(&path).unwrap();
    let (head, _) = have.split_once(MARK).expect("the page has its mark");
    let want = format!("{head}{MARK}\n{}\n", out.trim_end());
    if have != want {
        if std::env::var_os("STILLFRAME_UPDATE").is_some_and(|value| value != "no") {
            std::fs::write(&path, want).unwrap();
        }
        panic!("{PAGE} is stale: STILLFRAME_UPDATE=all cargo test --test light methods");
    }
}
