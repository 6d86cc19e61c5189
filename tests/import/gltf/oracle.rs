//! Oracles at the level of data: rays through pixel centres meet what Blender's meet, before any renderer is asked.

use std::path::Path;

use glam::{Vec2, Vec3, Vec4};
use stillframe_asset::asset::{AlphaMode, Material, Slot, Store, Texels, TextureSlot};
use stillframe_base::math::{colour, ops};
use stillframe_draw::view::{DrawItem, Shot, look};
use stillframe_scene::scene::{CameraWish, Scene, Wishes, parse_look};
use stillframe_testkit::npy::{Npy, oracle};
use stillframe_testkit::ray::hits;
use stillframe_world::world::{Built, build};

use super::assets;

/// A bare model as the command line would load it.
fn load(name: &str, size_px: [u32; 2], view: Option<&str>) -> Built {
    let camera = view.map(|v| CameraWish::Look(parse_look(v).expect("a view")));
    let wishes = Wishes { size_px: Some(size_px), camera, ..Wishes::default() };
    let scene = Scene::for_model(&assets().join(name), &wishes).expect("a model").scene;
    let vfs = scene.vfs().expect("a root");
    build(&scene, &|path: &Path| vfs.read(path)).unwrap_or_else(|d| panic!("{d:#?}"))
}

/// What a ray meets.
#[derive(Clone, Debug)]
struct Hit {
    object_id: u32,
    depth_m: f32,
    normal: Vec3,
    albedo: Vec3,
}

struct Caster<'a> {
    store: &'a Store,
    items: Vec<DrawItem>,
    eye: Vec3,
    /// Through the middle of a pixel, scaled so that its length along the view axis is 1.
    direction: Vec3,
}

/// The ray through the centre of pixel (x, y).
fn ray<'a>(shot: &Shot, store: &'a Store, size_px: [u32; 2], x: usize, y: usize) -> Caster<'a> {
    let [width, height] = size_px.map(|s| s as f32);
    let ndc = Vec2::new((x as f32 + 0.5) / width * 2.0 - 1.0, 1.0 - (y as f32 + 0.5) / height * 2.0);
    let clip = shot.camera.clip_from_view;
    let view = Vec3::new(ndc.x / clip.x_axis.x, ndc.y / clip.y_axis.y, -1.0);
    let direction = shot.camera.view_from_world.inverse().transform_vector3(view);
    let items = shot.opaque.iter().chain(&shot.blended).copied().collect();
    Caster { store, items, eye: shot.camera.position, direction }
}

impl Caster<'_> {
    fn nearest(&self) -> Option<Hit> {
        let mut nearest: Option<Hit> = None;
        for item in &self.items {
            if !self.meets_box(item) {
                continue;
            }
            let geometry = self.store.geometry(item.geometry);
            let local_from_world = item.world_from_local.inverse();
            let eye = local_from_world.transform_point3(self.eye);
            let direction = local_from_world.transform_vector3(self.direction);
            hits(eye, direction, &geometry.positions, &geometry.indices, &mut |depth_m, corners, weights| {
                if nearest.as_ref().is_none_or(|n| n.depth_m > depth_m)
                    && let Some(hit) = self.shade(item, corners, weights, depth_m)
                {
                    nearest = Some(hit);
                }
            });
        }
        nearest
    }

    fn meets_box(&self, item: &DrawItem) -> bool {
        let (low, high) = (item.bounds_world.min - self.eye, item.bounds_world.max - self.eye);
        let (t0, t1) = (low / self.direction, high / self.direction);
        let (near, far) = (t0.min(t1).max_element(), t0.max(t1).min_element());
        near <= far && far > 0.0
    }

    /// `None` where the surface is cut out.
    fn shade(&self, item: &DrawItem, corners: [usize; 3], weights: Vec3, depth_m: f32) -> Option<Hit> {
        let geometry = self.store.geometry(item.geometry);
        let material = self.store.material(item.material);
        let mix2 = |values: &[[f32; 2]]| {
            corners.iter().zip(weights.to_array()).fold(Vec2::ZERO, |s, (i, w)| s + Vec2::from(values[*i]) * w)
        };
        let mix3 = |values: &[[f32; 3]]| {
            corners.iter().zip(weights.to_array()).fold(Vec3::ZERO, |s, (i, w)| s + Vec3::from(values[*i]) * w)
        };
        let uv = mix2(&geometry.uv0);
        let base = self.sample(material.textures.get(&Slot::BaseColor), uv, true) * Vec4::from(material.base_color);
        if matches!(material.alpha_mode, AlphaMode::Mask { cutoff } if base.w < cutoff) {
            return None;
        }
        let metallic = self.sample(material.textures.get(&Slot::MetallicRoughness), uv, false).z * material.metallic;
        let mut normal = item.normal_from_local.transform_vector3(mix3(&geometry.normals)).normalize();
        if material.textures.contains_key(&Slot::Normal) {
            normal = self.bump(item, material, corners, weights, uv, normal);
        }
        if material.double_sided && mix3(&geometry.normals).dot(self.direction) > 0.0 {
            normal = -normal;
        }
        let albedo = base.truncate() * (1.0 - metallic);
        Some(Hit { object_id: item.object_id, depth_m, normal, albedo })
    }

    fn bump(
        &self,
        item: &DrawItem,
        material: &Material,
        corners: [usize; 3],
        weights: Vec3,
        uv: Vec2,
        normal: Vec3,
    ) -> Vec3 {
        let geometry = self.store.geometry(item.geometry);
        let tangent = corners
            .iter()
            .zip(weights.to_array())
            .fold(Vec4::ZERO, |s, (i, w)| s + Vec4::from(geometry.tangents[*i]) * w);
        let along = item.world_from_local.transform_vector3(tangent.truncate()).normalize();
        // A mirrored transform turns the cross product around.
        let sign = tangent.w.signum() * if item.mirrored { -1.0 } else { 1.0 };
        let across = normal.cross(along) * sign;
        let texel = self.sample(material.textures.get(&Slot::Normal), uv, false).truncate() * 2.0 - Vec3::ONE;
        let scaled = texel * Vec3::new(material.normal_scale, material.normal_scale, 1.0);
        (along * scaled.x + across * scaled.y + normal * scaled.z).normalize()
    }

    /// Bilinear, repeating, level 0; white where there is no texture.
    fn sample(&self, slot: Option<&TextureSlot>, uv: Vec2, color: bool) -> Vec4 {
        let Some(slot) = slot else { return Vec4::ONE };
        let image = self.store.image(slot.image);
        let Texels::Rgba8(bytes) = &image.texels else { panic!("8-bit textures only") };
        let (width, height) = (image.width_px as i64, image.height_px as i64);
        let at = uv * Vec2::new(width as f32, height as f32) - 0.5;
        let (x0, y0) = (at.x.floor(), at.y.floor());
        let (fx, fy) = (at.x - x0, at.y - y0);
        let mut sum = Vec4::ZERO;
        for (dx, dy, weight) in
            [(0, 0, (1.0 - fx) * (1.0 - fy)), (1, 0, fx * (1.0 - fy)), (0, 1, (1.0 - fx) * fy), (1, 1, fx * fy)]
        {
            let (x, y) = ((x0 as i64 + dx).rem_euclid(width), (y0 as i64 + dy).rem_euclid(height));
            let texel = &bytes[(y * width + x) as usize * 4..][..4];
            let rgb = [0, 1, 2].map(|c| match color {
                true => colour::LINEAR_FROM_SRGB8[texel[c] as usize],
                false => f32::from(texel[c]) / 255.0,
            });
            sum += Vec3::from(rgb).extend(f32::from(texel[3]) / 255.0) * weight;
        }
        sum
    }
}

/// Whether the oracle shows one object within `reach` pixels.
fn calm(ids: &Npy, x: usize, y: usize, reach: usize) -> bool {
    let [height, width] = [ids.shape[0], ids.shape[1]];
    let here: [f32; 1] = ids.at(x, y);
    (y.saturating_sub(reach)..=(y + reach).min(height - 1))
        .all(|y| (x.saturating_sub(reach)..=(x + reach).min(width - 1)).all(|x| ids.at::<1>(x, y) == here))
}

#[test]
fn spheres_stand_where_the_closed_form_has_them() {
    let size_px = [512, 512];
    let built = load("spheres.glb", size_px, None);
    assert_eq!(built.world.object_names[..3], ["plane", "sphere0", "sphere1"]);
    assert_eq!((built.world.object_names.len(), built.world.lights.len()), (26, 2));
    let shot = look(&built.scene, &built.world);
    let (depths, ids) = (oracle("spheres_depth.npy"), oracle("spheres_id.npy"));
    let (mut right, mut all) = (0, 0);
    for y in (3..512).step_by(11) {
        for x in (3..512).step_by(11) {
            let hit = ray(&shot, &built.world.store, size_px, x, y).nearest();
            let ([depth], [id]): ([f32; 1], [f32; 1]) = (depths.at(x, y), ids.at(x, y));
            let (found_id, found_depth) = hit.map_or((0, 0.0), |h| (h.object_id, h.depth_m));
            let good = found_id as f32 == id && (found_depth - depth).abs() <= 1e-3 * depth;
            right += usize::from(good);
            all += 1;
        }
    }
    assert!(right as f64 >= all as f64 * 0.995, "{right} of {all}");
}

#[test]
fn scene_a_shows_the_same_surfaces() {
    let size_px = [256, 256];
    let eye = "1.100000023841858,2.299999952316284,5.400000095367432";
    let built = load("scene.gltf", size_px, Some(&format!("{eye}:0.05,0.62,-0.1:38")));
    let shot = look(&built.scene, &built.world);
    let names = &built.world.object_names;
    // The oracle numbers objects by name; two of them move and stand elsewhere at its time.
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort();
    let [depths, ids, normals, albedos] =
        ["depth", "id", "normal", "albedo"].map(|n| oracle(&format!("scene_A_{n}.npy")));
    let moves = |id: usize| id > 0 && ["crate_top", "suzanne"].contains(&sorted[id - 1].as_str());
    let (mut all, mut depth_good, mut id_good, mut albedo_good, mut normal_good) = (0, 0, 0, 0, 0);
    let mut seen = vec![0; names.len() + 1];
    for y in (1..256).step_by(3) {
        for x in (1..256).step_by(3) {
            let [id]: [f32; 1] = ids.at(x, y);
            let hit = ray(&shot, &built.world.store, size_px, x, y).nearest();
            let found = hit
                .as_ref()
                .map_or(0, |h| 1 + sorted.iter().position(|n| **n == names[h.object_id as usize - 1]).expect("a name"));
            if moves(id as usize) || moves(found) || !calm(&ids, x, y, 1) {
                continue;
            }
            seen[id as usize] += 1;
            all += 1;
            id_good += usize::from(found == id as usize);
            let Some(hit) = hit else {
                let nothing = id == 0.0;
                for count in [&mut depth_good, &mut albedo_good, &mut normal_good] {
                    *count += usize::from(nothing);
                }
                continue;
            };
            let [depth]: [f32; 1] = depths.at(x, y);
            depth_good += usize::from((hit.depth_m - depth).abs() <= 1e-3 * depth);
            let off = (hit.albedo - Vec3::from(albedos.at::<3>(x, y))).abs().max_element();
            albedo_good += usize::from(off <= 0.02);
            let cosine = hit.normal.dot(Vec3::from(normals.at::<3>(x, y)).normalize_or_zero());
            normal_good += usize::from(cosine >= ops::cos(1.0_f32.to_radians()));
        }
    }
    println!("of {all}: depth {depth_good}, id {id_good}, albedo {albedo_good}, normal {normal_good}; {seen:?}");
    assert!(seen.iter().skip(1).filter(|n| **n > 20).count() >= 6, "{seen:?}");
    let share = |count: usize| count as f64 / all as f64;
    assert!(share(id_good) >= 0.998, "id {}", share(id_good));
    assert!(share(depth_good) >= 0.99, "depth {}", share(depth_good));
    assert!(share(albedo_good) >= 0.99, "albedo {}", share(albedo_good));
    assert!(share(normal_good) >= 0.97, "normal {}", share(normal_good));
}
