//! Fits: what maps of directional lights hold, against rays and where nothing may be lit.

use stillframe_scene::scene::{Scene, Shadow, ShadowFit, ShadowTechnique};

use crate::rays::{Traced, Wrong, still_life};
use crate::truth::{linear, scene_of};

/// Shadows of a still life against rays, by maps of every fit.
#[test]
fn shadows_of_every_fit_fall_where_rays_say() {
    use ShadowTechnique::{Csm, Evsm4, Hard, Pcf5, Tent3};
    for light in ["direction = [0.9, -1.0, 0.5]", "direction = [2.4, -1.0, 0.3]", "direction = [-0.9, -1.0, -0.5]"] {
        let mut traced = Traced::new(still_life(&format!("kind = 'directional'\n{light}")));
        for (fit, techniques) in
            [(ShadowFit::Seen, [Hard, Tent3, Csm, Evsm4]), (ShadowFit::Lispsm, [Hard, Tent3, Pcf5, Pcf5])]
        {
            for technique in techniques {
                traced.scene.lights[0].shadow = Some(Shadow { fit, ..Shadow::new(technique) });
                let Wrong { mut pixels, looked_at: [dark, lit] } = traced.wrong("lamp", 5.0);
                // Taps that reach under the floor darken the foot of a wall.
                pixels.retain(|(_, lit, found)| (found - f32::from(u8::from(*lit))).abs() > 0.13);
                println!("{fit:?} {technique:?}, {light}: {} of {dark} dark and {lit} lit", pixels.len());
                assert!(dark > 60 && lit > 9000, "{light}: {dark} dark, {lit} lit");
                assert!(pixels.is_empty(), "{fit:?} {technique:?}, {light}: {pixels:?}");
            }
        }
    }
}

/// A yard whose wall hides a long street with posts.
fn yard(shadow: &str) -> Scene {
    let posts: String = (0..20)
        .map(|at| {
            let z = -4.0 - 4.0 * f64::from(at);
            format!("[[node]]\nshape = 'box'\nsize_m = [0.3, 1.5, 0.3]\nposition = [0.0, 0.75, {z:?}]\n")
        })
        .collect();
    scene_of(&format!(
        "title = 'a yard'
[output]
size_px = [200, 150]
samples = 1
[camera.main]
position = [0.5, 1.4, 3.0]
look_at = [0.0, 0.5, 0.0]
fov_y_deg = 50.0
[[node]]
name = 'floor'
shape = 'plane'
size_m = [40.0, 200.0]
[[node]]
name = 'wall'
shape = 'box'
size_m = [8.0, 6.0, 0.2]
position = [0.0, 3.0, -1.5]
[[node]]
name = 'rail'
shape = 'box'
size_m = [1.2, 0.2, 0.2]
position = [0.0, 0.5, 0.4]
rotation_deg = [0.0, 20.0, 10.0]
{posts}
[[light]]
name = 'lamp'
kind = 'directional'
direction = [0.5, -1.0, -0.4]
shadow = {shadow}
"
    ))
}

/// The sum of how far shadows are from those of rays, but where they end.
fn off(scene: Scene) -> f64 {
    let Wrong { pixels, looked_at: [dark, _] } = Traced::new(scene).wrong("lamp", 0.7);
    assert!(dark > 200, "{dark} dark");
    pixels.iter().map(|(_, lit, found)| f64::from((found - f32::from(u8::from(*lit))).abs())).sum()
}

/// What is hidden takes no texels: with as many of them, shadows are far nearer to those of rays.
#[test]
fn hidden_things_take_no_texels() {
    for technique in ["tent3", "csm"] {
        let of = |fit: &str| off(yard(&format!("{{ technique = '{technique}', size_px = 256, fit = '{fit}' }}")));
        let (tight, seen) = (of("tight"), of("seen"));
        println!("{technique}: sum of errors {tight:.1} by bounds, {seen:.1} by sight");
        assert!(seen < 0.5 * tight, "{technique}: {seen} of {tight}");
    }
}

/// Under a roof nothing is lit: what a map did not hold would be. There are wires that only some points of pixels show,
/// panes and glass before each other, and what is far away.
#[test]
fn maps_by_sight_hold_all_that_is_shaded() {
    let wires: String = (0..12)
        .map(|at| {
            let (x, z) = (-2.0 + 0.37 * f64::from(at), -1.0 - 3.3 * f64::from(at));
            format!(
                "[[node]]\nshape = 'cylinder'\nradius_m = 0.004\nheight_m = 2.5\nposition = [{x:?}, 1.6, {z:?}]\nrotation_deg = [0.0, 0.0, {:?}]\nmaterial = 'pale'\n",
                7 * at
            )
        })
        .collect();
    let scene = |more: &str, alpha: &str, shadow: &str| {
        scene_of(&format!(
            "title = 'under a roof'
[output]
size_px = [90, 60]
background = '#000000'
{more}
[camera.main]
position = [0.0, 1.2, 4.0]
look_at = [0.0, 1.0, 0.0]
fov_y_deg = 45.0
[material.pale]
[material.pane]
alpha_mode = 'blend'
base_color = [1.0, 1.0, 1.0, 0.4]
[material.holes]
alpha_mode = '{alpha}'
base_color = [1.0, 1.0, 1.0, 0.6]
[material.glass]
transmission = 0.9
roughness = 0.0
[[node]]
shape = 'box'
size_m = [80.0, 0.1, 200.0]
position = [0.0, 12.0, 0.0]
[[node]]
shape = 'plane'
size_m = [5.0, 70.0]
position = [0.0, 0.0, -20.0]
[[node]]
shape = 'quad'
size_m = [1.0, 1.0]
position = [0.9, 1.0, 0.5]
material = 'pane'
[[node]]
shape = 'quad'
size_m = [1.0, 1.0]
position = [1.1, 1.2, -30.0]
scale = [4.0, 4.0, 4.0]
material = 'pane'
[[node]]
shape = 'quad'
size_m = [1.0, 1.0]
position = [-7.0, 2.0, -25.0]
material = 'holes'
[[node]]
shape = 'sphere'
radius_m = 0.4
position = [-0.7, 1.0, 1.0]
material = 'glass'
{wires}
[[light]]
kind = 'directional'
illuminance_lux = 9.0
direction = [0.1, -1.0, -0.2]
shadow = {shadow}
"
        ))
    };
    for more in [
        "samples = 1",
        "samples = 4",
        "samples = 4\nshading = 'sample'",
        "samples = 16",
        "samples = 1\n[accumulate]\npixel = 8",
        "samples = 1\n[render]\ntransparency = 'exact'",
    ] {
        let bare = linear(&scene(more, "mask", "false"));
        assert!(bare.iter().filter(|pixel| pixel[0] > 0.1).count() > 1000, "{more}: without a shadow it is light");
        for (alpha, shadow) in [
            ("mask", "technique = 'hard'"),
            ("hashed", "technique = 'tent3'"),
            ("to_coverage", "technique = 'csm'"),
            ("mask", "technique = 'csm', cascades = 8"),
        ] {
            let found = linear(&scene(more, alpha, &format!("{{ {shadow}, size_px = 1024, fit = 'seen' }}")));
            let lit = found.iter().filter(|pixel| **pixel != [0.0; 3]).count();
            assert!(lit == 0, "{more}, {alpha}, {shadow}: {lit} are lit");
        }
    }
}

/// A street that goes on for long, with posts beside it.
fn street(shadow: &str) -> Scene {
    let posts: String = (0..24)
        .map(|at| {
            let z = 1.0 - 1.2 * f64::from(at);
            format!("[[node]]\nshape = 'box'\nsize_m = [0.12, 1.0, 0.12]\nposition = [-0.6, 0.5, {z:?}]\n")
        })
        .collect();
    scene_of(&format!(
        "title = 'a street'
[output]
size_px = [200, 150]
samples = 1
[camera.main]
position = [0.3, 1.2, 3.5]
look_at = [0.0, 0.3, -2.0]
fov_y_deg = 50.0
[[node]]
name = 'floor'
shape = 'plane'
size_m = [60.0, 120.0]
{posts}
[[light]]
name = 'lamp'
kind = 'directional'
direction = [0.8, -0.7, -0.1]
shadow = {shadow}
"
    ))
}

/// A perspective across the light gives shadows near the camera more texels.
#[test]
fn near_shadows_have_more_texels() {
    for technique in ["hard", "tent3", "pcf3"] {
        let of = |fit: &str| off(street(&format!("{{ technique = '{technique}', size_px = 256, fit = '{fit}' }}")));
        let (tight, warped) = (of("tight"), of("lispsm"));
        println!("{technique}: sum of errors {tight:.1} with even texels, {warped:.1} with a perspective");
        assert!(warped < 0.6 * tight, "{technique}: {warped} of {tight}");
    }
}
