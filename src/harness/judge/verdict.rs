//! Verdict: a picture beside what it must be.

use stillframe_frames::compare::have_equal_pixels;
use stillframe_frames::report::quoted;
use stillframe_frames::run::{CaseRecord, Status, Why, split_name};
use stillframe_frames::store::StoreAddress;
use stillframe_frames::{Differences, LockLine, Picture};

use super::{Candidate, Failed, Judge, times_s_of};
use crate::scene::{Scene, Test, Tolerance, read};
use crate::take::Settings;

impl Judge<'_> {
    /// Judges one picture; looks closer at one that fails.
    pub(super) fn verdict(&mut self, scene: &Scene, test: &Test, candidate: &Candidate) -> Result<CaseRecord, Failed> {
        let mut record = CaseRecord {
            name: candidate.name.clone(),
            adapter: candidate.adapter.clone(),
            size_px: [candidate.picture.width_px, candidate.picture.height_px],
            format: candidate.picture.format().to_string(),
            hash: Some(candidate.hash),
            passes_root: candidate.passes_root,
            pass_count: candidate.pass_count(),
            scene_hash: candidate.scene_hash,
            ..CaseRecord::default()
        };
        if let Some(found) = self.unsteady(scene, test, candidate)? {
            (record.status, record.other_hashes) = (Status::Nondet, found);
            record.message = Some("the same scene gave different pictures".into());
            record.new_picture = Some(self.run.keep(&candidate.picture, &self.pool)?);
            return Ok(record);
        }
        if test.equals.is_empty() {
            self.by_reference(scene, test, candidate, &mut record)?;
        } else {
            self.by_equals(scene, test, candidate, &mut record)?;
        }
        if !record.status.is_failure() {
            self.by_differs(test, candidate, &mut record)?;
        }
        if let Some(reason) = &test.known_failure {
            match record.status {
                Status::Pass => {
                    record.status = Status::Fixed;
                    record.message = Some(format!("it passes but is marked as a known failure: {reason}"));
                }
                Status::Differs | Status::Same => {
                    record.status = Status::KnownFailure;
                    record.message = Some(reason.clone());
                }
                _ => {}
            }
        }
        Ok(record)
    }

    fn by_reference(
        &mut self,
        scene: &Scene,
        test: &Test,
        candidate: &Candidate,
        record: &mut CaseRecord,
    ) -> Result<(), Failed> {
        let (family, behaviour) = split_name(&candidate.name);
        let Some(line) = self.lock(family)?.find(behaviour).cloned() else {
            record.status = Status::New;
            record.inputs_root = Some(self.run.keep_inputs(&candidate.inputs.text)?);
            self.look_closer(scene, candidate, None, record)?;
            return Ok(());
        };
        if !line.owner().is_scene() {
            record.status = Status::Invalid;
            record.message = Some(format!(
                "the reference of this name belongs to tests of a program ({}): rename the scene",
                line.adapter
            ));
            return Ok(());
        }
        record.want = Some(line.pixels);
        let same_shape = (line.width_px, line.height_px) == (candidate.picture.width_px, candidate.picture.height_px)
            && line.format == candidate.picture.format();
        record.status = match &test.tolerance {
            _ if !same_shape => {
                record.message = Some(format!(
                    "{}x{} {}, but the reference is {}x{} {}",
                    record.size_px[0], record.size_px[1], record.format, line.width_px, line.height_px, line.format
                ));
                Status::Size
            }
            Some(tolerance) if self.setup.rendering.native.is_some() => {
                self.within(family, &line, candidate, tolerance, record)?
            }
            _ if line.adapter != candidate.adapter => {
                record.message = Some(adapter_words(&line, candidate));
                Status::Adapter
            }
            _ if line.pixels != candidate.hash => Status::Differs,
            _ => Status::Pass,
        };
        if record.status == Status::Pass
            && let Some(message) = self.oversize(family, &line)
        {
            (record.status, record.message) = (Status::Oversize, Some(message));
        }
        if record.status == Status::Pass
            && let Some(message) = self.damage(family, &line)?
        {
            (record.status, record.message) = (Status::Damaged, Some(message));
            // Whoever accepts it writes it anew.
            record.new_picture = Some(self.run.keep(&candidate.picture, &self.pool)?);
            self.run.keep_passes(&candidate.passes_text)?;
            return Ok(());
        }
        if record.status.is_failure() {
            record.inputs_root = Some(self.run.keep_inputs(&candidate.inputs.text)?);
            record.inputs = Some(self.changed_inputs(family, &line, candidate));
            self.look_closer(scene, candidate, Some(&line), record)?;
        } else if self.are_hashes_stale(&line, candidate) {
            record.passes_changed = true;
            record.inputs_root = Some(self.run.keep_inputs(&candidate.inputs.text)?);
            self.run.keep_passes(&candidate.passes_text)?;
        }
        Ok(())
    }

    /// A picture of another adapter, under the scene's tolerance.
    fn within(
        &self,
        family: &str,
        line: &LockLine,
        candidate: &Candidate,
        tolerance: &Tolerance,
        record: &mut CaseRecord,
    ) -> Result<Status, Failed> {
        if line.pixels == candidate.hash {
            return Ok(Status::Pass);
        }
        if let Some(message) = self.damage(family, line)? {
            record.message = Some(message);
            return Ok(Status::Damaged);
        }
        let Some(old) = self.store.picture(family, line)? else {
            record.message = Some("no picture to compare with: the store has none".into());
            return Ok(Status::Adapter);
        };
        let differences = Differences::of(&old, &candidate.picture).map_err(std::io::Error::other)?;
        let share = share_beyond(&differences, tolerance.channel);
        if share <= tolerance.share {
            return Ok(Status::Pass);
        }
        record.message = Some(format!(
            "{:.3} % of the pixels differ by more than {}/255; {:.3} % are allowed ({})",
            share * 100.0,
            tolerance.channel,
            tolerance.share * 100.0,
            tolerance.reason
        ));
        Ok(Status::Differs)
    }

    fn by_equals(
        &mut self,
        scene: &Scene,
        test: &Test,
        candidate: &Candidate,
        record: &mut CaseRecord,
    ) -> Result<(), Failed> {
        for file in &test.equals {
            let other = self.picture_of(file, candidate)?;
            if have_equal_pixels(&other, &candidate.picture) {
                continue;
            }
            record.status = Status::Differs;
            record.message = Some(format!("it must equal {}", self.name_of(file)));
            record.want = Some(other.hash());
            record.old_picture = Some(self.run.keep(&other, &self.pool)?);
            record.new_picture = Some(self.run.keep(&candidate.picture, &self.pool)?);
            if let Some(why) = Why::of(&other, &candidate.picture, &self.pool) {
                record.why_differs = Some(why);
            } else {
                record.message = Some(format!(
                    "it must equal {}, which is {}x{} {}",
                    self.name_of(file),
                    other.width_px,
                    other.height_px,
                    other.format()
                ));
            }
            self.blame(scene, candidate, &other, record)?;
            return Ok(());
        }
        record.status = Status::Pass;
        Ok(())
    }

    fn by_differs(&mut self, test: &Test, candidate: &Candidate, record: &mut CaseRecord) -> Result<(), Failed> {
        for file in &test.differs {
            if have_equal_pixels(&self.picture_of(file, candidate)?, &candidate.picture) {
                record.status = Status::Same;
                record.message = Some(format!("it must differ from {}", self.name_of(file)));
                record.new_picture = Some(self.run.keep(&candidate.picture, &self.pool)?);
                return Ok(());
            }
        }
        Ok(())
    }

    /// The same view of another scene, at the same moment.
    fn picture_of(&mut self, file: &std::path::Path, candidate: &Candidate) -> Result<Picture, Failed> {
        let mut other = read(file, &[]).map_err(Failed::files)?.scene;
        let test = other.test.take().unwrap_or_default();
        let own = times_s_of(&other, &test);
        // A scene without moments of its own in its test shows ours where ours has some.
        let time_s = if own.len() == 1 { own[0] } else { candidate.time_s };
        let settings = Settings { aovs: vec![candidate.aov.clone()], scene_hash: false, ..self.setup.settings() };
        let take = self.take_with(&other, &settings, time_s)?;
        Ok(take.pictures.into_iter().next().expect("one was asked for").1)
    }

    fn name_of(&self, file: &std::path::Path) -> String {
        file.strip_prefix(&self.setup.root).unwrap_or(file).display().to_string()
    }

    /// What is wrong with the picture that the store keeps, and what brings it back. An object store is not asked.
    pub(super) fn damage(&self, family: &str, line: &LockLine) -> Result<Option<String>, Failed> {
        let error = match self.store.check_kept(family, line, self.ledger.as_ref()) {
            Ok(()) => return Ok(None),
            Err(error) if error.is_damage() => error,
            Err(error) => return Err(error.into()),
        };
        let words = error.to_string();
        let back = match self.store.address() {
            // The words of a pointer say it already.
            StoreAddress::Git if words.contains("git lfs pull") => String::new(),
            StoreAddress::Git => {
                let path = self.store.picture_path(family, line).unwrap_or_default();
                let path = path.strip_prefix(&self.setup.root).unwrap_or(&path).display().to_string();
                format!("\n`git checkout -- {}` brings it back", quoted(&path))
            }
            StoreAddress::Remote(_) => "\n`stillframe store pull` fetches it".into(),
            _ => "\n`stillframe store copy --from ADDRESS` copies it from another store".into(),
        };
        Ok(Some(format!("{}{back}", short_path(&words, &self.setup.root))))
    }

    /// Words for a reference's file that is larger than the project allows.
    pub(super) fn oversize(&self, family: &str, line: &LockLine) -> Option<String> {
        let most = self.setup.references.bytes_max?;
        let path = self.store.picture_path(family, line)?;
        let bytes = std::fs::metadata(path).ok()?.len();
        (bytes > most).then(|| format!("the reference has {bytes} bytes, but `max_reference_bytes` is {most}"))
    }
}

/// Words whose paths begin at the project's folder: no result depends on where that lies.
fn short_path(words: &str, root: &std::path::Path) -> String {
    words.replace(&format!("{}{}", root.display(), std::path::MAIN_SEPARATOR), "")
}

fn adapter_words(line: &LockLine, candidate: &Candidate) -> String {
    let (was, is) = (&line.adapter, &candidate.adapter);
    match (was.split_once('/'), is.split_once('/')) {
        (Some(("soft", old)), Some(("soft", new))) => {
            format!("the reference has pixel contract {old}, but this program has {new}")
        }
        _ => format!("the reference is from {was}, this picture from {is}; set a `tolerance` to compare them"),
    }
}

/// Part of the pixels that differ by more than so many steps of 255.
pub(super) fn share_beyond(differences: &Differences, channel: f64) -> f64 {
    differences.share_over((channel / 255.0 * f64::from(differences.full_scale)) as f32)
}
