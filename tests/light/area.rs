//! Lights with an area against closed forms and sums over their surfaces in f64.

use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::sync::LazyLock;

use stillframe_asset::asset::{Lighting, ModelId};
use stillframe_base::math::ops64 as m;
use stillframe_draw::light::{self, Kinds};
use stillframe_draw::shader;
use stillframe_soft::{Probe, Value};
use stillframe_testkit::lobes::lobes;
use stillframe_testkit::models::{Given, twin};
use stillframe_testkit::vector::{Vector, cross, dot, unit};

use crate::truth::{linear, scene_of};

const CALLS: &str = "
fn shares(share: Share) -> vec3f {
    return vec3f(share.matte, share.lobe, 0.0);
}

fn call_share(kind: u32, position: vec3f, direction: vec3f, across: vec3f, terms: vec4f, n: vec3f) -> vec3f {
    var light: Light;
    light.position = position;
    light.direction = direction;
    light.across = across;
    light.terms = terms;
    // The lobe of a matte surface: both shares are the same.
    let lobe = lobe_shaped(n, n, 1.0, vec3f(1.1892071, 0.0, 2.0), vec2f(1.0));
    switch kind {
        case 0u: { return shares(share_rect(light, lobe, vec3f(0.0))); }
        case 1u: { return shares(share_disk(light, lobe, vec3f(0.0))); }
        case 2u: { return shares(share_sphere(light, lobe, vec3f(0.0))); }
        default: { return shares(share_tube(light, lobe, vec3f(0.0))); }
    }
}
";

static AREA: LazyLock<Probe> = LazyLock::new(|| {
    let lights = light::text(Kinds::of(Kinds::unusual()));
    let text = shader::compose(&[shader::COMMON, shader::LOBES, shader::DIELECTRIC, &lights, CALLS]);
    Probe::new(&text).unwrap_or_else(|error| panic!("{error}"))
});

/// A light of one nit, as the scene file has it.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Rect { size_m: [f64; 2] },
    Disk { radius_m: f64 },
    Sphere { radius_m: f64 },
    Tube { length_m: f64, radius_m: f64 },
}

#[derive(Clone, Copy, Debug)]
struct Lamp {
    shape: Shape,
    position: Vector,
    /// Unit, at right angles.
    direction: Vector,
    across: Vector,
}

fn add(a: Vector, b: Vector, by: f64) -> Vector {
    [0, 1, 2].map(|c| a[c] + b[c] * by)
}

impl Lamp {
    fn aimed(shape: Shape, position: Vector, at: Vector, across: Vector) -> Lamp {
        let direction = unit(add(at, position, -1.0));
        let across = unit(add(across, direction, -dot(across, direction)));
        Lamp { shape, position, direction, across }
    }

    /// Points of its surface with their normals and areas: `count` along each side.
    fn surface(&self, count: usize, see: &mut dyn FnMut(Vector, Vector, f64)) {
        let (x, y) = (self.across, cross(self.across, self.direction));
        let z = self.direction;
        let at = |i: usize| (i as f64 + 0.5) / count as f64;
        // A ball's part from one height along `across` to another, moved along it.
        let ball = |radius: f64, from: f64, to: f64, move_m: f64, see: &mut dyn FnMut(Vector, Vector, f64)| {
            for i in 0..count {
                let height = from + (to - from) * at(i);
                let ring = (1.0 - height * height).max(0.0).sqrt();
                for j in 0..count {
                    let (sin, cos) = m::sin_cos(2.0 * PI * at(j));
                    let normal = add(add(x.map(|c| c * height), y, ring * cos), z, ring * sin);
                    let place = add(add(self.position, normal, radius), x, move_m);
                    see(place, normal, (to - from) * 2.0 * PI * radius * radius / (count * count) as f64);
                }
            }
        };
        match self.shape {
            Shape::Rect { size_m: [width, height] } => {
                for i in 0..count {
                    for j in 0..count {
                        let place = add(add(self.position, x, (at(i) - 0.5) * width), y, (at(j) - 0.5) * height);
                        see(place, z, width * height / (count * count) as f64);
                    }
                }
            }
            Shape::Disk { radius_m } => {
                for i in 0..count {
                    let r = at(i).sqrt() * radius_m;
                    for j in 0..count {
                        let (sin, cos) = m::sin_cos(2.0 * PI * at(j));
                        let place = add(add(self.position, x, r * cos), y, r * sin);
                        see(place, z, PI * radius_m * radius_m / (count * count) as f64);
                    }
                }
            }
            Shape::Sphere { radius_m } => ball(radius_m, -1.0, 1.0, 0.0, see),
            Shape::Tube { length_m, radius_m } => {
                ball(radius_m, -1.0, 0.0, -length_m / 2.0, see);
                ball(radius_m, 0.0, 1.0, length_m / 2.0, see);
                for i in 0..count {
                    for j in 0..count {
                        let (sin, cos) = m::sin_cos(2.0 * PI * at(j));
                        let normal = add(y.map(|c| c * cos), z, sin);
                        let place = add(add(self.position, normal, radius_m), x, (at(i) - 0.5) * length_m);
                        see(place, normal, 2.0 * PI * radius_m * length_m / (count * count) as f64);
                    }
                }
            }
        }
    }

    /// Sum over the surface of what a point gets from each direction, times `weight` of that direction.
    fn sum(&self, point: Vector, count: usize, weight: &dyn Fn(Vector) -> f64) -> f64 {
        let mut sum = 0.0;
        self.surface(count, &mut |place, normal, area| {
            let offset = add(place, point, -1.0);
            let d2 = dot(offset, offset);
            let l = unit(offset);
            let facing = -dot(normal, l);
            if facing > 0.0 {
                sum += weight(l) * facing * area / d2;
            }
        });
        sum
    }

    /// Irradiance by the shader, and the share of its lobe.
    fn shares(&self, n: Vector) -> [f64; 2] {
        let narrow = |v: Vector| Value::Vec3(v.map(|x| x as f32));
        let (kind, terms) = match self.shape {
            Shape::Rect { size_m: [w, h] } => (0, [w / 2.0, h / 2.0]),
            Shape::Disk { radius_m } => (1, [radius_m, 0.0]),
            Shape::Sphere { radius_m } => (2, [radius_m, 0.0]),
            Shape::Tube { length_m, radius_m } => (3, [length_m / 2.0, radius_m]),
        };
        let terms = Value::Vec4([terms[0] as f32, terms[1] as f32, 0.0, 0.0]);
        let row =
            [Value::U32(kind), narrow(self.position), narrow(self.direction), narrow(self.across), terms, narrow(n)];
        match AREA.call_many("call_share", &[row]).unwrap_or_else(|error| panic!("{error}"))[0] {
            Value::Vec3([matte, lobe, _]) => [f64::from(matte) * PI, f64::from(lobe) * PI],
            ref other => panic!("{other:?}"),
        }
    }

    /// The lines of a scene.
    fn text(&self, luminance_nits: f64) -> String {
        let shape = match self.shape {
            Shape::Rect { size_m } => format!("kind = \"rect\"\nsize_m = {size_m:?}\n"),
            Shape::Disk { radius_m } => format!("kind = \"disk\"\nradius_m = {radius_m:?}\n"),
            Shape::Sphere { radius_m } => format!("kind = \"sphere\"\nradius_m = {radius_m:?}\n"),
            Shape::Tube { length_m, radius_m } => {
                format!("kind = \"tube\"\nlength_m = {length_m:?}\nradius_m = {radius_m:?}\n")
            }
        };
        format!(
            "[[light]]\n{shape}luminance_nits = {luminance_nits:?}\nposition = {:?}\nrotation_quat = {:?}\n",
            self.position,
            self.rotation()
        )
    }

    /// X, Y, Z and W of the rotation that takes X to `across` and -Z to `direction` (Shepperd 1978).
    fn rotation(&self) -> [f64; 4] {
        let back = self.direction.map(|c| -c);
        let (x, y, z) = (self.across, cross(back, self.across), back);
        let diagonal = [x[0], y[1], z[2]];
        let of = |signs: [f64; 3]| {
            let sum: f64 = (0..3).map(|c| signs[c] * diagonal[c]).sum();
            (1.0 + sum).max(0.0).sqrt() / 2.0
        };
        let (w, i, j, k) = (of([1.0; 3]), of([1.0, -1.0, -1.0]), of([-1.0, 1.0, -1.0]), of([-1.0, -1.0, 1.0]));
        let (yz, zx, xy) = (y[2] - z[1], z[0] - x[2], x[1] - y[0]);
        if w > 0.1 {
            [yz / (4.0 * w), zx / (4.0 * w), xy / (4.0 * w), w]
        } else if i >= j && i >= k {
            [i, (x[1] + y[0]) / (4.0 * i), (x[2] + z[0]) / (4.0 * i), yz / (4.0 * i)]
        } else if j >= k {
            [(x[1] + y[0]) / (4.0 * j), j, (y[2] + z[1]) / (4.0 * j), zx / (4.0 * j)]
        } else {
            [(x[2] + z[0]) / (4.0 * k), (y[2] + z[1]) / (4.0 * k), k, xy / (4.0 * k)]
        }
    }
}

const UP: Vector = [0.0, 0.0, 1.0];
const X: Vector = [1.0, 0.0, 0.0];

#[test]
fn closed_values() {
    let above = |shape| Lamp::aimed(shape, UP, [0.0; 3], X);
    for (shape, want) in [
        (Shape::Rect { size_m: [1.0, 1.0] }, 0.752275),
        (Shape::Disk { radius_m: 0.5 }, 0.628319),
        (Shape::Sphere { radius_m: 0.5 }, PI / 4.0),
        (Shape::Tube { length_m: 1e-6, radius_m: 0.5 }, PI / 4.0),
    ] {
        let found = above(shape).shares(UP);
        for found in found {
            assert!((found - want).abs() < 4e-5 * want, "{shape:?}: {found} for {want}");
        }
    }
    // A disk as large as the sky, and one seen from behind.
    let wide = above(Shape::Disk { radius_m: 1e4 }).shares(UP);
    assert!((wide[0] - PI).abs() < 1e-3, "{wide:?}");
    assert_eq!(Lamp::aimed(Shape::Rect { size_m: [1.0; 2] }, UP, [0.0, 0.0, 2.0], X).shares(UP), [0.0; 2]);
}

/// Lights around a point in many places, whole or cut by the horizon.
#[test]
fn matte_light_is_the_sum_over_the_surface() {
    let shapes = [
        Shape::Rect { size_m: [0.8, 1.7] },
        Shape::Disk { radius_m: 0.6 },
        Shape::Sphere { radius_m: 0.7 },
        Shape::Tube { length_m: 1.4, radius_m: 0.2 },
        Shape::Tube { length_m: 3.0, radius_m: 0.03 },
    ];
    let mut worst = [0.0f64; 5];
    for (index, shape) in shapes.into_iter().enumerate() {
        for place in 0..24 {
            let (sin, cos) = m::sin_cos(f64::from(place) * 2.4);
            let height = 1.3 - 0.1 * f64::from(place % 17);
            let position = [1.4 * cos, 1.4 * sin, height];
            let lamp = Lamp::aimed(shape, position, [0.1, -0.2, 0.05], [sin, 0.3, cos]);
            let want = lamp.sum([0.0; 3], 400, &|l| l[2].max(0.0));
            let found = lamp.shares(UP);
            for found in found {
                let off = (found - want).abs() / want.max(0.05);
                worst[index] = worst[index].max(off);
                assert!(off < 1e-3, "{lamp:?}: {found} for {want}");
            }
        }
    }
    println!("{worst:?}");
}

#[test]
fn shapes_meet_where_they_are_the_same() {
    for place in 0..16 {
        let (sin, cos) = m::sin_cos(f64::from(place) * 1.7);
        let position = [1.2 * cos, 1.2 * sin, 0.9 - 0.1 * f64::from(place)];
        let sphere = Lamp::aimed(Shape::Sphere { radius_m: 0.4 }, position, [0.0; 3], X);
        for length_m in [0.0, 1e-5, 1e-3] {
            let tube = Lamp { shape: Shape::Tube { length_m: f64::max(length_m, 1e-30), radius_m: 0.4 }, ..sphere };
            let (one, other) = (sphere.shares(UP), tube.shares(UP));
            let off = (one[0] - other[0]).abs();
            assert!(off < 1e-4 * one[0].max(0.1) + length_m, "{position:?} {length_m}: {one:?} {other:?}");
        }
        // A small square is a point of the same power, where the horizon does not cut it.
        if position[2].abs() < 0.05 {
            continue;
        }
        let facing = |size: f64| Lamp::aimed(Shape::Rect { size_m: [size; 2] }, position, [0.0; 3], X).shares(UP)[0];
        let d2 = dot(position, position);
        let point = (position[2] / d2.sqrt()).max(0.0) / d2;
        let small = facing(0.004) / (0.004 * 0.004);
        assert!((small - point).abs() < 2e-3 * point + 1e-4, "{position:?}: {small} for {point}");
    }
}

/// Where a picture looks at the plane of the surface from `tilt_deg`: a patch at the origin in the middle.
fn patch(tilt_deg: f64, material: &str, lights: &str) -> [f64; 3] {
    let (sin, cos) = m::sin_cos(tilt_deg.to_radians());
    let text = format!(
        "title = \"patch\"\n[output]\nsize_px = [9, 9]\nsamples = 1\ntonemap = \"none\"\n[camera.main]\n\
         position = [{:?}, 0.0, {:?}]\nlook_at = [0.0, 0.0, 0.0]\nheight_m = 0.0001\n[material.patch]\n{material}\n\
         [[node]]\nshape = \"quad\"\nsize_m = [0.2, 0.2]\nmaterial = \"patch\"\n{lights}",
        4.0 * sin,
        4.0 * cos
    );
    linear(&scene_of(&text))[40]
}

/// A varnish over a rough metal shows the light's shape by its own roughness: by the sum over the light of the lobes.
/// The bounds are the share by which it is off, where the eye is up to 60 degrees from the normal.
#[test]
fn varnish_is_near_the_sum_over_the_surface() {
    let lamps = [
        Lamp::aimed(Shape::Rect { size_m: [1.0, 0.6] }, [-1.0, 0.3, 1.2], [0.0; 3], [0.0, 1.0, 0.0]),
        Lamp::aimed(Shape::Disk { radius_m: 0.4 }, [-0.8, -0.2, 0.9], [0.0; 3], X),
        Lamp::aimed(Shape::Sphere { radius_m: 0.35 }, [-1.1, 0.1, 0.8], [0.0; 3], X),
        Lamp::aimed(Shape::Tube { length_m: 1.2, radius_m: 0.08 }, [-0.9, 0.1, 1.0], [0.0; 3], [0.0, 1.0, 0.0]),
    ];
    let mut wrong = Vec::new();
    for (model, weight, rough, bound) in
        [("gltf", "clearcoat", "clearcoat_roughness", 0.03), ("openpbr", "coat_weight", "coat_roughness", 0.17)]
    {
        let twin = twin(model).expect("a twin");
        let id = ModelId::of_name(model).expect("a model");
        for coat_roughness in [0.2, 0.4, 0.7] {
            let mut worst = (0.0, String::new());
            for lamp in &lamps {
                for tilt_deg in [10.0, 40.0, 60.0] {
                    let (sin, cos) = m::sin_cos(f64::to_radians(tilt_deg));
                    let lighting = Lighting::new(id);
                    let params = id.row().params.iter().zip(&lighting.values);
                    let mut values: BTreeMap<_, _> =
                        params.map(|(param, value)| (param.name, value.map(f64::from))).collect();
                    values.insert(weight, [1.0, 0.0, 0.0]);
                    values.insert(rough, [coat_roughness, 0.0, 0.0]);
                    let of = |l: Vector| {
                        let (v, values) = ([sin, 0.0, cos], values.clone());
                        twin(&Given { base: [0.5; 3], roughness: 0.8, metallic: 1.0, values, l, v })[0]
                    };
                    let want = lamp.sum([0.0; 3], 40, &of);
                    let material = format!(
                        "model = '{model}'\nbase_color = [0.5, 0.5, 0.5]\nroughness = 0.8\nmetallic = 1.0\n{weight} = 1.0\n{rough} = {coat_roughness:?}\n"
                    );
                    let found = patch(tilt_deg, &material, &lamp.text(1.0))[0];
                    let off = (found - want).abs() / want.max(0.1);
                    if off > worst.0 {
                        worst = (off, format!("{found} for {want} at {tilt_deg}: {lamp:?}"));
                    }
                }
            }
            println!("{model} {coat_roughness}: {:.4}", worst.0);
            if worst.0 > bound {
                wrong.push(format!("{model} {coat_roughness}: {} {}", worst.0, worst.1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Highlights and all by the sum over the light of the lobes themselves. The bounds are how far the fitted lobe is off,
/// by roughness: where the eye is up to 60 degrees from the normal, and at 75.
#[test]
fn highlights_are_near_the_sum_over_the_surface() {
    let lamps = [
        Lamp::aimed(Shape::Rect { size_m: [1.0, 0.6] }, [-1.0, 0.3, 1.2], [0.0; 3], [0.0, 1.0, 0.0]),
        Lamp::aimed(Shape::Disk { radius_m: 0.4 }, [-0.8, -0.2, 0.9], [0.0; 3], X),
        Lamp::aimed(Shape::Sphere { radius_m: 0.35 }, [-1.1, 0.1, 0.8], [0.0; 3], X),
        Lamp::aimed(Shape::Tube { length_m: 1.2, radius_m: 0.08 }, [-0.9, 0.1, 1.0], [0.0; 3], [0.0, 1.0, 0.0]),
    ];
    let mut wrong = Vec::new();
    for (roughness, bounds) in [
        (0.15, [0.01, 0.045]),
        (0.3, [0.04, 0.06]),
        (0.5, [0.03, 0.06]),
        (0.7, [0.01, 0.02]),
        (0.85, [0.003, 0.008]),
        (1.0, [0.0015, 0.002]),
    ] {
        let mut most = [(0.0, String::new()), (0.0, String::new())];
        for lamp in &lamps {
            for tilt_deg in [10.0, 40.0, 60.0, 75.0] {
                for metallic in [0.0, 1.0] {
                    let (sin, cos) = m::sin_cos(f64::to_radians(tilt_deg));
                    let weight = |l: Vector| lobes(0.7, roughness, metallic, [UP, l, [sin, 0.0, cos]]);
                    let want = lamp.sum([0.0; 3], 400, &weight);
                    let material =
                        format!("base_color = [0.7, 0.7, 0.7]\nroughness = {roughness:?}\nmetallic = {metallic:?}\n");
                    let found = patch(tilt_deg, &material, &lamp.text(1.0))[0];
                    // Where next to nothing is seen, of a tenth of the light's own luminance.
                    let off = (found - want).abs() / want.max(0.1);
                    let most = &mut most[usize::from(tilt_deg > 60.0)];
                    if off > most.0 {
                        *most = (off, format!("{found} for {want} at {tilt_deg}, metal {metallic}: {lamp:?}"));
                    }
                }
            }
        }
        println!("{roughness}: {:.4} and {:.4} of {bounds:?}", most[0].0, most[1].0);
        for ((off, at), bound) in most.into_iter().zip(bounds) {
            if off > bound {
                wrong.push(format!("{roughness}: {off} is more than {bound}: {at}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn light_is_linear_and_adds_up() {
    let lamps = [
        Lamp::aimed(Shape::Rect { size_m: [1.0, 0.6] }, [-1.0, 0.3, 1.2], [0.0; 3], X),
        Lamp::aimed(Shape::Disk { radius_m: 0.4 }, [-0.8, -0.2, 0.9], [0.0; 3], X),
        Lamp::aimed(Shape::Sphere { radius_m: 0.35 }, [1.1, 0.1, 0.8], [0.0; 3], X),
        Lamp::aimed(Shape::Tube { length_m: 1.2, radius_m: 0.08 }, [0.9, 0.1, 1.0], [0.0; 3], X),
    ];
    let material = "base_color = [0.7, 0.5, 0.2]\nroughness = 0.4\nmetallic = 0.3\n";
    let (mut all, mut sum) = (String::new(), [0.0; 3]);
    for lamp in lamps {
        let (once, twice) = (patch(30.0, material, &lamp.text(3.0)), patch(30.0, material, &lamp.text(6.0)));
        assert_eq!(twice, once.map(|x| 2.0 * x), "{lamp:?}");
        assert!(once[0] > 0.0, "{lamp:?}");
        all += &lamp.text(3.0);
        sum = add(sum, once, 1.0);
    }
    let found = patch(30.0, material, &all);
    assert!((0..3).all(|c| (found[c] - sum[c]).abs() < 1e-6 * sum[c]), "{found:?} for {sum:?}");
}

/// A small light of an area is a point light of the same power, to matte surfaces and in and beside highlights.
#[test]
fn a_small_light_is_a_point() {
    let position = [-0.4, 0.3, 1.0];
    let lights = [
        (Shape::Rect { size_m: [0.01, 0.01] }, 1e-4),
        (Shape::Disk { radius_m: 0.005 }, PI * 2.5e-5),
        (Shape::Sphere { radius_m: 0.005 }, PI * 2.5e-5),
    ];
    for (roughness, metallic) in [(1.0, 0.0), (0.7, 0.5), (0.4, 1.0), (0.25, 0.0)] {
        let material = format!("base_color = [1.0, 0.7, 0.3]\nroughness = {roughness:?}\nmetallic = {metallic:?}\n");
        for (tilt_deg, (shape, area)) in [0.0, 35.0, 70.0].into_iter().flat_map(|tilt| lights.map(|of| (tilt, of))) {
            let lamp = Lamp::aimed(shape, position, [0.0; 3], X);
            let point =
                format!("[[light]]\nkind = \"point\"\nintensity_cd = {:?}\nposition = {position:?}\n", 1000.0 * area);
            let (found, want) = (patch(tilt_deg, &material, &lamp.text(1000.0)), patch(tilt_deg, &material, &point));
            let is_near = |c: usize| (found[c] - want[c]).abs() < 0.01 * want[c];
            assert!((0..3).all(is_near), "{roughness}, {metallic} at {tilt_deg}: {shape:?}: {found:?} for {want:?}");
        }
    }
}

/// The eye's direction of a patch turned about the light's axis changes nothing: the frame of a lobe has no seam.
#[test]
fn a_rect_is_the_same_from_both_sides() {
    let material = "base_color = [0.7, 0.5, 0.2]\nroughness = 0.5\nmetallic = 1.0\n";
    let lamp = |x: f64| Lamp::aimed(Shape::Rect { size_m: [0.5, 0.8] }, [x, 0.0, 1.0], [0.0; 3], X).text(1.0);
    let (left, right) = (patch(35.0, material, &lamp(-0.7)), patch(-35.0, material, &lamp(0.7)));
    assert!((0..3).all(|c| (left[c] - right[c]).abs() < 1e-4 * left[c]), "{left:?} for {right:?}");
    assert!(left[0] > 0.01, "{left:?}");
}

/// Lobes of other models take the light of an area from its middle, as much as a matte surface gets.
#[test]
fn other_models_gather_the_light_of_an_area() {
    let shapes = [
        (Shape::Rect { size_m: [1.0, 1.0] }, 0.752275),
        (Shape::Disk { radius_m: 0.5 }, 0.628319),
        (Shape::Sphere { radius_m: 0.5 }, PI / 4.0),
    ];
    for (shape, irradiance) in shapes {
        let lamp = Lamp::aimed(shape, [0.0, 0.0, 1.0], [0.0; 3], X).text(1.0);
        let found = patch(0.0, "model = \"lambert\"\nbase_color = [1.0, 1.0, 1.0]\n", &lamp)[0];
        assert!((found - irradiance / PI).abs() < 1e-3 * irradiance, "{shape:?}: {found} for {}", irradiance / PI);
    }
    let sky = "[[light]]\nkind = \"hemisphere\"\nup = [1.0, 1.0, 1.0]\ndown = [0.0, 0.0, 0.0]\n";
    let [lambert, gltf] = ["model = \"lambert\"\n", ""].map(|model| {
        let base = "base_color = [0.6, 0.6, 0.6]\nroughness = 1.0\n";
        patch(0.0, &format!("{model}{base}"), sky)[0]
    });
    assert!((lambert - gltf).abs() < 1e-4 && lambert > 0.1, "{lambert} and {gltf}");
}
