//! What a device cannot do is refused, or left out by a rule, before anything is drawn.

use glam::Vec3;

use super::super::caps::Caps;
use super::super::uploads::Uploads;
use super::super::{ROWS, Refused, prepare};
use super::stage::{Bench, Stage, look, names, output};
use crate::fault::RenderFault;
use crate::scene::LightingMethod;

#[test]
fn more_than_the_device_can_do_is_refused() {
    let stage = Stage::new();
    let shot = stage.shot(Vec3::new(2.0, 1.5, 4.0), 1.5);
    let mut uploads = Uploads::new(&RenderFault::default());
    let small = Caps { texture_px_max: 2048, ..Caps::PORTABLE };
    let too_much = |what, wanted, most| Err(Refused::TooMuch { what, wanted, most });
    let drawn = "bytes a pixel of all pictures that a pass draws into";
    for (caps, width_px, layer, want) in [
        (Caps::PORTABLE, 8192, "color", Ok(())),
        (Caps::PORTABLE, 8193, "color", too_much("pixels in width or height", 8193, 8192)),
        (small, 2049, "id", too_much("pixels in width or height", 2049, 2048)),
        (Caps { texture_px_max: 64, ..small }, 64, "color", too_much("pixels in width or height", 128, 64)),
        (Caps { attachment_bytes_max: 31, ..small }, 64, "color", Ok(())),
        (Caps { attachment_bytes_max: 31, ..small }, 64, "id", too_much(drawn, 32, 31)),
        (Caps { storage_bytes_max: 300, ..small }, 64, "color", too_much("bytes of items", 5 * 112, 300)),
    ] {
        let (layers, output) = (names(&[layer]), output([width_px, 4], 1));
        let looks = [look(&shot, &output, &layers)];
        assert_eq!(prepare(&stage.job(&looks), ROWS, &caps, &mut uploads).map(|_| ()), want, "{width_px} {layer}");
    }
}

/// Triangles are numbered where shaders know their numbers.
#[test]
fn numbers_of_triangles_are_asked_for() {
    let stage = Stage::new();
    let shot = stage.shot(Vec3::new(2.0, 1.5, 4.0), 1.5);
    let (layers, output) = (names(&["color"]), output([16, 16], 1));
    let looks = [look(&shot, &output, &layers)];
    let mut job = stage.job(&looks);
    job.options.lighting = LightingMethod::Visibility;
    let refused = |caps| prepare(&job, ROWS, &caps, &mut Uploads::new(&RenderFault::default())).map(|_| ());
    assert_eq!(refused(Caps::PORTABLE), Err(Refused::Lacks("numbers of triangles in shaders")));
    assert_eq!(refused(Caps { counts_triangles: true, ..Caps::PORTABLE }), Ok(()));
}

#[test]
fn a_material_of_more_textures_than_a_shader_reads_is_refused_by_name() {
    let stage = Stage::new();
    let shot = stage.shot(Vec3::new(2.0, 1.5, 4.0), 1.5);
    let (layers, output) = (names(&["color"]), output([16, 16], 1));
    let looks = [look(&shot, &output, &layers)];
    for (caps, limit) in
        [(Caps { sampled_textures_max: 1, ..Caps::PORTABLE }, 1), (Caps { samplers_max: 0, ..Caps::PORTABLE }, 0)]
    {
        let prepared = prepare(&stage.job(&looks), ROWS, &caps, &mut Uploads::new(&RenderFault::default()));
        let Err(Refused::Textures { wanted, most, .. }) = prepared else { panic!("{prepared:?}") };
        assert!(most == limit && wanted > most, "{wanted} {most}");
    }
}

/// Maps beyond the layers of an array share layers.
#[test]
fn no_light_lacks_its_shadow() {
    let mut stage = Stage::new();
    stage.repeat_lamp(3);
    let shot = stage.shot(Vec3::new(2.0, 1.5, 4.0), 1.5);
    let (layers, output) = (names(&["color"]), output([48, 32], 1));
    let looks = [look(&shot, &output, &layers)];
    for layers_max in [256, 2, 1] {
        let caps = Caps { layers_max, ..Caps::PORTABLE };
        let mut uploads = Uploads::new(&RenderFault::default());
        let job = stage.job(&looks);
        // Cubes have six layers: without them.
        let dark = crate::scene::Environment::NONE;
        let job = super::super::Job { environment: &dark, ..job };
        let prepared = prepare(&job, ROWS, &caps, &mut uploads).unwrap();
        assert_eq!(prepared.shadow_map_count(), 4, "{layers_max}");
    }
    // Nobody asks for shadows: there are no maps.
    let (layers, caps) = (names(&["id"]), Caps { layers_max: 1, ..Caps::PORTABLE });
    let looks = [look(&shot, &output, &layers)];
    let prepared = prepare(&stage.job(&looks), ROWS, &caps, &mut Uploads::new(&RenderFault::default())).unwrap();
    assert_eq!(prepared.shadow_map_count(), 0);
}

/// The software adapter grants all that is asked for.
#[test]
fn the_software_adapter_has_it_all() {
    assert_eq!(Bench::new().gpu.caps, Caps::SOFT);
}
