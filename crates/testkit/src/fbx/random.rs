//! Random files: every rule at once.

use super::write::{File, Record, Value, layer, object, one, record, settings};

/// Small, the same everywhere.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    pub fn chance(&mut self, in_ten: usize) -> bool {
        self.below(10) < in_ten
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn vector(&mut self, reach: f64) -> [f64; 3] {
        [0; 3].map(|_| self.between(-reach, reach))
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// What random files may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Everything that version 7 has.
    Modern,
    /// What version 6 has, too: no templates, no instances of meshes, one layer that adds up, and of the tangents only
    /// those that its files spell and whose meaning is known.
    Old,
}

/// Nodes, meshes with layers, materials with embedded pictures; with `moving` also a stack of layers of curves.
pub fn file(seed: u64, moving: bool) -> File {
    file_within(seed, moving, Reach::Modern)
}

/// The same within what a version has.
pub fn file_within(seed: u64, moving: bool, reach: Reach) -> File {
    let mut dice = Dice::new(seed);
    let dice = &mut dice;
    let is_old = reach == Reach::Old;
    let mut file = File::new();
    let axes = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]][dice.below(6)];
    let signs = [0; 3].map(|_| if dice.chance(5) { 1 } else { -1 });
    file.settings = Some(settings(axes, signs, [1.0, 100.0, 2.54, 0.1][dice.below(4)]));
    if !is_old && dice.chance(5) {
        let properties = record("PropertyTemplate", ["FbxNode".into()])
            .whole("InheritType", dice.below(3) as i64)
            .whole("RotationActive", i64::from(dice.chance(5)))
            .number("GeometricTranslation", dice.vector(1.0))
            .number("Lcl Translation", [0.0; 3])
            .number("Lcl Rotation", [0.0; 3])
            .number("Lcl Scaling", [1.0; 3]);
        let models = record("ObjectType", ["Model".into()]).with([one("Count", 1), properties]);
        file.definitions.push(models);
    }
    let materials: Vec<i64> = (0..1 + dice.below(3) as i64)
        .map(|number| {
            let color = [0; 3].map(|_| dice.between(0.0, 1.0));
            let material = object("Material", 3000 + number, &format!("material{number}"), "")
                .with([one("ShadingModel", "phong")])
                .number("DiffuseColor", color);
            file.add(material)
        })
        .collect();
    let mut meshes: Vec<i64> =
        (0..1 + dice.below(3) as i64).map(|number| file.add(mesh(dice, 2000 + number, materials.len()))).collect();
    let mut models = Vec::new();
    for number in 0..1 + dice.below(6) as i64 {
        let id = file.add(model(dice, 1000 + number));
        file.add(object("NodeAttribute", fence(id), "", "Null"));
        let parent = if models.is_empty() || dice.chance(3) { 0 } else { models[dice.below(models.len())] };
        file.connect(id, parent);
        models.push(id);
        if !meshes.is_empty() && (dice.chance(7) || number == 0) {
            let mesh = dice.below(meshes.len());
            file.connect(if is_old { meshes.swap_remove(mesh) } else { meshes[mesh] }, id);
            materials.iter().for_each(|material| file.connect(*material, id));
        }
    }
    for material in materials {
        if dice.chance(5) {
            paint(dice, &mut file, material);
        }
    }
    if moving {
        animate(dice, &mut file, &models, reach);
    }
    file
}

/// An embedded picture on a material, laid on by some set of coordinates.
fn paint(dice: &mut Dice, file: &mut File, material: i64) {
    let (texture, video) = (material + 100, material + 200);
    let mut record =
        object("Texture", texture, &format!("texture{texture}"), "").with([one("RelativeFilename", "inside.bmp")]);
    if dice.chance(6) {
        // Meshes have up to three sets; the name of a fourth leads nowhere.
        record = record.word("UVSet", &format!("set{}", dice.below(4)));
    }
    file.add(record);
    file.add(
        object("Video", video, &format!("video{video}"), "Clip").with([one("Content", Value::Bytes(bitmap(dice)))]),
    );
    file.connect(video, texture);
    file.connect_property(texture, material, "DiffuseColor");
}

/// A few texels of 24 bits as a bitmap of Windows 3, the simplest picture there is.
fn bitmap(dice: &mut Dice) -> Vec<u8> {
    let (width, height) = (1 + dice.below(5), 1 + dice.below(4));
    let row_bytes = (width * 3).next_multiple_of(4);
    let mut out = b"BM".to_vec();
    for word in
        [54 + row_bytes * height, 0, 54, 40, width, height, 24 << 16 | 1, 0, row_bytes * height, 2835, 2835, 0, 0]
    {
        out.extend((word as u32).to_le_bytes());
    }
    out.extend((0..row_bytes * height).map(|_| dice.next() as u8));
    out
}

/// Stands between models in the file, and moves in every layer: where a layer moves some of a model's properties and
/// not others, `ufbx` 0.11 takes for those what the layer says of the next object's properties of that name.
fn fence(model: i64) -> i64 {
    model + 8000
}

fn model(dice: &mut Dice, id: i64) -> Record {
    let mut model = object("Model", id, &format!("m{id}"), "Mesh").with([one("Version", 232)]);
    let mut moved = |dice: &mut Dice, name: &str, value: [f64; 3], in_ten: usize| {
        if dice.chance(in_ten) {
            model = std::mem::replace(&mut model, record("", [])).number(name, value);
        }
    };
    let scale = |dice: &mut Dice| [0; 3].map(|_| dice.between(0.3, 2.0) * if dice.chance(1) { -1.0 } else { 1.0 });
    let (place, turn) = (dice.vector(5.0), dice.vector(180.0));
    moved(dice, "Lcl Translation", place, 8);
    moved(dice, "Lcl Rotation", turn, 8);
    let size = scale(dice);
    moved(dice, "Lcl Scaling", size, 6);
    for (name, reach) in [
        ("PreRotation", 180.0),
        ("PostRotation", 180.0),
        ("RotationOffset", 2.0),
        ("RotationPivot", 2.0),
        ("ScalingOffset", 2.0),
        ("ScalingPivot", 2.0),
        ("GeometricTranslation", 2.0),
        ("GeometricRotation", 180.0),
    ] {
        let value = dice.vector(reach);
        moved(dice, name, value, 4);
    }
    let size = scale(dice);
    moved(dice, "GeometricScaling", size, 3);
    // An order that is not in force still steers how `ufbx` mixes layers of rotations: those two come together.
    if dice.chance(6) {
        model = model.whole("RotationActive", 1);
        if dice.chance(7) {
            model = model.whole("RotationOrder", dice.below(6) as i64);
        }
    }
    if dice.chance(6) {
        model = model.whole("InheritType", dice.below(3) as i64);
    }
    model
}

/// Polygons of three to eight corners among random points; every layer in a random mode.
fn mesh(dice: &mut Dice, id: i64, material_count: usize) -> Record {
    let point_count = 4 + dice.below(12);
    let points: Vec<f64> = (0..point_count * 3).map(|_| dice.between(-2.0, 2.0)).collect();
    let mut corners: Vec<i32> = Vec::new();
    let mut corner_points: Vec<usize> = Vec::new();
    let mut polygon_count = 0;
    for _ in 0..1 + dice.below(8) {
        let mut order: Vec<usize> = (0..point_count).collect();
        for place in (1..point_count).rev() {
            order.swap(place, dice.below(place + 1));
        }
        let count = (3 + dice.below(6)).min(point_count);
        for (place, point) in order[..count].iter().enumerate() {
            corners.push(if place + 1 == count { -1 - *point as i32 } else { *point as i32 });
            corner_points.push(*point);
        }
        polygon_count += 1;
    }
    let counts = [point_count, corners.len(), polygon_count];
    let mut mesh = object("Geometry", id, &format!("mesh{id}"), "Mesh").with([
        one("GeometryVersion", 124),
        one("Vertices", points),
        one("PolygonVertexIndex", corners),
    ]);
    if dice.chance(8) {
        let (modes, values, index) =
            values(dice, counts, 3, &["ByVertex", "ByVertice", "ByPolygonVertex", "ByPolygon", "AllSame"]);
        let index = index.map(|list| ("NormalsIndex", list));
        mesh.inside.push(layer("LayerElementNormal", 0, modes, ("Normals", values), index));
    }
    for set in 0..dice.below(4) as i32 {
        let (modes, values, index) = values(dice, counts, 2, &["ByVertice", "ByPolygonVertex", "ByPolygon", "AllSame"]);
        let mut uv = layer("LayerElementUV", set, modes, ("UV", values), index.map(|list| ("UVIndex", list)));
        uv.inside[1] = one("Name", format!("set{set}"));
        mesh.inside.push(uv);
    }
    if dice.chance(3) {
        let (modes, values, index) = values(dice, counts, 4, &["ByVertice", "ByPolygonVertex", "ByPolygon", "AllSame"]);
        let values = values.into_iter().map(|value: f64| value.abs()).collect();
        let index = index.map(|list| ("ColorIndex", list));
        mesh.inside.push(layer("LayerElementColor", 0, modes, ("Colors", values), index));
    }
    if dice.chance(7) {
        let same = dice.chance(3);
        let numbers: Vec<i32> =
            (0..if same { 1 } else { polygon_count }).map(|_| dice.below(material_count) as i32).collect();
        let mapping = if same { "AllSame" } else { "ByPolygon" };
        let mut materials =
            layer("LayerElementMaterial", 0, [mapping, "IndexToDirect"], ("Materials", Vec::new()), None);
        materials.inside[4] = one("Materials", numbers);
        mesh.inside.push(materials);
    }
    let elements = mesh.inside.iter().filter(|inside| inside.name.starts_with("LayerElement"));
    let elements: Vec<Record> = elements
        .map(|inside| {
            let Value::Int(number) = inside.values[0] else { unreachable!("written as such") };
            record("LayerElement", []).with([one("Type", inside.name.as_str()), one("TypedIndex", number)])
        })
        .collect();
    // A layer holds one element of a kind; further sets of coordinates lie in layers of their own.
    let mut layers: Vec<Record> = Vec::new();
    for element in elements {
        let Value::Int(number) = element.inside[1].values[0] else { unreachable!("written as such") };
        while layers.len() <= number as usize {
            layers.push(record("Layer", [(layers.len() as i32).into()]));
        }
        layers[number as usize].inside.push(element);
    }
    mesh.with(layers)
}

/// Modes, values and, where the mode has one, the second list.
fn values<'a>(
    dice: &mut Dice,
    [points, corners, polygons]: [usize; 3],
    width: usize,
    mappings: &[&'a str],
) -> ([&'a str; 2], Vec<f64>, Option<Vec<i32>>) {
    let mapping = dice.pick(mappings);
    let carriers = match mapping {
        "ByPolygonVertex" => corners,
        "ByPolygon" => polygons,
        "AllSame" => 1,
        _ => points,
    };
    // `ufbx` takes the first value of `AllSame`, whatever the second list says.
    let direct = mapping == "AllSame" || dice.chance(5);
    let count = if direct { carriers } else { 1 + dice.below(carriers) };
    let list = (0..count * width).map(|_| dice.between(-1.0, 1.0)).collect();
    let index = (!direct).then(|| (0..carriers).map(|_| dice.below(count) as i32).collect());
    ([mapping, if direct { "Direct" } else { "IndexToDirect" }], list, index)
}

/// FBX's ticks in a second.
pub const SECOND: i64 = 46_186_158_000;

fn animate(dice: &mut Dice, file: &mut File, models: &[i64], reach: Reach) {
    let is_old = reach == Reach::Old;
    let stack = object("AnimationStack", 5000, "take", "").time("LocalStart", 0).time("LocalStop", 4 * SECOND);
    let stack = file.add(stack);
    for number in 0..if is_old { 1 } else { 1 + dice.below(3) as i64 } {
        let layer = match reach {
            Reach::Old => object("AnimationLayer", 5100, "BaseLayer", ""),
            Reach::Modern => object("AnimationLayer", 5100 + number, &format!("layer{number}"), "")
                .number("Weight", [dice.between(0.0, 100.0)])
                .whole("BlendMode", dice.below(3) as i64)
                .whole("RotationAccumulationMode", dice.below(2) as i64)
                .whole("ScaleAccumulationMode", dice.below(2) as i64),
        };
        let layer = file.add(layer);
        file.connect(layer, stack);
        if !is_old && dice.chance(3) {
            let id = 9500 + number * 2;
            file.add(object("AnimationCurveNode", id, "Weight", "").number("d|Weight", [100.0]));
            file.connect(id, layer);
            file.connect_property(id, layer, "Weight");
            file.add(curve_record(dice, id + 1, [-20.0, 120.0], reach));
            file.connect_property(id + 1, id, "d|Weight");
        }
        for model in models {
            let id = 20_000 + number * 1000 + model - 1000;
            file.add(object("AnimationCurveNode", id, "Fence", "").number("d|Fence", [1.0]));
            file.connect(id, layer);
            file.connect_property(id, fence(*model), "Fence");
            for (kind, (property, short, high)) in
                [("Lcl Translation", "T", 5.0), ("Lcl Rotation", "R", 170.0), ("Lcl Scaling", "S", 2.0)]
                    .into_iter()
                    .enumerate()
            {
                if !dice.chance(6) {
                    continue;
                }
                let low = if kind == 2 { 0.3 } else { -high };
                let id = 6000 + number * 1000 + (model - 1000) * 20 + kind as i64 * 4;
                let mut node = object("AnimationCurveNode", id, short, "");
                for letter in ["X", "Y", "Z"] {
                    node = node.number(&format!("d|{letter}"), [dice.between(low, high)]);
                }
                file.add(node);
                file.connect(id, layer);
                file.connect_property(id, *model, property);
                for (axis, letter) in ["d|X", "d|Y", "d|Z"].into_iter().enumerate() {
                    if dice.chance(8) {
                        let curve = id + 1 + axis as i64;
                        file.add(curve_record(dice, curve, [low, high], reach));
                        file.connect_property(curve, id, letter);
                    }
                }
            }
        }
    }
}

fn curve_record(dice: &mut Dice, id: i64, [low, high]: [f64; 2], reach: Reach) -> Record {
    let count = 1 + dice.below(6);
    let mut time = (dice.between(0.0, 1.0) * SECOND as f64) as i64;
    let (mut times, mut values, mut flags, mut data) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..count {
        times.push(time);
        values.push(dice.between(low, high) as f32);
        time += (dice.between(0.1, 1.0) * SECOND as f64) as i64;
        let (flag, numbers) = match dice.below(8) {
            3..6 if reach == Reach::Old => (0x6108, [0.0; 3]),
            0 => (0x2, [0.0; 3]),
            1 => (0x102, [0.0; 3]),
            2 => (0x4, [0.0; 3]),
            3 => (0x208, [0; 3].map(|_| dice.between(-1.0, 1.0))),
            4 => (0x108, [0.0; 3]),
            5 => (0x108 | [0x1000, 0x2000, 0x4000, 0x2000 | 0x4000][dice.below(4)], [0.0; 3]),
            _ => (0x408, [dice.between(-20.0, 20.0), dice.between(-20.0, 20.0), 0.0]),
        };
        let mut word = (numbers[2] as f32).to_bits();
        let mut flag = flag;
        if flag == 0x408 && dice.chance(5) {
            flag |= 0x300_0000;
            word = (dice.below(9999) as u32) << 16 | dice.below(9999) as u32;
        }
        flags.push(flag);
        data.extend([numbers[0] as f32, numbers[1] as f32, f32::from_bits(word), 0.0]);
    }
    let mut curve = object("AnimationCurve", id, "", "").with([
        one("Default", 0.0),
        one("KeyVer", 4008),
        one("KeyTime", times),
        one("KeyValueFloat", values),
        one("KeyAttrFlags", flags),
        one("KeyAttrDataFloat", data),
        one("KeyAttrRefCount", vec![1; count]),
    ]);
    for name in ["Pre-Extrapolation", "Post-Extrapolation"] {
        if dice.chance(5) {
            let kind = i32::from(b"ACKMR"[dice.below(5)]);
            let rounds = dice.below(4) as i32 - 1;
            curve.inside.push(record(name, []).with([one("Type", kind), one("Repetition", rounds)]));
        }
    }
    curve
}
