//! `anim plot`: charts are the same every time, whole, and show the numbers of the clip.

use std::fs;
use std::path::Path;

use super::anim_inspect::{asset, made};
use super::{err, folder, run, status, well};

fn plotted(here: &Path, arguments: &[&str]) -> String {
    well(&run(here, &[&["anim", "plot"], arguments, &["-o", "chart.svg"]].concat()));
    fs::read_to_string(here.join("chart.svg")).unwrap()
}

/// Points of the lines of a class, in the order of the file.
fn lines(svg: &str, class: &str) -> Vec<Vec<[f64; 2]>> {
    let paths = svg.lines().filter(|line| line.contains(&format!("<path class=\"{class}\"")));
    let point = |text: &str| {
        let (x, y) = text.split_once(',').unwrap_or_else(|| panic!("{text}"));
        [x.parse().unwrap(), y.parse().unwrap()]
    };
    paths
        .map(|path| path.split(" d=\"M").nth(1).unwrap().trim_end_matches("\"/>").split('L').map(point).collect())
        .collect()
}

/// Elements are closed, attributes are quoted, and every number is one.
fn whole(svg: &str) {
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>\n"));
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').unwrap_or_else(|| panic!("{tag}"));
        assert!(tag.matches('"').count() % 2 == 0, "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
}

#[test]
fn every_chart_is_whole_and_the_same_again() {
    let here = folder("anim_plot");
    let (glb, fbx) = (asset("mannequin.glb"), asset("mannequin.fbx"));
    for file in [&glb, &fbx] {
        for (what, words) in [
            ("curves", "translation"),
            ("speed", "degrees a second"),
            ("root", "seen from above"),
            ("error", "worst, mm"),
            ("weights", "Morph weights"),
        ] {
            // In that file morphs have keys, but do not move.
            if what == "weights" && file == &fbx {
                continue;
            }
            let arguments = [file.as_str(), "--clip", "#1", "--what", what];
            let svg = plotted(&here, &arguments);
            whole(&svg);
            assert!(svg.contains(words) && svg.contains("prefers-color-scheme:dark"), "{what}");
            assert_eq!(svg, plotted(&here, &arguments), "{what}");
            assert!(svg.len() < 300_000, "{what}: {} bytes", svg.len());
        }
    }
}

#[test]
fn lines_are_where_the_numbers_are() {
    let here = folder("anim_plot_made");
    made(&here);
    let svg = plotted(&here, &["odd.gltf", "--joint", "base"]);
    // A straight way of 2 m in 2 s: one panel, x rises along its whole width, y and z lie still.
    let [x, y, z] = ["line c0", "line c1", "line c2"].map(|class| {
        let lines = lines(&svg, class).into_iter().filter(|line| line.len() > 2).collect::<Vec<_>>();
        assert_eq!(lines.len(), 1, "{class}");
        lines[0].clone()
    });
    let (first, last) = (x[0], x[x.len() - 1]);
    assert!(last[0] - first[0] > 800.0 && first[1] - last[1] > 120.0, "{first:?} {last:?}");
    for point in &x {
        let along = (point[0] - first[0]) / (last[0] - first[0]);
        assert!((point[1] - first[1] - along * (last[1] - first[1])).abs() < 0.02, "{point:?}");
    }
    assert!(y.iter().chain(&z).all(|point| point[1] == y[0][1]));
    assert_eq!(svg.matches("<circle class=\"d0\"").count(), 2, "a mark a key");

    // Seen from above: to the right, by one scale for both axes, so level.
    let way =
        lines(&plotted(&here, &["odd.gltf", "--what", "root"]), "line c2").into_iter().max_by_key(Vec::len).unwrap();
    assert!(way[way.len() - 1][0] - way[0][0] > 700.0 && way.iter().all(|point| point[1] == way[0][1]));

    // A metre a second all the way, and 200 degrees at the arm from 0.5 s to 1 s.
    let svg = plotted(&here, &["odd.gltf", "--what", "speed", "--joint", "base,arm"]);
    let moving = &lines(&svg, "line c0").into_iter().filter(|line| line.len() > 2).collect::<Vec<_>>()[1];
    assert!(moving.iter().all(|point| (point[1] - moving[0][1]).abs() < 0.02), "{moving:?}");
    whole(&svg);
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let here = folder("anim_plot_bad");
    made(&here);
    let glb = asset("mannequin.glb");
    for (arguments, words) in [
        (vec![glb.as_str(), "--clip", "walk", "-o", "a.png"], ".svg"),
        (vec![glb.as_str(), "-o", "a.svg"], "this wants one clip"),
        (vec![glb.as_str(), "--clip", "walk", "--joint", "Hisp", "-o", "a.svg"], "did you mean \"Hips\"?"),
        (vec!["odd.gltf", "--what", "weights", "-o", "a.svg"], "no morphs"),
        (vec![glb.as_str(), "--clip", "walk", "--what", "weights", "--joint", "smiel", "-o", "a.svg"], "\"smile\""),
        (vec!["odd.gltf", "--what", "path", "-o", "a.svg"], "curves"),
    ] {
        let output = run(&here, &[&["anim", "plot"], arguments.as_slice()].concat());
        assert_eq!(status(&output), 2, "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(words), "{arguments:?}: {}", err(&output));
    }
    assert!(!here.join("a.svg").exists());
}
