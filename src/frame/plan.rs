//! Plan: passes in order, and the targets between them.

use std::fmt::{self, Write};

/// Texel format of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The linear picture. The one format that WebGPU lets every device filter, blend, multisample and resolve; its 11
    /// significant bits stay below a quarter of an 8-bit step after encoding.
    Rgba16Float,
    /// Exact values: normals and depth, and pictures that stay linear.
    Rgba32Float,
    /// Bits of exact values, and ids.
    Rgba32Uint,
    /// Motion in pixels.
    Rg32Float,
    Rgba16Uint,
    Rgba8UnormSrgb,
    Depth32Float,
}

impl Format {
    /// Of one sample.
    pub fn bytes(self) -> u64 {
        match self {
            Format::Rgba8UnormSrgb | Format::Depth32Float => 4,
            Format::Rgba16Float | Format::Rg32Float | Format::Rgba16Uint => 8,
            Format::Rgba32Float | Format::Rgba32Uint => 16,
        }
    }
}

/// Index into `Plan::targets`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TargetId(pub usize);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub name: &'static str,
    pub format: Format,
    pub width_px: u32,
    pub height_px: u32,
    /// Array layers or cube faces.
    pub layers: u32,
    /// Levels, each half as wide as the one before.
    pub levels: u32,
    pub samples: u32,
}

impl Target {
    pub fn bytes(&self) -> u64 {
        let texels: u64 = (0..self.levels)
            .map(|level| self.part_size(Part { level, ..Part::WHOLE }))
            .map(|[width_px, rows]| u64::from(width_px) * u64::from(rows))
            .sum();
        texels * u64::from(self.layers * self.samples) * self.format.bytes()
    }

    /// Width and rows of a part, its layers one below the other.
    pub fn part_size(&self, part: Part) -> [u32; 2] {
        [(self.width_px >> part.level).max(1), (self.height_px >> part.level).max(1) * part.layers]
    }
}

/// Which level and layers of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub level: u32,
    pub first_layer: u32,
    pub layers: u32,
}

impl Part {
    /// The only level and layer of a picture.
    pub const WHOLE: Part = Part { level: 0, first_layer: 0, layers: 1 };
}

/// What comes back to the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    pub target: TargetId,
    pub part: Part,
}

/// What a pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassKind {
    /// Radiance into the faces of a cube, all levels.
    Radiance,
    /// Nine harmonics of the radiance.
    Harmonics,
    /// The specular cube, all levels.
    Prefilter,
    /// Depth from a directional light, into this layer.
    SunMap(u32),
    /// Depth from a spot light or one side of a point light, into this layer.
    LocalMap(u32),
    /// Opaque items, what is behind them, blended items; resolved when there are several samples.
    Scene,
    /// Depth, normal, albedo and id at pixel centres.
    Aov,
    /// Where surface points were one frame before, at pixel centres.
    Motion,
    /// Tone map and encode.
    Encode,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    pub kind: PassKind,
    pub reads: Vec<TargetId>,
    pub writes: Vec<TargetId>,
}

impl Pass {
    pub fn name(&self) -> String {
        match self.kind {
            PassKind::Radiance => "radiance".to_string(),
            PassKind::Harmonics => "harmonics".to_string(),
            PassKind::Prefilter => "prefilter".to_string(),
            PassKind::SunMap(layer) => format!("sun map {layer}"),
            PassKind::LocalMap(layer) => format!("local map {layer}"),
            PassKind::Scene => "scene".to_string(),
            PassKind::Aov => "aov".to_string(),
            PassKind::Motion => "motion".to_string(),
            PassKind::Encode => "encode".to_string(),
        }
    }
}

/// Passes in the order they run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub targets: Vec<Target>,
    pub passes: Vec<Pass>,
    /// Each once.
    pub outputs: Vec<Output>,
}

impl Plan {
    /// First and last pass that touches a target; outputs live to the end.
    pub fn lifetime(&self, id: TargetId) -> (usize, usize) {
        let touches = |pass: &Pass| pass.reads.contains(&id) || pass.writes.contains(&id);
        let first = self.passes.iter().position(touches).expect("a target is used");
        let last = self.passes.iter().rposition(touches).expect("a target is used");
        let comes_back = self.outputs.iter().any(|output| output.target == id);
        (first, if comes_back { self.passes.len() } else { last })
    }

    /// Bytes of all targets together.
    pub fn target_bytes(&self) -> u64 {
        self.targets.iter().map(Target::bytes).sum()
    }

    /// The target of this name, if the plan has it.
    pub fn target(&self, name: &str) -> Option<TargetId> {
        self.targets.iter().position(|target| target.name == name).map(TargetId)
    }

    /// Asserts that every read follows a write and that no target is idle.
    pub fn assert_sound(&self) {
        let mut written = vec![false; self.targets.len()];
        for pass in &self.passes {
            for read in &pass.reads {
                assert!(written[read.0], "{} reads {} before it is written", pass.name(), self.targets[read.0].name);
            }
            for write in &pass.writes {
                written[write.0] = true;
            }
        }
        for (target, written) in self.targets.iter().zip(written) {
            assert!(written, "nobody writes {}", target.name);
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |ids: &[TargetId]| ids.iter().map(|id| self.targets[id.0].name).collect::<Vec<_>>().join(", ");
        f.write_str("passes\n")?;
        for (index, pass) in self.passes.iter().enumerate() {
            let mut line = format!("  {index:2} {}", pass.name());
            if !pass.reads.is_empty() {
                _ = write!(line, "  reads {}", names(&pass.reads));
            }
            if !pass.writes.is_empty() {
                _ = write!(line, "  writes {}", names(&pass.writes));
            }
            writeln!(f, "{line}")?;
        }
        f.write_str("targets\n")?;
        for (index, target) in self.targets.iter().enumerate() {
            let (first, last) = self.lifetime(TargetId(index));
            write!(f, "  {:<12} {:?} {}x{}", target.name, target.format, target.width_px, target.height_px)?;
            for (count, word) in [(target.layers, "layers"), (target.levels, "levels"), (target.samples, "samples")] {
                if count > 1 {
                    write!(f, " {count} {word}")?;
                }
            }
            writeln!(f, "  lives {first}..{last}  {} bytes", target.bytes())?;
        }
        let outputs: Vec<TargetId> = self.outputs.iter().map(|output| output.target).collect();
        writeln!(f, "outputs {}", names(&outputs))?;
        writeln!(f, "bytes {}", self.target_bytes())
    }
}
