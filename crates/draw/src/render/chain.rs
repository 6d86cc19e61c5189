//! Chain: effects of a camera as pictures, one made of others.
//!
//! In: effects with their numbers. Out: what each pass draws, and from what. Never here: targets, wgpu.

use stillframe_effects::{EffectId, Read, Stage, Values};

use super::history::StageId;
use super::job::{Colour, Look};
use crate::scene::is_developed;

/// A picture that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The name of its pass.
    pub name: String,
    /// `None`: light becomes that of a display.
    pub stage: Option<(Values, Stage)>,
    /// In the order of `Stage::reads`.
    pub reads: Vec<Source>,
    /// How much of the effect is seen, for stages that ask.
    pub amount: f32,
    /// What the next frame calls it.
    pub left: Option<StageId>,
}

/// What a picture is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The picture before all effects.
    Scene,
    /// An earlier picture of the chain.
    Link(usize),
    Depth,
    /// Lights and their shadows.
    Lights,
    Motion,
    /// The table of the effect's file.
    Table,
    /// What was left one frame before.
    Before(StageId),
}

/// Pictures in the order in which they are drawn, and the last one.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    pub links: Vec<Link>,
    /// How many of them come before the scene is drawn. The last of these says how much light from around arrives.
    pub occlusion_count: usize,
    /// How surfaces reflect what the picture shows, and how much of that is seen.
    pub reflection: Option<(Values, f32)>,
    pub shown: Source,
    /// The last one is light of a display.
    pub is_developed: bool,
}

/// What a look's effects leave for the next frame.
pub fn left_stages(look: &Look<'_>) -> Vec<StageId> {
    chain(look).links.iter().filter_map(|link| link.left).collect()
}

/// What is drawn for a camera's effects. Those that change nothing are left out.
pub fn chain(look: &Look<'_>) -> Chain {
    let effects = look.post.effects;
    let late = is_developed(effects);
    let mut chain =
        Chain { links: Vec::new(), occlusion_count: 0, reflection: None, shown: Source::Scene, is_developed: false };
    // A mean of pictures has it already.
    let before = || effects.iter().filter(|effect| !effect.is_idle() && look.sums.is_none());
    let reflecting = before().find(|effect| effect.is_of_lighting() && !effect.is_occlusion());
    chain.reflection = reflecting.map(|effect| (effect.values.clone(), effect.amount));
    for effect in before().filter(|effect| effect.is_occlusion()) {
        chain.stages((&effect.name, None), &effect.values, [Source::Scene; 2], look.size_px());
        chain.links.iter_mut().for_each(|link| link.amount = effect.amount);
        chain.occlusion_count = chain.links.len();
    }
    // For linear pictures, tone mapping and all after it do not count.
    let is_linear = look.colour == Colour::Linear32;
    let mut last = effects.len().checked_sub(1);
    while let Some(at) = last.filter(|at| is_linear && late[*at]) {
        last = effects[at].inputs[0];
    }
    let mut wanted = vec![false; effects.len()];
    for at in (0..effects.len()).rev() {
        wanted[at] |= last == Some(at);
        if wanted[at] {
            let count = if effects[at].values.effect.row().has_two() { 2 } else { 1 };
            effects[at].inputs[..count].iter().flatten().for_each(|input| wanted[*input] = true);
        }
    }
    // Of each effect, and whether it has been developed.
    let mut shown: Vec<(Source, bool)> = Vec::new();
    for (at, effect) in effects.iter().enumerate() {
        let of = |input: Option<usize>| input.map_or((Source::Scene, false), |input| shown[input]);
        let own = match wanted[at] && !effect.is_idle() && !effect.is_of_lighting() {
            false => of(effect.inputs[0]),
            true => {
                let [input, with] = effect.inputs.map(of);
                let input = chain.developed(input, late[at]);
                let has_two = effect.values.effect.row().has_two();
                let with = if has_two { chain.developed(with, late[at]) } else { input };
                let made = chain.stages((&effect.name, Some(at)), &effect.values, [input, with], look.size_px());
                (chain.mixed(&effect.name, [input, made], effect.amount), late[at])
            }
        };
        shown.push(own);
    }
    if let Some(last) = last {
        (chain.shown, chain.is_developed) = shown[last];
    }
    chain
}

impl Chain {
    /// The depth up to which effects read lights in the air, if one does.
    pub fn air_m(&self) -> Option<f32> {
        let reading = self.links.iter().filter(|link| link.reads.contains(&Source::Lights));
        let depths_m = reading.filter_map(|link| link.stage.as_ref()).map(|(values, _)| values.number("far_m"));
        depths_m.max_by(f32::total_cmp)
    }

    fn add(&mut self, link: Link) -> Source {
        let same = |known: &Link| known.stage.is_none() && link.stage.is_none() && known.reads == link.reads;
        let at = self.links.iter().position(same).unwrap_or(self.links.len());
        if at == self.links.len() {
            self.links.push(link);
        }
        Source::Link(at)
    }

    /// The same as light of a display, if that is wanted.
    fn developed(&mut self, (source, is_developed): (Source, bool), is_wanted: bool) -> Source {
        if is_developed || !is_wanted {
            return source;
        }
        let name = match source {
            Source::Link(at) => format!("develop {at}"),
            _ => "develop".to_string(),
        };
        self.add(Link { name, stage: None, reads: vec![source], amount: 1.0, left: None })
    }

    /// `position`: of the effect, if it can read what it has left before.
    fn stages(
        &mut self,
        (name, position): (&str, Option<usize>),
        values: &Values,
        [input, with]: [Source; 2],
        size_px: [u32; 2],
    ) -> Source {
        let stages = (values.effect.row().stages)(values, size_px);
        let id = |stage: usize| {
            let effect = position.expect("effects before the picture read nothing of before");
            StageId { effect, stage }
        };
        let all = || stages.iter().flat_map(|stage| &stage.reads);
        let kept: Vec<Option<StageId>> =
            (0..stages.len()).map(|at| all().any(|read| *read == Read::Before(at)).then(|| id(at))).collect();
        let (first, count) = (self.links.len(), stages.len());
        for (at, stage) in stages.into_iter().enumerate() {
            let of = |read: &Read| match read {
                Read::Input => input,
                Read::With => with,
                Read::Stage(earlier) => Source::Link(first + earlier),
                Read::Table => Source::Table,
                Read::Depth => Source::Depth,
                Read::Lights => Source::Lights,
                Read::Motion => Source::Motion,
                Read::Before(stage) => Source::Before(id(*stage)),
            };
            let reads = stage.reads.iter().map(of).collect();
            let number = if count > 1 { format!(" {at}") } else { String::new() };
            let mut name = format!("effect {name}{number}");
            // `a` may have a stage 1, and another effect be called `a 1`.
            while self.links.iter().any(|link| link.name == name) {
                name.push('\'');
            }
            let stage = Some((values.clone(), stage));
            self.links.push(Link { name, stage, reads, amount: 1.0, left: kept[at] });
        }
        Source::Link(self.links.len() - 1)
    }

    /// A mix of an effect's input and its picture.
    fn mixed(&mut self, name: &str, pictures: [Source; 2], amount: f32) -> Source {
        if amount == 1.0 {
            return pictures[1];
        }
        let values = Values::new(EffectId::BLEND).with("share", amount);
        self.stages((&format!("{name} amount"), None), &values, pictures, [1; 2])
    }
}
