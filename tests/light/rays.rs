//! Rays: where shadows fall, against rays in f64 through all triangles of a scene.

use std::path::Path;

use stillframe::take::{Settings, take};
use stillframe_draw::light::maps;
use stillframe_draw::view::look;
use stillframe_frames::Samples;
use stillframe_lab::rays::{Eye, Mask, Seen, Source, Surfaces, Untraced};
use stillframe_scene::scene::{Aov, LightKind, Scene, read};
use stillframe_world::world::{Built, build};

use crate::truth::scene_of;

/// A scene with what rays see of it.
pub struct Traced {
    pub scene: Scene,
    built: Built,
    surfaces: Surfaces,
    eye: Eye,
    seen: Vec<Option<Seen>>,
}

/// Points of a pixel's side that edges are looked for at.
const FINE: usize = 3;

impl Traced {
    /// Panics where a scene cannot be traced.
    pub fn new(scene: Scene) -> Traced {
        assert_eq!(scene.output.samples, 1, "the middles of pixels");
        let vfs = scene.vfs().expect("its folder is there");
        let built = build(&scene, &|path| vfs.read(path)).unwrap_or_else(|d| panic!("{d:#?}"));
        let camera = look(&built.scene, &built.world).camera;
        let eye = Eye::new(camera.clip_from_view, camera.view_from_world, camera.position);
        let surfaces = Surfaces::of(&built.world, camera.position).expect("rays see all of it");
        let seen = surfaces.seen(&eye, size_px(&scene), FINE);
        Traced { scene, built, surfaces, eye, seen }
    }

    /// Where the light of this name comes from, and whether it has an area.
    fn source(&self, light: &str) -> (Source, bool) {
        let found = self.built.world.lights.iter().find(|known| known.name == light);
        let found = found.unwrap_or_else(|| panic!("no light {light}"));
        let is_one =
            matches!(found.kind, LightKind::Directional { .. } | LightKind::Point { .. } | LightKind::Spot { .. });
        (Source::of(found).expect("it has a place"), !is_one)
    }

    /// Where the light of this name arrives.
    pub fn mask(&self, light: &str) -> Mask {
        Mask::of_seen(&self.surfaces, &self.seen, self.source(light).0, size_px(&self.scene), FINE)
    }

    /// Width of the widest texel of the light's maps, metres; `away_m`: from a lamp.
    pub fn texel_m(&self, away_m: f64) -> f64 {
        let mut shot = look(&self.built.scene, &self.built.world);
        shot.lights[0].shadow = self.scene.lights[0].shadow;
        let size_px = size_px(&self.scene).map(|side| side as u32);
        let maps = maps(&shot, &self.built.world.store, (size_px, 256), (None, None));
        let widths = maps.views.iter().map(|view| f64::from(view.texel_m[0]) + f64::from(view.texel_m[1]) * away_m);
        widths.fold(0.0, f64::max)
    }

    /// How far each pixel's middle is from the nearest pixel that shows something else, up to `most_px`.
    pub fn outline_px(&self, pixel: usize, most_px: f64) -> f64 {
        let [width, height] = size_px(&self.scene).map(|side| side as isize);
        let (x, y, most) = (pixel as isize % width, pixel as isize / width, most_px as isize);
        let id = |pixel: usize| self.middle(pixel).map(|seen| seen.object_id);
        let mut nearest = most_px;
        for v in (y - most).max(0)..(y + most + 1).min(height) {
            for u in (x - most).max(0)..(x + most + 1).min(width) {
                if id((v * width + u) as usize) != id(pixel) {
                    let square = (u - x) * (u - x) + (v - y) * (v - y);
                    nearest = nearest.min((square as f64).sqrt());
                }
            }
        }
        nearest
    }

    /// What is seen at the middle of a pixel.
    fn middle(&self, pixel: usize) -> Option<&Seen> {
        let [width, _] = size_px(&self.scene);
        let [column, row] = [pixel % width, pixel / width].map(|at| at * FINE + FINE / 2);
        self.seen[row * width * FINE + column].as_ref()
    }

    /// What the layer `shadow_mask` of a light holds where it is not what rays say, farther than `band_px` from every
    /// edge of its shadows; with counts of dark and of lit pixels that were looked at.
    ///
    /// Surfaces that face away from the middle of a light with an area may still see a part of it: they are in no
    /// shadow of it, and are not looked at.
    pub fn wrong(&self, light: &str, band_px: f64) -> Wrong {
        let (mask, found) = (self.mask(light), layer(&self.scene, &format!("shadow_mask.{light}")));
        let (source, has_area) = self.source(light);
        let mut out = Wrong::default();
        let [width, height] = mask.size_px;
        for (pixel, found) in found.into_iter().enumerate() {
            // What is beyond the border may be an edge.
            let (x, y) = (pixel % width, pixel / width);
            let border_px = x.min(width - 1 - x).min(y).min(height - 1 - y) as f64;
            let is_inside = mask.edge_px[pixel] > band_px && border_px + 1.0 > band_px;
            let Some(lit) = mask.lit[pixel].filter(|_| is_inside) else { continue };
            if has_area && !self.middle(pixel).is_some_and(|seen| seen.faces(source)) {
                continue;
            }
            out.looked_at[usize::from(lit)] += 1;
            if found != f32::from(u8::from(lit)) {
                out.pixels.push(([x, y], lit, found));
            }
        }
        out
    }
}

/// Pixels whose shadow is not that of rays.
#[derive(Debug, Default)]
pub struct Wrong {
    /// Column and row, whether rays say that it is lit, what was found.
    pub pixels: Vec<([usize; 2], bool, f32)>,
    /// Dark and lit pixels.
    pub looked_at: [usize; 2],
}

fn size_px(scene: &Scene) -> [usize; 2] {
    [scene.output.width_px, scene.output.height_px].map(|side| side as usize)
}

fn layer(scene: &Scene, name: &str) -> Vec<f32> {
    let settings = Settings { aovs: vec![Aov::parse(name).expect("a layer")], bits: 32, ..Settings::default() };
    let taken = take(scene, &settings, &mut |_| ()).expect("a picture");
    match &taken.pictures[0].1.samples {
        Samples::F32(values) => values.clone(),
        Samples::U32(values) => values.iter().map(|value| *value as f32).collect(),
        other => panic!("{other:?}"),
    }
}

/// A scene of the repository, seen at the middles of pixels.
fn from_file(name: &str, edits: &[&str]) -> Scene {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name);
    let edits: Vec<String> = ["output.samples=1"].iter().chain(edits).map(|edit| edit.to_string()).collect();
    read(&file, &edits).unwrap_or_else(|d| panic!("{d:#?}")).scene
}

/// A floor with a ball, a slab that floats, a tilted box and a post, seen from the side.
pub fn still_life(light: &str) -> Scene {
    scene_of(&still_life_text(light))
}

fn still_life_text(light: &str) -> String {
    format!(
        "title = 'a still life'
[output]
size_px = [240, 180]
samples = 1
[camera.main]
position = [2.5, 3.5, 5.0]
look_at = [0.0, 0.3, 0.0]
fov_y_deg = 40.0
[[node]]
name = 'floor'
shape = 'plane'
size_m = [8.0, 8.0]
[[node]]
name = 'ball'
shape = 'sphere'
radius_m = 0.4
segments = 96
rings = 48
position = [0.6, 0.7, 0.4]
[[node]]
name = 'slab'
shape = 'box'
size_m = [1.2, 0.1, 0.8]
position = [-0.8, 1.0, -0.5]
rotation_deg = [0.0, 30.0, 0.0]
[[node]]
name = 'tilted'
shape = 'box'
size_m = [0.5, 0.5, 0.5]
position = [-0.9, 0.45, 0.9]
rotation_deg = [20.0, 40.0, 35.0]
[[node]]
name = 'post'
shape = 'box'
size_m = [0.3, 1.6, 0.3]
position = [1.3, 0.8, -1.0]
scale = [-1.0, 1.0, 1.0]
[[light]]
name = 'lamp'
{light}
"
    )
}

/// What rays see is what is drawn: the same thing at the same place, in every pixel but for some at edges.
#[test]
fn rays_see_what_is_drawn() {
    let sun = "kind = 'directional'";
    let without_perspective = scene_of(&still_life_text(sun).replace("fov_y_deg = 40.0", "height_m = 4.0"));
    for scene in [still_life(sun), without_perspective, from_file("animation/walk.toml", &[])] {
        let traced = Traced::new(scene);
        let (ids, places) = (layer(&traced.scene, "id"), layer(&traced.scene, "position"));
        let [width, height] = size_px(&traced.scene);
        let seen = traced.surfaces.seen(&traced.eye, [width, height], 1);
        let mut other = 0;
        for (pixel, seen) in seen.iter().enumerate() {
            if seen.map_or(0, |seen| seen.object_id) != ids[pixel] as u32 {
                other += 1;
                continue;
            }
            let Some(seen) = seen else { continue };
            let place = [0, 1, 2].map(|axis| f64::from(places[pixel * 3 + axis]));
            let off_m = (0..3).map(|axis| (place[axis] - seen.point[axis]).abs()).fold(0.0, f64::max);
            // Corners lie on a grid of 1/256 pixel, which counts the more the flatter a surface is seen.
            let sight = (traced.eye.position.as_dvec3() - seen.point).normalize();
            let flat = seen.normal.dot(sight).max(0.02);
            assert!(off_m < 3e-4 / flat, "{pixel}: {place:?} for {seen:?}");
        }
        assert!(other <= width * height / 2000, "{other} pixels show something else");
        assert!(seen.iter().flatten().count() > width * height / 10);
    }
}

/// Shadows of every kind of light that has maps against rays, away from their edges.
#[test]
fn shadows_fall_where_rays_say() {
    for light in [
        "kind = 'directional'\ndirection = [0.9, -1.0, 0.5]",
        "kind = 'directional'\ndirection = [2.4, -1.0, 0.3]",
        "kind = 'directional'\ndirection = [-0.9, -1.0, -0.5]",
        "kind = 'point'\nposition = [-0.5, 2.9, 0.6]",
        "kind = 'point'\nposition = [0.1, 0.5, -0.4]",
        "kind = 'spot'\nposition = [-0.5, 3.2, 0.6]\nlook_at = [0.2, 0.0, 0.0]\nouter_deg = 60.0",
        "kind = 'disk'\nposition = [0.5, 3.2, 0.6]\ndirection = [0.0, -1.0, 0.0]",
        "kind = 'sphere'\nposition = [0.9, 2.2, 2.6]",
    ] {
        let Wrong { mut pixels, looked_at: [dark, lit] } = Traced::new(still_life(light)).wrong("lamp", 5.0);
        // Taps that reach under the floor darken the foot of a wall.
        pixels.retain(|(_, lit, found)| (found - f32::from(u8::from(*lit))).abs() > 0.13);
        assert!(dark > 60 && lit > 9000, "{light}: {dark} dark, {lit} lit");
        assert!(pixels.is_empty(), "{light}: {} of {} wrong: {pixels:?}", pixels.len(), dark + lit);
    }
}

/// Rays say so where they cannot follow.
#[test]
fn what_rays_cannot_follow_is_named() {
    let scene = from_file("animation/crowd/few.toml", &[]);
    let vfs = scene.vfs().unwrap();
    let world = build(&scene, &|path| vfs.read(path)).unwrap().world;
    let untraced = Surfaces::of(&world, glam::Vec3::ZERO).expect_err("figures of crowds");
    assert!(untraced.iter().all(|reason| matches!(reason, Untraced::Figure(_))), "{untraced:?}");
    let text = "title = 't'\n[output]\ncamera = 'auto'\n[material.leaf]\nalpha_mode = 'mask'\n[[node]]\nshape = 'quad'\nmaterial = 'leaf'\n";
    let scene = scene_of(text);
    let vfs = scene.vfs().unwrap();
    let world = build(&scene, &|path| vfs.read(path)).unwrap().world;
    let untraced = Surfaces::of(&world, glam::Vec3::ZERO).expect_err("holes by alpha");
    assert_eq!(untraced, [Untraced::Holes("leaf".into())]);
}
