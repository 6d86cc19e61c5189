//! Files under 1 MB that would like to be much in memory.

use stillframe_testkit::fbx::write::{File, Record, Value, bytes_of, layer, object, one, record};

fn with_objects(inside: impl IntoIterator<Item = Record>) -> Vec<Record> {
    vec![record("Objects", []).with(inside), record("Connections", [])]
}

/// A model that shows a mesh.
fn shown(mesh: Record) -> Vec<u8> {
    let mut file = File::new();
    file.add(object("Model", 10, "node", "Mesh"));
    file.add(mesh);
    file.connect(10, 0);
    file.connect(20, 10);
    file.bytes(7400, true)
}

/// `count` triangles over three points.
fn same_triangle(count: usize) -> Record {
    let corners: Vec<i32> = [0, 1, -3].repeat(count);
    let points = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    object("Geometry", 20, "m", "Mesh").with([one("Vertices", points), one("PolygonVertexIndex", corners)])
}

/// Every corner names the same values by a list that packs to nothing.
fn layered(count: usize, layer_count: usize) -> Record {
    let index = || vec![0; count * 3];
    let mode = ["ByPolygonVertex", "IndexToDirect"];
    let normals =
        layer("LayerElementNormal", 0, mode, ("Normals", vec![0.0, 0.0, 1.0]), Some(("NormalsIndex", index())));
    let sets = (0..layer_count as i32)
        .map(|set| layer("LayerElementUV", set, mode, ("UV", vec![0.5, 0.5]), Some(("UVIndex", index()))));
    same_triangle(count).with([normals]).with(sets)
}

/// Files and what they try.
pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    let zeros = |count: usize| {
        object("Geometry", 20, "m", "Mesh")
            .with([one("Vertices", vec![0.0; count]), one("PolygonVertexIndex", vec![0, 1, -3])])
    };
    let empty = |name: &str, count: usize| (0..count).map(|_| record(name, [])).collect::<Vec<_>>();
    let mut lying = shown(zeros(9));
    let at = lying.windows(8).position(|w| w == b"Vertices").expect("there") + 9;
    lying[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let mut texts = record("Model", [1_i64.into()]);
    texts.values.extend((0..190_000).map(|_| Value::from("")));
    let mut wholes = record("Model", [1_i64.into()]);
    wholes.values.extend((0..190_000).map(Value::Int));
    // Bools take two bytes each in a file; the writer of the tests has none, so numbers become bools by hand.
    let mut bools = bytes_of(&with_objects([wholes.clone()]), 7400, false);
    let first = bools.windows(5).position(|w| w == [b'I', 0, 0, 0, 0]).expect("there");
    (0..(190_000 * 5 - 5) / 2).for_each(|i| bools[first + i * 2..first + i * 2 + 2].copy_from_slice(b"C\x01"));
    let length = b"Model".len() + first;
    let head = bools[..length].windows(5).rposition(|w| w == b"Model").expect("there") - 13;
    bools[head + 4..head + 8].copy_from_slice(&(1 + (190_000_u32 * 5 - 5) / 2).to_le_bytes());
    let properties = record("Properties70", [])
        .with((0..20_000).map(|n| record("P", [format!("{n}").into(), "".into(), "".into(), "".into(), n.into()])));
    let models = |count: i64| (0..count).map(|id| record("Model", [id.into(), "".into(), "".into()]));
    let curve = |id: i64| {
        record("AnimationCurve", [id.into(), "".into(), "".into()])
            .with([one("KeyTime", vec![0_i64; 2000]), one("KeyValueFloat", vec![0.0_f32; 2000])])
    };
    let names = "\u{e9}".repeat(450_000);
    let mut latin =
        bytes_of(&with_objects([record("Model", [1_i64.into(), names.into(), "Null".into()])]), 7400, false);
    // Half of each letter goes, and none of them is UTF-8 any more.
    latin.iter_mut().filter(|byte| **byte == 0xa9).for_each(|byte| *byte = 0xe9);
    vec![
        ("records", bytes_of(&with_objects(empty("", 36_000)), 7400, false)),
        ("records at the top", bytes_of(&empty("", 36_000), 7400, false)),
        ("records with names", bytes_of(&with_objects(empty("Model", 18_000)), 7500, false)),
        ("texts", bytes_of(&with_objects([texts]), 7400, false)),
        ("numbers", bytes_of(&with_objects([wholes]), 7400, false)),
        ("bools", bools),
        ("a name that is no text", latin),
        ("models", bytes_of(&with_objects(models(25_000)), 7400, false)),
        ("properties", bytes_of(&with_objects([record("Model", [1_i64.into()]).with([properties])]), 7400, false)),
        ("curves that pack well", bytes_of(&with_objects((0..3_000).map(curve)), 7400, true)),
        ("a list longer than the file", lying),
        ("a list as long as may be", shown(zeros(7_000_000))),
        ("a list that is too long", shown(zeros(12_000_000))),
        ("as many triangles as may be", shown(same_triangle(100_000))),
        ("more triangles", shown(same_triangle(900_000))),
        ("too many triangles", shown(same_triangle(6_000_000))),
        ("layers", shown(layered(40_000, 30))),
        ("layers without end", shown(layered(20_000, 200))),
    ]
}
