//! Lights that show pictures: panels against rectangles of one luminance, and against sums over their surface in f64.

use std::fs;
use std::path::Path;

use stillframe_asset::source::Vfs;
use stillframe_scene::scene::resolve_text;
use stillframe_testkit::vector::Vector;

use crate::truth::linear;

/// Columns and rows of the picture, and its linear colours.
const COLUMNS: usize = 4;
const ROWS: usize = 2;
const COLORS: [[f64; 3]; COLUMNS * ROWS] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 0.0],
    [0.25, 0.5, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 1.0],
];

/// Width and height of the panel, metres.
const SIZE_M: [f64; 2] = [1.6, 0.8];

/// A folder with the picture in it: `OpenEXR` holds linear numbers as they are.
fn folder(name: &str, colors: &[[f64; 3]], columns: usize) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    let rows = colors.len() / columns;
    let picture = image::Rgb32FImage::from_fn(columns as u32, rows as u32, |x, y| {
        image::Rgb(colors[y as usize * columns + x as usize].map(|c| c as f32))
    });
    picture.save(folder.join("picture.exr")).unwrap();
    folder
}

/// A patch at the origin that faces +Z, seen from `tilt_deg` off its normal towards +X.
fn patch(folder: &Path, tilt_deg: f64, material: &str, lights: &str) -> Vector {
    let (sin, cos) = stillframe_base::math::ops64::sin_cos(tilt_deg.to_radians());
    let text = format!(
        "title = 'patch'\n[output]\nsize_px = [9, 9]\nsamples = 1\ntonemap = 'none'\n[camera.main]\n\
         position = [{:?}, 0.0, {:?}]\nlook_at = [0.0, 0.0, 0.0]\nheight_m = 0.0001\n[material.patch]\n{material}\n\
         [[node]]\nshape = 'quad'\nsize_m = [0.2, 0.2]\nmaterial = 'patch'\n{lights}",
        4.0 * sin,
        4.0 * cos
    );
    let vfs = Vfs::open(folder).unwrap();
    let scene = resolve_text(&text, Path::new("x.toml"), folder, &vfs, &[]);
    linear(&scene.unwrap_or_else(|found| panic!("{found:#?}")).scene)[40]
}

/// A panel that looks along -Z, or turned about +Y by degrees.
#[derive(Clone, Copy, Debug)]
struct Place {
    position: Vector,
    turn_deg: f64,
}

impl Place {
    fn axes(self) -> [Vector; 2] {
        let (sin, cos) = stillframe_base::math::ops64::sin_cos(self.turn_deg.to_radians());
        [[cos, 0.0, -sin], [0.0, 1.0, 0.0]]
    }

    /// The panel with its picture.
    fn panel(self) -> String {
        let Place { position, turn_deg } = self;
        format!(
            "[[light]]\nkind = 'rect'\nluminance_nits = 3.0\nsize_m = {SIZE_M:?}\nposition = {position:?}\n\
             rotation_deg = [0.0, {turn_deg:?}, 0.0]\ntexture = 'picture.exr'\n"
        )
    }

    /// A rectangle of one luminance for each texel.
    fn rects(self) -> String {
        let ([x, y], size_m) = (self.axes(), [SIZE_M[0] / COLUMNS as f64, SIZE_M[1] / ROWS as f64]);
        let mut out = String::new();
        for (at, color) in COLORS.iter().enumerate() {
            // As seen from the side that it shines to, the left is where its own +X is.
            let across = SIZE_M[0] * 0.5 - (at % COLUMNS) as f64 * size_m[0] - size_m[0] * 0.5;
            let up = SIZE_M[1] * 0.5 - (at / COLUMNS) as f64 * size_m[1] - size_m[1] * 0.5;
            let position: Vec<f64> = (0..3).map(|c| self.position[c] + x[c] * across + y[c] * up).collect();
            out += &format!(
                "[[light]]\nkind = 'rect'\nluminance_nits = 3.0\nsize_m = {size_m:?}\nposition = {position:?}\n\
                 color = {color:?}\nrotation_deg = [0.0, {:?}, 0.0]\n",
                self.turn_deg
            );
        }
        out
    }
}

const PLACES: [Place; 7] = [
    Place { position: [0.0, 0.0, 1.0], turn_deg: 0.0 },
    Place { position: [0.5, 0.2, 0.4], turn_deg: 0.0 },
    Place { position: [-0.6, -0.1, 0.15], turn_deg: 0.0 },
    Place { position: [0.2, 0.3, 3.0], turn_deg: 0.0 },
    Place { position: [-1.2, 0.1, 0.8], turn_deg: -50.0 },
    Place { position: [1.0, 0.0, 0.5], turn_deg: 75.0 },
    Place { position: [0.6, 0.3, 1.4], turn_deg: 25.0 },
];

/// How far the worst channel is off, over the brightest one.
fn off(found: Vector, want: Vector) -> f64 {
    let brightest = want.into_iter().fold(0.02, f64::max);
    (0..3).map(|c| (found[c] - want[c]).abs()).fold(0.0, f64::max) / brightest
}

#[test]
fn a_picture_of_one_colour_is_a_plain_rectangle() {
    let folder = folder("panel_plain", &[[0.5, 0.25, 1.0]; 6], 3);
    for place in PLACES {
        for (roughness, metallic) in [(0.2, 1.0), (0.5, 0.3), (1.0, 0.0)] {
            let material = format!("base_color = [0.7, 0.5, 0.2]\nroughness = {roughness:?}\nmetallic = {metallic:?}");
            let plain = place.panel().replace("texture = 'picture.exr'", "color = [0.5, 0.25, 1.0]");
            let [found, want] = [place.panel(), plain].map(|light| patch(&folder, 30.0, &material, &light));
            assert!(
                (0..3).all(|c| (found[c] - want[c]).abs() <= 1e-5 * want[c] + 1e-7),
                "{place:?} {found:?} {want:?}"
            );
        }
    }
}

/// What a picture of eight colours is off the eight rectangles, over the brightest channel: on the mean over all
/// places, and at the worst one. Smooth surfaces are farthest off where the rim of their lobe alone reaches the panel:
/// there a rectangle's own highlight depends on how it is cut.
#[test]
fn a_picture_of_eight_colours_is_near_eight_rectangles() {
    let folder = folder("panel_hues", &COLORS, COLUMNS);
    let mut wrong = Vec::new();
    for (what, material, bounds) in [
        ("matte", "model = 'lambert'\nbase_color = [1.0, 1.0, 1.0]", [0.02, 0.06]),
        ("roughness 1", "metallic = 1.0\nbase_color = [1.0, 1.0, 1.0]\nroughness = 1.0", [0.02, 0.05]),
        ("roughness 0.5", "metallic = 1.0\nbase_color = [1.0, 1.0, 1.0]\nroughness = 0.5", [0.07, 0.17]),
        ("roughness 0.2", "metallic = 1.0\nbase_color = [1.0, 1.0, 1.0]\nroughness = 0.2", [0.06, 0.4]),
    ] {
        let (mut worst, mut sum, mut count) = (0.0f64, 0.0, 0.0);
        for place in PLACES {
            for tilt_deg in [0.0, 30.0, 60.0] {
                let [found, want] =
                    [place.panel(), place.rects()].map(|light| patch(&folder, tilt_deg, material, &light));
                let off = off(found, want);
                println!("{what} {place:?} {tilt_deg}: {found:.4?} for {want:.4?}: {off:.3}");
                (worst, sum, count) = (worst.max(off), sum + off, count + 1.0);
            }
        }
        println!("{what}: {:.4} on the mean, {worst:.4} at most", sum / count);
        if sum / count > bounds[0] || worst > bounds[1] {
            wrong.push(format!("{what}: {} on the mean and {worst} at most are more than {bounds:?}", sum / count));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The right way round: a smooth surface mirrors the colour that is there.
#[test]
fn a_mirror_shows_the_colour_that_is_there() {
    let folder = folder("panel_mirror", &COLORS, COLUMNS);
    let material = "metallic = 1.0\nbase_color = [1.0, 1.0, 1.0]\nroughness = 0.05";
    for (at, color) in COLORS.iter().enumerate() {
        // The middle of the texel is straight above the patch. Seen from there the left is at +X of the panel, which
        // looks down: the panel's X is the world's.
        let across = (at % COLUMNS) as f64 * 0.4 + 0.2 - 0.8;
        let up = 0.4 - (at / COLUMNS) as f64 * 0.4 - 0.2;
        let place = Place { position: [across, -up, 0.5], turn_deg: 0.0 };
        let found = patch(&folder, 0.0, material, &place.panel());
        assert!((0..3).all(|c| (found[c] / 3.0 - color[c]).abs() < 0.06), "{at}: {found:?} for {color:?}");
    }
}
