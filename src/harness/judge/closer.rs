//! Closer: why two pictures differ: how much, where, on what, since which pass and draw.
//!
//! The scene is taken once more, with every draw looked at and with the numbers of its objects. That is sound where
//! pictures are a function of what goes in, and who is not steady has been found out before.

use std::collections::BTreeMap;

use stillframe_frames::compare::in_one_form;
use stillframe_frames::looking::id_color;
use stillframe_frames::run::{CaseRecord, ObjectShare, PassRecord, Status, Why, split_name};
use stillframe_frames::{
    Exact, LockLine, PassHash, Picture, PixelHash, Samples, first_difference, parse_passes, print_passes,
};

use super::{Candidate, Failed, Judge, Look, pass_hash};
use crate::scene::{Aov, Scene};
use crate::take::{Capture, Settings, Take, for_looking, texels_made_small};

/// Objects that are named; the rest is small.
const OBJECTS_MAX: usize = 6;
/// Width of a picture in a strip of passes.
const STRIP_WIDTH_PX: u32 = 160;

impl Judge<'_> {
    /// Fills in what a record of a failure tells, and keeps its pictures.
    pub(super) fn look_closer(
        &mut self,
        scene: &Scene,
        candidate: &Candidate,
        line: Option<&LockLine>,
        record: &mut CaseRecord,
    ) -> Result<(), Failed> {
        record.new_picture = Some(self.run.keep(&candidate.picture, &self.pool)?);
        let family = split_name(&candidate.name).0;
        let old = line.and_then(|line| match self.store.picture(family, line) {
            // Somebody may have drawn it again for this run.
            Ok(picture) => picture.or_else(|| self.run.picture(line.pixels, line.format).ok().flatten()),
            Err(error) => {
                record.add_message(&format!("cannot show the reference: {error}"));
                None
            }
        });
        if let Some(old) = &old {
            record.old_picture = Some(self.run.keep(old, &self.pool)?);
            if record.status == Status::Differs {
                record.why_differs = Why::of(old, &candidate.picture, &self.pool);
            }
        } else if record.status == Status::Differs {
            if record.message.is_none() {
                let store = &self.setup.references.store;
                record.message = Some(format!("the old picture is not in the store {store}"));
            }
            record.why_differs = Some(Why::default());
        }
        let old_passes = match line.map(|line| self.store.passes(family, line)).transpose() {
            Ok(text) => text.flatten(),
            Err(error) => {
                record.add_message(&format!("cannot compare with the reference's passes: {error}"));
                None
            }
        };
        let of_run = |root: PixelHash| self.run.passes(root);
        let old_passes = match (old_passes, self.setup.old_passes) {
            (None, Some(root)) => of_run(root)?,
            (passes, _) => passes,
        };
        let old_passes = old_passes.and_then(|text| parse_passes(&text).ok()).unwrap_or_default();
        let take = match self.closer.take().map_or_else(|| self.closer_take(scene, candidate), Ok) {
            Ok(take) => take,
            // The verdict stands all the same: looking takes more memory than drawing does.
            Err(failed) => {
                record.add_message(&format!("cannot inspect it further: {}", failed.message));
                if candidate.passes_root.is_some() {
                    self.run.keep_passes(&candidate.passes_text)?;
                }
                return Ok(());
            }
        };
        let mut passes: Vec<PassHash> = take.captures.iter().map(pass_hash).collect();
        if self.setup.rendering.look == Look::Off {
            passes.iter_mut().for_each(|pass| pass.draws.clear());
        }
        self.run.keep_passes(&print_passes(&passes))?;
        let small = |judge: &Judge<'_>, capture: &crate::take::PassCapture| -> std::io::Result<Option<String>> {
            let Some(texels) = &capture.texels else { return Ok(None) };
            judge.run.keep(&texels_made_small(texels, STRIP_WIDTH_PX), &judge.pool).map(Some)
        };
        for capture in &take.captures {
            let was = old_passes.iter().find(|was| was.name == capture.name);
            record.passes.push(PassRecord {
                name: capture.name.clone(),
                old: was.map(|was| was.hash),
                new: Some(PixelHash(*capture.hash.as_bytes())),
                new_picture: small(self, capture)?,
                old_picture: None,
            });
        }
        let lost = old_passes.iter().filter(|was| passes.iter().all(|pass| pass.name != was.name));
        let lost = lost.map(|was| PassRecord { name: was.name.clone(), old: Some(was.hash), ..PassRecord::default() });
        record.passes.extend(lost);
        if let Some(why) = &mut record.why_differs
            && !old_passes.is_empty()
            && let Some((pass, draw)) = first_difference(&old_passes, &passes)
        {
            (why.first_pass, why.first_draw) = (Some(pass), draw);
        }
        record.object_picture = self.object_picture(&take)?;
        if let (Some(why), Some(old)) = (&mut record.why_differs, &old) {
            why.objects = objects(&take, old, &candidate.picture);
        }
        Ok(())
    }

    /// What the difference to another picture lies on.
    pub(super) fn blame(
        &mut self,
        scene: &Scene,
        candidate: &Candidate,
        old: &Picture,
        record: &mut CaseRecord,
    ) -> Result<(), Failed> {
        let take = self.closer.take().map_or_else(|| self.closer_take(scene, candidate), Ok)?;
        record.object_picture = self.object_picture(&take)?;
        if let Some(why) = &mut record.why_differs {
            why.objects = objects(&take, old, &candidate.picture);
        }
        Ok(())
    }

    /// The candidate's frame once more, in reverse order, draw by draw, with the numbers of objects.
    pub(super) fn closer_take(&mut self, scene: &Scene, candidate: &Candidate) -> Result<Take, Failed> {
        let mut aovs = vec![candidate.aov.clone()];
        if candidate.aov != Aov::ID && candidate.aov.is_as_seen() {
            aovs.push(Aov::ID);
        }
        let settings = Settings {
            aovs,
            capture: Capture::Draws,
            scene_hash: false,
            threads: 2,
            last_first: true,
            ..self.setup.settings()
        };
        // Equipment of its own: what is kept of pipelines serves the next case that fails.
        let mut take = self.take_as("closer", scene, &settings, candidate.time_s, false)?;
        // The pass that numbers objects is ours, not the case's.
        if !candidate.passes_text.is_empty() {
            let own = parse_passes(&candidate.passes_text).unwrap_or_default();
            take.captures.retain(|capture| own.iter().any(|pass| pass.name == capture.name));
        }
        Ok(take)
    }

    fn object_picture(&self, take: &Take) -> Result<Option<String>, Failed> {
        let Some((aov, ids)) = take.pictures.iter().find(|(aov, _)| *aov == Aov::ID) else { return Ok(None) };
        Ok(Some(self.run.keep(&for_looking(aov, ids), &self.pool)?))
    }
}

/// What the changed pixels lie on, the most first.
fn objects(take: &Take, old: &Picture, new: &Picture) -> Vec<ObjectShare> {
    let Some((_, Picture { samples: Samples::U32(ids), .. })) = take.pictures.iter().find(|(aov, _)| *aov == Aov::ID)
    else {
        return Vec::new();
    };
    let [old, new] = in_one_form(old, new);
    let Ok(exact) = Exact::of(&old, &new) else { return Vec::new() };
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    let mut all = 0;
    for (x, y) in exact.mask.pixels() {
        *counts.entry(ids[y as usize * new.width_px as usize + x as usize]).or_default() += 1;
        all += 1;
    }
    let mut out: Vec<(u64, u32)> = counts.into_iter().map(|(id, count)| (count, id)).collect();
    out.sort_by_key(|(count, id)| (std::cmp::Reverse(*count), *id));
    let named = |names: &[String], id: u32| (id as usize).checked_sub(1).and_then(|at| names.get(at).cloned());
    out.into_iter()
        .take(OBJECTS_MAX)
        .map(|(count, id)| ObjectShare {
            node: named(&take.object_names, id).unwrap_or_else(|| "background".into()),
            material: named(&take.object_materials, id).unwrap_or_default(),
            share: count as f64 / f64::from(all),
            color: id_color_words(id),
        })
        .collect()
}

/// How an object is painted in the picture of objects.
fn id_color_words(id: u32) -> String {
    let [r, g, b] = id_color(id);
    format!("#{r:02x}{g:02x}{b:02x}")
}
