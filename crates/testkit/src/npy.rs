//! A reader of NumPy files for oracles: format 1.0, little-endian, C order.

use std::path::Path;

use stillframe_base::math::pack;

/// Shape and values; whole numbers become f32 (oracles' are small).
pub struct Npy {
    pub shape: Vec<usize>,
    pub values: Vec<f32>,
}

pub fn oracle(name: &str) -> Npy {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/oracle").join(name))
}

pub fn read(file: &Path) -> Npy {
    let name = file.display();
    let bytes = std::fs::read(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00", "{name}");
    let header_end = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..header_end]).expect("ASCII");
    assert!(header.contains("'fortran_order': False"), "{name}: {header}");
    let between = |from: &str, to: char| {
        let start = header.find(from).unwrap_or_else(|| panic!("{name}: {header}")) + from.len();
        header[start..].split(to).next().expect("text").to_string()
    };
    let shape: Vec<usize> = between("'shape': (", ')').split(',').filter_map(|n| n.trim().parse().ok()).collect();
    let data = &bytes[header_end..];
    let words = || data.chunks_exact(4).map(|b| [b[0], b[1], b[2], b[3]]);
    let values: Vec<f32> = match between("'descr': '", '\'').as_str() {
        "<f4" => words().map(f32::from_le_bytes).collect(),
        "<i4" => words().map(|b| i32::from_le_bytes(b) as f32).collect(),
        "<u4" => words().map(|b| u32::from_le_bytes(b) as f32).collect(),
        "<f2" => data.chunks_exact(2).map(|b| pack::f32_from_f16(u16::from_le_bytes([b[0], b[1]]))).collect(),
        "|u1" => data.iter().map(|b| f32::from(*b)).collect(),
        other => panic!("{name}: {other}"),
    };
    assert_eq!(values.len(), shape.iter().product::<usize>(), "{name}");
    Npy { shape, values }
}

impl Npy {
    /// Element of a [h, w] or [h, w, 3] array.
    pub fn at<const N: usize>(&self, x: usize, y: usize) -> [f32; N] {
        let channels = self.shape.get(2).copied().unwrap_or(1);
        assert_eq!(channels, N);
        let start = (y * self.shape[1] + x) * channels;
        std::array::from_fn(|c| self.values[start + c])
    }
}
