// Fog in froxels: what it scatters and loses, slice by slice, and all of that from the eye on.

// Columns, rows, slices. The picture begins after the first column and row and ends before the last.
fn froxel_counts() -> vec3i {
    return vec3i(frame.data[0].xyz);
}

// Slices lie beside each other, so many in a row.
fn slices_across() -> i32 {
    return i32(frame.data[0].w);
}

fn froxel_at(at: vec2i) -> vec3i {
    let size = froxel_counts().xy;
    let tile = at / size;
    return vec3i(at - tile * size, tile.y * slices_across() + tile.x);
}

fn texel_of(froxel: vec3i) -> vec2i {
    let across = slices_across();
    return froxel.xy + vec2i(froxel.z % across, froxel.z / across) * froxel_counts().xy;
}

// Along the view axis, metres. The last slice is nearly 32 times as deep as the first.
fn depth_of(slice: f32) -> f32 {
    return params.far_m / 31.0 * (exp2(slice * (5.0 / frame.data[0].z)) - 1.0);
}

fn slice_of(distance_m: f32) -> f32 {
    return log2(distance_m * (31.0 / params.far_m) + 1.0) * (frame.data[0].z / 5.0);
}

fn depth_of_slice(slice: i32) -> f32 {
    return depth_of(f32(slice) + 1.0) - depth_of(f32(slice));
}

// Extinction at a height.
fn extinction_at(height_m: f32) -> f32 {
    return params.density_per_m * exp(min(params.falloff_per_m * (params.base_m - height_m), 40.0));
}

// Henyey, Greenstein 1941; `cosine`: between where light goes and where it goes on.
fn phase(cosine: f32) -> f32 {
    let g = params.anisotropy;
    let x = 1.0 + g * g - 2.0 * g * cosine;
    return 0.07957747 * (1.0 - g * g) / (x * sqrt(x));
}

// What fog sends along `way` at a point, for each part of light that it loses.
fn sent_at(point: vec3f, way: vec3f, radius_m: f32) -> vec3f {
    var sum = params.ambient;
    for (var i = 0u; i < light_count(); i++) {
        for (var part = 0u; part < parts_of_light(i); part++) {
            let arriving = arriving_at(i, part, point, radius_m);
            sum += arriving.e * phase(dot(arriving.l, way));
        }
    }
    return sum * params.albedo;
}

// Of each froxel what it sends, and what it loses for each metre along the view axis.
fn scatter(at: vec2i) -> vec4f {
    let froxel = froxel_at(at);
    let counts = froxel_counts();
    if froxel.z >= counts.z {
        return vec4f(0.0);
    }
    let begin_m = depth_of(f32(froxel.z));
    let deep_m = depth_of_slice(froxel.z);
    // Four columns have points of their own: stripes where edges of shadows cross slices become fine.
    let turn = f32((froxel.x & 1) * 2 + ((froxel.x ^ froxel.y) & 1));
    var sent = vec3f(0.0);
    var lost = 0.0;
    for (var point_number = 0.0; point_number < params.points; point_number += 1.0) {
        // Spread out across the froxel, too (Roberts 2018).
        let number = 4.0 * point_number + turn;
        let inside = fract(0.5 + number * vec2f(0.7548777, 0.5698403));
        let uv = (vec2f(froxel.xy) - 1.0 + inside) / vec2f(counts.xy - 2);
        // Behind a surface light would come through walls; far behind, it is what pixels beside the surface see.
        let surface_m = distance_at(vec2i(uv * frame.picture_px));
        let is_before = surface_m > begin_m - 2.0 * deep_m && surface_m >= 0.0;
        let end_m = select(begin_m + deep_m, min(begin_m + deep_m, surface_m), is_before);
        let start_m = max(min(begin_m, end_m - 0.25 * deep_m), 0.0);
        let distance_m = max(mix(start_m, end_m, (number + 0.5) / (4.0 * params.points)), 1e-6);
        let eye = view_place_of(uv, 0.0);
        let ray = view_place_of(uv, distance_m) - eye;
        let point = (frame.world_from_view * vec4f(eye + ray, 1.0)).xyz;
        let own = extinction_at(point.y) * length(ray) / distance_m;
        if own > 0.0 {
            let way = normalize((frame.world_from_view * vec4f(ray, 0.0)).xyz);
            sent += sent_at(point, way, 0.5 * deep_m / params.points) * own;
            lost += own;
        }
    }
    return vec4f(sent / max(lost, 1e-30), lost / params.points);
}

// The mean of four columns, which is at the corner that they share.
fn evened(at: vec2i) -> vec4f {
    let froxel = froxel_at(at);
    let last = froxel_counts().xy - 1;
    var sum = vec4f(0.0);
    for (var number = 0; number < 4; number++) {
        let column = min(froxel.xy + vec2i(number & 1, number >> 1u), last);
        sum += texel_0(texel_of(vec3i(column, froxel.z)));
    }
    return sum * 0.25;
}

// 1 - exp(-depth), by its series near 0.
fn share_lost(depth: f32) -> f32 {
    if depth < 1e-2 {
        return depth * (1.0 - depth * (0.5 - depth / 6.0));
    }
    return 1.0 - exp(-depth);
}

// What a part of a froxel sends to its near end, and what it lets through: all of it is alike (Hillaire 2015).
fn through(froxel: vec4f, way_m: f32) -> vec4f {
    let lost = share_lost(froxel.w * way_m);
    return vec4f(froxel.xyz * lost, 1.0 - lost);
}

fn put_before(near: vec4f, far: vec4f) -> vec4f {
    return vec4f(near.xyz + near.w * far.xyz, near.w * far.w);
}

// From the first slice of a row of slices to this one.
fn within(at: vec2i) -> vec4f {
    let froxel = froxel_at(at);
    var sum = vec4f(0.0, 0.0, 0.0, 1.0);
    for (var slice = froxel.z - froxel.z % slices_across(); slice <= froxel.z; slice++) {
        sum = put_before(sum, through(texel_0(texel_of(vec3i(froxel.xy, slice))), depth_of_slice(slice)));
    }
    return sum;
}

// From the eye to this slice.
fn integrate(at: vec2i) -> vec4f {
    let froxel = froxel_at(at);
    let across = slices_across();
    var sum = vec4f(0.0, 0.0, 0.0, 1.0);
    for (var slice = across - 1; slice < froxel.z - froxel.z % across; slice += across) {
        sum = put_before(sum, texel_0(texel_of(vec3i(froxel.xy, slice))));
    }
    return put_before(sum, texel_0(at));
}

// From the eye to a place in a slice, at a corner of columns.
fn fog_to(column: vec2i, slice: i32, way_m: f32) -> vec4f {
    let own = through(texel_1(texel_of(vec3i(column, slice))), way_m);
    if slice == 0 {
        return own;
    }
    return put_before(texel_2(texel_of(vec3i(column, slice - 1))), own);
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let distance_m = distance_at(at);
    let is_around = distance_m < 0.0;
    let deep = min(select(distance_m, params.far_m, is_around), params.far_m);
    let counts = froxel_counts();
    let slice = clamp(i32(slice_of(deep)), 0, counts.z - 1);
    let way_m = clamp(deep - depth_of(f32(slice)), 0.0, depth_of_slice(slice));
    // Each of the four corners goes on evenly from slice to slice, and so does their mix.
    let place = uv_of(at) * vec2f(counts.xy - 2);
    let corner = floor(place);
    let part = place - corner;
    let a = vec2i(corner);
    let top = mix(fog_to(a, slice, way_m), fog_to(a + vec2i(1, 0), slice, way_m), part.x);
    let bottom = mix(fog_to(a + vec2i(0, 1), slice, way_m), fog_to(a + vec2i(1, 1), slice, way_m), part.x);
    let fog = mix(top, bottom, part.y);
    let seen = vec4f(fog.xyz, 1.0 - fog.w) + color * fog.w;
    return color + (seen - color) * select(1.0, params.background, is_around);
}
