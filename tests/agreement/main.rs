//! Agreement: every scene drawn by the software adapter and by llvmpipe must look alike, as far as two right drivers
//! do. Each push compares one scene in three, the nightly run all of them.
//!
//! `ci/agreement.toml` holds, for each scene, the share of pixels that differ by more than 2/255 and the pixels of the
//! largest connected region over 8/255; more than that fails. The figures are those of one version of llvmpipe, which
//! the file names; against another, whose rounding differs, each scene may be off by [`SLACK_SHARE`] and [`SLACK_PX`]
//! more. A missing llvmpipe fails when `CI` is `true` on Linux, and counts as skipped elsewhere. `STILLFRAME_UPDATE=all
//! cargo test --test agreement` writes today's figures, keeping every `why`.
//!
//! And who bends a body changes nothing there either: depth by llvmpipe's compute and vertex shaders beside depth of
//! bodies that the processor bent.

#![expect(clippy::disallowed_methods, reason = "a test reads its own switches from the environment")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use stillframe::take::{AdapterChoice, Settings, Sitting, Skinning, take};
use stillframe_frames::{Differences, Picture, Samples};
use stillframe_scene::scene::{Aov, Scene, read};
use stillframe_testkit::depth::sample;

/// Folders of scenes that are not a family of their own but need pipelines that no family has.
const FOLDERS: &[&str] = &["animation/crowd", "animation/morph", "animation/show", "animation/skin"];
/// Bodies with joints, with shapes, with both, by matrices and by dual quaternions, and a moment at which they are
/// bent.
const BENT: &[(&str, f64)] = &[
    ("animation/walk", 0.31),
    ("animation/smile", 0.31),
    ("animation/morph/clip", 0.31),
    ("animation/skin/twist_dual", 0.7),
    ("import/fbx_skinned_stored", 0.0),
];
/// What a driver may differ by, as a share of the depth.
const BENT_SHARE_MAX: f64 = 1e-5;

/// The repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What a scene may differ by.
#[derive(Clone, Debug, Default, PartialEq)]
struct Line {
    share_over_2: f64,
    region_over_8_px: u64,
    why: Option<String>,
}

/// Shares over this are explained beside their line.
const EXPLAINED_ABOVE: f64 = 0.005;
/// The median scene must stay under this.
const MEDIAN_MAX: f64 = 0.001;

/// What the same version may add on another processor, for which it compiles other code.
const SAME_SHARE: f64 = 2e-4;
const SAME_PX: u64 = 1;
/// What another version of llvmpipe may add.
const SLACK_SHARE: f64 = 0.002;
const SLACK_PX: u64 = 12;

fn main() -> ExitCode {
    // Runners of tests ask what there is; `--ignored` asks for those that are left out, and there are none.
    if std::env::args().any(|argument| argument == "--list") {
        if std::env::args().all(|argument| argument != "--ignored") {
            println!("both_adapters_agree: test");
        }
        return ExitCode::SUCCESS;
    }
    let file = root().join("ci/agreement.toml");
    let (driver, allowed) = parse(&fs::read_to_string(&file).unwrap_or_default());
    let mut driver_now = None;
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    let mut found = BTreeMap::new();
    let all = names();
    let is_update = std::env::var("STILLFRAME_UPDATE").as_deref() == Ok("all") && std::env::var_os("CI").is_none();
    let compared = if is_update { all.clone() } else { sample(all.clone(), 3) };
    for name in compared {
        let ours = render(&name, AdapterChoice::Soft);
        let theirs = render(&name, llvmpipe());
        let (ours, (theirs, native)) = match (ours, theirs) {
            (Ok((ours, _)), Ok(theirs)) => (ours, theirs),
            (Ok(_), Err(error)) if error.contains("Adapter(") && !required() => {
                skipped += 1;
                continue;
            }
            (Err(error), _) | (_, Err(error)) => {
                println!("FAIL {name}: {error}");
                failed += 1;
                continue;
            }
        };
        let (slack_share, slack_px) = if driver == native { (SAME_SHARE, SAME_PX) } else { (SLACK_SHARE, SLACK_PX) };
        driver_now = Some(native);
        let differences = Differences::of(&ours, &theirs).expect("one scene, one size");
        let now = Line {
            share_over_2: differences.share_over(2.0),
            region_over_8_px: differences.largest_region_over(8.0) as u64,
            why: allowed.get(&name).and_then(|l| l.why.clone()),
        };
        let complaint = match allowed.get(&name) {
            None => Some("no line in ci/agreement.toml".to_owned()),
            Some(line) if now.share_over_2 > line.share_over_2 + slack_share => Some("more pixels differ".to_owned()),
            Some(line) if now.region_over_8_px > line.region_over_8_px + slack_px => {
                Some("a larger region differs".to_owned())
            }
            Some(line) if line.share_over_2 > EXPLAINED_ABOVE && line.why.is_none() => Some("no `why`".to_owned()),
            Some(_) => None,
        };
        match complaint {
            Some(words) => {
                println!("FAIL {name}: {words}: {now:?}, allowed {:?}", allowed.get(&name));
                failed += 1;
            }
            None => passed += 1,
        }
        found.insert(name, now);
    }
    for name in allowed.keys().filter(|name| !all.contains(name)) {
        println!("FAIL {name}: ci/agreement.toml names a scene that there is not");
        failed += 1;
    }
    for name in all.iter().filter(|name| !allowed.contains_key(*name) && !found.contains_key(*name)) {
        println!("FAIL {name}: no line in ci/agreement.toml");
        failed += 1;
    }
    let mut shares: Vec<f64> = found.values().map(|l| l.share_over_2).collect();
    shares.sort_by(f64::total_cmp);
    if let Some(median) = shares.get(shares.len() / 2) {
        println!("median share of pixels over 2/255: {:.4} %", median * 100.0);
        if *median > MEDIAN_MAX {
            println!("FAIL median over {:.1} %", MEDIAN_MAX * 100.0);
            failed += 1;
        }
    }
    if let Some(now) = driver_now.as_ref().filter(|now| **now != driver) {
        println!("compared with {now}; the figures are of {driver}");
    }
    if is_update {
        fs::write(&file, print(&driver_now.unwrap_or(driver), &found)).expect("ci/agreement.toml can be written");
    }
    for (name, time_s) in BENT {
        match bent_share(name, *time_s) {
            Ok(share) if share <= BENT_SHARE_MAX => passed += 1,
            Ok(share) => {
                println!("FAIL {name}: depth of what shaders bend is off by {share:e} of it");
                failed += 1;
            }
            Err(error) if error.contains("Adapter(") && !required() => skipped += 1,
            Err(error) => {
                println!("FAIL {name}: {error}");
                failed += 1;
            }
        }
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    if failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Every scene that is compared, sorted: `family/behaviour`. None is a failure, not a pass.
fn names() -> Vec<String> {
    let scenes = root().join("scenes");
    let mut folders = entries(&scenes);
    folders.retain(|family| family != "assets" && scenes.join(family).is_dir());
    folders.extend(FOLDERS.iter().map(|&folder| folder.to_owned()));
    let mut out = Vec::new();
    for folder in folders {
        for entry in entries(&scenes.join(&folder)) {
            out.extend(entry.strip_suffix(".toml").map(|behaviour| format!("{folder}/{behaviour}")));
        }
    }
    out.sort();
    assert!(out.len() >= 24, "only {} scenes found", out.len());
    out
}

fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.expect("a readable folder").file_name().to_string_lossy().into_owned()).collect()
}

fn llvmpipe() -> AdapterChoice {
    AdapterChoice::Native(Some("llvmpipe".to_owned()))
}

fn scene(name: &str) -> Result<Scene, String> {
    let file = root().join("scenes").join(format!("{name}.toml"));
    read(&file, &[]).map(|read| read.scene).map_err(|d| format!("{d:#?}"))
}

/// The picture, and who drew it.
fn render(name: &str, adapter: AdapterChoice) -> Result<(Picture, String), String> {
    let settings = Settings { adapter, aovs: vec![Aov::COLOR], ..Settings::default() };
    let taken = take(&scene(name)?, &settings, &mut |_| ()).map_err(|e| format!("{e:#?}"))?;
    Ok((taken.pictures.into_iter().next().expect("one picture was asked for").1, taken.stats.adapter))
}

/// The largest difference of depth between bodies bent by the processor and by shaders, over that depth: infinite where
/// only one is seen.
fn bent_share(name: &str, time_s: f64) -> Result<f64, String> {
    let scene = scene(name)?;
    let depth = |skinning: Skinning| {
        let settings = Settings { adapter: llvmpipe(), aovs: vec![Aov::DEPTH], skinning, ..Settings::default() };
        let mut sitting = Sitting::begin(&scene, &settings, &mut |_| ()).map_err(|e| format!("{e:#?}"))?;
        let taken = sitting.at(time_s, &mut |_| ()).map_err(|e| format!("{e:#?}"))?;
        match taken.pictures.into_iter().next().map(|(_, picture)| picture.samples) {
            Some(Samples::F32(samples)) => Ok(samples),
            other => Err(format!("depth as {:?}", other.map(|samples| samples.kind()))),
        }
    };
    let want = depth(Skinning::Cpu)?;
    if !want.iter().any(|depth| depth.is_finite()) {
        return Err("nothing is seen".to_owned());
    }
    let mut share = 0.0_f64;
    for skinning in [Skinning::Compute, Skinning::Vertex] {
        for (want, got) in want.iter().zip(&depth(skinning)?).filter(|(want, got)| want != got) {
            let off = f64::from((want - got).abs()) / f64::from(*want);
            share = share.max(if off.is_finite() { off } else { f64::INFINITY });
        }
    }
    Ok(share)
}

fn required() -> bool {
    cfg!(target_os = "linux") && std::env::var("CI").as_deref() == Ok("true")
}

/// The file is the driver's name and a table of inline tables: `"light/point" = { share_over_2 = 0.0001,
/// region_over_8_px = 0, why = "..." }`.
fn parse(text: &str) -> (String, BTreeMap<String, Line>) {
    let document: toml_edit::DocumentMut = text.parse().expect("ci/agreement.toml is TOML");
    let (mut driver, mut out) = (String::new(), BTreeMap::new());
    for (name, item) in document.iter() {
        if name == "driver" {
            driver = item.as_str().expect("the driver is text").to_owned();
            continue;
        }
        let line = item.as_inline_table().expect("one inline table a scene");
        let known = ["share_over_2", "region_over_8_px", "why"];
        assert!(line.iter().all(|(key, _)| known.contains(&key)), "{name}: an unknown key");
        out.insert(
            name.to_owned(),
            Line {
                share_over_2: line["share_over_2"].as_float().expect("share_over_2 is a float"),
                region_over_8_px: line["region_over_8_px"].as_integer().expect("region_over_8_px is a count") as u64,
                why: line.get("why").map(|w| w.as_str().expect("why is text").to_owned()),
            },
        );
    }
    (driver, out)
}

fn print(driver: &str, lines: &BTreeMap<String, Line>) -> String {
    let mut out = String::from(
        "# How far the software adapter and llvmpipe may differ: the share of pixels over 2/255 and the pixels of the\n\
         # largest connected region over 8/255. Written by STILLFRAME_UPDATE=all cargo test --test agreement.\n",
    );
    writeln!(out, "driver = {driver:?}").expect("text");
    for (name, line) in lines {
        let share = (line.share_over_2 * 1e6).ceil() / 1e6;
        write!(out, "\"{name}\" = {{ share_over_2 = {share:?}, region_over_8_px = {}", line.region_over_8_px)
            .expect("text");
        if let Some(why) = &line.why {
            write!(out, ", why = {why:?}").expect("text");
        }
        out.push_str(" }\n");
    }
    out
}
