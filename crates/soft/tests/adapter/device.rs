//! The adapter as a wgpu program sees it: what it says of itself, devices, mapping, errors, loss.

use pollster::block_on;
use stillframe_soft::{Isa, Options, wgpu};

fn options() -> Options {
    Options { threads: 2, ..Options::default() }
}

fn adapter(options: &Options) -> wgpu::Adapter {
    block_on(stillframe_soft::instance(options).request_adapter(&Default::default()))
        .expect("the adapter is always there")
}

fn device(options: &Options) -> (wgpu::Device, wgpu::Queue) {
    block_on(adapter(options).request_device(&Default::default())).expect("device")
}

fn buffer(device: &wgpu::Device, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
}

/// Maps, copies and unmaps.
fn read(device: &wgpu::Device, buffer: &wgpu::Buffer) -> Vec<u8> {
    buffer.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("mapped"));
    device.poll(wgpu::PollType::wait_indefinitely()).expect("poll");
    let bytes = buffer.slice(..).get_mapped_range().expect("mapped").to_vec();
    buffer.unmap();
    bytes
}

#[test]
fn the_adapter_says_what_it_is() {
    let info = adapter(&Options { threads: 3, isa: Some(Isa::Scalar), ..Options::DEFAULT }).get_info();
    assert_eq!(info.name, "stillframe-soft");
    assert_eq!(info.device_type, wgpu::DeviceType::Cpu);
    assert_eq!(info.driver, "stillframe-soft");
    let contract = stillframe_soft::PIXEL_CONTRACT;
    assert_eq!(info.driver_info, format!("contract={contract} isa=scalar threads=3"));
}

#[test]
fn one_adapter_whatever_is_asked_for() {
    let instance = stillframe_soft::instance(&options());
    for power_preference in [wgpu::PowerPreference::LowPower, wgpu::PowerPreference::HighPerformance] {
        for force_fallback_adapter in [false, true] {
            let options =
                wgpu::RequestAdapterOptions { power_preference, force_fallback_adapter, ..Default::default() };
            assert!(block_on(instance.request_adapter(&options)).is_ok());
        }
    }
    assert_eq!(block_on(instance.enumerate_adapters(wgpu::Backends::all())).len(), 1);
}

#[test]
fn webgpu_limits_and_compliance() {
    let adapter = adapter(&options());
    assert!(wgpu::Limits::default().check_limits(&adapter.limits()));
    assert!(adapter.get_downlevel_capabilities().is_webgpu_compliant());
    let all = wgpu::DeviceDescriptor {
        required_features: adapter.features(),
        required_limits: adapter.limits(),
        ..Default::default()
    };
    block_on(adapter.request_device(&all)).expect("a device with everything that is reported");
}

#[test]
fn bytes_travel_through_mapping_and_copies() {
    let (device, queue) = device(&options());
    let source = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 256,
        usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::MAP_WRITE,
        mapped_at_creation: true,
    });
    let bytes: Vec<u8> = (0..=255).collect();
    source.slice(..).get_mapped_range_mut().expect("mapped").copy_from_slice(&bytes);
    source.unmap();
    let middle = buffer(&device, 256, wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST);
    let target = buffer(&device, 256, wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ);
    queue.write_buffer(&middle, 0, &[7; 64]);
    let mut encoder = device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(&source, 0, &middle, 128, 64);
    encoder.clear_buffer(&middle, 16, Some(16));
    encoder.copy_buffer_to_buffer(&middle, 0, &target, 0, 256);
    queue.submit([encoder.finish()]);
    let mut want = vec![0; 256];
    want[..64].fill(7);
    want[16..32].fill(0);
    want[128..192].copy_from_slice(&bytes[..64]);
    assert_eq!(read(&device, &target), want);
}

#[test]
fn mistakes_reach_the_error_scope_and_the_device_goes_on() {
    let (device, queue) = device(&options());
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    buffer(&device, 16, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::MAP_WRITE);
    let error = block_on(scope.pop());
    assert!(matches!(error, Some(wgpu::Error::Validation { .. })), "{error:?}");
    let target = buffer(&device, 16, wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ);
    queue.write_buffer(&target, 0, &[5; 16]);
    queue.submit([]);
    assert_eq!(read(&device, &target), [5; 16]);
}

#[test]
fn too_much_memory_is_an_error_and_what_is_dropped_comes_back() {
    let (device, _queue) = device(&Options { memory_limit: 64 << 20, ..options() });
    let before = stillframe_soft::stats(&device).expect("our device").used_bytes;
    for _ in 0..4 {
        let kept = buffer(&device, 40 << 20, wgpu::BufferUsages::COPY_DST);
        let scope = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        buffer(&device, 40 << 20, wgpu::BufferUsages::COPY_DST);
        let error = block_on(scope.pop());
        assert!(matches!(error, Some(wgpu::Error::OutOfMemory { .. })), "{error:?}");
        drop(kept);
        device.poll(wgpu::PollType::wait_indefinitely()).expect("poll");
    }
    let stats = stillframe_soft::stats(&device).expect("our device");
    assert_eq!(stats.used_bytes, before);
    assert!(stats.peak_bytes >= 40 << 20 && stats.peak_bytes < 64 << 20, "{stats}");
}

#[test]
fn two_instances_and_drops_in_any_order() {
    let (first, second) = (stillframe_soft::instance(&options()), stillframe_soft::instance(&options()));
    let adapter = |instance: &wgpu::Instance| block_on(instance.request_adapter(&Default::default())).expect("adapter");
    let (a, b) = (adapter(&first), adapter(&second));
    drop(first);
    let (device_a, queue_a) = block_on(a.request_device(&Default::default())).expect("device");
    let (device_b, queue_b) = block_on(b.request_device(&Default::default())).expect("device");
    drop(a);
    let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
    let (buffer_a, buffer_b) = (buffer(&device_a, 16, usage), buffer(&device_b, 16, usage));
    queue_a.write_buffer(&buffer_a, 0, &[1; 16]);
    queue_a.submit([]);
    drop(queue_a);
    assert_eq!(read(&device_a, &buffer_a), [1; 16]);
    drop(device_a);
    queue_b.write_buffer(&buffer_b, 0, &[2; 16]);
    drop((second, b));
    queue_b.submit([]);
    assert_eq!(read(&device_b, &buffer_b), [2; 16]);
    drop(device_b);
    drop(queue_b);
    drop((buffer_b, buffer_a));
}

#[test]
fn timestamps_count_and_never_look_at_a_clock() {
    let features = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS;
    let desc = wgpu::DeviceDescriptor { required_features: features, ..Default::default() };
    let (device, queue) = block_on(adapter(&options()).request_device(&desc)).expect("device");
    assert_eq!(queue.get_timestamp_period(), 1.0);
    let set =
        device.create_query_set(&wgpu::QuerySetDescriptor { label: None, ty: wgpu::QueryType::Timestamp, count: 4 });
    let resolved = buffer(&device, 32, wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC);
    let target = buffer(&device, 32, wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ);
    let mut encoder = device.create_command_encoder(&Default::default());
    encoder.write_timestamp(&set, 1);
    let writes = wgpu::ComputePassTimestampWrites {
        query_set: &set,
        beginning_of_pass_write_index: Some(0),
        end_of_pass_write_index: Some(3),
    };
    drop(encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes: Some(writes) }));
    encoder.write_timestamp(&set, 2);
    encoder.resolve_query_set(&set, 0..4, &resolved, 0);
    encoder.copy_buffer_to_buffer(&resolved, 0, &target, 0, 32);
    queue.submit([encoder.finish()]);
    let words: Vec<u64> =
        read(&device, &target).chunks(8).map(|b| u64::from_le_bytes(b.try_into().expect("8"))).collect();
    assert_eq!(words, [2, 1, 4, 3]);
}

const ENDLESS: &str = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;
    @compute @workgroup_size(1) fn spins() { loop { out[0] += 1u; if out[0] == 0u { break; } } }";

#[test]
fn a_loop_without_end_loses_the_device_and_names_the_shader() {
    let (device, queue) = device(&Options { step_budget: 1 << 16, ..options() });
    let (lost, told) = std::sync::mpsc::channel();
    device.set_device_lost_callback(move |reason, message| lost.send((reason, message)).expect("receiver"));
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("endless"),
        source: wgpu::ShaderSource::Wgsl(ENDLESS.into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: None,
        compilation_options: Default::default(),
        cache: None,
    });
    let out = buffer(&device, 16, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: out.as_entire_binding() }],
    });
    assert_eq!(stillframe_soft::fault(&device), None);
    let mut encoder = device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &group, &[]);
    pass.dispatch_workgroups(1, 1, 1);
    drop(pass);
    queue.submit([encoder.finish()]);
    let _ = device.poll(wgpu::PollType::Poll);
    let (reason, _) = told.recv_timeout(std::time::Duration::from_secs(60)).expect("the callback is called");
    assert_eq!(reason, wgpu::DeviceLostReason::Unknown);
    let fault = stillframe_soft::fault(&device).expect("a fault");
    assert!(fault.contains("spins"), "{fault}");
    // What follows is refused quietly; nothing panics or hangs.
    queue.submit([device.create_command_encoder(&Default::default()).finish()]);
    drop((group, out, pipeline, module, queue, device));
}
