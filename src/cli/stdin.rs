//! Standard input as a scene or a model: `-`.

use std::io::Read;
use std::path::Path;

use super::status::Failure;

/// Its name in diagnostics.
pub const NAME: &str = "<stdin>";

/// More is a mistake rather than a wish.
const MAX_BYTES: u64 = 1 << 30;

/// What can come in, as endings of files say it.
pub const KINDS: [&str; 7] = ["toml", "glb", "gltf", "fbx", "obj", "stl", "ply"];

/// Whether a path means standard input.
pub fn is_meant(path: &Path) -> bool {
    path == Path::new("-")
}

/// All that comes in.
pub fn read() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::Environment(format!("standard input cannot be read: {error}")))?;
    match bytes.len() as u64 {
        0 => Err(Failure::usage("standard input is empty")),
        length if length > MAX_BYTES => Err(Failure::usage("standard input is larger than 1 GB")),
        _ => Ok(bytes),
    }
}

/// The format of bytes, from their start: a format's magic number, else a model's lines, else a scene.
pub fn kind(bytes: &[u8]) -> &'static str {
    let start = &bytes[..bytes.len().min(4096)];
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start_matches('\u{feff}');
    let lines = || text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = lines().next().unwrap_or("");
    // 80 bytes of anything, the number of triangles, 50 bytes each.
    let triangles = bytes.get(80..84).map(|n| u64::from(u32::from_le_bytes([n[0], n[1], n[2], n[3]])));
    let fills = triangles.is_some_and(|count| 84 + 50 * count == bytes.len() as u64);
    let obj = ["v", "vn", "vt", "mtllib", "usemtl", "o", "g"];
    match () {
        () if bytes.starts_with(b"glTF") => "glb",
        () if bytes.starts_with(b"Kaydara FBX Binary") => "fbx",
        () if first.starts_with("FBXHeaderExtension") || first.starts_with(';') && first.contains("FBX") => "fbx",
        () if first == "ply" => "ply",
        () if first.starts_with('{') => "gltf",
        () if fills || (first.starts_with("solid") && text.contains("facet")) => "stl",
        () if obj.contains(&first.split_whitespace().next().unwrap_or("")) && !first.contains('=') => "obj",
        () => "toml",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_known_by_their_beginning() {
        let mut triangle = vec![b' '; 80];
        triangle.extend_from_slice(&1u32.to_le_bytes());
        triangle.extend_from_slice(&[0; 50]);
        for (bytes, want) in [
            (&b"glTF\x02\0\0\0"[..], "glb"),
            (b"Kaydara FBX Binary  \0", "fbx"),
            (b"; FBX 7.4.0 project file\n", "fbx"),
            (b"\xEF\xBB\xBF;FBX 6.1.0 project file\r\n", "fbx"),
            (b"\r\nFBXHeaderExtension:  {\r\n", "fbx"),
            (b"ply\nformat ascii 1.0\n", "ply"),
            (b"\n  { \"asset\": {} }", "gltf"),
            (b"solid x\n facet normal 0 0 1\n", "stl"),
            (&triangle, "stl"),
            (b"# made by hand\n\nv 0 0 0\n", "obj"),
            (b"mtllib a.mtl\n", "obj"),
            (b"\xEF\xBB\xBFply\nformat ascii 1.0\n", "ply"),
            (b"title = 'x'\n", "toml"),
            (b"# a scene\no = 1\n", "toml"),
            (b"v = 1\n", "toml"),
            (b"", "toml"),
        ] {
            assert_eq!(kind(bytes), want, "{:?}", String::from_utf8_lossy(bytes));
        }
    }
}
