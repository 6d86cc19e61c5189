//! Fault: a mistake that is planted on purpose, to see who notices it. Data only: whoever wants to ask something else
//! writes another file.
//!
//! In: a TOML file of [`Fault`]s. Out: texts of shaders, numbers of the data between two links, and pipeline state
//! changed. Never here: who notices. Without a fault nothing of this runs.

mod numbers;
mod states;

use serde::{Deserialize, Serialize};
use toml_edit::de::Deserializer;

pub use numbers::{PATHS, edit_store, edit_world};
pub use states::edit_samplers;

use crate::scene::toml_document;

/// One planted mistake: everything it lists is done together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fault {
    pub name: String,
    /// Which part of the chain it stands for: `light`, `bake`, `encode` ...
    pub stage: String,
    /// What a developer would have done wrong.
    pub why: String,
    /// The first pass that a report must name, and the object, where there is one.
    pub pass: String,
    pub object: String,
    /// A case that must notice it.
    pub case: String,
    /// `--set` arguments: a mistake in the scene itself.
    pub set: Vec<String>,
    pub text: Vec<TextEdit>,
    pub number: Vec<NumberEdit>,
    pub state: Vec<StateEdit>,
}

/// Shader text that is replaced wherever it stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TextEdit {
    pub find: String,
    pub replace: String,
}

/// Numbers between two links: `value * scale + add`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NumberEdit {
    /// A row of [`PATHS`].
    pub path: String,
    /// Only of the thing of this name, or those whose name it begins.
    pub of: String,
    pub scale: f32,
    pub add: f32,
}

impl Default for NumberEdit {
    fn default() -> NumberEdit {
        NumberEdit { path: String::new(), of: String::new(), scale: 1.0, add: 0.0 }
    }
}

/// State of pipelines and of the order of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StateEdit {
    /// Blended items replace what is behind them.
    BlendOff,
    /// Straight instead of premultiplied alpha.
    BlendStraight,
    /// Nearest blended items first.
    BlendOrder,
    /// Front faces are left out instead of back faces.
    CullFront,
    /// The farther surface wins.
    DepthReversed,
    /// Every texture is sampled at its nearest texel.
    SampleNearest,
    /// Every texture is clamped at its edge.
    SampleClamped,
    /// Textures have no anisotropic filter.
    SampleIsotropic,
    /// Lights add up in the opposite order.
    LightsReversed,
    /// The map of a directional light holds everything that casts, also where nothing else is behind it.
    ShadowFitItself,
    /// Maps of directional lights are fitted to bounds alone.
    ShadowFitBounds,
    /// Shadow maps are as small as they get, whatever the picture shows of them.
    ShadowCoarse,
    /// Shadow comparison the other way round.
    ShadowReversed,
    /// Shadow maps are empty.
    ShadowLost,
    /// Mirrors show what is behind them, too.
    MirrorUnclipped,
    /// Triangles that are seen in a mirror turn as they do without it.
    MirrorWinding,
}

/// What a renderer needs of a fault.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenderFault {
    pub text: Vec<TextEdit>,
    pub state: Vec<StateEdit>,
}

impl Fault {
    pub fn for_rendering(&self) -> RenderFault {
        RenderFault { text: self.text.clone(), state: self.state.clone() }
    }
}

impl RenderFault {
    pub fn has(&self, edit: StateEdit) -> bool {
        self.state.contains(&edit)
    }

    /// A shader's text as it is used.
    pub fn edited(&self, text: String) -> String {
        self.text.iter().fold(text, |text, edit| text.replace(&edit.find, &edit.replace))
    }
}

/// Reads a file of faults: `[[fault]]` tables.
///
/// Errors: what is wrong with it, in words that name the place.
pub fn parse(text: &str) -> Result<Vec<Fault>, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        fault: Vec<Fault>,
    }
    let document = toml_document(text, &mut 0).map_err(|error| error.words(text))?;
    let file = File::deserialize(Deserializer::from(document)).map_err(|error| error.to_string())?;
    let mut names = std::collections::BTreeSet::new();
    for fault in &file.fault {
        let about = |message: &str| format!("fault `{}`: {message}", fault.name);
        if fault.name.is_empty() || !names.insert(&fault.name) {
            return Err(about("each fault needs a unique name"));
        }
        if fault.set.is_empty() && fault.text.is_empty() && fault.number.is_empty() && fault.state.is_empty() {
            return Err(about("it changes nothing: add `set`, `text`, `number` or `state`"));
        }
        if fault.text.iter().any(|edit| edit.find.is_empty()) {
            return Err(about("the text to replace must not be empty"));
        }
        if let Some(edit) = fault.number.iter().find(|edit| !PATHS.contains(&edit.path.as_str())) {
            return Err(about(&format!("`{}` is not a path; known are {}", edit.path, PATHS.join(", "))));
        }
    }
    Ok(file.fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_faults_is_read_and_checked() {
        let good = "[[fault]]\nname = \"a\"\nstage = \"light\"\nnumber = [{ path = \"light.color\", scale = 0.0 }]\n\
                    [[fault]]\nname = \"b\"\nstate = [\"blend-off\"]\ntext = [{ find = \"x\", replace = \"y\" }]\n";
        let faults = parse(good).unwrap();
        assert_eq!((faults.len(), faults[0].number[0].scale, faults[0].number[0].add), (2, 0.0, 0.0));
        assert_eq!(faults[1].for_rendering().edited("xzx".into()), "yzy");
        for (text, part) in [
            ("[[fault]]\nname = \"a\"\n", "changes nothing"),
            ("[[fault]]\nname = \"a\"\nset = [\"x=1\"]\n[[fault]]\nname = \"a\"\nset = [\"x=1\"]\n", "a unique name"),
            ("[[fault]]\nname = \"a\"\nnumber = [{ path = \"light.colour\" }]\n", "not a path"),
            ("[[fault]]\nname = \"a\"\nstate = [\"blend\"]\n", "blend-off"),
            ("[[fault]]\nname = \"a\"\ntext = [{ find = \"\", replace = \"y\" }]\n", "must not be empty"),
            ("[[fault]]\nnam = \"a\"\n", "nam"),
        ] {
            assert!(parse(text).unwrap_err().contains(part), "{text}: {}", parse(text).unwrap_err());
        }
    }
}
