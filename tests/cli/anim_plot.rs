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
            ("speed", "degrees per second"),
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

fn scene(name: &str) -> String {
    format!("{}/scenes/animation/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

/// Where a line is at a moment, as a share of the way from the panel's left to its right, and up.
fn height_at(line: &[[f64; 2]], along: f64) -> f64 {
    let x = line[0][0] + along * (line[line.len() - 1][0] - line[0][0]);
    line.iter().min_by(|a, b| (a[0] - x).abs().total_cmp(&(b[0] - x).abs())).expect("points")[1]
}

#[test]
fn animators_are_drawn_over_time() {
    let here = folder("anim_plot_animator");
    let sweep = scene("blend/line_sweep");
    let svg = plotted(&here, &[&sweep]);
    whole(&svg);
    assert_eq!(svg, plotted(&here, &[&sweep, "--animator", "figure", "--until", "2"]), "keys end at 2 s");
    // From walk to run: the shares cross half way, and are 1 together.
    let [walks, runs] = ["line c0", "line c1"].map(|class| lines(&svg, class).into_iter().find(|line| line.len() > 2));
    let (walking, running) = (walks.expect("a walk"), runs.expect("a run"));
    let (one, zero) = (height_at(&walking, 0.0), height_at(&running, 0.0));
    for along in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let share = |line: &[[f64; 2]]| (height_at(line, along) - zero) / (one - zero);
        let (walks, runs) = (share(&walking), share(&running));
        assert!((walks - (1.0 - along)).abs() < 0.01 && (runs - along).abs() < 0.01, "{along}: {walks} {runs}");
    }
    assert!(svg.contains(">speed</text>") && svg.contains("seconds from the scene's start"), "{svg}");
    // Both run through each of their phases together: one line a loop, and no line from the end back to the start.
    let phases = |class: &str| lines(&svg, class).into_iter().filter(|line| line.len() > 2).skip(1).collect::<Vec<_>>();
    let (walks, runs) = (phases("line c0"), phases("line c1"));
    assert!((3..=4).contains(&walks.len()) && (3..=4).contains(&runs.len()), "{} {}", walks.len(), runs.len());
    assert!(walks.iter().chain(&runs).all(|line| line.windows(2).all(|pair| pair[1][1] <= pair[0][1])));

    // As many marks as there are events with names.
    let steps = scene("event/steps");
    let svg = plotted(&here, &[&steps, "--until", "2.75"]);
    let told = run(&here, &["render", &steps, "--dump", "animation", "--time", "2.75"]);
    well(&told);
    let told = String::from_utf8(told.stdout).unwrap();
    let told = told.lines().filter(|line| line.contains(" s  gait  ") && !line.contains("  lap  ")).count();
    let marks = svg.matches("<circle class=\"d0\"").count() + svg.matches("<circle class=\"d1\"").count();
    assert!(told > 6, "{told}");
    assert_eq!(marks, told);

    // Three fades of 0.2 s and the start of one, in each of three panels.
    let gait = plotted(&here, &[&scene("machine/gait"), "--until", "5"]);
    whole(&gait);
    let across = |path: &str| Some(path.split_once(" d=\"M")?.1.split_once('h')?.1.split_once('v')?.0.to_string());
    let wide = |path: &str| across(path).expect("a box").parse::<f64>().expect("a number");
    let shades: Vec<f64> = gait.lines().filter(|line| line.contains("class=\"shade\"")).map(wide).collect();
    assert_eq!(shades.len(), 12, "{shades:?}");
    let panel = 960.0 - 58.0 - 20.0;
    for fade in &shades[..3] {
        assert!((fade / panel * 5.0 - 0.2).abs() < 0.02, "{shades:?}");
    }
    assert!(gait.contains("shaded where a switch or machine fades") && !svg.contains("shade\""));

    // A mask: the head does not know of what the layer plays for others.
    let masked = scene("layer/masked");
    let (all, hips) = (plotted(&here, &[&masked]), plotted(&here, &[&masked, "--joint", "Hips"]));
    whole(&hips);
    assert_ne!(all, hips);
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let here = folder("anim_plot_bad");
    made(&here);
    let (glb, sweep, wave) = (asset("mannequin.glb"), scene("blend/line_sweep"), scene("wave"));
    for (arguments, words) in [
        (vec![glb.as_str(), "--clip", "walk", "-o", "a.png"], ".svg"),
        (vec![glb.as_str(), "-o", "a.svg"], "choose a clip"),
        (vec![glb.as_str(), "--clip", "walk", "--joint", "Hisp", "-o", "a.svg"], "did you mean \"Hips\"?"),
        (vec!["odd.gltf", "--what", "weights", "-o", "a.svg"], "no morphs"),
        (vec![glb.as_str(), "--clip", "walk", "--what", "weights", "--joint", "smiel", "-o", "a.svg"], "\"smile\""),
        (vec!["odd.gltf", "--what", "path", "-o", "a.svg"], "curves"),
        (vec!["odd.gltf", "--animator", "figure", "-o", "a.svg"], "not a model"),
        (vec![&sweep, "--animator", "figur", "-o", "a.svg"], "did you mean \"figure\"?"),
        (vec![&sweep, "--joint", "Hisp", "-o", "a.svg"], "did you mean \"Hips\"?"),
        (vec![&sweep, "--what", "curves", "-o", "a.svg"], "not a scene"),
        (vec![&sweep, "--until=-1", "-o", "a.svg"], "0.001 to 3600"),
        (vec![&wave, "-o", "a.svg"], "has no animators"),
    ] {
        let output = run(&here, &[&["anim", "plot"], arguments.as_slice()].concat());
        assert_eq!(status(&output), 2, "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(words), "{arguments:?}: {}", err(&output));
    }
    assert!(!here.join("a.svg").exists());
}
