//! Views: pictures that surfaces of another picture show. They are drawn first, whatever is first in the file: a view
//! that shows others waits for them.
//!
//! In: what eyes see, and the moment. Out: images of the views in sight. Never here: how a picture is drawn.
//!
//! A view that sees itself would never be ready. With `previous_frame` surfaces show it as it was one frame before; and
//! so on, back to the first frame, before which it is black. No picture depends on what was drawn before it.

use std::collections::BTreeMap;
use std::sync::Arc;

use stillframe_base::tick::Tick;
use stillframe_frames::{Picture, Samples};

use super::layer::pictures;
use super::shown::{Asked, Outcome, leave_out, views_in};
use super::together::{eye_output, put_together};
use super::{Capture, Sitting, Stage, TakeError};
use crate::asset::{self, Image};
use crate::render::Colour;
use crate::scene::{Aov, Background, CameraChoice, Display, Encoding, Output, Owner, Scene, ViewKind};
use crate::source::Diagnostic;
use crate::view::{self, Shot, ShotCamera};
use crate::world::Placed;

/// Moments whose pictures of a view are kept.
const KEPT_MAX: usize = 3;

/// Code of the mistake that a view sees itself.
const SEES_ITSELF: &str = "E0607";

impl Sitting {
    /// Pictures of the views that a shot shows. `above`: views that wait for this one.
    ///
    /// Errors: a view sees itself.
    pub(super) fn shown_views(
        &mut self,
        asked: &Asked<'_>,
        shot: &Shot,
        above: &mut Vec<usize>,
    ) -> Result<BTreeMap<usize, Arc<Image>>, TakeError> {
        let mut out = BTreeMap::new();
        for at in views_in(shot, &asked.now.world.store) {
            if let Some(image) = self.view_image(at, asked, &shot.camera, above)? {
                out.insert(at, image);
            }
        }
        Ok(out)
    }

    /// A view as surfaces show it that a camera sees; `None`: it is black.
    fn view_image(
        &mut self,
        at: usize,
        asked: &Asked<'_>,
        looker: &ShotCamera,
        above: &mut Vec<usize>,
    ) -> Result<Option<Arc<Image>>, TakeError> {
        let view = &asked.scene.views[at];
        if view.previous_frame {
            return self.view_before(at, asked.now);
        }
        if above.contains(&at) {
            // Mirrors that face each other show each other once.
            return if view.kind.is_mirror() { Ok(None) } else { Err(sees_itself(asked.scene, at, above)) };
        }
        if let ViewKind::Mirror { position, normal } = view.kind {
            let camera = view::reflected(looker, position, normal);
            return self.view_drawn(at, asked.now, Some((camera, asked.output)), above).map(Some);
        }
        self.view_now(at, asked.now, above).map(Some)
    }

    /// A view that is the same for all who look at it.
    fn view_now(&mut self, at: usize, now: &Placed, above: &mut Vec<usize>) -> Result<Arc<Image>, TakeError> {
        let moment = (at, Tick::from_seconds(now.scene.time_s));
        if let Some(image) = self.seen.pictures.get(&moment) {
            return Ok(image.clone());
        }
        let image = self.view_drawn(at, now, None, above)?;
        self.seen.pictures.insert(moment, image.clone());
        let of_view: Vec<_> = self.seen.pictures.keys().filter(|(view, _)| *view == at).copied().collect();
        if of_view.len() > KEPT_MAX {
            // The oldest: moments are drawn from the first on.
            self.seen.pictures.remove(&of_view[0]);
        }
        Ok(image)
    }

    /// A view as it was one frame before.
    fn view_before(&mut self, at: usize, now: &Placed) -> Result<Option<Arc<Image>>, TakeError> {
        let (time_s, frame_s) = (now.scene.time_s, self.settings.frame_s);
        // Frames since the start; a time that is a frame's but for its last bits is that frame's.
        let count = (time_s / frame_s + 1e-6).floor();
        let moment_s = |back: u64| time_s - back as f64 * frame_s;
        let of = |back: u64| (at, Tick::from_seconds(moment_s(back)));
        let count = count.max(0.0) as u64;
        let known = (1..=count).find(|back| self.seen.pictures.contains_key(&of(*back)));
        for back in (1..known.unwrap_or(count + 1)).rev() {
            let placed = self.place(moment_s(back))?;
            self.view_now(at, &placed, &mut Vec::new())?;
        }
        Ok(if count == 0 { None } else { self.seen.pictures.get(&of(1)).cloned() })
    }

    /// Draws a view. `mirror`: the camera of a mirror, and what it is made for.
    fn view_drawn(
        &mut self,
        at: usize,
        now: &Placed,
        mirror: Option<(ShotCamera, &Output)>,
        above: &mut Vec<usize>,
    ) -> Result<Arc<Image>, TakeError> {
        let mut scene = Scene::clone(&now.scene);
        if let CameraChoice::View(shown) = scene.camera
            && shown == at
        {
            // It is the picture itself, and its output is known.
        } else if let Some((_, output)) = &mirror {
            scene.output = scene.views[at].output(output);
            scene.camera = CameraChoice::View(at);
        } else {
            scene.show(at);
        }
        let view = &scene.views[at];
        let colour = match view.encoding() {
            Encoding::Display => Colour::Bits8(Display::Srgb),
            Encoding::Linear => {
                scene.output.exposure_ev = 0.0;
                Colour::Linear32
            }
        };
        let cameras = match mirror {
            Some((camera, _)) => vec![camera],
            None => view::eyes(&scene, &now.world, 0.0),
        };
        let mut shots: Vec<Shot> = cameras.iter().map(|camera| view::look_from(&scene, &now.world, camera)).collect();
        leave_out(&mut shots, at, now);
        let layers = [Aov::COLOR.to_string()];
        let output = eye_output(&scene);
        let asked = Asked {
            now,
            scene: &scene,
            output: &output,
            in_tiles: false,
            rows: None,
            shift_px: [0.0; 2],
            sums: None,
            colour,
            layers: &layers,
            capture: Capture::Off,
            effects: &[],
            history: None,
        };
        let mut unwatched = |_: Stage| ();
        above.push(at);
        let outcome = self.eyes_drawn(&asked, &shots, above, &mut unwatched);
        above.pop();
        let Outcome::Drawn(mut drawn) = outcome? else { unreachable!("dumps draw no views") };
        self.seen.count += 1;
        let transparent = scene.output.background == Background::Transparent;
        let eyes = pictures(&mut drawn.eyes, (&Aov::COLOR, &layers[0]), transparent);
        Ok(Arc::new(image(&scene.views[at].name, &put_together(&scene, &Aov::COLOR, eyes))))
    }
}

fn sees_itself(scene: &Scene, at: usize, above: &[usize]) -> TakeError {
    let first = above.iter().position(|view| *view == at).unwrap_or(0);
    let names: Vec<String> =
        above[first..].iter().chain([&at]).map(|at| format!("`{}`", scene.views[*at].name)).collect();
    let name = scene.views[at].name.as_str();
    let message = match names.len() {
        2 => format!("view `{name}` sees a surface that shows it"),
        _ => format!("views show each other: {}", names.join(" shows ")),
    };
    let error = Diagnostic::error(SEES_ITSELF, &scene.root, message)
        .help("add `hide = [\"NODE\"]` with the surface, or `previous_frame = true`");
    let error = scene.written.at(Owner { kind: "view", name }, &["name"], name, error);
    TakeError::Scene(vec![scene.written.home(error)])
}

/// A picture as a texture: straight alpha.
fn image(name: &str, picture: &Picture) -> Image {
    let Picture { width_px, height_px, channel_count, ref samples } = *picture;
    let texels = match samples {
        Samples::U8(values) => asset::Texels::Rgba8(four(values, channel_count, u8::MAX)),
        Samples::F32(values) => {
            let mut texels = four(values, channel_count, 1.0);
            for texel in texels.chunks_exact_mut(4).filter(|texel| texel[3] > 0.0 && texel[3] != 1.0) {
                (0..3).for_each(|channel| texel[channel] /= texel[3]);
            }
            asset::Texels::Rgba32Float(texels)
        }
        Samples::U16(_) | Samples::U32(_) => unreachable!("views are drawn in 8 bits or in floats"),
    };
    Image { name: format!("view {name}"), width_px, height_px, texels, levels: Vec::new() }
}

fn four<T: Copy>(values: &[T], channel_count: u32, opaque: T) -> Vec<T> {
    match channel_count {
        4 => values.to_vec(),
        count => values.chunks_exact(count as usize).flat_map(|texel| [texel[0], texel[1], texel[2], opaque]).collect(),
    }
}
