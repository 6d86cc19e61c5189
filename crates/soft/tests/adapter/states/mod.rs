//! States: everything that a pipeline, a pass and a sampler can be told through wgpu changes some texel.
//!
//! One table, a row for each state: its values, each with a picture that shows it. Two values never give the same
//! picture, so a state that is dropped on its way to the adapter is found, also where the adapter's oracle drops it,
//! too. A value that the adapter does not offer must be refused by wgpu. Every field of wgpu's descriptors has a row,
//! which the compiler and the first test see to.

mod pass;
mod pipeline;
mod sampler;
mod stencil;
mod target;
mod vertex;

use pollster::block_on;
use stillframe_soft::{Options, wgpu};

use super::raster::stage::{Gpu, Picture};

/// When a value can be used.
#[derive(Clone, Copy, Debug)]
enum Rule {
    Always,
    /// On devices with this feature. Adapters without it refuse, and devices that did not ask for it.
    With(wgpu::Features),
    /// Whether the adapter says so in another way; else it refuses.
    If(bool),
}

/// A value of a state, and how to make a picture with it.
struct Value {
    name: String,
    rule: Rule,
    draw: Box<dyn Fn(&Gpu) -> Picture>,
}

/// A state: what it is called in wgpu, and values of which no two look the same.
struct Row {
    name: &'static str,
    values: Vec<Value>,
}

/// A row of values that every device takes.
fn row<T: std::fmt::Debug + Clone + 'static>(
    name: &'static str,
    values: impl IntoIterator<Item = T>,
    draw: impl Fn(&Gpu, &T) -> Picture + Clone + 'static,
) -> Row {
    ruled(name, values.into_iter().map(|value| (value, Rule::Always)), draw)
}

/// A row of values, each with its rule.
fn ruled<T: std::fmt::Debug + Clone + 'static>(
    name: &'static str,
    values: impl IntoIterator<Item = (T, Rule)>,
    draw: impl Fn(&Gpu, &T) -> Picture + Clone + 'static,
) -> Row {
    let value = |(value, rule): (T, Rule)| {
        let draw = draw.clone();
        Value { name: format!("{value:?}"), rule, draw: Box::new(move |gpu| draw(gpu, &value)) }
    };
    Row { name, values: values.into_iter().map(value).collect() }
}

/// All values of one of wgpu's enumerations; the compiler sees to it that none is missing.
macro_rules! every {
    ($kind:ident: $($value:ident)*) => {{
        #[allow(dead_code, reason = "the compiler looks at it")]
        fn none_is_missing(value: wgpu::$kind) {
            match value { $(wgpu::$kind::$value => (),)* }
        }
        [$(wgpu::$kind::$value),*]
    }};
}
use every;

/// All fields of one of wgpu's descriptions, as rows are called; the compiler sees to it that none is missing.
macro_rules! fields {
    ($name:literal, $kind:ident$(<$life:lifetime>)?: $($field:ident)*) => {{
        let _none_is_missing = |value: &wgpu::$kind$(<$life>)?| {
            let wgpu::$kind { $($field: _),* } = value;
        };
        vec![$(concat!($name, ".", stringify!($field))),*]
    }};
}

fn compares() -> [wgpu::CompareFunction; 8] {
    every!(CompareFunction: Never Less Equal LessEqual Greater NotEqual GreaterEqual Always)
}

fn table(adapter: &wgpu::Adapter) -> Vec<Row> {
    let mut rows = pipeline::rows(adapter);
    rows.extend(stencil::rows());
    rows.extend(target::rows());
    rows.extend(vertex::rows());
    rows.extend(pass::rows());
    rows.extend(sampler::rows(adapter));
    rows
}

fn options(plain: bool) -> Options {
    Options { threads: 1, plain, ..Options::DEFAULT }
}

fn adapter() -> wgpu::Adapter {
    let instance = stillframe_soft::instance(&options(false));
    block_on(instance.request_adapter(&Default::default())).expect("adapter")
}

/// Whether wgpu refuses what is asked for.
fn is_refused(gpu: &Gpu, value: &Value) -> bool {
    let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
    (value.draw)(gpu);
    matches!(block_on(scope.pop()), Some(wgpu::Error::Validation { .. }))
}

/// States that are no texels' business: names, and what only saves time.
const SILENT: [&str; 10] = [
    "pipeline.label",
    "pipeline.layout",
    "pipeline.cache",
    "sampler.label",
    // Of workgroups, which pipelines that draw have none of.
    "constants.zero_initialize_workgroup_memory",
    // Which shader an entry point is looked for in.
    "stage.module",
    "view.label",
    // What a shader can bind, which it declares itself.
    "view.dimension",
    "view.aspect",
    "view.usage",
];

#[test]
fn every_field_of_a_description_has_a_row() {
    let mut fields = fields!("pipeline", RenderPipelineDescriptor<'_>:
        label layout vertex primitive depth_stencil multisample fragment multiview_mask cache);
    fields.extend(fields!("stage", VertexState<'_>: module entry_point compilation_options buffers));
    fields.extend(fields!("stage", FragmentState<'_>: module entry_point compilation_options targets));
    fields.extend(fields!("constants", PipelineCompilationOptions<'_>: constants zero_initialize_workgroup_memory));
    fields.extend(fields!("buffer", VertexBufferLayout<'_>: array_stride step_mode attributes));
    fields.extend(fields!("attribute", VertexAttribute: format offset shader_location));
    fields.extend(fields!("primitive", PrimitiveState:
        topology strip_index_format front_face cull_mode unclipped_depth polygon_mode conservative));
    fields.extend(fields!("depth", DepthStencilState: format depth_write_enabled depth_compare stencil bias));
    fields.extend(fields!("bias", DepthBiasState: constant slope_scale clamp));
    fields.extend(fields!("stencil", StencilState: front back read_mask write_mask));
    fields.extend(fields!("stencil.front", StencilFaceState: compare fail_op depth_fail_op pass_op));
    fields.extend(fields!("stencil.back", StencilFaceState: compare fail_op depth_fail_op pass_op));
    fields.extend(fields!("multisample", MultisampleState: count mask alpha_to_coverage_enabled));
    fields.extend(fields!("target", ColorTargetState: format blend write_mask));
    fields.extend(fields!("blend", BlendState: color alpha));
    fields.extend(fields!("blend.color", BlendComponent: src_factor dst_factor operation));
    fields.extend(fields!("blend.alpha", BlendComponent: src_factor dst_factor operation));
    fields.extend(
        fields!("sampler", SamplerDescriptor<'_>: label address_mode_u address_mode_v address_mode_w mag_filter
        min_filter mipmap_filter lod_min_clamp lod_max_clamp compare anisotropy_clamp border_color),
    );
    fields.extend(fields!("view", TextureViewDescriptor<'_>:
        label format dimension usage aspect base_mip_level mip_level_count base_array_layer array_layer_count));
    // Descriptions within others have rows of their own.
    let parts = ["vertex", "primitive", "depth_stencil", "multisample"].map(|part| format!("pipeline.{part}"));
    let nested = ["stage.compilation_options", "stage.buffers", "stage.targets", "buffer.attributes"];
    let nested = [&nested[..], &["depth.stencil", "depth.bias"]].concat();
    let rows = table(&adapter());
    let mut missing = Vec::new();
    for field in fields {
        let has_row = rows.iter().any(|row| row.name.split([' ', '(']).next() == Some(field))
            || rows.iter().any(|row| row.name.starts_with(&format!("{field}.")));
        let is_known = SILENT.contains(&field) || nested.contains(&field) || parts.iter().any(|part| part == field);
        if !has_row && !is_known {
            missing.push(field);
        }
    }
    assert!(missing.is_empty(), "states without a row: {missing:?}");
}

#[test]
fn every_state_shows_or_is_refused() {
    let adapter = adapter();
    let (all, plain) = (Gpu::new("all features", options(false)), Gpu::new("oracle", options(true)));
    let (device, queue) = block_on(adapter.request_device(&Default::default())).expect("device");
    let bare = Gpu { name: "no features".to_owned(), device, queue };
    let mut wrong = Vec::new();
    for row in table(&adapter) {
        assert!(row.values.len() >= 2, "{}: one value shows nothing", row.name);
        let mut pictures: Vec<(&str, Picture)> = Vec::new();
        for value in &row.values {
            let (is_offered, is_asked_for) = match value.rule {
                Rule::Always => (true, false),
                Rule::With(feature) => (adapter.features().contains(feature), true),
                Rule::If(offered) => (offered, false),
            };
            let what = format!("{} = {}", row.name, value.name);
            if is_asked_for && !is_refused(&bare, value) {
                wrong.push(format!("{what}: taken by a device without its feature"));
            }
            if !is_offered {
                if !is_refused(&all, value) {
                    wrong.push(format!("{what}: not offered, but taken"));
                }
                continue;
            }
            if is_refused(&all, value) {
                wrong.push(format!("{what}: refused"));
                continue;
            }
            let picture = (value.draw)(&all);
            if picture != (value.draw)(&plain) {
                wrong.push(format!("{what}: the oracle draws something else"));
            }
            if let Some((other, _)) = pictures.iter().find(|(_, other)| *other == picture) {
                wrong.push(format!("{what}: the same picture as with {other}"));
            }
            pictures.push((&value.name, picture));
        }
        if pictures.is_empty() {
            wrong.push(format!("{}: nothing is drawn", row.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
