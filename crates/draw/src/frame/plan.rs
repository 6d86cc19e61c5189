//! Plan: passes in order, the targets between them, what they draw and for whom.

use super::target::{Format, Life, Part, Target, TargetId};
use super::view::{Eye, View, ViewId};
use crate::material::{Kept, Variant};

/// Index into `Plan::lists`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListId(pub usize);

/// Which items of a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Items {
    Opaque,
    /// Opaque ones whose depth is there already.
    Covered,
    /// Opaque ones of which something is kept until they are shaded.
    Kept(Kept),
    /// The other opaque ones; their depth is there before they are shaded.
    Left(Kept),
    /// All opaque ones, those that are left as blanks.
    Both(Kept),
    /// Opaque ones that show nothing of what is behind them.
    Solid,
    /// Those once more, over what they were: they reflect what is in sight.
    Mirrors,
    /// Those of them without holes.
    Whole,
    /// Opaque ones that show what is behind them.
    Clear,
    /// Opaque ones that light leaves elsewhere than it enters.
    Scattering,
    Blended,
    /// Opaque ones, then blended ones.
    Seen,
    /// Those that cast shadows and that the view sees.
    Casters,
    /// Those of them that let light through.
    Veils,
    /// The one of `Shot::functions` with this number.
    Function(u32),
}

/// Items that a pass draws, and the shader family that draws them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    pub view: ViewId,
    pub items: Items,
    pub variant: Variant,
}

/// What a pass draws, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    List(ListId),
    /// One triangle over everything, and what it shows.
    Screen(&'static str),
    /// A grid of invocations, and what it computes.
    Grid(&'static str),
}

/// How a pass uses a part of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Sampled, or read texel by texel; a buffer: as uniforms.
    Sample,
    /// Written by a grid, which counts on nothing that was there.
    Storage,
    /// Drawn into. `clear`: it holds zeros first, else what was there. `keep`: what is drawn counts afterwards.
    Attach {
        clear: bool,
        keep: bool,
    },
    /// A depth that is tested against and stays as it is.
    Test,
    /// The mean of the samples of the attachment before.
    Resolve,
    CopyFrom,
    CopyTo,
}

impl How {
    pub fn reads(self) -> bool {
        matches!(self, How::Sample | How::CopyFrom | How::Test | How::Attach { clear: false, .. })
    }

    pub fn writes(self) -> bool {
        !matches!(self, How::Sample | How::CopyFrom | How::Test)
    }

    /// Whether somebody else can read what is written.
    pub fn leaves(self) -> bool {
        self.writes() && !matches!(self, How::Attach { keep: false, .. })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    pub target: TargetId,
    pub part: Part,
    pub how: How,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    /// The name of the row that records it.
    pub row: &'static str,
    /// In the order in which passes are declared.
    pub number: usize,
    pub name: String,
    /// Attachments in their order.
    pub uses: Vec<Use>,
    pub draws: Vec<Draw>,
    /// `None`: it looks from nowhere.
    pub view: Option<ViewId>,
}

impl Pass {
    pub fn reads(&self) -> impl Iterator<Item = &Use> {
        self.uses.iter().filter(|usage| usage.how.reads())
    }

    pub fn writes(&self) -> impl Iterator<Item = &Use> {
        self.uses.iter().filter(|usage| usage.how.writes())
    }

    /// What somebody else can read afterwards.
    pub fn leaves(&self) -> impl Iterator<Item = &Use> {
        self.uses.iter().filter(|usage| usage.how.leaves())
    }

    pub fn touches(&self, id: TargetId) -> bool {
        self.uses.iter().any(|usage| usage.target == id)
    }
}

/// A part of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    pub target: TargetId,
    pub part: Part,
}

/// What can be asked for by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// `None`: every view has it.
    pub view: Option<ViewId>,
    /// Numbered ones end in `.0`, `.1` ...
    pub name: String,
    pub output: Output,
}

/// Passes in the order they run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub views: Vec<View>,
    /// Of all passes that were declared.
    pub targets: Vec<Target>,
    pub passes: Vec<Pass>,
    /// Declared, and not run: nobody reads what they write.
    pub culled: Vec<Pass>,
    pub lists: Vec<List>,
    pub layers: Vec<Layer>,
    /// Targets that a view's passes see although another view's passes write them, by their name.
    pub lent: Vec<(ViewId, &'static str, TargetId)>,
    /// What comes back to the caller, each once.
    pub outputs: Vec<Output>,
    /// For each target the number of the texture or buffer that holds it; `None`: no pass that runs touches it.
    pub places: Vec<Option<usize>>,
}

impl Plan {
    /// First and last pass that touches a target; outputs and what later pictures use live to the end. `None`: none
    /// touches it.
    pub fn lifetime(&self, id: TargetId) -> Option<(usize, usize)> {
        let first = self.passes.iter().position(|pass| pass.touches(id))?;
        let last = self.passes.iter().rposition(|pass| pass.touches(id))?;
        let life = self.targets[id.0].life;
        let outlives = life != Life::Picture || self.outputs.iter().any(|output| output.target == id);
        let first = if life == Life::Earlier { 0 } else { first };
        Some((first, if outlives { self.passes.len() } else { last }))
    }

    /// The camera that a view is for.
    pub fn camera(&self, view: ViewId) -> ViewId {
        match self.views[view.0].eye {
            Eye::Camera => view,
            Eye::Sample { camera, .. } | Eye::Middle { camera } | Eye::Map { camera, .. } | Eye::Square { camera } => {
                camera
            }
        }
    }

    /// Targets that passes touch.
    pub fn used(&self) -> impl Iterator<Item = (TargetId, &Target)> {
        let all = self.targets.iter().enumerate().map(|(index, target)| (TargetId(index), target));
        all.filter(|(id, _)| self.places[id.0].is_some())
    }

    /// Bytes of all targets, were each alone.
    pub fn target_bytes(&self) -> u64 {
        self.used().map(|(_, target)| target.bytes()).sum()
    }

    /// Bytes of the textures and buffers that hold the targets.
    pub fn held_bytes(&self) -> u64 {
        let mut held = std::collections::BTreeSet::new();
        self.used().filter(|(id, _)| held.insert(self.places[id.0])).map(|(_, target)| target.bytes()).sum()
    }

    /// The target of this name that a view's passes see: its own, or every view's.
    pub fn target(&self, view: Option<ViewId>, name: &str) -> Option<TargetId> {
        let sees = |target: &Target| target.view.is_none() || target.view == view;
        let own = self.targets.iter().position(|target| target.name == name && sees(target)).map(TargetId);
        own.or_else(|| {
            let lent = self.lent.iter().find(|(to, of, _)| Some(*to) == view && *of == name);
            lent.map(|(_, _, target)| *target)
        })
    }

    /// What holds a layer, where a pass leaves it.
    pub fn layer(&self, view: ViewId, name: &str) -> Option<Output> {
        let is = |layer: &&Layer| layer.name == name && layer.view.is_none_or(|of| of == view);
        self.layers.iter().find(is).map(|layer| layer.output)
    }

    /// Formats of a pass's colour attachments, in order.
    pub fn colors(&self, pass: &Pass) -> Vec<Format> {
        let attached = pass.uses.iter().filter(|usage| matches!(usage.how, How::Attach { .. }));
        let formats = attached.filter_map(|usage| self.targets[usage.target.0].format);
        formats.filter(|format| !format.is_depth()).collect()
    }

    /// Samples of a pass's attachments.
    pub fn samples(&self, pass: &Pass) -> u32 {
        let attached = pass.uses.iter().find(|usage| matches!(usage.how, How::Attach { .. }));
        attached.map_or(1, |usage| self.targets[usage.target.0].samples)
    }

    /// Lists that passes draw.
    pub fn drawn(&self) -> impl Iterator<Item = ListId> {
        self.passes.iter().flat_map(|pass| &pass.draws).filter_map(|draw| match draw {
            Draw::List(id) => Some(*id),
            Draw::Screen(_) | Draw::Grid(_) => None,
        })
    }

    /// What later pictures find that a pass writes, or those that read what it writes.
    pub fn left_by(&self, pass: &Pass) -> Option<TargetId> {
        let all = || self.passes.iter().chain(&self.culled);
        pass.leaves().find_map(|usage| match self.targets[usage.target.0].life {
            Life::Sitting | Life::Earlier => Some(usage.target),
            Life::Picture => {
                let mut later = all().filter(|other| other.number > pass.number);
                later
                    .find(|other| other.reads().any(|read| read.target == usage.target))
                    .and_then(|it| self.left_by(it))
            }
        })
    }

    /// Whether all that a pass writes is there for later pictures, or for passes of which that is true.
    pub fn lasts(&self, pass: &Pass) -> bool {
        self.lasts_with(pass, &mut Vec::new())
    }

    /// The same, without those who are asking: passes may draw over what they read.
    fn lasts_with<'p>(&'p self, pass: &'p Pass, asking: &mut Vec<&'p Pass>) -> bool {
        asking.push(pass);
        let all = || self.passes.iter().chain(&self.culled);
        let mut serves = |usage: &Use| match self.targets[usage.target.0].life {
            Life::Picture => {
                let is_other = |other: &&Pass| !asking.iter().any(|own| std::ptr::eq(*own, *other));
                let reads = |other: &&Pass| other.reads().any(|read| read.target == usage.target);
                let readers: Vec<&Pass> = all().filter(is_other).filter(reads).collect();
                !readers.is_empty() && readers.into_iter().all(|reader| self.lasts_with(reader, asking))
            }
            Life::Sitting | Life::Earlier => true,
        };
        let mut leaves = pass.leaves().peekable();
        let lasts = leaves.peek().is_some() && leaves.all(&mut serves);
        asking.pop();
        lasts
    }

    /// Asserts that every read follows a write.
    pub fn assert_sound(&self) {
        let mut written = vec![Vec::<Part>::new(); self.targets.len()];
        for pass in &self.passes {
            for Use { target, part, .. } in pass.reads() {
                let Target { name, life, .. } = &self.targets[target.0];
                let is_there = *life == Life::Earlier || written[target.0].iter().any(|there| there.overlaps(*part));
                assert!(is_there, "{} reads {name} before it is written", pass.name);
            }
            for Use { target, part, .. } in pass.writes() {
                written[target.0].push(*part);
            }
        }
    }
}
