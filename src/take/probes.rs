//! Probes: what is around each light probe of a scene at a moment, captured or given, as cubes that shaders read.
//!
//! In: a scene and its world at a moment. Out: [`Probes`], in the order of their names. Never here: how shaders mix
//! them.
//!
//! A capture is six pictures, drawn as any picture is, by six cameras at one point. It sees lights and the environment,
//! not other probes, so its bits depend on no order; light has been reflected once where it comes from a probe.

use std::sync::Arc;

use glam::Mat3;
use stillframe_base::par::Pool;

use crate::asset::Image;
use crate::render::{self, AroundImage, Gpu, Job, ProbePlace, Probes, RenderError, Uploads, face_size};
use crate::scene::{LightProbe, ProbeSource};
use crate::view;
use crate::world::{Loaded, Placed};

/// A scene at a moment, and what was loaded for it.
#[derive(Clone, Copy)]
pub struct Surrounded<'a> {
    pub loaded: &'a Loaded,
    pub now: &'a Placed,
}

impl<'a> Surrounded<'a> {
    /// Where probes are, without their cubes: what dumps need. `None`: the scene has none.
    pub fn places(self) -> Option<Probes> {
        let probes = self.by_name();
        let places: Vec<ProbePlace> = probes.iter().map(|probe| place(probe)).collect();
        let cube_px = probes.iter().map(|probe| self.face_px(probe)).max()?;
        Some(Probes { places, cube_px, cubes: Vec::new() })
    }

    /// The same with their cubes. `job`: the picture that they are for.
    ///
    /// Errors: the device is lost.
    pub fn lit(
        self,
        mut probes: Probes,
        job: &Job<'_>,
        (gpu, uploads, pool): (&Gpu, &mut Uploads, &Pool),
    ) -> Result<Arc<Probes>, RenderError> {
        for probe in self.by_name() {
            let captured;
            let (image, is_faces) = match &probe.source {
                ProbeSource::File(file) => (self.loaded.probe_picture(file), false),
                ProbeSource::Captured { .. } => {
                    captured = self.captured(probe, job, (gpu, uploads, pool))?;
                    (&captured, true)
                }
            };
            let around = AroundImage { image, is_faces, cube_px: probes.cube_px };
            probes.cubes.push(render::probe_cubes(gpu, job, around, uploads, pool)?);
        }
        Ok(Arc::new(probes))
    }

    /// The order of probes in a file has no bearing on the bits of their sums.
    fn by_name(self) -> Vec<&'a LightProbe> {
        let mut out: Vec<&LightProbe> = self.now.scene.light_probes.iter().collect();
        out.sort_by(|a, b| a.name.cmp(&b.name));
        out
    }

    fn face_px(self, probe: &LightProbe) -> u32 {
        match &probe.source {
            ProbeSource::File(file) => face_size(self.loaded.probe_picture(file)),
            ProbeSource::Captured { size_px, .. } => *size_px,
        }
    }

    /// The six faces of what a probe sees.
    fn captured(
        self,
        probe: &LightProbe,
        job: &Job<'_>,
        (gpu, uploads, pool): (&Gpu, &mut Uploads, &Pool),
    ) -> Result<Image, RenderError> {
        let ProbeSource::Captured { size_px, near_m, far_m } = probe.source else {
            unreachable!("{} is given", probe.name)
        };
        let Placed { scene, world, .. } = self.now;
        let ProbePlace { position, axes, .. } = place(probe);
        let cameras = view::cube_cameras(position, axes, near_m, far_m);
        let shots = cameras.map(|camera| view::look_from(scene, world, &camera));
        render::capture_cube(gpu, job, (&shots, size_px), uploads, pool)
    }
}

fn place(probe: &LightProbe) -> ProbePlace {
    let LightProbe { placement, bounds, intensity, .. } = probe;
    let axes = Mat3::from_quat(placement.rotation);
    ProbePlace { position: placement.position, axes, bounds: *bounds, intensity: *intensity }
}
