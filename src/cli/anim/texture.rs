//! `anim bake --what bones|vertices`: clips as a texture that vertex shaders play, as crowds do, and how it is to be
//! read.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stillframe_anim::crowd::{BakedClip, BakedFrames, CrowdReport};
use stillframe_base::par::Pool;
use stillframe_frames::{Picture, PngEffort, Samples, encode_npy_f32, encode_plain_exr, encode_png};

use super::super::status::Failure;
use super::super::{Surroundings, json as words, stdout};
use super::bake::{BakeArgs, TEXTURE_ERROR_MM};
use super::open::open;
use crate::animate::{Rig, RigPart, Source};
use crate::import::Model;
use crate::scene::ClipChoice;
use crate::study::{bytes_words, short, texel_values};
use crate::world::{self, BakedModel, NodePart};

/// A file that a texture becomes, by its ending.
struct Form {
    ending: &'static str,
    write: fn(&BakedFrames) -> Result<Vec<u8>, String>,
    is_stored: bool,
}

const FORMS: &[Form] = &[
    Form { ending: "exr", write: exr, is_stored: false },
    Form { ending: "npy", write: npy, is_stored: false },
    Form { ending: "png", write: png, is_stored: true },
];

/// What is baked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Items {
    Bones,
    Vertices,
}

pub fn run(args: &BakeArgs, items: Items, surroundings: &Surroundings) -> Result<(), Failure> {
    if args.fps.is_some() {
        return Err(Failure::usage("--fps is for tables (--what trs, matrices); use --error-mm for textures"));
    }
    let form = form(&args.output)?;
    let beside = args.output.with_extension("json");
    let (model, clips) = open(&args.model, args.clip.as_ref().unwrap_or(&ClipChoice::All), args.strict, surroundings)?;
    let wrong = |why: String| Failure::usage(format!("{}: {why}", args.model.display()));
    if clips.is_empty() {
        return Err(wrong("the file has no clips".into()));
    }
    let rig = Rig::new(&model).map_err(wrong)?;
    let parts: Vec<RigPart> = clips.iter().map(|clip| (Source::Own(*clip), [None; 2])).collect();
    let error_mm = args.error_mm.unwrap_or(TEXTURE_ERROR_MM);
    let baked = match items {
        Items::Bones => world::bake_bones(&model, &rig, (&parts, None), error_mm),
        Items::Vertices => world::bake_vertices(&model, &rig, (&parts, None), error_mm),
    };
    let baked = baked
        .map_err(|world::Unbaked { words, help }| Failure::Usage(format!("{}: {words}", args.model.display()), help))?;
    let texture = Texture { model: &model, clips: &clips, baked: &baked, items };
    let bytes = (form.write)(&baked.frames).map_err(Failure::Environment)?;
    let mut fields = texture.about(form.is_stored);
    fields["file"] = json!(args.output.file_name().map(|name| name.to_string_lossy()));
    let document = format!("{}\n", words::document("anim-texture/1", fields.clone()));
    for (file, bytes) in [(&args.output, &bytes), (&beside, &document.into_bytes())] {
        let write = surroundings.unfinished.write(file, bytes);
        write.map_err(|error| Failure::of_write(file, &error))?;
    }
    if surroundings.json.is_some() {
        return words::line("anim-texture/1", fields, surroundings);
    }
    texture.told([&args.output, &beside]).iter().try_for_each(|line| stdout::line(line))
}

fn form(output: &Path) -> Result<&'static Form, Failure> {
    let ending = output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    FORMS.iter().find(|form| form.ending == ending).ok_or_else(|| {
        let known: Vec<String> = FORMS.iter().map(|form| format!(".{}", form.ending)).collect();
        Failure::usage(format!("{}: the output must be {}", output.display(), known.join(" or ")))
    })
}

fn picture(baked: &BakedFrames, samples: Samples) -> Result<Picture, String> {
    let [width, height] = baked.size();
    Picture::new(width, height, 4, samples).map_err(|error| error.to_string())
}

fn exr(baked: &BakedFrames) -> Result<Vec<u8>, String> {
    encode_plain_exr(&picture(baked, Samples::F32(texel_values(baked)))?, &Pool::new(0))
        .map_err(|error| error.to_string())
}

fn npy(baked: &BakedFrames) -> Result<Vec<u8>, String> {
    let [width, height] = baked.size();
    Ok(encode_npy_f32(&[height as usize, width as usize, 4], &texel_values(baked)))
}

fn png(baked: &BakedFrames) -> Result<Vec<u8>, String> {
    let bytes = baked.texture_bytes();
    let samples = bytes.chunks_exact(2).map(|pair| u16::from_ne_bytes([pair[0], pair[1]])).collect();
    encode_png(&picture(baked, Samples::U16(samples))?, PngEffort::Small).map_err(|error| error.to_string())
}

/// A texture, and whose clips are in it.
struct Texture<'a> {
    model: &'a Model,
    clips: &'a [usize],
    baked: &'a BakedModel,
    items: Items,
}

impl Texture<'_> {
    fn clips(&self) -> impl Iterator<Item = (&str, &BakedClip, &CrowdReport)> {
        let names = self.clips.iter().map(|clip| self.model.clips[*clip].name.as_str());
        names.zip(self.baked.frames.clips()).zip(&self.baked.reports).map(|((name, clip), report)| (name, clip, report))
    }

    /// Everything but the texels. `is_stored`: texels are the numbers that are stored, so that it takes their ranges to
    /// read them.
    fn about(&self, is_stored: bool) -> Value {
        let BakedModel { frames, firsts, shapes, bounds, .. } = self.baked;
        let frame_texels = frames.frame_texels();
        let clips = self.clips().map(|(name, clip, report)| {
            let length_s = clip.length.seconds();
            let first = clip.first_range as usize;
            let ranges = is_stored.then(|| frames.range_texels().get(first..first + 2 * frame_texels)).flatten();
            let mut fields = json!({
                "name": name,
                "length_s": length_s,
                "loops": clip.looping,
                "first_texel": clip.first_texel,
                "frames": clip.segment_count + 1,
                "frame_s": length_s / f64::from(clip.segment_count),
                "error_mm": { "worst": report.error_max_m * 1e3, "rms": report.error_rms_m * 1e3, "at_s": report.worst_at.seconds() },
                "gap_mm": report.gap_m * 1e3,
            });
            if report.jump_count > 0 {
                fields["jumps"] = json!({ "count": report.jump_count, "worst_mm": report.jump_error_max_m * 1e3 });
            }
            if self.items == Items::Vertices {
                fields["normal_error_deg"] = json!(report.normal_error_max_deg);
            }
            if let Some(ranges) = ranges {
                let (min, step) = ranges.split_at(frame_texels);
                fields["min"] = json!(min);
                fields["step"] = json!(step);
            }
            fields
        });
        let parts = firsts.iter().map(|(NodePart { node, part }, first)| {
            let of = &self.model.nodes[*node];
            let mut fields = json!({ "node": of.name, "part": part, "first_item": first });
            if self.items == Items::Bones {
                let joints = of.skin.iter().flat_map(|skin| &self.model.skins[*skin].joints);
                let names = std::iter::once(*node).chain(joints.map(|joint| joint.node));
                fields["joints"] = names.map(|node| json!(self.model.nodes[node].name)).collect();
                if let Some(shapes) = shapes.get(node) {
                    fields["first_share_texel"] = json!(shapes.first_share);
                }
            } else {
                let geometry = of.parts[*part].geometry;
                fields["vertices"] = json!(self.model.geometries[geometry].surface.positions.len());
            }
            fields
        });
        json!({
            "what": self.items.word(),
            "size_px": frames.size(),
            "items": frames.item_count(),
            "item_texels": self.items.texels(),
            "frame_texels": frame_texels,
            "bounds": { "min": bounds.min.to_array(), "max": bounds.max.to_array() },
            "parts": parts.collect::<Vec<_>>(),
            "clips": clips.collect::<Vec<_>>(),
        })
    }

    fn told(&self, [texture, document]: [&PathBuf; 2]) -> Vec<String> {
        let frames = &self.baked.frames;
        let [width, height] = frames.size();
        let mut out = vec![
            format!("{}  {width} x {height}  {} {}", texture.display(), frames.item_count(), self.items.plural()),
            format!("{}  layout of the texture", document.display()),
        ];
        for (name, clip, report) in self.clips() {
            let (length_s, frame_ms) =
                (clip.length.seconds(), clip.length.seconds() * 1e3 / f64::from(clip.segment_count));
            out.push(format!(
                "  {name:12} {} s, {} frames {} ms apart, {}, at most {} mm off",
                short(length_s as f32),
                clip.segment_count + 1,
                short(frame_ms as f32),
                bytes_words(report.bytes),
                short((report.error_max_m * 1e3) as f32)
            ));
            if report.jump_count > 0 {
                out.push(format!(
                    "    jumps      {}, each one frame long, at most {} mm off",
                    report.jump_count,
                    short((report.jump_error_max_m * 1e3) as f32)
                ));
            }
        }
        out
    }
}

impl Items {
    fn word(self) -> &'static str {
        match self {
            Items::Bones => "bones",
            Items::Vertices => "vertices",
        }
    }

    fn plural(self) -> &'static str {
        match self {
            Items::Bones => "matrices, 3 texels each",
            Items::Vertices => "vertices, 2 texels each",
        }
    }

    fn texels(self) -> u32 {
        match self {
            Items::Bones => 3,
            Items::Vertices => 2,
        }
    }
}
