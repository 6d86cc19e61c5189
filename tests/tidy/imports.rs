//! Imports: who may name whom, and which module may name which package.

use crate::tree::{File, assert_none, files, parts, sample, without_tests};

/// Packages whose modules are rows of [`IMPORTS`]: the folder of their modules (`src/cli/render.rs` belongs to `cli`),
/// their name in code.
const HOMES: &[(&str, &str)] = &[
    ("src/", "crate::"),
    ("crates/asset/src/", "stillframe_asset::"),
    ("crates/draw/src/", "stillframe_draw::"),
    ("crates/lab/src/", "stillframe_lab::"),
    ("crates/models/src/", "stillframe_models::"),
    ("crates/scene/src/", "stillframe_scene::"),
    ("crates/world/src/", "stillframe_world::"),
];

/// `(module, modules it may use)`, whichever package it is in. Arrows point downward only.
const IMPORTS: &[(&str, &[&str])] = &[
    ("source", &[]),
    ("asset", &[]),
    ("frame", &["material"]),
    ("fault", &["asset", "scene", "world"]),
    ("scene", &["source", "asset"]),
    ("import", &["asset", "source"]),
    ("pose", &["asset", "import"]),
    ("bake", &["asset"]),
    ("material", &["asset", "shader", "light", "scene"]),
    ("shader", &[]),
    ("cache", &["source", "asset", "import", "bake"]),
    ("animate", &["scene", "import", "pose"]),
    ("world", &["source", "scene", "asset", "import", "pose", "animate", "bake", "cache"]),
    ("view", &["asset", "world", "scene"]),
    ("light", &["asset", "view", "scene", "shader"]),
    ("render", &["asset", "view", "light", "material", "shader", "fault", "frame", "scene", "bake"]),
    ("take", &["source", "scene", "asset", "cache", "world", "view", "light", "fault", "frame", "render"]),
    ("study", &["scene", "asset", "import", "pose", "animate", "world"]),
    ("bench", &[]),
    ("script", &["source", "scene"]),
    ("posing", &["source", "scene", "script"]),
    ("rays", &["asset", "scene", "world"]),
    ("fuzz", &["source", "scene", "asset", "import", "pose", "bake", "world", "script", "posing"]),
    ("harness", &["source", "scene", "cache", "fault", "take"]),
    (
        "cli",
        &[
            "source", "scene", "asset", "import", "pose", "animate", "bake", "cache", "world", "fault", "render",
            "take", "study", "bench", "script", "posing", "fuzz", "harness",
        ],
    ),
];

/// `(package's name in code, modules that may name it)`. Packages that are not listed are free.
const CRATES: &[(&str, &[&str])] = &[
    ("wgpu", &["render"]),
    ("stillframe_soft", &["render", "cli"]),
    ("naga", &["material", "shader", "render"]),
    ("draco_core", &["import"]),
    ("draco_gltf", &["import"]),
    ("gltf", &["import"]),
    ("image", &["import", "asset"]),
    ("toml_edit", &["scene", "harness", "fault", "fuzz", "script"]),
    ("axum", &["cli"]),
    ("tokio", &["cli"]),
    ("zip", &["cli"]),
    ("clap", &["cli"]),
    ("miette", &["cli"]),
    ("indicatif", &["cli"]),
    ("console", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("signal_hook", &["cli"]),
    ("etcetera", &["cli"]),
    ("postcard", &["cache"]),
    ("xxhash_rust", &["cache", "render"]),
];

/// Modules of other packages that the root offers: what `take` takes.
const OFFERED: &[&str] = &["scene"];

/// The module that a path belongs to, if it has a row or should have one.
fn module_of(path: &str) -> Option<&str> {
    let rest = HOMES.iter().find_map(|(home, _)| path.strip_prefix(home))?;
    let first = rest.split('/').next()?;
    let module = first.strip_suffix(".rs").unwrap_or(first);
    (module != "lib" && module != "main").then_some(module)
}

/// Words directly after `prefix` in a line.
fn names_after<'a>(line: &'a str, prefix: &str) -> Vec<&'a str> {
    let mut out = Vec::new();
    for (at, _) in line.match_indices(prefix) {
        let before = line[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &line[at + prefix.len()..];
        if let Some(list) = rest.strip_prefix('{') {
            out.extend(list.split([',', '}']).map(|n| n.trim().split("::").next().unwrap_or("")));
        } else {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            out.push(&rest[..end]);
        }
    }
    out.retain(|n| !n.is_empty());
    out
}

fn check(file: &File) -> Vec<String> {
    let Some(module) = module_of(&file.path) else { return Vec::new() };
    let Some((_, allowed)) = IMPORTS.iter().find(|(m, _)| *m == module) else {
        return vec![format!("{}: module `{module}` has no row in IMPORTS", file.path)];
    };
    let mut out = Vec::new();
    let code = parts(&file.text).code;
    for (number, line) in code.lines().enumerate() {
        for used in HOMES.iter().flat_map(|(_, package)| names_after(line, package)) {
            if IMPORTS.iter().any(|(m, _)| *m == used) && used != module && !allowed.contains(&used) {
                out.push(format!("{}:{}: `{module}` may not use `{used}`", file.path, number + 1));
            }
        }
        for (name, homes) in CRATES {
            if names(line, &format!("{name}::")) && !homes.contains(&module) {
                out.push(format!("{}:{}: `{name}` is at home in {homes:?} only", file.path, number + 1));
            }
        }
    }
    out
}

/// Whether a path begins with `prefix` somewhere in a line.
fn names(line: &str, prefix: &str) -> bool {
    line.match_indices(prefix).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':')
    })
}

/// Packages name nothing of the root; pictures and maths know no device; the oracle shares nothing with what it judges.
fn check_package(file: &File) -> Vec<String> {
    let mut out = Vec::new();
    let code = without_tests(&parts(&file.text).code);
    let mut forbid = |what: &str, why: &str| {
        out.extend(
            code.lines()
                .enumerate()
                .filter(|(_, line)| names(line, what))
                .map(|(number, _)| format!("{}:{}: `{what}`: {why}", file.path, number + 1)),
        );
    };
    if file.path.starts_with("crates/") {
        forbid("stillframe::", "a package may not name the root");
    }
    if file.path.starts_with("crates/base/src/") || file.path.starts_with("crates/frames/src/") {
        forbid("wgpu::", "knows no device");
    }
    if file.path.starts_with("crates/soft/src/plain/") {
        for fast in ["program", "exec", "sample", "raster"] {
            forbid(&format!("crate::{fast}"), "the oracle shares nothing with what it judges");
        }
    }
    out
}

/// The root offers its own modules, and names that they share; a module of a package is reached by that package.
fn check_face(file: &File) -> Vec<String> {
    if file.path != "src/lib.rs" {
        return Vec::new();
    }
    let code = parts(&file.text).code;
    let uses = code.split(';').filter_map(|item| item.rsplit_once("pub use ").map(|(_, path)| path));
    let offered = uses.flat_map(|path| path.rsplit("::").next().unwrap_or(path).split(['{', ',', '}']));
    let module = |name: &&str| IMPORTS.iter().any(|(m, _)| m == name) && !OFFERED.contains(name);
    offered.map(str::trim).filter(module).map(|name| format!("{}: `{name}` is its package's", file.path)).collect()
}

#[test]
fn imports_follow_the_table() {
    let files = files(&[".rs"]);
    let rules = [check, check_package, check_face];
    assert_none(files.iter().flat_map(|file| rules.iter().flat_map(move |rule| rule(file))).collect());
}

#[test]
fn imports_are_seen() {
    let rows: &[(&str, &str, usize)] = &[
        ("src/view/cull.rs", "use crate::render::Gpu;\n", 1),
        ("src/view/cull.rs", "use crate::{world, cli};\n", 1),
        ("src/view/cull.rs", "use crate::world::World;\n", 0),
        ("src/view/cull.rs", "let d = wgpu::Limits::default();\n", 1),
        ("src/view/cull.rs", "// wgpu::Limits\nlet a = \"wgpu::Limits\";\n", 0),
        ("src/new/x.rs", "\n", 1),
        ("src/view/cull.rs", "use stillframe_asset::{asset, source};\n", 1),
        ("crates/asset/src/source/vfs.rs", "use crate::asset::Mesh;\n", 1),
        ("crates/asset/src/lib.rs", "pub mod asset;\n", 0),
    ];
    for (path, text, want) in rows {
        assert_eq!(check(&sample(path, text)).len(), *want, "{path}: {text}");
    }
    let rows: &[(&str, &str, usize)] = &[
        ("crates/base/src/par.rs", "use stillframe::take;\nuse wgpu::Device;\n", 2),
        ("crates/soft/src/plain/eval.rs", "use crate::exec::Machine;\n", 1),
        ("crates/soft/src/plain/eval.rs", "use crate::plain::block;\n", 0),
    ];
    for (path, text, want) in rows {
        assert_eq!(check_package(&sample(path, text)).len(), *want, "{path}: {text}");
    }
    let rows: &[(&str, &str, usize)] = &[
        ("src/lib.rs", "pub use stillframe_scene::scene;\npub use stillframe_asset::source::{Diagnostic, Vfs};\n", 0),
        ("src/lib.rs", "pub use stillframe_models::{bake, import};\npub use stillframe_world::pose;\n", 3),
        ("src/lib.rs", "pub(crate) use stillframe_models::{bake, import};\n", 0),
    ];
    for (path, text, want) in rows {
        assert_eq!(check_face(&sample(path, text)).len(), *want, "{path}: {text}");
    }
}
