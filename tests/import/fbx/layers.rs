//! Layers over a mesh: every mapping and reference mode, by table.

use stillframe_asset::asset::Slot;
use stillframe_models::import::Model;
use stillframe_testkit::fbx::write::{Record, layer, object, one};

use super::{imported, showing, square};

/// Two squares side by side: points 0 1 2 3 and 1 4 5 2, edges of every side once.
fn two_squares() -> Record {
    let points = [[0, 0], [1, 0], [1, 1], [0, 1], [2, 0], [2, 1]];
    let points: Vec<f64> = points.iter().flat_map(|[x, y]| [f64::from(*x), f64::from(*y), 0.0]).collect();
    object("Geometry", 20, "pair", "Mesh").with([
        one("Vertices", points),
        one("PolygonVertexIndex", vec![0, 1, 2, -4, 1, 4, 5, -3]),
        one("Edges", vec![0, 1, 2, 3, 4, 5, 6]),
    ])
}

/// First texture coordinate of each corner, polygon by polygon.
fn first_coordinates(model: &Model) -> Vec<f32> {
    let surface = &model.geometries[0].surface;
    let of = |place: usize| surface.uv0[surface.indices[place] as usize][0];
    // Both squares are fanned: corners 0 1 2, 0 2 3.
    [0, 1, 2, 5, 6, 7, 8, 11].map(of).to_vec()
}

#[test]
fn every_mapping_and_reference() {
    let direct = |count: usize| (0..count).flat_map(|i| [i as f64, 0.0]).collect::<Vec<f64>>();
    let by_point = [0.0, 1.0, 2.0, 3.0, 1.0, 4.0, 5.0, 2.0];
    let by_corner = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
    let by_polygon = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
    // The edge that starts at a corner; the shared one is edge 1 from both sides.
    let by_edge = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0];
    let same = [0.0; 8];
    for (mapping, count, want) in [
        ("ByControlPoint", 6, by_point),
        ("ByVertice", 6, by_point),
        ("ByVertex", 6, by_point),
        ("ByPolygonVertex", 8, by_corner),
        ("ByPolygon", 2, by_polygon),
        ("ByEdge", 7, by_edge),
        ("AllSame", 1, same),
    ] {
        let of = |reference: &str, values: Vec<f64>, index: Option<Vec<i32>>| {
            let index = index.map(|list| ("UVIndex", list));
            let uv = layer("LayerElementUV", 0, [mapping, reference], ("UV", values), index);
            first_coordinates(&imported(&showing(two_squares().with([uv]))))
        };
        assert_eq!(of("Direct", direct(count), None), want, "{mapping} Direct");
        // A second list that counts backwards over values that do, too.
        let index: Vec<i32> = (0..count as i32).rev().collect();
        let backwards: Vec<f64> = (0..count).rev().flat_map(|i| [i as f64, 0.0]).collect();
        for reference in ["IndexToDirect", "Index"] {
            assert_eq!(of(reference, backwards.clone(), Some(index.clone())), want, "{mapping} {reference}");
        }
    }
}

#[test]
fn modes_that_are_not_known_are_told() {
    for (modes, left_out) in [
        (["ByMoonlight", "Direct"], true),
        (["AllSame", "Sideways"], true),
        (["NoMappingInformation", "Direct"], false),
    ] {
        let uv = layer("LayerElementUV", 0, modes, ("UV", vec![0.5, 0.5]), None);
        let model = imported(&showing(square(20).with([uv])));
        assert!(model.geometries[0].surface.uv0.is_empty(), "{modes:?}");
        assert_eq!(model.warnings.iter().any(|w| w.code == "W0462"), left_out, "{modes:?}: {:?}", model.warnings);
    }
}

#[test]
fn values_that_are_missing_are_replaced_and_told() {
    let uv = layer(
        "LayerElementUV",
        0,
        ["ByPolygonVertex", "IndexToDirect"],
        ("UV", vec![0.25, 0.75]),
        Some(("UVIndex", vec![0, 9, -1, 0])),
    );
    let model = imported(&showing(square(20).with([uv])));
    let mut found = model.geometries[0].surface.uv0.clone();
    found.sort_by(|a, b| a[0].total_cmp(&b[0]));
    // v counts from the top with us.
    assert_eq!(found, [[0.0, 1.0], [0.0, 1.0], [0.25, 0.25], [0.25, 0.25]]);
    assert!(model.warnings.iter().any(|w| w.code == "W0453"), "{:?}", model.warnings);
}

/// A square folded along its diagonal: two triangles that share an edge.
fn fold(smoothing: Record) -> Record {
    object("Geometry", 20, "fold", "Mesh").with([
        one("Vertices", vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]),
        one("PolygonVertexIndex", vec![0, 1, -3, 1, 3, -3]),
        one("Edges", vec![0, 1, 2, 3, 4]),
        smoothing,
    ])
}

pub fn smoothing(mapping: &str, values: Vec<i32>) -> Record {
    let mut smoothing = layer("LayerElementSmoothing", 0, [mapping, "Direct"], ("Smoothing", Vec::new()), None);
    smoothing.inside[4] = one("Smoothing", values);
    smoothing
}

#[test]
fn smoothing_by_groups_and_by_edges() {
    // Groups share when they have a bit in common; 0 is never smooth.
    for (mapping, values, smooth) in [
        ("ByPolygon", vec![1, 1], true),
        ("ByPolygon", vec![3, 6], true),
        ("ByPolygon", vec![1, 2], false),
        ("ByPolygon", vec![0, 0], false),
        ("ByEdge", vec![1, 1, 1, 1, 1], true),
        ("ByEdge", vec![0, 1, 0, 0, 0], true),
        ("ByEdge", vec![1, 0, 1, 1, 1], false),
    ] {
        let model = imported(&showing(fold(smoothing(mapping, values.clone()))));
        let geometry = &model.geometries[0];
        let of = |triangle: usize, point: u32| {
            let corners = &geometry.surface.indices[triangle * 3..triangle * 3 + 3];
            let vertex = corners.iter().find(|v| geometry.sources[**v as usize] == point).expect("a corner");
            geometry.surface.normals[*vertex as usize]
        };
        for point in [1, 2] {
            assert_eq!(of(0, point) == of(1, point), smooth, "{mapping} {values:?} at {point}");
        }
        assert_eq!(of(0, 0), [0.0, 0.0, 1.0], "{mapping} {values:?}: a corner of one triangle");
        if !smooth {
            assert_eq!(of(0, 1), [0.0, 0.0, 1.0], "{mapping} {values:?}");
        }
    }
}

/// The chain a-b-c: groups 1, 3 and 2 around one point are one set, though the outer two share nothing.
#[test]
fn smoothing_groups_join_in_chains() {
    let mesh = object("Geometry", 20, "fan", "Mesh").with([
        one("Vertices", vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.5, 1.0, 1.0, 0.0, 0.0, 1.0, 0.5, -1.0, 1.0, 0.0]),
        one("PolygonVertexIndex", vec![0, 1, -3, 0, 2, -4, 0, 3, -5]),
        smoothing("ByPolygon", vec![1, 3, 2]),
    ]);
    let model = imported(&showing(mesh));
    let geometry = &model.geometries[0];
    let at_center: Vec<[f32; 3]> = (0..geometry.sources.len())
        .filter(|vertex| geometry.sources[*vertex] == 0)
        .map(|vertex| geometry.surface.normals[vertex])
        .collect();
    assert_eq!(at_center.len(), 1, "{at_center:?}");
}

#[test]
fn tangents_have_the_side_of_their_binormals() {
    for (binormal, side) in [([0.0, 1.0, 0.0], 1.0), ([0.0, -1.0, 0.0], -1.0)] {
        let same = |kind: &str, list: &str, value: [f64; 3]| {
            layer(kind, 0, ["AllSame", "Direct"], (list, value.to_vec()), None)
        };
        let mesh = square(20).with([
            same("LayerElementNormal", "Normals", [0.0, 0.0, 1.0]),
            same("LayerElementTangent", "Tangents", [1.0, 0.0, 0.0]),
            same("LayerElementBinormal", "Binormals", binormal),
        ]);
        let model = imported(&showing(mesh));
        assert_eq!(model.geometries[0].surface.tangents, [[1.0, 0.0, 0.0, side]; 4]);
    }
}

#[test]
fn colours_are_linear() {
    let colors = layer("LayerElementColor", 0, ["AllSame", "Direct"], ("Colors", vec![1.0, 0.5, 0.0, 0.25]), None);
    let model = imported(&showing(square(20).with([colors])));
    let [r, g, b, a] = model.geometries[0].surface.colors[0];
    assert!(r == 1.0 && b == 0.0 && a == 0.25 && (g - 0.214_041).abs() < 1e-5, "{g}");
}

#[test]
fn polygons_are_split_by_material() {
    let mut materials =
        layer("LayerElementMaterial", 0, ["ByPolygon", "IndexToDirect"], ("Materials", Vec::new()), None);
    materials.inside[4] = one("Materials", vec![1, 7]);
    let mut file = showing(two_squares().with([materials]));
    for (id, name) in [(31, "first"), (32, "second"), (33, "third")] {
        file.add(object("Material", id, name, ""));
        file.connect(id, 10);
    }
    let model = imported(&file);
    let parts = &model.nodes[0].parts;
    let name = |part: usize| model.materials[parts[part].material].name.as_str();
    // Numbers past the last material count as the last.
    assert_eq!((parts.len(), name(0), name(1)), (2, "second", "third"));
    assert_eq!(model.geometries.iter().map(|g| g.surface.indices.len()).collect::<Vec<_>>(), [6, 6]);
}

#[test]
fn textures_choose_their_coordinates_by_name() {
    let uv = |number: i32, name: &str, value: f64| {
        let mut uv = layer("LayerElementUV", number, ["AllSame", "Direct"], ("UV", vec![value, 1.0]), None);
        uv.inside[1] = one("Name", name);
        uv
    };
    let mut file = showing(square(20).with([uv(0, "paint", 0.1), uv(1, "light", 0.2), uv(2, "detail", 0.3)]));
    file.add(object("Material", 30, "m", "").with([one("ShadingModel", "phong")]));
    file.connect(30, 10);
    for (id, set, property) in [(41, "detail", "DiffuseColor"), (42, "light", "EmissiveColor")] {
        file.add(object("Texture", id, "t", "").with([one("RelativeFilename", "crate_base.png")]).word("UVSet", set));
        file.connect_property(id, 30, property);
    }
    let model = imported(&file);
    let surface = &model.geometries[0].surface;
    assert_eq!((surface.uv0[0][0], surface.uv1[0][0]), (0.3, 0.2));
    let slots = [model.materials[0].textures.get(&Slot::BaseColor), model.materials[0].textures.get(&Slot::Emissive)];
    assert_eq!(slots.map(|slot| slot.map(|slot| slot.uv_set)), [Some(0), Some(1)]);
    assert_eq!(model.images.len(), 1, "one picture, however often it is used");
}
