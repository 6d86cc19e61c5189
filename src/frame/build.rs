//! Build: a request becomes a plan.

use super::plan::{Format, Output, Part, Pass, PassKind, Plan, Target, TargetId};

/// The form of the colour picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    Srgb8,
    Srgb16,
    Linear32,
}

/// The cubes of an environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CubeRequest {
    /// Width of a face of the radiance cube's first level: a power of two.
    pub size: u32,
    /// Of the specular cube: one a roughness.
    pub levels: u32,
}

/// What is wanted, and what the scene needs for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub width_px: u32,
    pub height_px: u32,
    /// 1 or 4, of the colour picture.
    pub samples: u32,
    pub colour: Option<Colour>,
    /// Any of depth, normal, albedo, id.
    pub aov: bool,
    pub motion: bool,
    /// Only for a colour picture that light from around reaches.
    pub cubes: Option<CubeRequest>,
    /// Whether an earlier picture has made the cubes.
    pub cubes_made: bool,
    /// Layers and width of the maps of directional lights; 0 layers: none.
    pub sun_maps: (u32, u32),
    /// Layers and width of the maps of spot and point lights.
    pub local_maps: (u32, u32),
    /// What passes of the colour picture leave for each other and is wanted, too.
    pub between: Vec<(&'static str, Part)>,
}

/// The plan of a request: nothing that no output needs.
pub fn plan(request: &Request) -> Plan {
    assert!(request.samples == 1 || request.samples == 4, "{} samples", request.samples);
    let mut plan = Plan { targets: Vec::new(), passes: Vec::new(), outputs: Vec::new() };
    if let Some(colour) = request.colour {
        colour_passes(request, colour, &mut plan);
    }
    if request.aov {
        let color = [
            flat(&mut plan, "normal_depth", Format::Rgba32Float, request, 1),
            flat(&mut plan, "albedo_id", Format::Rgba32Uint, request, 1),
        ];
        let depth = flat(&mut plan, "aov_depth", Format::Depth32Float, request, 1);
        plan.passes.push(Pass { kind: PassKind::Aov, reads: vec![], writes: vec![color[0], color[1], depth] });
        plan.outputs.extend(color.map(whole));
    }
    if request.motion {
        let motion = flat(&mut plan, "motion", Format::Rg32Float, request, 1);
        let depth = flat(&mut plan, "motion_depth", Format::Depth32Float, request, 1);
        plan.passes.push(Pass { kind: PassKind::Motion, reads: vec![], writes: vec![motion, depth] });
        plan.outputs.push(whole(motion));
    }
    plan.assert_sound();
    plan
}

fn colour_passes(request: &Request, colour: Colour, plan: &mut Plan) {
    let mut inputs = Vec::new();
    if let Some(cubes) = request.cubes.filter(|_| !request.cubes_made) {
        let radiance = cube(plan, "radiance", cubes.size, cubes.size.ilog2() + 1);
        plan.passes.push(Pass { kind: PassKind::Radiance, reads: vec![], writes: vec![radiance] });
        plan.passes.push(Pass { kind: PassKind::Harmonics, reads: vec![radiance], writes: vec![] });
        let specular = cube(plan, "specular", cubes.size, cubes.levels);
        plan.passes.push(Pass { kind: PassKind::Prefilter, reads: vec![radiance], writes: vec![specular] });
        inputs.push(specular);
    }
    for (name, (layers, size), kind) in [
        ("sun_maps", request.sun_maps, PassKind::SunMap as fn(u32) -> PassKind),
        ("local_maps", request.local_maps, PassKind::LocalMap as fn(u32) -> PassKind),
    ] {
        if layers > 0 {
            let (width_px, height_px, format) = (size, size, Format::Depth32Float);
            let maps = add(plan, Target { name, format, width_px, height_px, layers, levels: 1, samples: 1 });
            let passes = (0..layers).map(|layer| Pass { kind: kind(layer), reads: vec![], writes: vec![maps] });
            plan.passes.extend(passes);
            inputs.push(maps);
        }
    }
    let mut writes = Vec::new();
    if request.samples > 1 {
        writes.push(flat(plan, "samples", Format::Rgba16Float, request, request.samples));
    }
    let linear = flat(plan, "linear", Format::Rgba16Float, request, 1);
    let depth = flat(plan, "depth", Format::Depth32Float, request, request.samples);
    writes.extend([linear, depth]);
    plan.passes.push(Pass { kind: PassKind::Scene, reads: inputs, writes });
    let format = match colour {
        Colour::Srgb8 => Format::Rgba8UnormSrgb,
        Colour::Srgb16 => Format::Rgba16Uint,
        Colour::Linear32 => Format::Rgba32Float,
    };
    let encoded = flat(plan, "encoded", format, request, 1);
    plan.passes.push(Pass { kind: PassKind::Encode, reads: vec![linear], writes: vec![encoded] });
    plan.outputs.push(whole(encoded));
    for (name, part) in &request.between {
        let target = plan.target(name).expect("who asks has looked whether there is one");
        plan.outputs.push(Output { target, part: *part });
    }
}

fn whole(target: TargetId) -> Output {
    Output { target, part: Part::WHOLE }
}

fn add(plan: &mut Plan, target: Target) -> TargetId {
    plan.targets.push(target);
    TargetId(plan.targets.len() - 1)
}

/// A target as large as the picture.
fn flat(plan: &mut Plan, name: &'static str, format: Format, request: &Request, samples: u32) -> TargetId {
    let (width_px, height_px) = (request.width_px, request.height_px);
    add(plan, Target { name, format, width_px, height_px, layers: 1, levels: 1, samples })
}

fn cube(plan: &mut Plan, name: &'static str, size: u32, levels: u32) -> TargetId {
    let format = Format::Rgba16Float;
    add(plan, Target { name, format, width_px: size, height_px: size, layers: 6, levels, samples: 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Request = Request {
        width_px: 64,
        height_px: 32,
        samples: 1,
        colour: Some(Colour::Srgb8),
        aov: false,
        motion: false,
        cubes: None,
        cubes_made: false,
        sun_maps: (0, 0),
        local_maps: (0, 0),
        between: Vec::new(),
    };

    #[test]
    fn only_what_is_needed() {
        let all = Request {
            samples: 4,
            aov: true,
            cubes: Some(CubeRequest { size: 64, levels: 5 }),
            sun_maps: (1, 2048),
            local_maps: (7, 1024),
            ..PLAIN
        };
        for (request, passes, targets, outputs) in [
            (PLAIN, 2, 3, 1),
            (Request { samples: 4, ..PLAIN }, 2, 4, 1),
            (Request { aov: true, ..PLAIN }, 3, 6, 3),
            (Request { motion: true, ..PLAIN }, 3, 5, 2),
            (Request { colour: None, ..all.clone() }, 1, 3, 2),
            (Request { cubes_made: true, ..all.clone() }, 11, 9, 3),
            (all, 14, 11, 3),
        ] {
            let plan = plan(&request);
            let counts = (plan.passes.len(), plan.targets.len(), plan.outputs.len());
            assert_eq!(counts, (passes, targets, outputs), "{plan}");
        }
    }

    #[test]
    fn lifetimes_and_bytes() {
        let plan = plan(&Request { samples: 4, ..PLAIN });
        let of = |name| plan.lifetime(plan.target(name).expect("planned"));
        assert_eq!((of("samples"), of("linear"), of("encoded")), ((0, 0), (0, 1), (1, 2)));
        assert_eq!(plan.target_bytes(), 64 * 32 * (4 * 8 + 8 + 4 * 4 + 4));
        let text = plan.to_string();
        assert!(text.contains(" 0 scene  writes samples, linear, depth"), "{text}");
    }
}
