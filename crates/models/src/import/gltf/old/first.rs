//! First: the lists of a document of glTF 1.0.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::names::{self, Names, named};
use super::skin::Skins;
use super::{Object, Result, animation, copy, light, material, object};
use crate::import::{Budget, Fault, code};

/// Extensions of 1.0 that end here.
const TAKEN: [&str; 2] = ["KHR_binary_glTF", "KHR_materials_common"];

/// What changes the meaning of the data: without it, nothing can be shown.
const QUANTIZED: &str = "WEB3D_quantized_attributes";

/// What the members of an object that is made beside the file's take.
const OBJECT_BYTES: u64 = 500;

/// Out: a document of 2.0, and warnings.
pub fn upgrade(old: &Object, names: &mut Names, budget: &mut Budget) -> Result<(Object, Vec<Fault>)> {
    let mut new = Object::new();
    let mut warnings = Vec::new();
    let mut asset = object(old, "asset").cloned();
    asset.insert("version".into(), json!("2.0"));
    new.insert("asset".into(), Value::Object(asset));
    new.insert("extensionsUsed".into(), extensions_used(old)?);
    copy(old, &mut new, &["extras"]);
    let lights = light::upgrade(old, &mut warnings)?;
    let mut extensions = object(old, "extensions").cloned();
    TAKEN.iter().for_each(|name| _ = extensions.remove(*name));
    if !lights.list.is_empty() {
        extensions.insert("KHR_lights_punctual".into(), json!({ "lights": lights.list }));
    }
    new.insert("extensions".into(), Value::Object(extensions));
    names.link_member("scenes", (old, &mut new), "scene", "the document")?;

    let mut views = views(old, names)?;
    new.insert("accessors".into(), accessors(old, names, &mut views, budget)?);
    new.insert("bufferViews".into(), Value::Array(views));
    new.insert("buffers".into(), buffers(old, names)?);
    new.insert("images".into(), images(old, names)?);
    let mut textures = Vec::new();
    for (_, path, from) in names.each(old, "textures")? {
        let mut to = Object::new();
        names.link_member("images", (from, &mut to), "source", &path)?;
        names.link_member("samplers", (from, &mut to), "sampler", &path)?;
        textures.push(Value::Object(to));
    }
    new.insert("textures".into(), Value::Array(textures));
    for list in ["samplers", "cameras"] {
        let named = names.each(old, list)?.into_iter().map(|(key, _, from)| Value::Object(named(from, &key)));
        new.insert(list.into(), Value::Array(named.collect()));
    }
    let materials: Result<Vec<Value>> =
        names.each(old, "materials")?.into_iter().map(|it| material::upgrade(old, names, it)).collect();
    new.insert("materials".into(), Value::Array(materials?));
    new.insert("meshes".into(), meshes(old, names)?);
    let (nodes, skins) = nodes(old, names, &lights.positions, budget)?;
    new.insert("nodes".into(), Value::Array(nodes));
    new.insert("skins".into(), Value::Array(skins));
    let mut scenes = Vec::new();
    for (key, path, from) in names.each(old, "scenes")? {
        let mut to = named(from, &key);
        to.insert("nodes".into(), links(names, "nodes", from.get("nodes"), &format!("{path}.nodes"))?);
        scenes.push(Value::Object(to));
    }
    if !scenes.is_empty() {
        new.insert("scenes".into(), Value::Array(scenes));
    }
    new.insert("animations".into(), animation::upgrade(old, names)?);
    Ok((new, warnings))
}

/// A list of names as positions.
pub fn links(names: &Names, list: &'static str, value: Option<&Value>, path: &str) -> Result<Value> {
    match value {
        None => Ok(json!([])),
        Some(Value::Array(items)) => {
            items.iter().map(|item| names.link(list, item, path)).collect::<Result<Vec<Value>>>().map(Value::Array)
        }
        Some(_) => Err(Fault::new(code::VALUE, format!("`{path}` must be a list of names"))),
    }
}

/// What is left for the importer to know, or to warn of.
fn extensions_used(old: &Object) -> Result<Value> {
    let used = old.get("extensionsUsed").and_then(Value::as_array).cloned().unwrap_or_default();
    if used.iter().any(|name| name.as_str() == Some(QUANTIZED)) {
        let message = format!("the model requires the unsupported extension {QUANTIZED:?}");
        return Err(Fault::new(code::EXTENSION_REQUIRED, message).help("export without it, or as glTF 2.0"));
    }
    Ok(used.into_iter().filter(|name| !name.as_str().is_some_and(|name| TAKEN.contains(&name))).collect())
}

fn buffers(old: &Object, names: &Names) -> Result<Value> {
    let mut out = Vec::new();
    for (key, _, from) in names.each(old, "buffers")? {
        let mut to = named(from, &key);
        // The body of the container; the URI is for those who do not know it.
        let stands_for_body = from.get("uri").and_then(Value::as_str).is_none_or(|uri| uri == "data:,");
        if names::BODY.contains(&key.as_str()) && stands_for_body {
            to.remove("uri");
        }
        out.push(Value::Object(to));
    }
    Ok(Value::Array(out))
}

/// Views; one that does not say how long it is reaches to the end of its buffer.
fn views(old: &Object, names: &Names) -> Result<Vec<Value>> {
    let mut out = Vec::new();
    for (_, path, from) in names.each(old, "bufferViews")? {
        let mut to = from.clone();
        names.link_member("buffers", (from, &mut to), "buffer", &path)?;
        let is_long = from.get("byteLength").and_then(Value::as_u64).is_some_and(|length| length > 0);
        let buffer = from.get("buffer").and_then(Value::as_str).unwrap_or_default();
        let length = object(old, "buffers").object(buffer).get("byteLength").and_then(Value::as_u64);
        if let (false, Some(length)) = (is_long, length) {
            let offset = from.get("byteOffset").and_then(Value::as_u64).unwrap_or(0);
            to.insert("byteLength".into(), json!(length.saturating_sub(offset)));
        }
        out.push(Value::Object(to));
    }
    Ok(out)
}

/// Accessors; in 1.0 they have the stride, in 2.0 their views, which are made again for each stride.
fn accessors(old: &Object, names: &mut Names, views: &mut Vec<Value>, budget: &mut Budget) -> Result<Value> {
    let mut strided: BTreeMap<(usize, u64), usize> = BTreeMap::new();
    let mut out = Vec::new();
    for (_, path, from) in names.each(old, "accessors")? {
        let mut to = from.clone();
        names.link_member("bufferViews", (from, &mut to), "bufferView", &path)?;
        to.remove("byteStride");
        let stride = from.get("byteStride").and_then(Value::as_u64).filter(|stride| *stride > 0);
        let view = to.get("bufferView").and_then(Value::as_u64).map(|view| view as usize);
        if let (Some(stride), Some(view)) = (stride, view)
            && let Some(Value::Object(members)) = views.get(view)
        {
            let position = match strided.get(&(view, stride)) {
                Some(position) => *position,
                None => {
                    budget.spend(OBJECT_BYTES, "the views of buffers")?;
                    let mut members = members.clone();
                    members.insert("byteStride".into(), json!(stride));
                    views.push(Value::Object(members));
                    let key = from.get("bufferView").and_then(Value::as_str).unwrap_or_default();
                    let position = names.push("bufferViews", key);
                    strided.insert((view, stride), position);
                    position
                }
            };
            to.insert("bufferView".into(), json!(position));
        }
        out.push(Value::Object(to));
    }
    Ok(Value::Array(out))
}

fn images(old: &Object, names: &Names) -> Result<Value> {
    let mut out = Vec::new();
    for (key, path, from) in names.each(old, "images")? {
        let mut to = named(from, &key);
        if let Some(inside) = object(from, "extensions").object("KHR_binary_glTF").0 {
            to.remove("uri");
            to.remove("extensions");
            copy(inside, &mut to, &["mimeType"]);
            names.link_member("bufferViews", (inside, &mut to), "bufferView", &path)?;
        }
        out.push(Value::Object(to));
    }
    Ok(Value::Array(out))
}

fn meshes(old: &Object, names: &Names) -> Result<Value> {
    let mut out = Vec::new();
    for (key, path, from) in names.each(old, "meshes")? {
        let mut to = named(from, &key);
        let Some(Value::Array(primitives)) = to.get_mut("primitives") else {
            out.push(Value::Object(to));
            continue;
        };
        for (index, primitive) in primitives.iter_mut().enumerate() {
            let path = format!("{path}.primitives[{index}]");
            let Value::Object(new) = primitive else { return Err(super::not_an_object(&path)) };
            let old = new.clone();
            // The key of drafts of 1.0.
            if let (None, Some(mode)) = (old.get("mode"), old.get("primitive")) {
                new.insert("mode".into(), mode.clone());
            }
            for (key, list) in [("indices", "accessors"), ("material", "materials")] {
                names.link_member(list, (&old, new), key, &path)?;
            }
            let mut attributes = Object::new();
            for (name, accessor) in object(&old, "attributes").iter() {
                let accessor = names.link("accessors", accessor, &format!("{path}.attributes.{name}"))?;
                attributes.insert(attribute(name).to_string(), accessor);
            }
            new.insert("attributes".into(), Value::Object(attributes));
        }
        out.push(Value::Object(to));
    }
    Ok(Value::Array(out))
}

/// What 2.0 calls an attribute.
fn attribute(name: &str) -> &str {
    match name {
        "COLOR" => "COLOR_0",
        "JOINT" => "JOINTS_0",
        "TEXCOORD" => "TEXCOORD_0",
        "WEIGHT" => "WEIGHTS_0",
        name => name,
    }
}

/// Nodes, and the skins that they use. A node that shows several meshes gets a child for each.
fn nodes(
    old: &Object,
    names: &mut Names,
    lights: &BTreeMap<String, usize>,
    budget: &mut Budget,
) -> Result<(Vec<Value>, Vec<Value>)> {
    let entries = names.each(old, "nodes")?;
    let mut skins = Skins::new(old, &entries, names)?;
    let (mut out, mut more) = (Vec::new(), Vec::new());
    for (key, path, from) in &entries {
        let mut to = Object::new();
        copy(from, &mut to, &["name", "matrix", "rotation", "scale", "translation", "extensions", "extras"]);
        let mut to = named(&to, key);
        let mut children = links(names, "nodes", from.get("children"), &format!("{path}.children"))?;
        names.link_member("cameras", (from, &mut to), "camera", path)?;
        let light = object(from, "extensions").object("KHR_materials_common").get("light");
        if let Some(position) = light.and_then(Value::as_str).and_then(|light| lights.get(light)) {
            to.insert("extensions".into(), json!({ "KHR_lights_punctual": { "light": position } }));
        }
        let skin = match from.get("skin") {
            Some(_) => Some(skins.position(names, (from, path), budget)?),
            None => None,
        };
        let meshes = links(names, "meshes", from.get("meshes"), &format!("{path}.meshes"))?;
        let meshes = meshes.as_array().map_or(&[][..], Vec::as_slice);
        let shows = |node: &mut Object, mesh: &Value| {
            node.insert("mesh".into(), mesh.clone());
            if let Some(skin) = skin {
                node.insert("skin".into(), json!(skin));
            }
        };
        if let [mesh] = meshes {
            shows(&mut to, mesh);
        } else {
            let listed = from.get("meshes").and_then(Value::as_array).into_iter().flatten();
            for (mesh, name) in meshes.iter().zip(listed) {
                let mut child = named(&Object::new(), name.as_str().unwrap_or(key));
                shows(&mut child, mesh);
                children.as_array_mut().expect("made as a list").push(json!(names.push("nodes", key)));
                more.push(Value::Object(child));
            }
        }
        to.insert("children".into(), children);
        out.push(Value::Object(to));
    }
    out.extend(more);
    Ok((out, skins.list))
}
