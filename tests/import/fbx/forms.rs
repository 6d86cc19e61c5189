//! The same content as binary and as text of version 7 and 6 is the same model, to the bit.

use stillframe_anim::TrackValues;
use stillframe_models::import::Model;
use stillframe_testkit::fbx::form::Form;
use stillframe_testkit::fbx::random::{self, Reach};
use stillframe_testkit::fbx::write::{self, File, Record, Value, object, one, record};
use stillframe_testkit::fbx::{old, read, text};

use super::hostile::everything;
use super::{assets, import_bytes, imported};

fn in_form(file: &File, form: Form) -> Model {
    import_bytes(&file.in_form(form)).unwrap_or_else(|d| panic!("{form:?}: {d:#?}"))
}

/// A model without what a form cannot say.
fn comparable(mut model: Model, form: Form) -> Model {
    let name = match form {
        Form::Binary => "FBX 7.4",
        Form::Text => "FBX 7.4 (text)",
        Form::OldBinary => "FBX 6.1",
        Form::OldText => "FBX 6.1 (text)",
    };
    assert_eq!(model.format.name, name);
    model.format.name = String::new();
    // Version 6 has no names of layers.
    model.clips.iter_mut().flat_map(|clip| &mut clip.layers).for_each(|layer| layer.name = String::new());
    model
}

/// Part by part, so that a difference can be found.
fn same(what: &str, got: &Model, want: &Model) {
    assert_eq!(got.format, want.format, "{what}");
    assert_eq!(got.model_from_file, want.model_from_file, "{what}");
    assert_eq!(got.nodes, want.nodes, "{what}");
    assert_eq!(got.geometries.len(), want.geometries.len(), "{what}");
    for (got, want) in got.geometries.iter().zip(&want.geometries) {
        assert!(got == want, "{what}: a geometry");
    }
    assert_eq!(got.skins, want.skins, "{what}");
    assert_eq!(got.materials, want.materials, "{what}");
    assert!(got.images == want.images, "{what}: pictures");
    assert_eq!((&got.cameras, &got.lights), (&want.cameras, &want.lights), "{what}");
    for (got, want) in got.clips.iter().zip(&want.clips) {
        assert_eq!((&got.name, got.start, got.end), (&want.name, want.start, want.end), "{what}");
        for (got, want) in got.layers.iter().zip(&want.layers) {
            assert_eq!(got.tracks.len(), want.tracks.len(), "{what}");
            for (got, want) in got.tracks.iter().zip(&want.tracks) {
                assert_eq!(got, want, "{what}");
            }
        }
    }
    assert_eq!(got, want, "{what}");
}

#[test]
fn files_of_programs_are_the_same_in_four_forms() {
    let mut count = 0;
    let mut names: Vec<_> = std::fs::read_dir(assets()).expect("a folder").map(|e| e.expect("a file").path()).collect();
    names.sort();
    for path in names.iter().filter(|path| path.extension().is_some_and(|ending| ending == "fbx")) {
        let bytes = std::fs::read(path).expect("readable");
        let file = read::file(&bytes);
        let want = comparable(import_bytes(&bytes).expect("readable"), Form::Binary);
        let single = old::without_instances(&file);
        let want_single = comparable(in_form(&single, Form::Binary), Form::Binary);
        for form in Form::ALL {
            let (file, want) = if form.is_old() { (&single, &want_single) } else { (&file, &want) };
            same(&format!("{} as {form:?}", path.display()), &comparable(in_form(file, form), form), want);
        }
        count += 1;
    }
    assert!(count >= 9, "{count} files");
}

#[test]
fn random_files_are_the_same_in_four_forms() {
    for seed in 0..60 {
        for (reach, forms) in [(Reach::Modern, &Form::ALL[..2]), (Reach::Old, &Form::ALL)] {
            let file = everything(seed, reach);
            let want = comparable(in_form(&file, Form::Binary), Form::Binary);
            for form in forms {
                same(&format!("{reach:?} {seed} as {form:?}"), &comparable(in_form(&file, *form), *form), &want);
            }
        }
    }
}

/// Marks, codes and ends of lines that systems give to text.
#[test]
fn text_in_all_codes() {
    for form in [Form::Text, Form::OldText] {
        let file = random::file_within(5, true, Reach::Old);
        let bytes = file.in_form(form);
        let want = in_form(&file, form);
        let text = String::from_utf8(bytes.clone()).expect("UTF-8");
        let utf16 =
            |bytes: fn(u16) -> [u8; 2]| format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        for (what, bytes) in [
            ("mark", [b"\xEF\xBB\xBF".as_slice(), &bytes].concat()),
            ("CRLF", text.replace('\n', "\r\n").into_bytes()),
            ("CR", text.replace('\n', "\r").into_bytes()),
            ("UTF-16, little", utf16(u16::to_le_bytes)),
            ("UTF-16, big", utf16(u16::to_be_bytes)),
            (
                "no comments",
                text.lines().filter(|line| !line.starts_with(';')).collect::<Vec<_>>().join("\n").into_bytes(),
            ),
            ("a zero behind", [&bytes[..], b"\0"].concat()),
        ] {
            let got = import_bytes(&bytes).unwrap_or_else(|d| panic!("{form:?}, {what}: {d:#?}"));
            assert_eq!(got, want, "{form:?}, {what}");
        }
    }
}

/// Before 7.2, text has the words of packed weights as numbers with fractions.
#[test]
fn packed_weights_of_early_text() {
    let mut file = File::new();
    file.add(object("Model", 10, "node", "Null"));
    file.add(object("AnimationStack", 20, "take", ""));
    file.add(object("AnimationLayer", 21, "layer", ""));
    file.add(object("AnimationCurveNode", 22, "T", "").number("d|X", [0.0]).number("d|Y", [0.0]).number("d|Z", [0.0]));
    let word = f32::from_bits(5000 << 16 | 2500);
    file.add(object("AnimationCurve", 23, "", "").with([
        one("KeyTime", vec![0, random::SECOND]),
        one("KeyValueFloat", vec![0.1_f32, 2.5]),
        one("KeyAttrFlags", vec![0x300_0408, 0x4]),
        one("KeyAttrDataFloat", vec![1.5_f32, -2.5, word, 0.0, 0.0, 0.0, 0.0, 0.0]),
        one("KeyAttrRefCount", vec![1, 1]),
    ]));
    for (of, to) in [(10, 0), (21, 20), (22, 21)] {
        file.connect(of, to);
    }
    file.connect_property(22, 10, "Lcl Translation");
    file.connect_property(23, 22, "d|X");
    let want = imported(&file);
    assert_eq!(want.clips[0].layers[0].tracks.len(), 1);
    for version in [7000, 7100, 7200, 7300, 7400, 7700] {
        let top = file.top(version);
        let model = import_bytes(&text::text_of(&top, version)).unwrap_or_else(|d| panic!("{version}: {d:#?}"));
        assert_eq!(model.clips, want.clips, "{version}");
    }
}

/// Where text is broken is shown in the file, also behind a mark.
#[test]
fn broken_text_is_shown() {
    let text =
        "\u{feff}; FBX 7.4.0 project file\nObjects:  {\n\tModel: 1, \"Model::a\", \"Null\" {\n\t\tVersion: =\n\t}\n}\n";
    let found = import_bytes(text.as_bytes()).expect_err("broken").remove(0);
    let span = found.span.expect("a place");
    assert_eq!((found.code, &text[span]), ("E0403", "="));
    assert_eq!(found.message, "broken FBX file: the name of a record is expected, not \"=\"");
    assert!(found.help.is_some());
    let text = "; FBX 7.4.0 project file\nObjects:  {\n\tModel: 1, \"Model::a";
    let found = import_bytes(text.as_bytes()).expect_err("cut off").remove(0);
    assert_eq!((found.code, found.span), ("E0403", Some(text.len() - 9..text.len() - 8)));
}

/// What a picture in a text is packed in may be broken.
#[test]
fn embedded_pictures_that_are_no_base64() {
    let mut file = random::file(3, false);
    file.add(object("Material", 4000, "painted", "").number("DiffuseColor", [1.0; 3]));
    file.add(object("Texture", 4001, "t", "").with([one("RelativeFilename", "nowhere.bmp")]));
    file.add(object("Video", 4002, "v", "Clip").with([record("Content", [Value::Text("!!!!".to_string())])]));
    file.add(object("Model", 4003, "shown", "Mesh"));
    for (of, to) in [(4003, 0), (2000, 4003), (4000, 4003), (4002, 4001)] {
        file.connect(of, to);
    }
    file.connect_property(4001, 4000, "DiffuseColor");
    let model = in_form(&file, Form::Text);
    let codes: Vec<&str> = model.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["W0454", "W0459"], "{:#?}", model.warnings);
    assert!(model.warnings[0].message.contains("the embedded picture of \"v\""), "{}", model.warnings[0].message);
}

/// Values of keys that 32 bits cannot hold give slopes that are no numbers: such keys are left out, in every form.
#[test]
fn keys_out_of_range_are_left_out() {
    for form in Form::ALL {
        let mut file = File::new();
        file.add(object("Model", 10, "node", "Null"));
        file.add(object("AnimationStack", 20, "take", ""));
        file.add(object("AnimationLayer", 21, "BaseLayer", ""));
        let axes = ["d|X", "d|Y", "d|Z"];
        let node = axes.iter().fold(object("AnimationCurveNode", 22, "T", ""), |node, axis| node.number(axis, [0.0]));
        file.add(node);
        let values = [1e308, 2.0, -1e308, 3.0];
        let curve = object("AnimationCurve", 23, "", "").with([
            one("KeyTime", (0..4).map(|second| second * random::SECOND).collect::<Vec<i64>>()),
            one("KeyValueFloat", values.to_vec()),
            one("KeyAttrFlags", vec![4]),
            one("KeyAttrDataFloat", vec![0.0_f32; 4]),
            one("KeyAttrRefCount", vec![4]),
        ]);
        file.add(curve);
        for (of, to) in [(10, 0), (21, 20), (22, 21)] {
            file.connect(of, to);
        }
        file.connect_property(22, 10, "Lcl Translation");
        file.connect_property(23, 22, "d|X");
        let mut top = if form.is_old() { old::records(&file) } else { file.top(7400) };
        if form.is_old() {
            let second = |number: i64| Value::Long(number * random::SECOND);
            let keys: Vec<Value> = values
                .into_iter()
                .zip(0..)
                .flat_map(|(value, number)| [second(number), Value::Double(value), Value::Letter(b'L')])
                .collect();
            put_keys(&mut top, &keys);
        }
        let bytes = match form {
            Form::Binary => write::bytes_of(&top, 7400, true),
            Form::Text => text::text_of(&top, 7400),
            Form::OldBinary => old::bytes_of(&top),
            Form::OldText => text::text_of(&top, 6100),
        };
        let model = import_bytes(&bytes).unwrap_or_else(|d| panic!("{form:?}: {d:#?}"));
        let TrackValues::Components { curves, .. } = &model.clips[0].layers[0].tracks[0].values else {
            panic!("a curve")
        };
        let kept: Vec<f64> = curves[0].as_ref().expect("keys").keys.iter().map(|key| key.value).collect();
        // Text of version 7 says its values in 32 bits, where the large ones are infinite.
        assert_eq!(kept, [2.0, 3.0], "{form:?}");
        assert!(model.warnings.iter().any(|warning| warning.code == "W0453"), "{form:?}");
    }
}

/// Gives the channel X of a take its keys.
fn put_keys(records: &mut [Record], keys: &[Value]) {
    for at in records {
        if at.name == "Channel" && at.values == [Value::Text("X".to_string())] {
            at.inside.push(one("KeyCount", 4));
            at.inside.push(Record { name: "Key".to_string(), values: keys.to_vec(), inside: Vec::new() });
        }
        put_keys(&mut at.inside, keys);
    }
}
