//! `[test]`: what a test run does with a scene.

use std::path::PathBuf;

use super::Aov;

/// Most cases of one scene: moments times combinations of its matrix.
pub(super) const CASES_MAX: usize = 1024;

/// `[test]`, read by test runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Test {
    pub why: String,
    /// What filters choose it by.
    pub tags: Vec<String>,
    /// What is compared, each on its own.
    pub aov: Vec<Aov>,
    /// When; one case each.
    pub moments: Moments,
    /// Every combination of one value of each axis is a case.
    pub matrix: Vec<Axis>,
    /// Scenes whose picture must be the same, bit for bit; absolute. No reference is stored then.
    pub equals: Vec<PathBuf>,
    /// Scenes whose picture must be another one; absolute.
    pub differs: Vec<PathBuf>,
    /// Why the picture is known to be wrong: the test passes only while it fails.
    pub known_failure: Option<String>,
    pub tolerance: Option<Tolerance>,
}

/// The moments of a test.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Moments {
    /// The scene's own.
    #[default]
    Own,
    Seconds(Vec<f64>),
    /// By number, at the output's frames a second.
    Frames(Vec<i64>),
}

/// One value that is varied.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// As written, for the case's name: `samples`.
    pub name: String,
    /// As `--set` takes it: `output.samples`.
    pub path: String,
    /// As TOML.
    pub values: Vec<String>,
}

/// How much may differ; without one, nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerance {
    /// Steps of 255 that a channel may differ by.
    pub channel: f64,
    /// Part of the pixels that may differ by more.
    pub share: f64,
    /// Why so much may.
    pub reason: String,
}

/// One combination of a matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// `[samples=4,sun=10]`; empty without a matrix.
    pub name: String,
    /// `--set` arguments.
    pub edits: Vec<String>,
}

impl Test {
    /// Every combination of the matrix, the last axis fastest; one without edits where there is no matrix.
    pub fn variants(&self) -> Vec<Variant> {
        let mut out = vec![Variant { name: String::new(), edits: Vec::new() }];
        for axis in &self.matrix {
            let longer = |variant: &Variant, value: &String| {
                let mut edits = variant.edits.clone();
                edits.push(format!("{}={value}", axis.path));
                let separator = if variant.name.is_empty() { "" } else { "," };
                Variant { name: format!("{}{separator}{}={}", variant.name, axis.name, value.trim_matches('"')), edits }
            };
            out = out.iter().flat_map(|variant| axis.values.iter().map(move |value| longer(variant, value))).collect();
        }
        for variant in out.iter_mut().filter(|variant| !variant.name.is_empty()) {
            variant.name = format!("[{}]", variant.name);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_a_case() {
        let axis = |name: &str, path: &str, values: &[&str]| Axis {
            name: name.into(),
            path: path.into(),
            values: values.iter().map(|v| v.to_string()).collect(),
        };
        let mut test = Test::default();
        assert_eq!(test.variants(), [Variant { name: String::new(), edits: Vec::new() }]);
        test.matrix =
            vec![axis("samples", "output.samples", &["1", "4"]), axis("tonemap", "output.tonemap", &["\"agx\""])];
        let names: Vec<_> = test.variants().into_iter().map(|v| (v.name, v.edits.join(" "))).collect();
        let want = [
            ("[samples=1,tonemap=agx]", "output.samples=1 output.tonemap=\"agx\""),
            ("[samples=4,tonemap=agx]", "output.samples=4 output.tonemap=\"agx\""),
        ];
        assert_eq!(names, want.map(|(a, b)| (a.to_string(), b.to_string())));
    }
}
