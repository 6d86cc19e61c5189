//! Models with meshes, cameras and lights in them become models on which those hang.

use std::collections::BTreeMap;

use fbxcel_dom::fbxcel::low::v7400::AttributeValue;

use super::{Old, own_name, property};
use crate::import::Fault;
use crate::import::fbx::record::Record;

/// Classes of models whose shape is no mesh.
const CURVED: [&str; 8] =
    ["Boundary", "Line", "Nurb", "NurbsCurve", "NurbsSurface", "NurbsSurfaceObject", "Patch", "TrimNurbsSurface"];

/// Whether a model's record belongs to its mesh.
fn is_of_mesh(name: &str) -> bool {
    matches!(name, "Vertices" | "PolygonVertexIndex" | "Edges" | "Layer" | "GeometryVersion")
        || name.starts_with("LayerElement")
}

impl Old<'_> {
    /// Places a model and what it holds.
    pub fn model(&mut self, id: i64, mut model: Record) -> Result<(), Fault> {
        let class = model.text(2).unwrap_or_default().to_string();
        let has_mesh = model.child("Vertices").is_some() && model.child("PolygonVertexIndex").is_some();
        match class.as_str() {
            // Files of version 6.0 leave the class out.
            "Mesh" | "Model" | "" if has_mesh => self.mesh(id, &mut model)?,
            "Camera" | "Light" | "LodGroup" => {
                let (attribute, name) = self.attribute_name(&model, "NodeAttribute");
                let properties = model.child("Properties70");
                properties.map_or(Ok(()), |properties| properties.spend_copy(self.budget))?;
                let properties = properties.cloned();
                let object = self.make("NodeAttribute", attribute, &name, &class)?.with(properties);
                self.place(object)?;
                self.link(attribute, id, None)?;
            }
            class if CURVED.contains(&class) => {
                let (geometry, name) = self.attribute_name(&model, "Geometry");
                let object = self.make("Geometry", geometry, &name, class)?;
                self.place(object)?;
                self.link(geometry, id, None)?;
            }
            _ => {}
        }
        self.place(model)
    }

    /// Number and packed name of what a model holds. Where the file names it, connections may name it, too.
    fn attribute_name(&mut self, model: &Record, kind: &str) -> (i64, String) {
        let id = self.fresh();
        let named = model.child_text("NodeAttributeName").map(|name| super::packed(self.form, name));
        match named.filter(|name| !own_name(name).is_empty()) {
            Some(name) => {
                self.ids.entry(name.clone()).or_insert(id);
                (id, name)
            }
            None => (id, format!("{}\0\x01{kind}", own_name(model.text(1).unwrap_or_default()))),
        }
    }

    fn mesh(&mut self, model_id: i64, model: &mut Record) -> Result<(), Fault> {
        let (id, name) = self.attribute_name(model, "Geometry");
        let mesh = self.make("Geometry", id, &name, "Mesh")?;
        let mesh = mesh.with(model.take_all(|inside| is_of_mesh(&inside.name)));
        self.place(mesh)?;
        self.link(id, model_id, None)?;
        self.bodies.insert(model_id, id);
        let shapes = model.take_all(|inside| inside.name == "Shape");
        if shapes.is_empty() {
            return Ok(());
        }
        let blend = self.fresh();
        let object = self.make("Deformer", blend, "\0\x01Deformer", "BlendShape")?;
        self.place(object)?;
        self.link(blend, id, None)?;
        // The first property of a name counts.
        let properties = model.child("Properties70").map_or(&[][..], |list| &list.inside);
        let named = |property: &Record| Some((property.text(0)?.to_string(), property.float(4)?));
        let weights: BTreeMap<String, f64> = properties.iter().rev().filter_map(named).collect();
        for shape in shapes {
            let weight = weights.get(shape.text(0).unwrap_or_default()).copied().unwrap_or(0.0);
            self.shape(shape, weight, model_id, blend)?;
        }
        Ok(())
    }

    /// A shape hangs on a channel of its name, whose weight is the model's property of that name.
    fn shape(&mut self, mut shape: Record, weight: f64, model_id: i64, blend: i64) -> Result<(), Fault> {
        let name = shape.text(0).unwrap_or_default().to_string();
        let (channel, geometry) = (self.fresh(), self.fresh());
        let percent = property("DeformPercent", "Number", AttributeValue::F64(weight));
        let object = self.make("Deformer", channel, &format!("{name}\0\x01SubDeformer"), "BlendShapeChannel")?;
        percent.spend(self.budget)?;
        self.place(object.with([Record::new("Properties70", []).with([percent])]))?;
        self.link(channel, blend, None)?;
        let object = self.make("Geometry", geometry, &format!("{name}\0\x01Geometry"), "Shape")?;
        self.place(object.with(std::mem::take(&mut shape.inside)))?;
        self.link(geometry, channel, None)?;
        self.sliders.entry((model_id, name)).or_insert(channel);
        Ok(())
    }
}
