//! Animation stacks become raw clips.
//!
//! In: stacks, layers, curve nodes and curves, and the properties they hang on. Out: [`RawClip`]s with a curve for each
//! component, in the file's units (but weights, which become parts of 1). Never here: evaluation.

use std::collections::BTreeSet;

use stillframe_anim::{Curve, LayerBlend, Property, RawClip, RawLayer, RawTrack, TrackValues};
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

use super::Importer;
use super::document::{Object, short, text};
use super::tangent_curve::{self, Scale};
use crate::import::{Fault, code};

type Result<T> = std::result::Result<T, Fault>;

/// What a curve node moves, as far as it is read.
struct Target {
    tracks: Vec<(usize, Property)>,
    /// Components are named X, Y and Z.
    vector: bool,
    scale: Scale,
}

impl<'t> Importer<'t, '_> {
    pub fn read_clips(&mut self) {
        let document = self.document;
        for stack in document.objects.iter().filter(|object| object.is("AnimationStack")) {
            match self.read_clip(stack) {
                Ok(clip) => self.model.clips.push(clip),
                Err(fault) => self.fail(fault),
            }
        }
    }

    /// The file's time as ours, to the nearest tick.
    fn tick(&self, time: i64) -> Tick {
        tangent_curve::tick(time, self.ticks_per_second)
    }

    fn read_clip(&mut self, stack: &Object<'t>) -> Result<RawClip> {
        let document = self.document;
        let name = stack.name();
        let what = format!("the animation {:?}", short(&name));
        self.budget.spend((size_of::<RawClip>() + name.len()) as u64, &what)?;
        let mut layers = Vec::new();
        for layer in document.parts(stack.id, "AnimationLayer") {
            layers.push(self.read_layer(layer, layers.is_empty(), &what)?);
        }
        if layers.is_empty() {
            layers.push(RawLayer::base(Vec::new()));
        }
        let properties = document.properties(stack);
        let time = |name: &str| properties.integer(name).map(|time| self.tick(time));
        let (start, end) = match (time("LocalStart"), time("LocalStop")) {
            (Some(start), Some(end)) if start < end => (start, end),
            _ => extent(&layers),
        };
        let name = if name.is_empty() { format!("clip {}", self.model.clips.len()) } else { name };
        Ok(RawClip { name, start, end, layers })
    }

    fn read_layer(&mut self, layer: &Object<'t>, base: bool, what: &str) -> Result<RawLayer> {
        let document = self.document;
        let properties = document.properties(layer);
        // Override lets nothing through, whatever the weight; see the SDK's `FbxAnimLayer::EBlendMode`.
        let (blend, weighs) = match properties.integer("BlendMode").unwrap_or(0) {
            1 => (LayerBlend::Override, false),
            2 => (LayerBlend::OverridePassthrough, true),
            _ => (LayerBlend::Additive, true),
        };
        let stored = properties.float("Weight").unwrap_or(100.0) / 100.0;
        let mut weight = Curve::constant(if weighs { stored.clamp(0.0, 1.0) } else { 1.0 });
        let mut tracks = Vec::new();
        let mut known = BTreeSet::new();
        for node in document.parts(layer.id, "AnimationCurveNode") {
            for connection in document.from(node.id).filter(|c| c.property.is_some()) {
                let property = connection.property.unwrap_or_default();
                let Some(on) = document.object(connection.destination) else { continue };
                if on.id == layer.id && property == b"Weight" {
                    if let Some(curve) = self.curve_of(node, None, Scale::PARTS, what)?.filter(|_| weighs) {
                        weight = curve;
                    }
                    continue;
                }
                let Some(target) = self.target(on, property, what) else { continue };
                for (node_at, property) in target.tracks {
                    if !known.insert((node_at, property.clone())) {
                        continue;
                    }
                    let values = self.components(node, target.vector, target.scale, what)?;
                    self.budget.spend(size_of::<RawTrack>() as u64, what)?;
                    tracks.push(RawTrack { node: node_at, property, values });
                }
            }
        }
        let muted = properties.bool_or("Mute", false) && !base;
        Ok(RawLayer {
            name: layer.name(),
            blend,
            weight: if muted { Curve::constant(0.0) } else { weight },
            rotations_add_by_channel: properties.integer("RotationAccumulationMode").unwrap_or(0) != 0,
            scales_multiply: properties.integer("ScaleAccumulationMode").unwrap_or(0) == 0,
            tracks: if muted && !weighs { Vec::new() } else { tracks },
        })
    }

    /// What a property of an object moves; `None` for what no clip of ours can hold.
    fn target(&mut self, on: &Object<'t>, property: &[u8], what: &str) -> Option<Target> {
        let plain = |nodes: Vec<usize>, property: Property, vector: bool| {
            let tracks = nodes.into_iter().map(|node| (node, property.clone())).collect();
            Some(Target { tracks, vector, scale: Scale::ONE })
        };
        match (on.kind, property) {
            (b"Model", _) => {
                let node = *self.known.nodes.get(&on.id)?;
                match property {
                    b"Lcl Translation" => plain(vec![node], Property::Translation, true),
                    b"Lcl Rotation" => plain(vec![node], Property::Rotation, true),
                    b"Lcl Scaling" => plain(vec![node], Property::Scale, true),
                    b"Visibility" => plain(vec![node], Property::Visibility, false),
                    other => plain(vec![node], Property::Other(short(&text(other))), false),
                }
            }
            (b"NodeAttribute", _) => {
                let owners = self.document.owners(on.id, "Model").filter_map(|model| self.known.nodes.get(&model.id));
                plain(owners.copied().collect(), Property::Other(short(&text(property))), false)
            }
            (b"Deformer", b"DeformPercent") => {
                let users = self.known.sliders.get(&on.id)?;
                let tracks = users.iter().map(|(node, place)| (*node, Property::MorphWeight(*place))).collect();
                Some(Target { tracks, vector: false, scale: Scale::PARTS })
            }
            // Blender says the weights of shapes twice, once where nothing listens.
            (b"Geometry", _) => None,
            (kind, _) => {
                let (kind, property) = (text(kind), short(&text(property)));
                let message = format!("{what}: ignored the animation of {property:?} of a {kind}");
                self.warn(Fault::new(code::FBX_LEFT_OUT, message));
                None
            }
        }
    }

    /// The curves of a curve node, with what its components are where no curve moves them.
    fn components(&mut self, node: &Object<'t>, vector: bool, scale: Scale, what: &str) -> Result<TrackValues> {
        let document = self.document;
        let properties = document.properties(node);
        let own = |letter: &str| properties.float(&format!("d|{letter}"));
        let has = |letter: u8| document.onto(node.id).iter().any(|c| c.property == Some(&[b'd', b'|', letter]));
        if vector || has(b'Y') || has(b'Z') || own("Y").is_some() {
            let mut curves = Vec::with_capacity(3);
            for letter in [b'X', b'Y', b'Z'] {
                curves.push(self.curve_of(node, Some(letter), scale, what)?);
            }
            let rest = ["X", "Y", "Z"].map(|letter| own(letter).unwrap_or(0.0) * scale.0).to_vec();
            return Ok(TrackValues::Components { curves, rest });
        }
        let rest = properties.names().find_map(|name| properties.float(&text(name))).unwrap_or(0.0) * scale.0;
        Ok(TrackValues::Components { curves: vec![self.curve_of(node, None, scale, what)?], rest: vec![rest] })
    }

    /// The curve on a component of a curve node; on whatever it has where no component is named.
    fn curve_of(&mut self, node: &Object<'t>, letter: Option<u8>, scale: Scale, what: &str) -> Result<Option<Curve>> {
        let document = self.document;
        let fits = |property: Option<&[u8]>| match (letter, property) {
            (None, _) => true,
            (Some(letter), Some(property)) => property == [b'd', b'|', letter],
            (Some(_), None) => false,
        };
        let on = document.onto(node.id).iter().filter(|c| fits(c.property));
        let Some(curve) = on.filter_map(|c| document.object(c.source)).find(|o| o.is("AnimationCurve")) else {
            return Ok(None);
        };
        let read = tangent_curve::read(curve.at, self.ticks_per_second, scale, &mut self.budget, what)?;
        if let Some(problem) = read.problem {
            self.warn(Fault::new(code::VALUES_REPLACED, format!("{what}: a curve {problem}")));
        }
        Ok(Some(read.curve).filter(|curve| !curve.keys.is_empty()))
    }
}

/// From the first to the last key.
fn extent(layers: &[RawLayer]) -> (Tick, Tick) {
    let (mut start, mut end) = (Tick(i64::MAX), Tick(i64::MIN));
    for track in layers.iter().flat_map(|layer| &layer.tracks) {
        if let TrackValues::Components { curves, .. } = &track.values {
            for keys in curves.iter().flatten().map(|curve| &curve.keys) {
                start = start.min(keys[0].time);
                end = end.max(keys[keys.len() - 1].time);
            }
        }
    }
    if start <= end { (start, end) } else { (Tick::ZERO, Tick(TICKS_PER_SECOND)) }
}
