//! `--stats`: times, memory and counts as JSON. Never part of an output that is compared.

use std::path::Path;
use std::time::Instant;

use serde_json::{Map, Value, json};

use super::moment::Moment;
use super::status::Failure;
use super::{Surroundings, json as words};
use crate::scene::Scene;
use crate::take;

/// Figures of one take.
pub struct TakeStats {
    name: String,
    frame: Option<i32>,
    size_px: [u32; 2],
    samples: u32,
    /// Stage and how long it took, in milliseconds.
    times_ms: Vec<(&'static str, f64)>,
    counts: take::Stats,
}

/// Figures of a run.
pub struct Stats {
    start: Instant,
    pub takes: Vec<TakeStats>,
}

impl TakeStats {
    pub fn new(
        name: &str,
        moment: Moment,
        scene: &Scene,
        times: &[(take::Stage, Instant)],
        counts: &take::Stats,
    ) -> TakeStats {
        let mut times_ms: Vec<(&str, f64)> = Vec::new();
        for pair in times.windows(2) {
            let [(stage, start), (_, end)] = pair else { continue };
            let ms = end.duration_since(*start).as_secs_f64() * 1e3;
            // A stage that comes back counts as one.
            match times_ms.iter_mut().find(|(known, _)| *known == stage.name()) {
                Some((_, total)) => *total += ms,
                None => times_ms.push((stage.name(), ms)),
            }
        }
        TakeStats {
            name: name.to_string(),
            frame: moment.frame,
            size_px: [scene.output.width_px, scene.output.height_px],
            samples: scene.output.samples,
            times_ms,
            counts: counts.clone(),
        }
    }

    /// Of parts of one picture that were drawn one after the other.
    pub fn and(mut self, other: TakeStats) -> TakeStats {
        for (stage, ms) in other.times_ms {
            match self.times_ms.iter_mut().find(|(known, _)| *known == stage) {
                Some((_, total)) => *total += ms,
                None => self.times_ms.push((stage, ms)),
            }
        }
        TakeStats { counts: self.counts.and(other.counts), ..self }
    }

    /// For `--verbose`.
    pub fn line(&self) -> String {
        let times: Vec<String> = self.times_ms.iter().map(|(stage, ms)| format!("{stage} {ms:.1} ms")).collect();
        let c = &self.counts;
        let frame = self.frame.map_or(String::new(), |frame| format!("@{frame}"));
        format!(
            "{}{frame}: {}; {} draws, {} triangles; {}",
            self.name,
            times.join(", "),
            c.draws,
            c.triangles,
            c.adapter
        )
    }

    fn json(&self) -> Value {
        // Destructured, so that a new figure cannot be forgotten.
        let take::Stats {
            adapter,
            contract,
            passes,
            draws,
            models_found,
            triangles,
            pipelines,
            lights,
            shadow_maps,
            target_bytes,
            texture_bytes,
            buffer_bytes,
            device_peak_bytes,
            views,
            frames_before,
        } = &self.counts;
        let times: Map<String, Value> = self.times_ms.iter().map(|(s, ms)| (s.to_string(), rounded(*ms))).collect();
        json!({
            "name": self.name,
            "frame": self.frame,
            "size_px": self.size_px,
            "samples": self.samples,
            "adapter": adapter,
            "contract": contract,
            "times_ms": times,
            "passes": passes,
            "draws": draws,
            "models_found": models_found,
            "triangles": triangles,
            "pipelines": pipelines,
            "lights": lights,
            "shadow_maps": shadow_maps,
            "target_bytes": target_bytes,
            "texture_bytes": texture_bytes,
            "buffer_bytes": buffer_bytes,
            "device_peak_bytes": device_peak_bytes,
            "views": views,
            "frames_before": frames_before,
        })
    }
}

fn rounded(ms: f64) -> Value {
    json!((ms * 1000.0).round() / 1000.0)
}

impl Stats {
    pub fn new(start: Instant) -> Stats {
        Stats { start, takes: Vec::new() }
    }

    /// Writes the document to `path`, if one was asked for.
    pub fn write(&self, path: Option<&Path>, surroundings: &Surroundings) -> Result<(), Failure> {
        let Some(path) = path else { return Ok(()) };
        let fields = json!({
            "total_ms": rounded(self.start.elapsed().as_secs_f64() * 1e3),
            "peak_memory_bytes": peak_memory_bytes(),
            "takes": self.takes.iter().map(TakeStats::json).collect::<Vec<_>>(),
        });
        let text = format!("{:#}\n", words::document("stats/1", fields));
        surroundings.unfinished.write(path, text.as_bytes()).map_err(|error| Failure::of_write(path, &error))
    }
}

/// The most memory this process has held so far, as the kernel counts it; only Linux reports it without a library.
fn peak_memory_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kb| kb * 1024)
}
