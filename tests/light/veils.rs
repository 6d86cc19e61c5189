//! Veils: shadows of what lets light through, against products along rays in f64 by closed forms.

use stillframe_scene::scene::Scene;

use crate::furnace::{floor, floor_point};
use crate::layers::layers;

const SIZE: usize = 128;
const DIRECTION: [f64; 3] = [0.4, -1.0, 0.2];

/// A level pane: its middle, half of its sides, what comes through.
struct Pane {
    at: [f64; 3],
    half: [f64; 2],
    through: [f64; 3],
}

impl Pane {
    /// How far inside of its outline the light crosses that comes to a point of the floor; negative: outside.
    fn inside(&self, [x, z]: [f64; 2]) -> f64 {
        let [dx, dy, dz] = DIRECTION;
        let up = self.at[1] / -dy;
        let [px, pz] = [x - dx * up, z - dz * up];
        (self.half[0] - (px - self.at[0]).abs()).min(self.half[1] - (pz - self.at[2]).abs())
    }
}

fn panes() -> [(Pane, String); 3] {
    let pane = |name: &str, at: [f64; 3], half: [f64; 2], material: String, through| {
        let [w, d] = half.map(|half| 2.0 * half);
        let text = format!(
            "[material.{name}]\n{material}\n[[node]]\nname = '{name}'\nshape = 'box'\nsize_m = [{w:?}, 0.002, {d:?}]\nposition = {at:?}\nmaterial = '{name}'\n"
        );
        (Pane { at, half, through }, text)
    };
    let blended = "alpha_mode = 'blend'\nbase_color = [0.2, 0.4, 0.6, 0.25]".to_string();
    let darker = "alpha_mode = 'blend'\nbase_color = [0.2, 0.4, 0.6, 0.5]\nunlit = true".to_string();
    let glass = "transmission = 0.8\nbase_color = [1.0, 0.5, 0.25]\nmetallic = 0.0".to_string();
    [
        pane("thin", [-0.5, 0.6, 0.2], [0.6, 0.5], blended, [0.75; 3]),
        pane("thick", [-0.2, 0.9, -0.1], [0.5, 0.6], darker, [0.5; 3]),
        pane("glass", [-0.1, 1.2, 0.1], [0.6, 0.4], glass, [0.8, 0.4, 0.2]),
    ]
}

/// The floor alone: the panes are above the camera's near plane.
fn scene(nodes: &str, shadow: &str) -> Scene {
    let light = format!(
        "[[light]]\nname = 'light'\nkind = 'directional'\ndirection = {DIRECTION:?}\nilluminance_lux = 3.0\nshadow = {shadow}\n"
    );
    let mut scene = floor(SIZE, &format!("{nodes}{light}"));
    scene.cameras[0].near_m = 5.6;
    scene
}

/// Behind three panes, some of them before each other, light has their product, in each of its colours.
#[test]
fn light_behind_panes_has_their_product() {
    let (panes, texts): (Vec<Pane>, Vec<String>) = panes().into_iter().unzip();
    let bare = layers(&scene("", "false"), &["linear"]).remove("linear").unwrap();
    let channels = bare.len() / (SIZE * SIZE);
    for shadow in ["technique = 'hard'", "technique = 'pcf5'", "technique = 'msm'", "technique = 'csm'"] {
        let shadow = format!("{{ {shadow}, size_px = 512, transparent = true }}");
        let found = layers(&scene(&texts.concat(), &shadow), &["linear"]).remove("linear").unwrap();
        let mut by_count = [0; 4];
        for pixel in 0..SIZE * SIZE {
            let point = floor_point(SIZE, pixel);
            let inside: Vec<f64> = panes.iter().map(|pane| pane.inside(point)).collect();
            if inside.iter().any(|inside| inside.abs() < 0.06) {
                continue;
            }
            by_count[inside.iter().filter(|inside| **inside > 0.0).count()] += 1;
            for channel in 0..3 {
                let over = panes.iter().zip(&inside).filter(|(_, inside)| **inside > 0.0);
                let want: f64 = over.map(|(pane, _)| pane.through[channel]).product();
                let whole = f64::from(bare[pixel * channels + channel]);
                let share = f64::from(found[pixel * channels + channel]) / whole;
                assert!((share - want).abs() < 1e-3, "{shadow} {point:?} {channel}: {share} for {want}");
            }
        }
        assert!(by_count.iter().all(|count| *count > 100), "{shadow}: {by_count:?}");
    }
}

/// Where nothing lets light through, `transparent` changes no bit, and without it panes cast nothing.
#[test]
fn opaque_things_cast_as_before() {
    let ball = "[[node]]\nname = 'ball'\nshape = 'sphere'\nradius_m = 0.3\nposition = [0.1, 0.6, 0.2]\n";
    let of = |nodes: &str, shadow: &str| layers(&scene(nodes, shadow), &["linear", "shadow_mask.light"]);
    assert_eq!(of(ball, "true"), of(ball, "{ transparent = true }"));
    let texts: String = panes().into_iter().map(|(_, text)| text).collect();
    assert_eq!(of("", "false"), of(&texts, "true"));
    assert_ne!(of("", "false"), of(&texts, "{ transparent = true }"));
}

/// A table between two panes is in the shadow of the upper one alone, and so are things that cast nothing.
#[test]
fn panes_behind_a_point_do_not_darken_it() {
    let pane = |name: &str, height: f64| {
        format!(
            "[material.{name}]\nalpha_mode = 'blend'\nbase_color = [0.0, 0.0, 0.0, 0.5]\n[[node]]\nname = '{name}'\nshape = 'plane'\nsize_m = [6.0, 6.0]\nposition = [0.0, {height:?}, 0.0]\nmaterial = '{name}'\n"
        )
    };
    for casts in ["true", "false"] {
        let table = format!(
            "[[node]]\nname = 'table'\nshape = 'box'\nsize_m = [1.0, 0.1, 1.0]\nposition = [0.0, 0.5, 0.0]\nmaterial = 'white'\ncasts_shadow = {casts}\n"
        );
        let mask = |panes: &str| {
            let mut scene = scene(&format!("{table}{panes}"), "{ transparent = true, technique = 'hard' }");
            scene.cameras[0].near_m = 5.2;
            layers(&scene, &["shadow_mask.light"]).remove("shadow_mask.light").unwrap()[SIZE * SIZE / 2 + SIZE / 2]
        };
        assert_eq!(mask(""), 1.0, "{casts}");
        assert_eq!(mask(&pane("lower", 0.2)), 1.0, "{casts}");
        assert!((mask(&pane("upper", 1.5)) - 0.5).abs() < 1e-6, "{casts}");
        let both = mask(&format!("{}{}", pane("lower", 0.2), pane("upper", 1.5)));
        // Of what casts nothing the map knows the nearest pane alone.
        let want = if casts == "true" { 0.5 } else { 0.25 };
        assert!((both - want).abs() < 1e-6, "{casts}: {both}");
    }
}

/// Lamps with six maps, and every method of lighting, show the same colours.
#[test]
fn every_method_shows_coloured_shadows() {
    use stillframe_scene::scene::LightingMethod as By;
    let texts: String = panes().into_iter().map(|(_, text)| text).collect();
    let lamp = "[[light]]\nname = 'lamp'\nkind = 'point'\nposition = [0.3, 1.5, 0.2]\nintensity_cd = 3.0\nshadow = { technique = 'cube', transparent = true }\n";
    let of = |method| {
        let mut scene = scene(&format!("{texts}{lamp}"), "{ transparent = true }");
        scene.render.lighting = method;
        layers(&scene, &["linear"]).remove("linear").unwrap()
    };
    let forward = of(By::Forward);
    assert!(
        forward.chunks(forward.len() / (SIZE * SIZE)).any(|texel| (texel[0] - texel[2]).abs() > 0.01),
        "no shadow has a colour"
    );
    for method in [By::Deferred, By::ForwardPlus, By::Clustered, By::Multipass] {
        assert!(forward == of(method), "{method:?}");
    }
    let sums = of(By::LightPrepass);
    let off = forward.iter().zip(&sums).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(off < 1e-3, "{off}");
}
