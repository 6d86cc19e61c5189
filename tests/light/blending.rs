//! Blended surfaces over each other, against the sum that is worked out per pixel in f64.

use std::path::Path;

use stillframe::take::{Settings, take};
use stillframe_asset::source::Vfs;
use stillframe_base::math::ops;
use stillframe_frames::Samples;
use stillframe_scene::scene::{Scene, resolve_text};

use crate::truth::linear;

const SIDE: usize = 64;

/// Panes that cross: where their middles are, how they are turned about Y, colour and alpha.
const PANES: [([f64; 2], f64, [f64; 3], f64); 3] = [
    ([0.0, 0.0], 35.0, [0.8, 0.1, 0.1], 0.5),
    ([0.1, 0.1], -40.0, [0.1, 0.7, 0.2], 0.3),
    ([-0.2, -0.1], 5.0, [0.2, 0.2, 0.9], 0.7),
];

/// They shine by themselves, before an opaque wall. `order`: of their nodes in the file.
fn scene(order: [usize; 3], render: &str) -> Scene {
    let mut text = format!(
        "title = 'x'\n[output]\nsize_px = [{SIDE}, {SIDE}]\nsamples = 1\n[camera.main]\n\
         height_m = 2\nposition = [0, 0, 4]\nlook_at = [0, 0, 0]\n[render]\n{render}\n\
         [material.wall]\nbase_color = [0.5, 0.5, 0.5]\nunlit = true\n\
         [[node]]\nshape = 'quad'\nsize_m = [3, 3]\nposition = [0, 0, -0.25]\nmaterial = 'wall'\n"
    );
    for pane in order {
        let ([x, z], turn, [r, g, b], alpha) = PANES[pane];
        text += &format!(
            "[material.p{pane}]\nbase_color = [{r}, {g}, {b}, {alpha}]\nunlit = true\nalpha_mode = 'blend'\n\
             double_sided = true\n[[node]]\nname = 'p{pane}'\nshape = 'quad'\nsize_m = [1.2, 1.2]\n\
             position = [{x}, 0, {z}]\nrotation_deg = [0, {turn}, 0]\nmaterial = 'p{pane}'\n"
        );
    }
    resolved(&text)
}

fn resolved(text: &str) -> Scene {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/material");
    let vfs = Vfs::open(&folder).expect("the folder is there");
    let scene = resolve_text(text, Path::new("x.toml"), &folder, &vfs, &[]);
    scene.unwrap_or_else(|found| panic!("{found:#?}")).scene
}

/// Linear colours.
fn drawn(order: [usize; 3], render: &str) -> Vec<[f32; 3]> {
    let taken = take(&scene(order, render), &Settings { bits: 32, ..Settings::default() }, &mut |_| ());
    let taken = taken.unwrap_or_else(|error| panic!("{error:#?}"));
    match &taken.pictures[0].1.samples {
        Samples::F32(values) => values.chunks_exact(4).map(|texel| [texel[0], texel[1], texel[2]]).collect(),
        other => panic!("{other:?}"),
    }
}

/// What covers a pixel's centre: depth towards the eye, colour, alpha, from near to far. `None`: an edge or a crossing
/// is near.
fn seen(pixel: usize) -> Option<Vec<(f64, [f64; 3], f64)>> {
    let step = 2.0 / SIDE as f64;
    let x = ((pixel % SIDE) as f64 + 0.5) * step - 1.0;
    let y = 1.0 - ((pixel / SIDE) as f64 + 0.5) * step;
    let mut out = Vec::new();
    for ([middle, depth], turn, color, alpha) in PANES {
        let turn = turn.to_radians() as f32;
        let [sin, cos] = [ops::sin(turn), ops::cos(turn)].map(f64::from);
        let along = (x - middle) / cos;
        if ((along.abs() - 0.6).abs() < 0.02) || ((y.abs() - 0.6).abs() < 0.02) {
            return None;
        }
        let z = depth - along * sin;
        if along.abs() < 0.6 && y.abs() < 0.6 {
            if (z + 0.25).abs() < 0.04 {
                return None;
            }
            if z > -0.25 {
                out.push((z, color, alpha));
            }
        }
    }
    out.sort_by(|a, b| b.0.total_cmp(&a.0));
    out.windows(2).all(|pair| pair[0].0 - pair[1].0 > 0.04).then_some(out)
}

/// Over the wall, the nearest `count`.
fn over(seen: &[(f64, [f64; 3], f64)], count: usize) -> [f64; 3] {
    let nearest = &seen[..count.min(seen.len())];
    nearest
        .iter()
        .rev()
        .fold([0.5; 3], |behind, (_, color, alpha)| [0, 1, 2].map(|c| color[c] * alpha + behind[c] * (1.0 - alpha)))
}

/// McGuire, Bavoil 2013, equations 7 and 10, over the wall.
fn weighted(seen: &[(f64, [f64; 3], f64)]) -> [f64; 3] {
    let (mut sum, mut weights, mut through) = ([0.0; 3], 0.0, 1.0);
    for (z, color, alpha) in seen {
        let depth = 4.0 - z;
        let (near, far) = (depth / 5.0 * (depth / 5.0), depth / 200.0 * (depth / 200.0));
        let weight = alpha * (10.0 / (1e-5 + near + far * far * far)).clamp(0.01, 3000.0);
        sum = [0, 1, 2].map(|c| sum[c] + color[c] * alpha * weight);
        weights += alpha * weight;
        through *= 1.0 - alpha;
    }
    [0, 1, 2].map(|c| if weights > 0.0 { sum[c] / weights * (1.0 - through) } else { 0.0 } + 0.5 * through)
}

/// The largest difference of a picture from what `want` says, and how many pixels had several panes.
fn worst(found: &[[f32; 3]], want: &dyn Fn(&[(f64, [f64; 3], f64)]) -> [f64; 3]) -> f64 {
    let (mut worst, mut several) = (0.0f64, 0);
    for (pixel, found) in found.iter().enumerate() {
        let Some(seen) = seen(pixel) else { continue };
        several += usize::from(seen.len() > 1);
        let want = want(&seen);
        let off = (0..3).map(|c| (f64::from(found[c]) - want[c]).abs());
        worst = off.fold(worst, stillframe_testkit::worse);
    }
    assert!(several > 300, "{several} pixels have several panes");
    worst
}

const ORDERS: [[usize; 3]; 3] = [[0, 1, 2], [2, 1, 0], [1, 2, 0]];

#[test]
fn peeled_panes_are_over_each_other_where_they_cross() {
    for order in ORDERS {
        let off = worst(&drawn(order, "transparency = 'peel'"), &|seen| over(seen, 3));
        assert!(off <= 1e-6, "{order:?}: {off}");
    }
    // Whole objects have no such order.
    assert!(worst(&drawn(ORDERS[0], ""), &|seen| over(seen, 3)) > 0.05);
}

#[test]
fn no_more_is_peeled_off_than_is_wanted() {
    for count in [1, 2] {
        let off =
            worst(&drawn(ORDERS[0], &format!("transparency = 'peel'\npeels = {count}")), &|seen| over(seen, count));
        assert!(off <= 1e-6, "{count}: {off}");
    }
}

#[test]
fn file_order_and_further_peels_change_no_bit() {
    let want = drawn(ORDERS[0], "transparency = 'peel'\npeels = 3");
    for order in ORDERS {
        assert_eq!(drawn(order, "transparency = 'peel'\npeels = 9"), want, "{order:?}");
    }
}

/// All surfaces, put in order by their depths: what peeling finds when nothing is left, to the bit.
#[test]
fn lists_hold_what_peeling_finds() {
    for order in ORDERS {
        let listed = drawn(order, "transparency = 'exact'");
        let off = worst(&listed, &|seen| over(seen, 3));
        assert!(off <= 1e-6, "{order:?}: {off}");
        assert_eq!(listed, drawn(order, "transparency = 'peel'\npeels = 3"), "{order:?}");
    }
}

/// Twelve panes behind each other, more than are peeled off by default, and all of them are seen.
#[test]
fn lists_have_no_end() {
    let mut text = "title = 'x'\n[output]\nsize_px = [24, 24]\nsamples = 1\n[camera.main]\nheight_m = 1\n\
                    position = [0, 0, 4]\nlook_at = [0, 0, 0]\n[render]\ntransparency = 'exact'\n"
        .to_string();
    for pane in 0..12 {
        let (z, share) = (0.2 * f64::from(pane * 7 % 12), f64::from(pane) / 12.0);
        text += &format!(
            "[material.p{pane}]\nbase_color = [{share}, {}, 0.5, 0.2]\nunlit = true\nalpha_mode = 'blend'\n\
             [[node]]\nshape = 'quad'\nsize_m = [3, 3]\nposition = [0, 0, {z}]\nmaterial = 'p{pane}'\n",
            1.0 - share
        );
    }
    let mut panes: Vec<(i32, f64)> = (0..12).map(|pane| (pane * 7 % 12, f64::from(pane) / 12.0)).collect();
    panes.sort_by_key(|pane| pane.0);
    let want = panes.iter().fold([0.0; 3], |behind: [f64; 3], (_, share)| {
        let color = [*share, 1.0 - share, 0.5];
        [0, 1, 2].map(|c| color[c] * 0.2 + behind[c] * 0.8)
    });
    let mut scene = resolved(&text);
    scene.output.background = stillframe_scene::scene::Background::Color([0.0; 3]);
    for found in linear(&scene) {
        for c in 0..3 {
            assert!((found[c] - want[c]).abs() <= 1e-6, "{found:?} for {want:?}");
        }
    }
}

#[test]
fn weighted_panes_follow_their_formula() {
    for order in ORDERS {
        let found = drawn(order, "transparency = 'weighted'");
        let off = worst(&found, &weighted);
        assert!(off <= 1e-5, "{order:?}: {off}");
        // What the method itself is off by, in linear light.
        let exact = worst(&found, &|seen| over(seen, 3));
        println!("weighted is off by {exact:.3} at most");
        assert!((0.02..0.3).contains(&exact), "{exact}");
    }
}

/// What lights the panes is read beside the depths: a lamp with shadows, and an environment.
#[test]
fn lit_panes_that_do_not_cross_are_as_when_they_are_sorted() {
    let pane = |(at, z): (usize, f64)| {
        format!(
            "[material.p{at}]\nbase_color = [0.8, 0.3, 0.2, 0.4]\nalpha_mode = 'blend'\nroughness = 0.4\n[[node]]\n\
             shape = 'quad'\nsize_m = [1, 1]\nposition = [{z}, {z}, {z}]\nmaterial = 'p{at}'\n"
        )
    };
    let panes: String = [-0.6, 0.0, 0.6].into_iter().enumerate().map(pane).collect();
    let drawn = |render: &str| {
        let text = format!(
            "title = 'x'\n[output]\nsize_px = [48, 48]\nsamples = 1\n[camera.main]\nposition = [0.5, 0.5, 4]\n\
             look_at = [0, 0, 0]\n[render]\n{render}\n[environment]\nsky = {{}}\n[[light]]\nkind = 'spot'\n\
             position = [0, 2, 3]\nlook_at = [0, 0, 0]\nintensity_cd = 40\n[[light]]\ndirection = [0, -1, -1]\n\
             [[node]]\nshape = 'box'\nsize_m = [3, 3, 0.1]\nposition = [0, 0, -1.2]\n\
             [[node]]\nshape = 'sphere'\nradius_m = 0.2\nposition = [0.2, 0.6, 1.2]\n{panes}"
        );
        linear(&resolved(&text))
    };
    let sorted = drawn("");
    let peeled = drawn("transparency = 'peel'");
    let off = peeled.iter().zip(&sorted).flat_map(|(a, b)| [0, 1, 2].map(|c| (a[c] - b[c]).abs()));
    let off = off.fold(0.0, stillframe_testkit::worse);
    assert!(off <= 1e-5, "{off}");
    assert_eq!(drawn("transparency = 'exact'"), peeled);
    let bare = drawn("transparency = 'peel'\npeels = 1");
    assert!(bare != sorted, "panes lie behind each other");
}

/// Samples of a pixel are put together one by one: flat panes look as without.
#[test]
fn samples_are_peeled_each() {
    let mut fine = scene(ORDERS[0], "transparency = 'peel'");
    fine.output.samples = 4;
    let taken = take(&fine, &Settings { bits: 32, ..Settings::default() }, &mut |_| ());
    let taken = taken.unwrap_or_else(|error| panic!("{error:#?}"));
    let Samples::F32(values) = &taken.pictures[0].1.samples else { panic!("floats") };
    let found: Vec<[f32; 3]> = values.chunks_exact(4).map(|texel| [texel[0], texel[1], texel[2]]).collect();
    let off = worst(&found, &|seen| over(seen, 3));
    assert!(off <= 1e-6, "{off}");
}

/// A pane of one alpha before a wall: how much of the wall is covered.
fn covered(mode: &str, samples: u32, alpha: f64) -> f64 {
    let text = format!(
        "title = 'x'\n[output]\nsize_px = [96, 96]\nsamples = {samples}\ntonemap = 'none'\n[camera.main]\n\
         height_m = 1\nposition = [0, 0, 4]\nlook_at = [0, 0, 0]\n\
         [material.pane]\nbase_color = [1, 1, 1, {alpha}]\nunlit = true\nalpha_mode = '{mode}'\n\
         [[node]]\nshape = 'quad'\nsize_m = [3, 3]\nmaterial = 'pane'\n"
    );
    let taken = take(&resolved(&text), &Settings { bits: 32, ..Settings::default() }, &mut |_| ());
    let taken = taken.unwrap_or_else(|error| panic!("{error:#?}"));
    let Samples::F32(values) = &taken.pictures[0].1.samples else { panic!("floats") };
    values.chunks_exact(4).map(|texel| f64::from(texel[0])).sum::<f64>() / (96.0 * 96.0)
}

/// 9,216 pixels: one in a hundred is two standard deviations.
#[test]
fn hashed_surfaces_are_there_as_often_as_alpha_says() {
    for alpha in [0.1, 0.25, 0.5, 0.8, 0.95] {
        let share = covered("hashed", 1, alpha);
        assert!((share - alpha).abs() < 0.015, "{alpha}: {share}");
    }
    assert_eq!([covered("hashed", 1, 0.0), covered("hashed", 1, 1.0)], [0.0, 1.0]);
}

#[test]
fn samples_are_covered_to_the_next_quarter() {
    for (alpha, want) in [(0.0, 0.0), (0.2, 0.25), (0.5, 0.5), (0.7, 0.75), (0.95, 1.0), (1.0, 1.0)] {
        assert!((covered("to_coverage", 4, alpha) - want).abs() < 1e-6, "{alpha}");
        // One sample is there or not.
        let whole = if alpha < 0.5 { 0.0 } else { 1.0 };
        assert_eq!(covered("to_coverage", 1, alpha), whole, "{alpha}");
    }
}
