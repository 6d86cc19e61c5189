//! Made up: a run of pictures that nobody rendered, with a case of every status. In: a folder. Out: what a harness
//! leaves in it.

use stillframe_base::par::Pool;
use stillframe_frames::report::{line, quoted};
use stillframe_frames::run::*;
use stillframe_frames::{Differences, Picture, PixelHash, Samples};

const SIDE_PX: u32 = 160;

/// Cases of every status; or `failures` that differ, of three causes.
pub fn write_run(folder: &RunFolder, failures: u32) {
    let pool = Pool::new(1);
    let keep = |picture: &Picture| folder.keep(picture, &pool).expect("a folder that can be written");
    let mut records = Vec::new();
    if failures > 0 {
        for number in 0..failures {
            let cause = [Cause::Light, Cause::Disc, Cause::Noise][(number % 7 / 3) as usize];
            records.push(differing(&format!("suite/case_{number:04}"), number, cause, &keep));
        }
    } else {
        records.extend((0..6).map(|n| differing(&format!("shadow/cascade_{n}"), n, Cause::Light, &keep)));
        records.extend((0..3).map(|n| differing(&format!("mesh/visor_{n}[samples=4]"), 20 + n, Cause::Disc, &keep)));
        records.push(differing("texture/grain", 40, Cause::Noise, &keep));
        records.push(float_case(&keep));
        records.push(number_case(&keep));
        records.extend(Status::ALL.into_iter().filter(|status| *status != Status::Differs).map(|s| other(s, &keep)));
    }
    records.extend((0..40).map(|n| CaseRecord { name: format!("plain/passes_{n:02}"), ..CaseRecord::default() }));
    for record in &mut records {
        record.command = format!("stillframe test {} --no-cache", quoted(&record.name));
        record.adapter = "soft/1".into();
        (record.render_ms, record.overhead_ms) = (8.0 + record.name.len() as f64, 1.25);
    }
    records.sort_by(|a, b| a.name.cmp(&b.name));
    let clusters = clusters(&mut records);
    let statuses = || records.iter().map(|record| record.status);
    let header = RunHeader {
        id: folder.id(),
        command: vec!["stillframe".into(), "test".into()],
        adapter: "soft/1".into(),
        adapter_details: "contract=1 isa=scalar threads=1".into(),
        commit: "0123456789ab".into(),
        store: "git".into(),
        // One that was moved stands for two.
        case_count: (records.len() + records.iter().filter(|record| record.moved_from.is_some()).count()) as u32,
        ..RunHeader::default()
    };
    let end = RunEnd {
        tally: Tally::of(statuses()),
        exit_status: worst_exit_status(statuses().map(Status::exit_status)),
        wall_ms: 2345.0,
        clusters,
    };
    let mut lines = line("run/1", &header);
    records.iter().for_each(|record| lines += &line("case/1", record));
    lines += &line("run-end/1", &end);
    folder.add_lines(&lines).expect("written");
}

/// What a made-up change does to a picture.
#[derive(Clone, Copy)]
enum Cause {
    /// A patch of ground in the shade is brighter.
    Light,
    /// A disc stands a little to the right.
    Disc,
    /// A low bit here and there.
    Noise,
}

/// A made-up frame: sky, a floor of squares, two discs. `cause`: as it is after a change.
fn frame(seed: u32, cause: Option<Cause>) -> Picture {
    let mut samples = Vec::with_capacity((SIDE_PX * SIDE_PX * 3) as usize);
    let shift = if matches!(cause, Some(Cause::Disc)) { 3 } else { 0 };
    let discs = [(48 + (seed * 7 % 40) as i32 + shift, 70, 24, [196, 88, 60]), (112, 92, 17, [70, 120, 190])];
    for y in 0..SIDE_PX as i32 {
        for x in 0..SIDE_PX as i32 {
            let mut rgb = if y < 80 {
                [90 + y, 130 + y / 2, 190 - y / 4]
            } else {
                let dark = (x / 12 + (y - 80) / (6 + (y - 80) / 10) + seed as i32) % 2 == 0;
                if dark { [70, 72, 76] } else { [150, 148, 140] }
            };
            for (cx, cy, radius, color) in discs {
                let (dx, dy) = (x - cx, y - cy);
                let inside = radius * radius - dx * dx - dy * dy;
                if inside > 0 {
                    rgb = color.map(|c| c / 2 + c * inside / (2 * radius * radius));
                }
            }
            let shade = y > 100 && x > 60 && x < 120 && (x + y) % 90 < 50;
            if shade {
                rgb = rgb.map(|c| c / 2);
            }
            match cause {
                Some(Cause::Light) if shade && y < 130 => rgb = rgb.map(|c| c + 9 + (x - 60) / 6),
                Some(Cause::Noise) if (x * 31 + y * 17 + seed as i32) % 97 == 0 => rgb[1] += 1,
                _ => {}
            }
            samples.extend(rgb.map(|c| c.clamp(0, 255) as u8));
        }
    }
    Picture::new(SIDE_PX, SIDE_PX, 3, Samples::U8(samples)).expect("as many samples as pixels ask for")
}

fn differing(name: &str, seed: u32, cause: Cause, keep: &dyn Fn(&Picture) -> PictureName) -> CaseRecord {
    let (old, new) = (frame(seed, None), frame(seed, Some(cause)));
    let mut record = compared(name, &old, &new, keep);
    let (pass, pipeline, draw) = match cause {
        Cause::Light => (2, "pbr.shadow", "ground"),
        Cause::Disc => (1, "pbr", "helmet/visor"),
        Cause::Noise => (3, "", ""),
    };
    record.tags = vec![if seed.is_multiple_of(2) { "even".into() } else { "odd".into() }];
    record.why = "the edge of the last cascade does not flicker".into();
    record.scene = format!("scenes/{}.toml", name.split('[').next().unwrap_or(name));
    let small = |picture: &Picture| stillframe_frames::terminal::shrunk(picture, 80).expect("8-bit");
    record.passes = (["depth", "mesh", "shadow.resolve", "tonemap"].into_iter().enumerate())
        .map(|(index, name)| {
            let old_hash = PixelHash::of_text(name);
            let new_hash = if index >= pass { PixelHash::of_text(&format!("{name} new")) } else { old_hash };
            let picture = (index != 0).then(|| keep(&small(if index >= pass { &new } else { &old })));
            PassRecord {
                name: name.into(),
                old: Some(old_hash),
                new: Some(new_hash),
                new_picture: picture,
                old_picture: (index != 0).then(|| keep(&small(&old))),
            }
        })
        .collect();
    let why = record.why_differs.as_mut().expect("compared");
    why.first_pass =
        Some(Place { index: pass as u32, count: 4, name: record.passes[pass].name.clone(), ..Place::default() });
    if !draw.is_empty() {
        let place = Place { index: 2, count: 9, name: draw.into(), pipeline: pipeline.into() };
        why.first_draw = Some(place);
        let share = |node: &str, material: &str, share, color: &str| ObjectShare {
            node: node.into(),
            material: material.into(),
            share,
            color: color.into(),
        };
        why.objects = vec![share(draw, "asphalt", 0.96, "#d05030"), share("fence/post_7", "", 0.04, "#3080d0")];
        record.object_picture = Some(keep(&objects(SIDE_PX)));
    }
    record
}

/// Objects by colour: left and right.
fn objects(side_px: u32) -> Picture {
    let pixel = |at: u32| if at % side_px < 112 { [0xd0, 0x50, 0x30] } else { [0x30, 0x80, 0xd0] };
    let samples = (0..side_px * side_px).flat_map(pixel).collect();
    Picture::new(side_px, side_px, 3, Samples::U8(samples)).expect("as many samples as pixels ask for")
}

/// A record of two pictures: what a harness finds out by comparing them.
fn compared(name: &str, old: &Picture, new: &Picture, keep: &dyn Fn(&Picture) -> PictureName) -> CaseRecord {
    let found = Differences::of(old, new).expect("of one size and format");
    let summary = found.summary();
    let bounds = summary.bounds.expect("they differ");
    let mut why = Why {
        pixels: summary.differing_pixel_count as u64,
        share: summary.differing_pixel_count as f64 / summary.pixel_count as f64,
        max: f64::from(summary.delta_max),
        full_scale: f64::from(found.full_scale),
        bounds_px: [bounds.left_px, bounds.top_px, bounds.right_px, bounds.bottom_px],
        class: if summary.delta_max <= 1.0 { "lsb".into() } else { "edge+area".into() },
        sign: "brighter".into(),
        histogram: vec![0; 9],
        flip_mean: Some(0.0123),
        ..Why::default()
    };
    for (index, delta) in found.deltas.iter().enumerate().filter(|(_, delta)| **delta > 0.0) {
        let step = (0..8).find(|step| *delta <= found.full_scale / 255.0 * (1 << step) as f32).unwrap_or(8);
        why.histogram[step as usize] += 1;
        let tile = [index as u32 % found.width_px / 64, index as u32 / found.width_px / 64];
        if !why.tiles.contains(&tile) {
            why.tiles.push(tile);
        }
    }
    why.tiles.sort_by_key(|[x, y]| (*y, *x));
    CaseRecord {
        name: name.into(),
        status: Status::Differs,
        size_px: [new.width_px, new.height_px],
        format: new.format().to_string(),
        hash: Some(new.hash()),
        want: Some(old.hash()),
        new_picture: Some(keep(new)),
        old_picture: Some(keep(old)),
        inputs: Some(InputChanges::none()),
        why_differs: Some(why),
        ..CaseRecord::default()
    }
}

/// Linear floats of which one has its last bit changed.
fn float_case(keep: &dyn Fn(&Picture) -> PictureName) -> CaseRecord {
    let side = 96u32;
    let value = |at: u32| {
        let (x, y, c) = (at / 3 % side, at / 3 / side, at % 3);
        0.05 + (x * (c + 1)) as f32 / 40.0 * (y as f32 / side as f32)
    };
    let old: Vec<f32> = (0..side * side * 3).map(value).collect();
    let mut new = old.clone();
    let at = ((60 * side + 37) * 3 + 1) as usize;
    new[at] = f32::from_bits(new[at].to_bits() + 1);
    let picture = |samples| Picture::new(side, side, 3, Samples::F32(samples)).expect("sound");
    let mut record = compared("hdr/one_ulp#color", &picture(old), &picture(new), keep);
    record.why_differs.as_mut().expect("compared").class = "lsb".into();
    record
}

/// Whole numbers: ids of objects, of which one region has another.
fn number_case(keep: &dyn Fn(&Picture) -> PictureName) -> CaseRecord {
    let side = 64u32;
    let ids = |changed: bool| {
        let id = |at: u32| match (at % side / 16, at / side / 16) {
            (1, 1) if changed => 70_000,
            (x, y) => x + 4 * y,
        };
        Picture::new(side, side, 1, Samples::U32((0..side * side).map(id).collect())).expect("sound")
    };
    let changed = |path: &str, old: Option<&str>, new: Option<&str>| InputChange {
        file: "scenes/aov/ids.toml".into(),
        path: path.into(),
        old: old.map(String::from),
        new: new.map(String::from),
    };
    let changes = vec![
        changed("material.red.base_color", Some("\"#c02020\""), Some("\"#2020c0\"")),
        changed("node.a_box_with_a_name_that_is_long_for_the_place_where_it_is_shown", None, Some("")),
    ];
    let inputs = Some(InputChanges { known: true, count: 2, changes });
    CaseRecord { inputs, ..compared("aov/ids#id", &ids(false), &ids(true), keep) }
}

/// A case of every other status, with the pictures that it would have.
fn other(status: Status, keep: &dyn Fn(&Picture) -> PictureName) -> CaseRecord {
    let name = format!("status/{status}");
    let (old, new) = (frame(3, None), frame(3, Some(Cause::Disc)));
    match status {
        Status::Pass | Status::Unchanged => CaseRecord { name, status, ..CaseRecord::default() },
        Status::KnownFailure => CaseRecord {
            status,
            message: Some("known: post_7 has no shadow yet".into()),
            ..compared(&name, &old, &new, keep)
        },
        Status::Nondet => CaseRecord {
            status,
            message: Some("another picture with 1 thread".into()),
            other_hashes: vec![("1 thread".into(), PixelHash::of_text("other"))],
            ..compared(&name, &old, &new, keep)
        },
        Status::Adapter => CaseRecord {
            status,
            message: Some("the reference is of native/llvmpipe".into()),
            ..compared(&name, &old, &new, keep)
        },
        Status::New => CaseRecord {
            name,
            status,
            size_px: [SIDE_PX; 2],
            format: "rgb8".into(),
            hash: Some(new.hash()),
            new_picture: Some(keep(&new)),
            ..CaseRecord::default()
        },
        Status::Moved => CaseRecord {
            name,
            status,
            size_px: [SIDE_PX; 2],
            format: "rgb8".into(),
            hash: Some(new.hash()),
            want: Some(new.hash()),
            moved_from: Some("status/old name".into()),
            new_picture: Some(keep(&new)),
            old_picture: Some(keep(&new)),
            ..CaseRecord::default()
        },
        Status::Gone => CaseRecord {
            name,
            status,
            size_px: [SIDE_PX; 2],
            format: "rgb8".into(),
            want: Some(old.hash()),
            old_picture: Some(keep(&old)),
            ..CaseRecord::default()
        },
        Status::Size => CaseRecord {
            name,
            status,
            message: Some(format!("{SIDE_PX}x{SIDE_PX} rgb8, the reference is 80x80 rgb8")),
            size_px: [SIDE_PX; 2],
            format: "rgb8".into(),
            hash: Some(new.hash()),
            want: Some(objects(80).hash()),
            new_picture: Some(keep(&new)),
            old_picture: Some(keep(&objects(80))),
            ..CaseRecord::default()
        },
        _ => CaseRecord {
            scene: format!("scenes/{name}.toml"),
            ..CaseRecord::without_picture(&name, status, format!("a made-up message of a case that ended as {status}"))
        },
    }
}
