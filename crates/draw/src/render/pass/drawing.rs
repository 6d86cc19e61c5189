//! Drawing: one drawing of what a camera sees, of which a method of lighting makes passes.

use super::super::kept::is_kept;
use super::super::prepared::Wish;
use super::super::sky::Around;
use super::behind;
use super::blending::{self, Over};
use super::depth_levels;
use super::functions::FUNCTIONS;
use super::listed;
use super::moments::MOMENTS;
use super::radiance::RADIANCE;
use super::seen::{OCCLUSIONS, SEEN_DEPTH};
use super::shadow::{LOCAL_MAPS, SUN_MAPS};
use super::specular::SPECULAR;
use super::subsurface;
use super::veils::VEILS;
use crate::frame::{Draw, Format, How, Items, List, Part, Planner, Target, TargetId, Use, ViewId};
use crate::material::{Kept, Switches, Variant};
use crate::scene::{Background, Transparency};

/// What is shaded as it is drawn.
pub const SCENE: &str = "scene";
/// What is shaded at once, before what is kept.
const LEFT: &str = "forward";
/// What shows what is behind it, and what is blended.
const CLEAR: &str = "through";
/// What is around, behind everything.
pub const BACKGROUND: &str = "background";

/// What is drawn at once: all samples of a camera's pixels, or one.
#[derive(Debug)]
pub struct Drawing<'a> {
    pub wish: &'a Wish<'a>,
    pub camera: ViewId,
    /// Where it looks from: the camera, or one of its samples.
    pub view: ViewId,
    /// The number of that sample.
    pub number: Option<usize>,
    /// The same in other formats. Those that nobody wants are not drawn.
    pub pictures: Vec<Picture>,
}

/// What light is drawn into.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Behind the names of its passes.
    pub suffix: &'static str,
    /// Its colours, and what they resolve to.
    pub colors: Vec<Use>,
    /// The name of its depth, where nothing is drawn before.
    pub depth: &'static str,
}

/// What has become of opaque items before light is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opaque {
    /// Nothing yet.
    Here,
    /// Their depth is there.
    Covered(TargetId),
    /// They are shaded and their depth is there; so is the light that enters those that scatter.
    Shaded(TargetId, Vec<Use>),
}

impl Drawing<'_> {
    /// The name of a pass of this drawing.
    pub fn named(&self, name: &str, suffix: &str) -> String {
        match self.number {
            Some(number) => format!("{name}{suffix} {number}"),
            None => format!("{name}{suffix}"),
        }
    }

    /// A texture as large as the picture, cleared and drawn into.
    pub fn attach(&self, planner: &mut Planner, name: &'static str, format: Format) -> Use {
        let target = planner.add_flat(self.view, Target::texture(name, format, [0; 2]));
        Use { target, part: Part::WHOLE, how: How::Attach { clear: true, keep: true } }
    }

    pub fn list(&self, planner: &mut Planner, items: Items, variant: Variant) -> Draw {
        planner.list(List { view: self.camera, items, variant })
    }

    /// Whether depth is drawn in a pass of its own. Several samples at once always have theirs in the same pass.
    pub fn wants_prepass(&self, planner: &Planner) -> bool {
        self.wish.job.options.depth_prepass && planner.view(self.view).samples == 1
    }

    /// What lights the items.
    pub fn reads(&self, planner: &Planner) -> Vec<Use> {
        reads(self.wish.lit[self.camera.0].switches, self.camera, planner)
    }

    /// Whether something in sight shows what is behind it. Such a scene is drawn forward by every method.
    pub fn transmits(&self) -> bool {
        self.wish.lit[self.camera.0].transmits
    }

    /// Whether what is lit reflects what is in sight.
    fn reflects(&self) -> bool {
        self.wish.lit[self.camera.0].mirrors.is_some()
    }

    /// Draws the light that enters surfaces: how those who gather it read it.
    fn entered(&self, planner: &mut Planner) -> Vec<Use> {
        let format = if self.wish.caps.draws_f32 { Format::Rgba32Float } else { Format::Rgba16Float };
        let items = self.list(planner, Items::Scattering, Variant::Irradiance);
        let reads = self.reads(planner);
        subsurface::declare(planner, (self.view, self.named(subsurface::ROW.name, "")), reads, items, format)
    }

    /// Whether light leaves something in sight elsewhere than it enters.
    pub fn scatters(&self) -> bool {
        self.wish.lit[self.camera.0].scatters
    }

    /// What is around, where it is seen.
    fn background(&self) -> Option<&Around> {
        let output = self.wish.job.looks[self.camera.0].output;
        self.wish.around.filter(|_| output.background == Background::Environment)
    }

    fn is_sorted(&self) -> bool {
        self.wish.job.options.transparency == Transparency::Sorted
    }

    /// Shades the items that are not shaded yet, and draws what is behind them. `lists`: what it reads besides lights.
    ///
    /// What shows what is behind it comes in a pass of its own, when all of that is there, and with it what is blended.
    pub fn scene(&self, opaque: Opaque, lists: &[Use], planner: &mut Planner) {
        let [draws, clear] = self.draws(&opaque, planner);
        let entered = match &opaque {
            Opaque::Shaded(_, entered) => entered.clone(),
            _ if self.scatters() => self.entered(planner),
            _ => Vec::new(),
        };
        for (number, picture) in self.pictures.iter().enumerate() {
            let mut reads = [self.reads(planner), lists.to_vec()].concat();
            let mut uses = reads.clone();
            let is_blurred = self.background().is_some_and(|around| around.blur > 0.0);
            if is_blurred && !self.wish.lit[self.camera.0].switches.environment {
                uses.extend(planner.sampled(None, &[RADIANCE, SPECULAR]));
            }
            uses.extend(&entered);
            let is_shaded = matches!(opaque, Opaque::Shaded(..));
            uses.extend(picture.colors.iter().map(|usage| match usage.how {
                How::Attach { keep, .. } if is_shaded => Use { how: How::Attach { clear: false, keep }, ..*usage },
                How::Attach { clear, .. } if self.transmits() => {
                    Use { how: How::Attach { clear, keep: true }, ..*usage }
                }
                _ => *usage,
            }));
            let of_depth = match opaque {
                Opaque::Here => {
                    let samples = planner.view(self.view).samples;
                    let depth = Target { samples, ..Target::texture(picture.depth, Format::Depth32Float, [0; 2]) };
                    let target = planner.add_flat(self.view, depth);
                    let keep = self.transmits() || !self.is_sorted();
                    Use { target, part: Part::WHOLE, how: How::Attach { clear: true, keep } }
                }
                Opaque::Covered(target) | Opaque::Shaded(target, _) => {
                    Use { target, part: Part::WHOLE, how: How::Test }
                }
            };
            uses.push(of_depth);
            planner.pass(SCENE, self.named(SCENE, picture.suffix), Some(self.view), uses, draws.clone());
            let color = picture.colors.last().expect("a picture has colours").target;
            if self.transmits() {
                let label = format!("{} level", self.named(behind::BEHIND[0], picture.suffix));
                reads.extend(behind::declare(planner, self.view, behind::BEHIND[number], &label, color));
                if self.reflects() {
                    reads.extend(depth_levels::declare(planner, self.camera));
                }
                let mut uses = reads.clone();
                let over = |usage: &Use, kept: bool| match usage.how {
                    How::Attach { keep, .. } => Use { how: How::Attach { clear: false, keep: keep && kept }, ..*usage },
                    _ => *usage,
                };
                uses.extend(picture.colors.iter().map(|usage| over(usage, true)));
                uses.push(over(&of_depth, !self.is_sorted()));
                planner.pass(SCENE, self.named(CLEAR, picture.suffix), Some(self.view), uses, clear.clone());
            }
            let format = if self.wish.caps.draws_f32 { Format::Rgba32Float } else { Format::Rgba16Float };
            let over = Over { view: self.view, color, depth: of_depth.target, format, number };
            let (options, suffix) = (self.wish.job.options, self.named("", picture.suffix));
            match options.transparency {
                Transparency::Exact => listed::declare(planner, over, &reads, &suffix),
                _ => blending::declare(planner, options, over, &reads, &suffix),
            }
        }
    }

    /// Shades the opaque items of which nothing is kept, where `depth` shows them; what is kept is drawn over them, but
    /// not where they are seen. `lists`: what they read besides lights.
    ///
    /// The same drawing, which begins with them, and what has become of opaque items once it has shaded the others.
    pub fn left(&self, kept: Kept, depth: TargetId, lists: &[Use], planner: &mut Planner) -> (Drawing<'_>, Opaque) {
        let (Wish { job, lit, .. }, camera) = (self.wish, self.camera);
        let entered = if self.scatters() { self.entered(planner) } else { Vec::new() };
        let mut pictures = self.pictures.clone();
        if job.looks[camera.0].shot.opaque.iter().any(|item| !is_kept(kept, item, job, &lit[camera.0])) {
            let items = self.list(planner, Items::Left(kept), Variant::Lit);
            for picture in &mut pictures {
                let of_depth = Use { target: depth, part: Part::WHOLE, how: How::Test };
                let uses = [&self.reads(planner)[..], lists, &entered, &picture.colors, &[of_depth]].concat();
                planner.pass(SCENE, self.named(LEFT, picture.suffix), Some(self.view), uses, vec![items]);
                for usage in &mut picture.colors {
                    if let How::Attach { clear, .. } = &mut usage.how {
                        *clear = false;
                    }
                }
            }
        }
        let over = Drawing { wish: self.wish, camera, view: self.view, number: self.number, pictures };
        (over, Opaque::Shaded(depth, entered))
    }

    /// What is drawn first, and what is drawn when all of that is there to be seen through it.
    fn draws(&self, opaque: &Opaque, planner: &mut Planner) -> [Vec<Draw>; 2] {
        let mut draws = match opaque {
            Opaque::Here => self.items(if self.transmits() { Items::Solid } else { Items::Opaque }, planner),
            Opaque::Covered(_) => vec![self.list(planner, Items::Covered, Variant::Lit)],
            Opaque::Shaded(..) => Vec::new(),
        };
        if self.background().is_some() {
            draws.push(Draw::Screen(BACKGROUND));
        }
        let mut clear = Vec::new();
        if self.reflects() {
            clear.push(self.list(planner, Items::Mirrors, Variant::Lit));
        }
        if self.transmits() {
            clear.extend(self.items(Items::Clear, planner));
        }
        if self.is_sorted() {
            clear.push(self.list(planner, Items::Blended, Variant::Lit));
        }
        if self.transmits() {
            return [draws, clear];
        }
        draws.extend(clear);
        [draws, Vec::new()]
    }

    /// Items of which nothing is there yet.
    fn items(&self, items: Items, planner: &mut Planner) -> Vec<Draw> {
        if planner.view(self.view).samples == 1 {
            return vec![self.list(planner, items, Variant::Lit)];
        }
        // Depth first: what is shaded then is seen, and at a sample that is seen. The pixel's centre may lie behind
        // something that covers a part of the pixel.
        let covered = if items == Items::Opaque { Items::Covered } else { items };
        vec![self.list(planner, items, Variant::Depth), self.list(planner, covered, Variant::Lit)]
    }
}

/// What lights the items of a camera.
pub fn reads(switches: Switches, camera: ViewId, planner: &Planner) -> Vec<Use> {
    let mut uses = Vec::new();
    if switches.environment {
        uses.extend(planner.sampled(None, &[RADIANCE, SPECULAR]));
    }
    if switches.occluded {
        uses.extend(planner.sampled(Some(camera), &[OCCLUSIONS]));
    }
    if switches.kinds.has_functions() {
        uses.extend(planner.sampled(Some(camera), &[FUNCTIONS]));
    }
    if switches.shadows {
        uses.extend(planner.sampled(Some(camera), &[SUN_MAPS, LOCAL_MAPS, MOMENTS, SEEN_DEPTH]));
        uses.extend(planner.sampled(Some(camera), &VEILS));
    }
    uses
}
