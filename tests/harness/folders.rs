//! `diff` of folders, as CI uses it: what is paired, what is counted, what is near enough, and the page.

use std::fs;

use serde_json::Value;
use stillframe_frames::{Picture, PngEffort, Samples, encode_plain_exr, encode_png};

use super::ground::Ground;

/// 8 x 8 pixels of one grey, the first of them of another.
fn png(first: u8, effort: PngEffort) -> Vec<u8> {
    let mut values = vec![100; 8 * 8 * 3];
    values[..3].fill(first);
    encode_png(&Picture::new(8, 8, 3, Samples::U8(values)).unwrap(), effort).unwrap()
}

fn two_folders(name: &str) -> Ground {
    let ground = Ground::new(name);
    for (file, old, new) in [("a/equal.png", 1, 1), ("a/near.png", 100, 101), ("far.png", 100, 140)] {
        ground.write(&format!("old/{file}"), png(old, PngEffort::Small));
        ground.write(&format!("new/{file}"), png(new, PngEffort::Small));
    }
    // Equal pixels in other bytes.
    ground.write("old/stored.png", png(7, PngEffort::Small));
    ground.write("new/stored.png", png(7, PngEffort::Fast));
    ground.write("old/z/gone.png", png(1, PngEffort::Fast));
    ground.write("new/b/fresh.png", png(1, PngEffort::Fast));
    for other in ["old/notes.txt", "new/.DS_Store", "new/.hidden/x.png"] {
        ground.write(other, "not compared");
    }
    ground
}

#[test]
fn folders_are_compared_by_paths_in_one_order() {
    let ground = two_folders("diff-folders");
    let ran = ground.run(&["diff", "old", "new"]).code(1);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 5, "{}", ran.out);
    assert!(lines[0].starts_with("changed  a/near.png: 1 of 64 px differ (1.56 %), max 1/255"), "{}", ran.out);
    assert_eq!(lines[1], "added    b/fresh.png");
    assert!(lines[2].starts_with("changed  far.png: 1 of 64 px differ (1.56 %), max 40/255"), "{}", ran.out);
    assert_eq!(lines[3..], ["removed  z/gone.png", "2 same, 2 changed, 1 added, 1 removed"]);
    ground.run(&["diff", "old", "old"]).code(0).last_line("5 same, 0 changed, 0 added, 0 removed");
    let json = ground.run(&["diff", "old", "new", "--json"]).code(1).out;
    let rows: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<_> = rows.iter().filter_map(|row| Some((row["name"].as_str()?, row["status"].as_str()?))).collect();
    let want = [
        ("a/equal.png", "same"),
        ("a/near.png", "changed"),
        ("b/fresh.png", "added"),
        ("far.png", "changed"),
        ("stored.png", "same"),
        ("z/gone.png", "removed"),
    ];
    assert_eq!(told, want);
    assert_eq!((&rows[6]["schema"], &rows[6]["changed"]), (&"diff-end/1".into(), &2.into()), "{json}");
}

#[test]
fn limits_say_what_is_near_enough() {
    let ground = two_folders("diff-limits");
    let last = |limits: &[&str], status: i32| {
        let ran = ground.run(&[&["diff", "old", "new"][..], limits].concat()).code(status);
        ran.out.lines().last().unwrap().to_string()
    };
    assert_eq!(last(&["--max-lsb", "1"], 1), "2 same, 1 within, 1 changed, 1 added, 1 removed");
    assert_eq!(last(&["--max-lsb", "40"], 1), "2 same, 2 within, 0 changed, 1 added, 1 removed");
    // One of 64 pixels.
    assert_eq!(last(&["--share", "0.0157"], 1), "2 same, 2 within, 0 changed, 1 added, 1 removed");
    assert_eq!(last(&["--share", "0.0155"], 1), "2 same, 2 changed, 1 added, 1 removed");
    assert_eq!(last(&["--flip", "1"], 1), "2 same, 2 within, 0 changed, 1 added, 1 removed");
    // All that are given must hold.
    assert_eq!(last(&["--flip", "1", "--max-lsb", "1"], 1), "2 same, 1 within, 1 changed, 1 added, 1 removed");
    assert_eq!(last(&["--flip", "0", "--max-lsb", "40"], 1), "2 same, 2 changed, 1 added, 1 removed");
    for bad in [["--max-lsb", "-1"], ["--max-lsb", "256"], ["--share", "2"], ["--flip", "no"]] {
        ground.run(&[&["diff", "old", "new"][..], &bad].concat()).code(2);
    }
    // Two files have the same limits.
    let pair = ["diff", "old/far.png", "new/far.png"];
    ground.run(&pair).code(1);
    assert_eq!(ground.run(&[&pair[..], &["--max-lsb", "40"]].concat()).code(0).out, "");
    let json = ground.run(&[&pair[..], &["--max-lsb", "40", "--json"]].concat()).code(0).out;
    let row: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&row["same"], &row["within"]), (&false.into(), &true.into()), "{json}");
    // Object numbers have no visible error: a changed one is another.
    let ids = |value: u32| {
        let picture = Picture::new(1, 1, 1, Samples::U32(vec![value])).unwrap();
        encode_plain_exr(&picture, &stillframe_base::par::Pool::new(1)).unwrap()
    };
    ground.write("one.exr", ids(1));
    ground.write("two.exr", ids(2));
    ground.run(&["diff", "one.exr", "two.exr", "--flip", "1"]).code(1);
    ground.run(&["diff", "one.exr", "two.exr", "--max-lsb", "255"]).code(1);
    ground.run(&["diff", "one.exr", "one.exr", "--flip", "0"]).code(0);
}

#[test]
fn trouble_with_one_file_does_not_hide_the_others() {
    let ground = two_folders("diff-trouble");
    ground.write("new/a/near.png", "no picture");
    let ran = ground.run(&["diff", "old", "new"]).code(2).complains("near.png").says("unreadable a/near.png");
    assert!(ran.out.contains("changed  far.png"), "{}", ran.out);
    ran.last_line("2 same, 1 changed, 1 added, 1 removed, 1 unreadable");
    let json = ground.run(&["diff", "old", "new", "--json"]).code(2).out;
    let row: Value = serde_json::from_str(json.lines().nth(1).unwrap()).unwrap();
    assert!(row["status"] == "unreadable" && row["error"].as_str().unwrap().contains("near.png"), "{json}");
    // Files of other kinds, folders without pictures, and folders that are not there.
    fs::create_dir_all(ground.path("empty")).unwrap();
    ground.run(&["diff", "old", "old/far.png"]).code(2).complains("is a folder");
    ground.run(&["diff", "empty", "empty"]).code(2).complains("no picture in");
    ground.run(&["diff", "old", "none"]).code(2);
    ground.run(&["diff", "empty", "new"]).code(1).last_line("0 same, 0 changed, 5 added, 0 removed");
    ground.run(&["diff", "old", "new", "-o", "d.png"]).code(2).complains("not a page");
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_are_not_followed() {
    let ground = two_folders("diff-links");
    std::os::unix::fs::symlink("..", ground.path("old/a/up")).unwrap();
    std::os::unix::fs::symlink("far.png", ground.path("old/linked.png")).unwrap();
    ground
        .run(&["diff", "old", "new"])
        .code(1)
        .says("removed  linked.png")
        .last_line("2 same, 2 changed, 1 added, 2 removed");
}

#[test]
fn a_page_shows_every_picture_that_differs() {
    let ground = two_folders("diff-page");
    ground.run(&["diff", "old", "new", "-o", "out/diff.html", "--max-lsb", "1"]).code(1).says("report   out/diff.html");
    let page = ground.read("out/diff.html");
    for name in ["far.png", "b/fresh.png", "z/gone.png"] {
        assert!(page.contains(&format!("\"name\":\"{name}\"")), "{name}");
    }
    assert!(page.contains("3 of 6 cases failed: 1 differs, 1 new, 1 gone"), "{}", &page[..2000]);
    assert!(page.contains("\"decides\":false") && page.contains("\"pending_statuses\":[]"));
    assert!(page.contains("only the new set has this picture"));
    // The same again, and of two files.
    ground.run(&["diff", "old", "new", "-o", "again.html", "--max-lsb", "1"]).code(1);
    assert_eq!(ground.read("again.html"), page);
    ground.run(&["diff", "old/far.png", "new/far.png", "-o", "pair.html"]).code(1);
    assert!(ground.read("pair.html").contains("\"name\":\"far.png\""));
}
