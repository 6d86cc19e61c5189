//! Nodes against what they stand for: light by nodes against a lighting model, corners that nodes move against a mesh
//! of that shape, a material from another one against the same written out.

use crate::truth::{linear, scene_of};

const STAGE: &str = "title = 'x'\n[output]\nsize_px = [96, 72]\nsamples = 1\n[camera.main]\nposition = [0, 2, 3]\n\
    look_at = [0, 0, 0]\nfov_y_deg = 40\n[material.floor]\nbase_color = [0.6, 0.6, 0.6]\n\
    [[node]]\nname = 'floor'\nshape = 'plane'\nsize_m = [8, 8]\nposition = [0, -0.7, 0]\nmaterial = 'floor'\n\
    [[light]]\nname = 'sun'\nilluminance_lux = 3\ndirection = [-0.6, -1, -0.4]\nshadow = true\n\
    [[light]]\nname = 'lamp'\nkind = 'spot'\nintensity_cd = 6\nposition = [1.2, 1.4, 1.2]\nlook_at = [0, 0, 0]\nshadow = true\n";

/// Linear light of every pixel.
fn drawn(text: &str) -> Vec<[f64; 3]> {
    linear(&scene_of(text))
}

/// How many pixels are off by more than a share, of how many that are not black.
fn off_by(one: &[[f64; 3]], other: &[[f64; 3]], share: f64) -> (usize, usize) {
    let is_off =
        |(a, b): &(&[f64; 3], &[f64; 3])| (0..3).any(|c| (a[c] - b[c]).abs() > share * (a[c].max(b[c]) + 1e-3));
    let lit = one.iter().filter(|texel| **texel != [0.0; 3]).count();
    (one.iter().zip(other).filter(is_off).count(), lit)
}

fn node(name: &str, kind: &str, keys: &str) -> String {
    format!("[[material.it.node]]\nname = '{name}'\nkind = '{kind}'\n{keys}\n")
}

/// Phong's formula in nodes, in the order of operations of the row. `shadow`: whether nodes read it.
fn phong(shadow: bool) -> String {
    let mut text = "[material.it]\nmodel = 'custom'\nradiance = 'sent.value'\n".to_string();
    for (name, kind, keys) in [
        ("sun", "light", ""),
        ("eye", "view", ""),
        ("nl", "dot", "a = 'sun.normal'\nb = 'sun.direction'"),
        ("nv", "dot", "a = 'sun.normal'\nb = 'eye.direction'"),
        ("lv", "dot", "a = 'sun.direction'\nb = 'eye.direction'"),
        ("twice", "multiply", "a = 2.0\nb = 'nl.value'"),
        ("both", "multiply", "a = 'twice.value'\nb = 'nv.value'"),
        ("mirrored", "subtract", "a = 'both.value'\nb = 'lv.value'"),
        ("rv", "saturate", "x = 'mirrored.value'"),
        ("sharp", "power", "a = 'rv.value'\nb = 24.0"),
        ("power", "multiply", "a = 'sharp.value'\nb = 0.31830987"),
        ("highlight", "multiply", "a = [0.5, 0.4, 0.3]\nb = 'power.value'"),
        ("share", "multiply", "a = 0.31830987\nb = 'nl.value'"),
        ("body", "multiply", "a = [0.6, 0.2, 0.1]\nb = 'share.value'"),
        ("sum", "add", "a = 'body.value'\nb = 'highlight.value'"),
        ("lit", "choose", "x = 'nl.value'\nthan = 0.0\nif_more = 'sum.value'\nif_not = 0.0"),
    ] {
        text += &node(name, kind, keys);
    }
    text += &match shadow {
        false => node("sent", "multiply", "a = 'lit.value'\nb = 'sun.irradiance'"),
        true => {
            node("arrives", "multiply", "a = 'lit.value'\nb = 'sun.irradiance'")
                + &node("sent", "multiply", "a = 'arrives.value'\nb = 'sun.shadow'")
        }
    };
    text
}

#[test]
fn phong_by_nodes_is_phong() {
    let ball = "[[node]]\nname = 'ball'\nshape = 'sphere'\nmaterial = 'it'\n";
    let row = "[material.it]\nmodel = 'phong'\nbase_color = [0.6, 0.2, 0.1]\nspecular_color = [0.5, 0.4, 0.3]\nexponent = 24.0\n";
    let want = drawn(&format!("{STAGE}{row}{ball}"));
    for shadow in [false, true] {
        let found = drawn(&format!("{STAGE}{}{ball}", phong(shadow)));
        let (off, lit) = off_by(&found, &want, 1e-5);
        assert!(off == 0 && lit > 3000, "{off} of {lit} pixels, shadow: {shadow}");
    }
    // And a wrong formula is noticed.
    let wrong = phong(false).replace("b = 24.0", "b = 20.0");
    assert!(off_by(&drawn(&format!("{STAGE}{wrong}{ball}")), &want, 1e-3).0 > 40);
}

/// Also where nobody knows of it but the maps: its shadows.
#[test]
fn a_displaced_sphere_is_the_larger_sphere() {
    let ball = |radius: f64| {
        format!("[[node]]\nname = 'ball'\nshape = 'sphere'\nradius_m = {radius}\nscale = 0.9\nmaterial = 'it'\n")
    };
    let plain = "[material.it]\nbase_color = [0.6, 0.2, 0.1]\nroughness = 0.4\n";
    let want = drawn(&format!("{STAGE}{plain}{}", ball(0.6)));
    let along = format!("{plain}displacement = 'by.value'\n{}", node("by", "constant", "value = 0.1"));
    let way = format!(
        "{plain}displacement_vector = 'by.value'\n{}{}",
        node("place", "position", ""),
        node("by", "multiply", "a = 'place.object'\nb = 0.2"),
    );
    let moves = format!("{plain}displacement = 'by.value'\n{}", node("by", "parameter", "value = 0.1"));
    for material in [along, way, moves] {
        let found = drawn(&format!("{STAGE}{material}{}", ball(0.5)));
        // Edges of shapes and of shadows may fall on another side of a pixel's centre.
        let (off, lit) = off_by(&found, &want, 1e-3);
        assert!(off <= 6 && lit > 3000, "{off} of {lit} pixels: {material}");
    }
    // No farther than the material says.
    let less = format!("{plain}displacement = 'by.value'\n{}", node("by", "constant", "value = 7.0"));
    let found = drawn(&format!("{STAGE}{less}{}", ball(0.5)));
    assert!(off_by(&found, &want, 1e-3).0 <= 6, "0.1 m unless it says more");
    assert!(off_by(&drawn(&format!("{STAGE}{plain}{}", ball(0.5))), &want, 1e-3).0 > 100);
}

#[test]
fn an_instance_is_the_material_written_out() {
    let ball = "[[node]]\nshape = 'sphere'\nmaterial = 'it'\n";
    let base = "[material.base]\nbase_color = 'c.color'\nmetallic = 0.5\n[[material.base.node]]\nname = 'c'\nkind = 'parameter_color'\n\
                value = '#ff0000'\n";
    let instance = "[material.it]\nfrom = 'second'\nroughness = 0.25\n[[material.it.node]]\nname = 'c'\nkind = 'parameter_color'\n\
                    value = '#00ff00'\n\
                    [material.second]\nfrom = 'base'\nroughness = 0.75\nmetallic = 1.0\n";
    let written = "[material.it]\nbase_color = 'c.color'\nmetallic = 1.0\nroughness = 0.25\n[[material.it.node]]\nname = 'c'\n\
                   kind = 'parameter_color'\nvalue = '#00ff00'\n";
    let [one, other] = [format!("{STAGE}{base}{instance}{ball}"), format!("{STAGE}{written}{ball}")].map(|text| {
        let scene = scene_of(&text);
        scene.materials.iter().find(|material| material.name == "it").expect("it is there").clone()
    });
    assert_eq!(one, other);
}
