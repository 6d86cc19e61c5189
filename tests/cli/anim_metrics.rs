//! How well the clips of our models loop and how far compression takes them from their files, as numbers: a change of
//! either shows here before it shows in pictures.

use std::fmt::Write;

use super::anim_inspect::asset;
use super::{folder, out, run, well};

const MODELS: &[&str] = &[
    "mannequin.glb",
    "mannequin.fbx",
    "mannequin_walk.fbx",
    "mannequin_wave.fbx",
    "arm.gltf",
    "doll.gltf",
    "modes.gltf",
];

/// What files lose to compression at most, in millimetres at points 3 cm from joints.
const ERROR_MAX_MM: f64 = 0.1;

#[test]
fn clips_loop_and_shrink_as_they_did() {
    let here = folder("anim_metrics");
    let mut table = String::new();
    for model in MODELS {
        let document = |command: &str| {
            let output = run(&here, &["anim", command, &asset(model), "--json"]);
            well(&output);
            serde_json::from_str::<serde_json::Value>(&out(&output)).unwrap()
        };
        let (inspected, compressed) = (document("inspect"), document("compress"));
        let clips = |document: &serde_json::Value| document["clips"].as_array().expect("clips").clone();
        let (inspected, compressed) = (clips(&inspected), clips(&compressed));
        assert_eq!(inspected.len(), compressed.len(), "{model}");
        for (seen, small) in inspected.iter().zip(&compressed) {
            assert_eq!(seen["name"], small["clip"], "{model}");
            let number = |value: &serde_json::Value| value.as_f64().unwrap_or_else(|| panic!("{model}: {value}"));
            let [moved_mm, turned_deg] = ["position_mm", "rotation_deg"].map(|key| number(&seen["seam"][key]["value"]));
            let (worst_mm, ratio) = (number(&small["worst_mm"]["value"]), number(&small["ratio"]));
            let (book_mm, book) = (number(&small["book"]["worst_mm"]["value"]), number(&small["book"]["ratio"]));
            assert!(worst_mm <= ERROR_MAX_MM, "{model}: {small}");
            assert!(ratio > 2.0 * book || 10.0 * worst_mm < book_mm, "{model}: the book's is better: {small}");
            let clip = seen["name"].as_str().expect("a name");
            let _ = writeln!(
                table,
                "{model:18} {clip:6} seam {moved_mm:8.3} mm {turned_deg:8.3} deg  compressed {ratio:5.2} : 1 {worst_mm:.3} mm  \
                 (the book's {book:5.2} : 1 {book_mm:.3} mm)"
            );
        }
    }
    insta::assert_snapshot!("clip_metrics", table);
}
