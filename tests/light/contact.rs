//! Contact: shadows of things in sight that maps miss, against rays cast in f64 and against pictures without them.

use stillframe_scene::scene::Scene;

use crate::furnace::floor;
use crate::layers::layers;
use crate::rays::Traced;
use crate::truth::scene_of;

/// A floor with small things that stand on it, seen from the side, and a light.
fn small_things(light: &str) -> Scene {
    scene_of(&format!(
        "title = 'small things'
[output]
size_px = [240, 180]
samples = 1
[camera.main]
position = [0.6, 1.1, 1.6]
look_at = [0.0, 0.05, 0.0]
fov_y_deg = 36.0
[[node]]
name = 'floor'
shape = 'plane'
size_m = [8.0, 8.0]
[[node]]
name = 'tile'
shape = 'box'
size_m = [0.4, 0.04, 0.3]
position = [-0.3, 0.02, 0.1]
rotation_deg = [0.0, 20.0, 0.0]
[[node]]
name = 'stud'
shape = 'box'
size_m = [0.06, 0.08, 0.06]
position = [0.25, 0.04, 0.2]
[[node]]
name = 'rail'
shape = 'box'
size_m = [0.5, 0.05, 0.05]
position = [0.15, 0.025, -0.25]
rotation_deg = [0.0, -30.0, 0.0]
[[light]]
name = 'lamp'
{light}
"
    ))
}

const LIGHTS: [&str; 2] =
    ["kind = 'directional'\ndirection = [0.9, -0.7, 0.3]", "kind = 'point'\nposition = [-1.2, 1.0, -0.5]"];

/// A map of few texels misses what is small; what is in sight brings nearly all of it back.
#[test]
fn contact_finds_what_maps_miss() {
    for light in LIGHTS {
        let wrong = |shadow: &str| {
            let traced = Traced::new(small_things(&format!("{light}\nshadow = {shadow}")));
            let wrong = traced.wrong("lamp", 1.5);
            let dark = wrong.pixels.iter().filter(|(_, lit, _)| *lit).count();
            let lit = wrong.pixels.len() - dark;
            println!("{shadow}: {lit} lit of {} dark, {dark} dark of {} lit", wrong.looked_at[0], wrong.looked_at[1]);
            ([lit, dark], wrong.looked_at)
        };
        let ([missed, by_map], [all, _]) = wrong("{ technique = 'tent3', size_px = 32 }");
        let ([left, false_ones], _) = wrong("{ technique = 'tent3', size_px = 32, contact_m = 0.12 }");
        assert!(all > 500 && missed * 3 > all, "{light}: the map misses {missed} of {all}");
        assert!(left * 4 < missed, "{light}: {left} of {missed} are still lit");
        // Things count as thicker than they are: beside their shadows there is a band of a few pixels.
        assert!(
            false_ones < by_map + all * 6 / 10,
            "{light}: {false_ones} are dark, and rays say lit; {by_map} by the map alone"
        );
    }
}

/// Where nothing is near there is nothing to find: every bit is that of the map alone.
#[test]
fn contact_is_off_where_nothing_is_near() {
    let far = "[[node]]\nname = 'slab'\nshape = 'box'\nsize_m = [0.8, 0.1, 0.6]\nposition = [0.1, 0.9, -0.1]\nrotation_deg = [10.0, 25.0, 5.0]\n";
    for kind in LIGHTS {
        let of = |shadow: &str| {
            let light = kind.replace("-1.2, 1.0, -0.5", "-1.2, 3.0, -0.5");
            let scene = floor(128, &format!("{far}[[light]]\nname = 'light'\n{light}\nshadow = {shadow}\n"));
            layers(&scene, &["shadow_mask.light", "linear"])
        };
        let alone = of("'hard'");
        assert!(alone["shadow_mask.light"].contains(&0.0));
        assert_eq!(alone, of("{ technique = 'hard', contact_m = 0.3 }"), "{kind}");
        assert_ne!(alone, of("{ technique = 'hard', contact_m = 3.0 }"), "{kind}");
    }
}

/// What casts no shadow casts none in sight either, and no surface hides itself, at any angle of light.
#[test]
fn contact_is_by_what_casts_alone() {
    let small = "[[node]]\nname = 'box'\nshape = 'box'\nsize_m = [0.4, 0.2, 0.4]\nposition = [0.0, 0.1, 0.0]\n";
    let bar = "[[node]]\nname = 'bar'\nshape = 'box'\nsize_m = [0.1, 0.02, 0.1]\nposition = [1.8, 0.5, 1.8]\n";
    let mask = |nodes: &str, height: f64, contact: f64| {
        let light = format!(
            "[[light]]\nname = 'light'\nkind = 'directional'\ndirection = [0.8, -{height:?}, 0.6]\nshadow = {{ contact_m = {contact:?} }}\n"
        );
        layers(&floor(64, &format!("{nodes}{light}")), &["shadow_mask.light"]).remove("shadow_mask.light").unwrap()
    };
    for height in [0.02, 0.1, 0.5, 2.0, 20.0] {
        assert_eq!(mask(bar, height, 0.0), mask(bar, height, 0.3), "{height}");
        let not = format!("{small}casts_shadow = false\n{bar}");
        assert_eq!(mask(&not, height, 0.0), mask(&not, height, 0.3), "{height}");
    }
}

/// Every method of lighting finds the same.
#[test]
fn contact_is_the_same_by_every_method() {
    let scene = |light: &str| {
        let mut scene = small_things(&format!("{light}\nshadow = {{ size_px = 64, contact_m = 0.12 }}"));
        scene.output.width_px = 120;
        scene.output.height_px = 90;
        scene
    };
    for light in LIGHTS {
        let of = |method| {
            let mut scene = scene(light);
            scene.render.lighting = method;
            layers(&scene, &["linear"]).remove("linear").unwrap()
        };
        use stillframe_scene::scene::LightingMethod as By;
        let forward = of(By::Forward);
        let mut without = scene(light);
        without.lights[0].shadow.as_mut().unwrap().contact_m = 0.0;
        assert_ne!(forward, layers(&without, &["linear"]).remove("linear").unwrap(), "{light}: nothing is found");
        for method in [By::Deferred, By::ForwardPlus, By::Clustered, By::Multipass, By::TiledDeferred] {
            assert_eq!(forward, of(method), "{method:?}");
        }
    }
}
