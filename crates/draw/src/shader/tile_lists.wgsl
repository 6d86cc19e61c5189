// Tile lists: for each square of pixels the lights that can reach what is seen there (forward+: Harada, McKee, Yang
// 2012; tiled deferred: Andersson 2009, Lauritzen 2010). Deviations: one invocation makes the list of a tile, so lights
// stand in rising order without atomics; a light is tested against the box between the tile's edges, not by planes.

struct TileGrid {
    // Depth along the view axis from a depth z of the picture: (x - y z) / (z' - w z), with z' the third.
    depth: vec4f,
    tile_px: u32,
    columns: u32,
    rows: u32,
    light_count: u32,
    width_px: u32,
    height_px: u32,
    // 1: what is in front of everything stored is lit, too.
    from_eye: u32,
}

// Where a light reaches, seen from the camera.
struct Reach {
    // Middle and radius; a negative radius: everywhere.
    sphere: vec4f,
    // Of its cone: where the light stands and the cosine of the half angle; a negative cosine: all directions.
    apex: vec4f,
    // The way it shines, and the sine.
    axis: vec4f,
}

@group(0) @binding(0) var<uniform> grid: TileGrid;
// Of each column, then of each row: where its two edges are, as slope and rest of a line over depth.
@group(0) @binding(1) var<storage, read> edges: array<vec4f>;
@group(0) @binding(2) var<storage, read> reaches: array<Reach>;
@group(0) @binding(3) var depths: texture_depth_2d;
// As `light/tiles.wgsl` reads it.
@group(0) @binding(4) var<storage, read_write> tiles: array<u32>;

fn depth_of(z: f32) -> f32 {
    return (grid.depth.x - grid.depth.y * z) / (grid.depth.z - grid.depth.w * z);
}

// The least and the greatest place between two edges and two depths.
fn between(edge: vec4f, range: vec2f) -> vec2f {
    let low = edge.x * range + edge.y;
    let high = edge.z * range + edge.w;
    return vec2f(min(min(low.x, low.y), min(high.x, high.y)), max(max(low.x, low.y), max(high.x, high.y)));
}

// The squared distance from an interval.
fn gap2(interval: vec2f, at: f32) -> f32 {
    let gap = max(max(interval.x - at, at - interval.y), 0.0);
    return gap * gap;
}

// Whether no point of a ball is in a light's cone; a little more counts as in it, for what rounding does to directions.
fn is_beside(reach: Reach, middle: vec3f, radius: f32) -> bool {
    let offset = middle - reach.apex.xyz;
    let along = dot(offset, reach.axis.xyz);
    let away2 = dot(offset, offset);
    let across = sqrt(max(away2 - along * along, 0.0));
    return reach.apex.w * across - reach.axis.w * along > radius + 0.001 * sqrt(away2);
}

@compute @workgroup_size(64)
fn tile_lists(@builtin(global_invocation_id) id: vec3u) {
    let tile = id.x;
    if tile >= grid.columns * grid.rows {
        return;
    }
    if tile == 0u {
        tiles[0] = grid.tile_px;
        tiles[1] = grid.columns;
        tiles[2] = grid.light_count + 1u;
        tiles[3] = 0u;
    }
    let place = vec2u(tile % grid.columns, tile / grid.columns);
    let first = place * grid.tile_px;
    let end = min(first + grid.tile_px, vec2u(grid.width_px, grid.height_px));
    // Reversed: 1 is near, and 0 is where nothing is.
    var nearest = 0.0;
    var farthest = 1.0;
    var is_open = false;
    for (var y = first.y; y < end.y; y++) {
        for (var x = first.x; x < end.x; x++) {
            let z = textureLoad(depths, vec2u(x, y), 0);
            is_open = is_open || z == 0.0;
            nearest = max(nearest, z);
            farthest = min(farthest, select(1.0, z, z > 0.0));
        }
    }
    let sees_something = nearest > 0.0 || grid.from_eye == 1u;
    // A little more, for what rounding does to depths.
    var range = vec2f(depth_of(nearest) * 0.9999, depth_of(farthest) * 1.0001);
    if grid.from_eye == 1u {
        range = vec2f(0.0, select(range.y, 1e30, is_open));
    }
    let across = between(edges[place.x], range);
    let down = between(edges[grid.columns + place.y], range);
    // The ball about all of that; one without end is beside nothing.
    let middle = vec3f(across.x + across.y, down.x + down.y, range.x + range.y) * 0.5;
    let radius = 0.5 * length(vec3f(across.y - across.x, down.y - down.x, range.y - range.x));
    let begin = 4u + tile * (grid.light_count + 1u);
    var count = 0u;
    for (var i = 0u; i < grid.light_count; i++) {
        let reach = reaches[i];
        let sphere = reach.sphere;
        let left = sphere.w * sphere.w - gap2(across, sphere.x) - gap2(down, sphere.y) - gap2(range, sphere.z);
        let is_outside = reach.apex.w >= 0.0 && is_beside(reach, middle, radius);
        if sees_something && (sphere.w < 0.0 || left >= 0.0) && !is_outside {
            count += 1u;
            tiles[begin + count] = i;
        }
    }
    tiles[begin] = count;
    for (var rest = count; rest < grid.light_count; rest++) {
        tiles[begin + 1u + rest] = 0u;
    }
}
