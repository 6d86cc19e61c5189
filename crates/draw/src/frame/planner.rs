//! Planner: what rows declare becomes a plan: what nobody reads is left out, and targets share memory.

use super::plan::{Draw, How, Layer, List, ListId, Output, Pass, Plan, Use};
use super::target::{Life, Part, Target, TargetId};
use super::view::{View, ViewId};

/// What was asked for is not among what passes leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotThere {
    pub name: String,
    /// How many layers there are of its kind.
    pub count: u32,
}

/// A plan in the making.
#[derive(Debug)]
pub struct Planner {
    plan: Plan,
}

impl Planner {
    /// Nothing is declared yet; `cameras` are the first views.
    pub fn new(cameras: Vec<View>) -> Planner {
        let plan = Plan {
            views: cameras,
            targets: Vec::new(),
            passes: Vec::new(),
            culled: Vec::new(),
            lists: Vec::new(),
            layers: Vec::new(),
            lent: Vec::new(),
            outputs: Vec::new(),
            places: Vec::new(),
        };
        Planner { plan }
    }

    pub fn view(&self, id: ViewId) -> View {
        self.plan.views[id.0]
    }

    pub fn add_view(&mut self, view: View) -> ViewId {
        self.plan.views.push(view);
        ViewId(self.plan.views.len() - 1)
    }

    pub fn add_target(&mut self, target: Target) -> TargetId {
        assert!(self.find(target.view, target.name).is_none(), "two targets are called {}", target.name);
        self.plan.targets.push(target);
        TargetId(self.plan.targets.len() - 1)
    }

    /// A target that passes know by its number: others may have its name.
    pub fn add_step(&mut self, target: Target) -> TargetId {
        self.plan.targets.push(target);
        TargetId(self.plan.targets.len() - 1)
    }

    /// A texture of a camera's view, as large as its picture.
    pub fn add_flat(&mut self, view: ViewId, target: Target) -> TargetId {
        let View { width_px, height_px, .. } = self.view(view);
        self.add_target(Target { view: Some(view), width_px, height_px, ..target })
    }

    /// A target that an earlier row has declared, if it has: the view's own, or every view's.
    pub fn find(&self, view: Option<ViewId>, name: &str) -> Option<TargetId> {
        self.plan.target(view, name)
    }

    /// What one camera's passes write under a name, another's passes and whoever asks for layers find under it, too.
    pub fn lend(&mut self, name: &'static str, from: ViewId, to: ViewId) {
        let Some(target) = self.find(Some(from), name) else { return };
        self.plan.lent.push((to, name, target));
        let layers = self.plan.layers.iter().filter(|layer| layer.view == Some(from) && layer.output.target == target);
        let lent: Vec<Layer> = layers.map(|layer| Layer { view: Some(to), ..layer.clone() }).collect();
        self.plan.layers.extend(lent);
    }

    /// The same use of every level and layer.
    pub fn whole(&self, target: TargetId, how: How) -> impl Iterator<Item = Use> + use<> {
        self.plan.targets[target.0].parts().map(move |part| Use { target, part, how })
    }

    /// Everything that is written of those of the named targets that there are, sampled.
    pub fn sampled(&self, view: Option<ViewId>, names: &[&str]) -> Vec<Use> {
        let found = names.iter().filter_map(|name| self.find(view, name));
        found.flat_map(|target| self.whole(target, How::Sample)).filter(|read| self.is_written(read)).collect()
    }

    fn is_written(&self, read: &Use) -> bool {
        let mut writes = self.plan.passes.iter().flat_map(Pass::writes);
        let is_earlier = self.plan.targets[read.target.0].life == Life::Earlier;
        is_earlier || writes.any(|write| write.target == read.target && write.part.overlaps(read.part))
    }

    /// A list of items; the same one again, where it is known.
    pub fn list(&mut self, list: List) -> Draw {
        if let Some(known) = self.plan.lists.iter().position(|known| *known == list) {
            return Draw::List(ListId(known));
        }
        self.plan.lists.push(list);
        Draw::List(ListId(self.plan.lists.len() - 1))
    }

    /// Gives a part of a target a name that can be asked for.
    pub fn layer(&mut self, name: String, target: TargetId, part: Part) {
        let view = self.plan.targets[target.0].view.map(|view| self.plan.camera(view));
        self.plan.layers.push(Layer { view, name, output: Output { target, part } });
    }

    /// How many layers of a view are called `kind.0`, `kind.1` ...
    pub fn count(&self, view: Option<ViewId>, kind: &str) -> u32 {
        let is = |layer: &&Layer| layer.view == view && kind_of(&layer.name) == kind;
        self.plan.layers.iter().filter(is).count() as u32
    }

    /// Adds a pass behind all that were declared, recorded by the row of this name. Those of other cameras than the
    /// first carry the camera's number.
    pub fn pass(&mut self, row: &'static str, name: String, view: Option<ViewId>, uses: Vec<Use>, draws: Vec<Draw>) {
        let camera = view.map_or(0, |id| self.plan.camera(id).0);
        let name = if camera == 0 { name } else { format!("{name} @{camera}") };
        let number = self.plan.passes.len();
        self.plan.passes.push(Pass { row, number, name, uses, draws, view });
    }

    /// The plan that leaves the wanted layers, and nothing that none of them needs. `shares`: whether targets share
    /// memory.
    ///
    /// Errors: a layer that no pass leaves.
    pub fn finish(self, wanted: &[(ViewId, &str)], shares: bool) -> Result<Plan, NotThere> {
        let mut plan = self.plan;
        for (view, name) in wanted {
            let output = plan.layer(*view, name).ok_or_else(|| {
                let kind = kind_of(name);
                let is = |layer: &&Layer| layer.view.is_none_or(|of| of == *view) && kind_of(&layer.name) == kind;
                NotThere { name: name.to_string(), count: plan.layers.iter().filter(is).count() as u32 }
            })?;
            if !plan.outputs.contains(&output) {
                plan.outputs.push(output);
            }
        }
        cull(&mut plan);
        plan.assert_sound();
        plan.places = places(&plan, shares);
        Ok(plan)
    }
}

/// `shadow` of `shadow.3`.
fn kind_of(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}

/// Leaves out every pass that writes nothing that is read later or comes back.
fn cull(plan: &mut Plan) {
    let mut needed: Vec<Output> = plan.outputs.clone();
    let mut runs = vec![false; plan.passes.len()];
    for (pass, runs) in plan.passes.iter().zip(&mut runs).rev() {
        let is_needed = |usage: &Use| needed.iter().any(|o| o.target == usage.target && o.part.overlaps(usage.part));
        *runs = pass.leaves().any(is_needed);
        if *runs {
            let made_here = |usage: &&Use| plan.targets[usage.target.0].life != Life::Earlier;
            let reads = pass.reads().filter(made_here).map(|usage| Output { target: usage.target, part: usage.part });
            needed.extend(reads);
        }
    }
    let all = std::mem::take(&mut plan.passes);
    for (pass, runs) in all.into_iter().zip(runs) {
        if runs { plan.passes.push(pass) } else { plan.culled.push(pass) }
    }
}

/// Which texture or buffer holds each target: one that fits and whose last target is done, else a new one.
fn places(plan: &Plan, shares: bool) -> Vec<Option<usize>> {
    let lives: Vec<_> = (0..plan.targets.len()).map(|index| plan.lifetime(TargetId(index))).collect();
    let mut order: Vec<usize> = (0..lives.len()).filter(|index| lives[*index].is_some()).collect();
    order.sort_by_key(|index| lives[*index]);
    // The target that each place holds last, and when it is done with.
    let mut held: Vec<(usize, usize)> = Vec::new();
    let mut places = vec![None; lives.len()];
    for index in order {
        let (first, last) = lives[index].expect("only those that live are in order");
        let is_free =
            |(holds, until): &(usize, usize)| *until < first && plan.targets[*holds].fits(&plan.targets[index]);
        let free = held.iter().position(is_free).filter(|_| shares);
        let place = free.unwrap_or(held.len());
        match free {
            Some(place) => held[place] = (index, last),
            None => held.push((index, last)),
        }
        places[index] = Some(place);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::super::target::Format;
    use super::super::view::Eye;
    use super::*;

    const DRAWN: How = How::Attach { clear: true, keep: true };
    const SCRATCH: How = How::Attach { clear: true, keep: false };

    fn camera(width_px: u32) -> View {
        View { eye: Eye::Camera, width_px, height_px: 32, samples: 1, mirrored: false }
    }

    fn flat(planner: &mut Planner, name: &'static str) -> TargetId {
        planner.add_flat(ViewId(0), Target::texture(name, Format::Rgba16Float, [0; 2]))
    }

    fn uses(list: &[(TargetId, How)]) -> Vec<Use> {
        list.iter().map(|&(target, how)| Use { target, part: Part::WHOLE, how }).collect()
    }

    /// A chain of passes `0` to `n - 1` through targets `names`, each with a depth of its own that it does not keep.
    fn chain(names: &[&'static str], wanted: &str, shares: bool) -> Plan {
        let mut planner = Planner::new(vec![camera(64)]);
        let mut before = None;
        for name in names {
            let target = flat(&mut planner, name);
            let depth = planner.add_target(Target {
                view: None,
                ..Target::texture(Box::leak(format!("{name} depth").into_boxed_str()), Format::Depth32Float, [64, 32])
            });
            let mut list = vec![(target, DRAWN), (depth, SCRATCH)];
            list.extend(before.map(|before| (before, How::Sample)));
            planner.pass("test", name.to_string(), Some(ViewId(0)), uses(&list), Vec::new());
            planner.layer(name.to_string(), target, Part::WHOLE);
            before = Some(target);
        }
        planner.finish(&[(ViewId(0), wanted)], shares).unwrap()
    }

    #[test]
    fn what_nobody_reads_does_not_run() {
        let plan = chain(&["a", "b", "c", "d"], "c", true);
        let names = |passes: &[Pass]| passes.iter().map(|pass| pass.name.clone()).collect::<Vec<_>>();
        assert_eq!(
            (names(&plan.passes), names(&plan.culled)),
            (["a", "b", "c"].map(String::from).to_vec(), vec!["d".to_string()])
        );
        let text = plan.to_string();
        assert!(text.contains("   1 b  reads a  writes b, b depth\n") && text.contains("\nculled d\n"), "{text}");
    }

    #[test]
    fn targets_whose_lives_do_not_meet_share() {
        let names = ["a", "b", "c", "d", "e"];
        let (plan, apart) = (chain(&names, "e", true), chain(&names, "e", false));
        let place = |plan: &Plan, name: &str| plan.places[plan.target(Some(ViewId(0)), name).unwrap().0];
        // `b` is read while `c` is written, `a` is not.
        assert_eq!(place(&plan, "a"), place(&plan, "c"));
        assert_eq!(place(&plan, "b"), place(&plan, "d"));
        assert_ne!(place(&plan, "a"), place(&plan, "b"));
        assert_eq!(place(&plan, "a depth"), place(&plan, "e depth"));
        let texel_bytes = 64 * 32;
        assert_eq!((plan.target_bytes(), apart.held_bytes()), (texel_bytes * 5 * 12, texel_bytes * 5 * 12));
        // Two pictures take turns, and all depths are one.
        assert_eq!(plan.held_bytes(), texel_bytes * (2 * 8 + 4));
        assert!(
            plan.to_string().contains("c            Rgba16Float 64x32  lives 2..3  16384 bytes  in place of a"),
            "{plan}"
        );
        // What comes back is not written over.
        let plan = chain(&names, "c", true);
        assert_eq!(plan.lifetime(plan.target(Some(ViewId(0)), "c").unwrap()), Some((2, 3)));
    }

    #[test]
    fn parts_are_read_one_by_one() {
        let mut planner = Planner::new(vec![camera(64)]);
        let maps = Target { layers: 3, ..Target::texture("maps", Format::Depth32Float, [16; 2]) };
        let maps = planner.add_target(maps);
        for layer in 0..3 {
            let usage = Use { target: maps, part: Part::layer(layer), how: DRAWN };
            planner.pass("test", format!("map {layer}"), None, vec![usage], Vec::new());
            planner.layer(format!("map.{layer}"), maps, Part::layer(layer));
        }
        let error = planner.finish(&[(ViewId(0), "map.7")], true).unwrap_err();
        assert_eq!(error, NotThere { name: "map.7".to_string(), count: 3 });
        let mut planner = Planner::new(vec![camera(64)]);
        let maps = planner.add_target(Target { layers: 3, ..Target::texture("maps", Format::Depth32Float, [16; 2]) });
        for layer in 0..3 {
            let usage = Use { target: maps, part: Part::layer(layer), how: DRAWN };
            planner.pass("test", format!("map {layer}"), None, vec![usage], Vec::new());
            planner.layer(format!("map.{layer}"), maps, Part::layer(layer));
        }
        let plan = planner.finish(&[(ViewId(0), "map.1")], true).unwrap();
        assert_eq!(plan.passes.iter().map(|pass| pass.name.as_str()).collect::<Vec<_>>(), ["map 1"]);
    }

    #[test]
    fn what_an_earlier_picture_left_is_not_made() {
        let plan = |life: Life| {
            let mut planner = Planner::new(vec![camera(64)]);
            let source = planner.add_target(Target::cube("source", Format::Rgba16Float, 4, 3));
            let table = planner.add_target(Target { life, ..Target::buffer("table", 160) });
            let picture = flat(&mut planner, "picture");
            let all: Vec<Use> = planner.whole(source, How::CopyTo).collect();
            planner.pass("test", "fill".to_string(), None, all, Vec::new());
            let sum = uses(&[(source, How::Sample), (table, How::Storage)]);
            planner.pass("test", "sum".to_string(), None, sum, Vec::new());
            planner.pass(
                "test",
                "draw".to_string(),
                Some(ViewId(0)),
                uses(&[(table, How::Sample), (picture, DRAWN)]),
                Vec::new(),
            );
            planner.layer("picture".to_string(), picture, Part::WHOLE);
            planner.finish(&[(ViewId(0), "picture")], true).unwrap()
        };
        let first = plan(Life::Sitting);
        let lasting: Vec<bool> = first.passes.iter().map(|pass| first.lasts(pass)).collect();
        assert_eq!(lasting, [true, true, false]);
        let later = plan(Life::Earlier);
        assert_eq!((later.passes.len(), later.culled.len()), (1, 2));
        assert_eq!(later.lifetime(TargetId(1)), Some((0, 1)));
        assert_eq!(later.places[0], None);
    }

    /// A pass that draws over what another has left reads what it writes.
    #[test]
    fn what_is_drawn_over_ends() {
        let mut planner = Planner::new(vec![camera(64)]);
        let picture = flat(&mut planner, "picture");
        let over = How::Attach { clear: false, keep: true };
        for (name, how) in [("draw", DRAWN), ("over", over)] {
            planner.pass("test", name.to_string(), Some(ViewId(0)), uses(&[(picture, how)]), Vec::new());
        }
        planner.layer("picture".to_string(), picture, Part::WHOLE);
        let plan = planner.finish(&[(ViewId(0), "picture")], true).unwrap();
        assert_eq!(plan.passes.iter().map(|pass| plan.lasts(pass)).collect::<Vec<_>>(), [false, false]);
    }

    /// Levels are made of each other, and a pass may draw over what another one has read of it.
    #[test]
    fn a_pass_that_reads_what_it_writes_is_asked_once() {
        let mut planner = Planner::new(vec![camera(64)]);
        let picture = flat(&mut planner, "picture");
        let levels =
            planner.add_flat(ViewId(0), Target { levels: 2, ..Target::texture("levels", Format::Rgba16Float, [0; 2]) });
        let first = Use { target: levels, part: Part::WHOLE, how: DRAWN };
        let next = Use { target: levels, part: Part { level: 1, ..Part::WHOLE }, how: DRAWN };
        planner.pass("test", "draw".to_string(), None, uses(&[(picture, DRAWN)]), Vec::new());
        let read = Use { target: picture, part: Part::WHOLE, how: How::Sample };
        planner.pass("test", "level 0".to_string(), None, vec![read, first], Vec::new());
        let read = Use { how: How::Sample, ..first };
        planner.pass("test", "level 1".to_string(), None, vec![read, next], Vec::new());
        let over = How::Attach { clear: false, keep: true };
        let through = vec![Use { how: How::Sample, ..next }, Use { target: picture, part: Part::WHOLE, how: over }];
        planner.pass("test", "through".to_string(), None, through, Vec::new());
        planner.layer("picture".to_string(), picture, Part::WHOLE);
        let plan = planner.finish(&[(ViewId(0), "picture")], true).unwrap();
        assert_eq!(plan.passes.len(), 4);
        assert!(plan.passes.iter().all(|pass| !plan.lasts(pass)));
    }

    #[test]
    #[should_panic(expected = "draw reads later before it is written")]
    fn a_read_before_its_write_is_our_mistake() {
        let mut planner = Planner::new(vec![camera(64)]);
        let (later, picture) = (flat(&mut planner, "later"), flat(&mut planner, "picture"));
        planner.pass("test", "draw".to_string(), None, uses(&[(later, How::Sample), (picture, DRAWN)]), Vec::new());
        planner.pass("test", "write".to_string(), None, uses(&[(later, DRAWN)]), Vec::new());
        planner.layer("picture".to_string(), picture, Part::WHOLE);
        _ = planner.finish(&[(ViewId(0), "picture")], true);
    }
}
