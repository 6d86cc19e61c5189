//! `shape = "..."`: built-in shapes, centred on the origin.

use glam::Vec3;

use crate::asset::Shape;
use crate::scene::code;
use crate::scene::fields::{Case, case, variants_of};
use crate::scene::key::{Key, number, numbers, rows, whole, words_of};
use crate::scene::resolver::Resolver;
use crate::scene::schema::{ANY, POSITIVE, Variant};
use crate::scene::text::syntax::Table;

const RADIUS_M: Key<f32> = number("radius_m", 0.5, POSITIVE, "Radius.").moves();
const HEIGHT_M: Key<f32> = number("height_m", 1.0, POSITIVE, "Height along +Y.").moves();
const SEGMENTS: Key<u32> = whole("segments", 64, 3, 1024, "Segments around the axis.");
const UV_SCALE: Key<f32> = number("uv_scale", 1.0, POSITIVE, "How often a texture repeats along each side.").moves();
const BOX_SIZE_M: Key<Vec3> = numbers("size_m", &[1.0, 1.0, 1.0], POSITIVE, "Width, height, depth.").moves();
const SPHERE_RINGS: Key<u32> = whole("rings", 32, 2, 1024, "Segments from pole to pole.");
const ICOSPHERE_SUBDIVISIONS: Key<u32> = whole("subdivisions", 4, 0, 7, "How often each triangle is split into four.");
const PLANE_SIZE_M: Key<[f32; 2]> = numbers("size_m", &[1.0, 1.0], POSITIVE, "Along X and along Z.").moves();
const CAPSULE_RADIUS_M: Key<f32> = number("radius_m", 0.25, POSITIVE, "Radius.").moves();
const CAPSULE_HEIGHT_M: Key<f32> =
    number("height_m", 0.5, POSITIVE, "Height of the straight part along +Y, without the caps.").moves();
const CAPSULE_RINGS: Key<u32> = whole("rings", 16, 2, 512, "Segments from equator to pole, for each cap.");
const TORUS_MAJOR_RADIUS_M: Key<f32> =
    number("major_radius_m", 0.35, POSITIVE, "Radius from the centre to the middle of the tube.").moves();
const TORUS_MINOR_RADIUS_M: Key<f32> = number("minor_radius_m", 0.15, POSITIVE, "Radius of the tube.").moves();
const TORUS_MAJOR_SEGMENTS: Key<u32> = whole("major_segments", 64, 3, 1024, "Segments around the ring.");
const TORUS_MINOR_SEGMENTS: Key<u32> = whole("minor_segments", 32, 3, 1024, "Segments around the tube.");
const TRIANGLE_A_M: Key<Vec3> = numbers("a_m", &[-0.5, -0.5, 0.0], ANY, "First point.").moves();
const TRIANGLE_B_M: Key<Vec3> = numbers("b_m", &[0.5, -0.5, 0.0], ANY, "Second point.").moves();
const TRIANGLE_C_M: Key<Vec3> = numbers("c_m", &[0.0, 0.5, 0.0], ANY, "Third point.").moves();
const QUAD_SIZE_M: Key<[f32; 2]> = numbers("size_m", &[1.0, 1.0], POSITIVE, "Along X and along Y.").moves();
const TRIANGLE_POINTS: [Key<Vec3>; 3] = [TRIANGLE_A_M, TRIANGLE_B_M, TRIANGLE_C_M];

pub(super) static CASES: [Case<Shape>; 11] = [
    case!(Shape::Box, "box", "A cuboid with flat faces.", { size_m: BOX_SIZE_M }),
    case!(Shape::Sphere, "sphere", "A sphere of longitudes and latitudes, smooth.", { radius_m: RADIUS_M, segments: SEGMENTS, rings: SPHERE_RINGS }),
    case!(Shape::Icosphere, "icosphere", "A sphere of nearly equal triangles, smooth.", { radius_m: RADIUS_M, subdivisions: ICOSPHERE_SUBDIVISIONS }),
    case!(Shape::Plane, "plane", "A rectangle facing +Y.", { size_m: PLANE_SIZE_M, uv_scale: UV_SCALE }),
    case!(Shape::Disk, "disk", "A round plate facing +Y.", { radius_m: RADIUS_M, segments: SEGMENTS }),
    case!(Shape::Cylinder, "cylinder", "A cylinder along Y, with caps.", { radius_m: RADIUS_M, height_m: HEIGHT_M, segments: SEGMENTS }),
    case!(Shape::Cone, "cone", "A cone with its tip at +Y, and a base.", { radius_m: RADIUS_M, height_m: HEIGHT_M, segments: SEGMENTS }),
    case!(Shape::Capsule, "capsule", "A cylinder along Y with hemispheres as caps.", { radius_m: CAPSULE_RADIUS_M, height_m: CAPSULE_HEIGHT_M, segments: SEGMENTS, rings: CAPSULE_RINGS }),
    case!(Shape::Torus, "torus", "A ring around Y.", { major_radius_m: TORUS_MAJOR_RADIUS_M, minor_radius_m: TORUS_MINOR_RADIUS_M, major_segments: TORUS_MAJOR_SEGMENTS, minor_segments: TORUS_MINOR_SEGMENTS }),
    Case {
        variant: Variant {
            word: "triangle",
            doc: "One triangle, seen from the side where its points run counter-clockwise.",
            keys: rows! { TRIANGLE_A_M, TRIANGLE_B_M, TRIANGLE_C_M },
        },
        blank: || Shape::Triangle { points_m: [Vec3::ZERO; 3] },
        fields: |on, shape| {
            let Shape::Triangle { points_m } = shape else { return false };
            for (key, point_m) in TRIANGLE_POINTS.into_iter().zip(points_m) {
                on.field(key, point_m);
            }
            true
        },
    },
    case!(Shape::Quad, "quad", "A rectangle facing +Z.", { size_m: QUAD_SIZE_M, uv_scale: UV_SCALE }),
];
pub(super) static VARIANTS: [Variant; 11] = variants_of(&CASES);
pub(super) static WORDS: [&str; 11] = words_of(&VARIANTS);

/// A triangle has a face.
pub(super) fn check(resolver: &mut Resolver<'_>, table: &Table, shape: &Shape) {
    let Shape::Triangle { points_m: [a, b, c] } = *shape else { return };
    if (b - a).cross(c - a).length_squared() == 0.0 {
        let message = "the triangle's points are on one line";
        resolver.complain_of(table, &TRIANGLE_POINTS.map(Key::name), code::NO_SIZE, message);
    }
}
