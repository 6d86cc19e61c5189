// Subpixel morphological anti-aliasing, SMAA 1x (Jimenez, Echevarria, Sousa, Gutierrez 2012).
//
// Areas are computed, not read from tables. A diagonal is a stair of steps of one pixel whose first and last may be two
// pixels long; its line joins the middles of those. Alpha makes edges, too. U shapes are not widened.

// Encoded luminance and alpha.
fn lights(at: vec2i) -> vec4f {
    let color = texel_0(at);
    return vec4f(min(luminance(srgb_of(color.xyz)), 1.0), color.w, 0.0, 0.0);
}

// Of the first stage.
fn light_at(at: vec2i) -> vec2f {
    return texel_0(at).xy;
}

fn contrast(a: vec2f, b: vec2f) -> f32 {
    let change = abs(a - b);
    return max(change.x, change.y);
}

// x is 1 where the pixel has an edge at its left, y where it has one at its top.
fn edges(at: vec2i) -> vec4f {
    let m = light_at(at);
    let n = light_at(at - vec2i(0, 1));
    let w = light_at(at - vec2i(1, 0));
    let left = contrast(m, w);
    let top = contrast(m, n);
    let right = contrast(m, light_at(at + vec2i(1, 0)));
    let bottom = contrast(m, light_at(at + vec2i(0, 1)));
    let most = max(max(left, top), max(right, bottom));
    // An edge with more than twice its contrast next to it is not seen.
    let by_left = max(most, contrast(w, light_at(at - vec2i(2, 0))));
    let by_top = max(most, contrast(n, light_at(at - vec2i(0, 2))));
    let has_left = left > params.threshold && 2.0 * left >= by_left;
    let has_top = top > params.threshold && 2.0 * top >= by_top;
    return vec4f(select(0.0, 1.0, has_left), select(0.0, 1.0, has_top), 0.0, 0.0);
}

// Of the third stage: the picture of edges. Outside there are none.
fn edges_at(at: vec2i) -> vec2f {
    let is_inside = all(at >= vec2i(0)) && all(at < size_0());
    return select(vec2f(0.0), texel_0(at).xy, is_inside);
}

// Whether there is an edge from corner x, y of the grid of pixels to the next one right: along a search in x. A search
// in y has x and y exchanged.
fn has_along(x: i32, y: i32, is_turned: bool) -> bool {
    if is_turned {
        return edges_at(vec2i(y, x)).x > 0.5;
    }
    return edges_at(vec2i(x, y)).y > 0.5;
}

// The same to the next corner down.
fn has_across(x: i32, y: i32, is_turned: bool) -> bool {
    return has_along(y, x, !is_turned);
}

// Whether a search stops at a corner of the grid.
fn is_crossed(x: i32, y: i32, is_turned: bool) -> bool {
    return has_across(x, y - 1, is_turned) || has_across(x, y, is_turned);
}

// How much the crossing edge above a corner (`step` -1) or below it (1) counts. One that goes straight on is a side of
// what is seen.
fn crossing(x: i32, y: i32, step: i32, is_turned: bool) -> f32 {
    let row = y + min(step, 0);
    if !has_across(x, row, is_turned) {
        return 0.0;
    }
    let is_branched = has_along(x - 1, y + step, is_turned) || has_along(x, y + step, is_turned);
    return select(1.0, params.corner, has_across(x, row + step, is_turned) && !is_branched);
}

// Where the line is at its end: upwards from the edge. Of crossing edges on both sides, the one counts that makes an S.
fn height_of(own: vec2f, other: vec2f) -> f32 {
    if all(own > vec2f(0.0)) {
        let is_clear = (other.x > 0.0) != (other.y > 0.0);
        return select(0.0, select(0.5 * own.x, -0.5 * own.y, other.x > 0.0), is_clear);
    }
    return 0.5 * (own.x - own.y);
}

// Of a pixel `away` pixels from the end: what is under a line from 1 at the end to 0 at half the length.
fn area_under(away: i32, length: f32) -> f32 {
    let a = min(f32(away), 0.5 * length);
    let b = min(f32(away) + 1.0, 0.5 * length);
    return (b - a) - (b * b - a * a) / length;
}

// What is between the edge and its line, above the edge and below it.
fn straight_areas(x: i32, y: i32, is_turned: bool) -> vec2f {
    let most = i32(params.search_px);
    var before = 0;
    while before < most && !is_crossed(x - before, y, is_turned) && has_along(x - before - 1, y, is_turned) {
        before++;
    }
    var after = 0;
    while after < most && !is_crossed(x + after + 1, y, is_turned) && has_along(x + after + 1, y, is_turned) {
        after++;
    }
    let start = x - before;
    let end = x + after + 1;
    let first = vec2f(crossing(start, y, -1, is_turned), crossing(start, y, 1, is_turned));
    let last = vec2f(crossing(end, y, -1, is_turned), crossing(end, y, 1, is_turned));
    let length = f32(end - start);
    let a = height_of(first, last) * area_under(before, length);
    let b = height_of(last, first) * area_under(after, length);
    return max(vec2f(a, -a), vec2f(0.0)) + max(vec2f(b, -b), vec2f(0.0));
}

// The same for stairs. They go right and down; those that go left and down are seen in a mirror.
fn is_along(x: i32, y: i32, is_turned: bool, is_mirrored: bool) -> bool {
    if !is_mirrored {
        return has_along(x, y, is_turned);
    }
    return has_along(select(-1 - x, x, is_turned), select(y, -y, is_turned), is_turned);
}

fn is_across(x: i32, y: i32, is_turned: bool, is_mirrored: bool) -> bool {
    return is_along(y, x, !is_turned, is_mirrored);
}

// Whether two edges in a line, and no others, meet at a corner of the grid.
fn is_straight(x: i32, y: i32, is_turned: bool, is_mirrored: bool) -> bool {
    let is_line = is_along(x - 1, y, is_turned, is_mirrored) && is_along(x, y, is_turned, is_mirrored);
    let is_met = is_across(x, y - 1, is_turned, is_mirrored) || is_across(x, y, is_turned, is_mirrored);
    return is_line && !is_met;
}

// What an edge is of a stair: nothing, a step, or the first or second half of a step of two.
const NONE: i32 = 0;
const STEP: i32 = 1;
const FIRST: i32 = 2;
const SECOND: i32 = 3;

fn kind_of(x: i32, y: i32, is_turned: bool, is_mirrored: bool) -> i32 {
    if !is_along(x, y, is_turned, is_mirrored) {
        return NONE;
    }
    let before = is_straight(x, y, is_turned, is_mirrored);
    let after = is_straight(x + 1, y, is_turned, is_mirrored);
    if !before && !after {
        return STEP;
    }
    let is_longer = (before && after) || is_straight(select(x - 1, x + 2, after), y, is_turned, is_mirrored);
    return select(select(SECOND, FIRST, after), NONE, is_longer);
}

// Edges, and where the line begins and ends on the grid.
struct Stair {
    count: i32,
    start: vec2f,
    end: vec2f,
}

// The stair of the edge from corner x, y. Fewer than three edges are none.
fn stair_of(x: i32, y: i32, is_turned: bool, is_mirrored: bool) -> Stair {
    let most = i32(params.search_px);
    let own = kind_of(x, y, is_turned, is_mirrored);
    var stair = Stair(0, vec2f(0.0), vec2f(0.0));
    if own == NONE {
        return stair;
    }
    var count = 1;
    var at = vec2i(x, y);
    var turned = is_turned;
    var kind = own;
    for (var i = 0; i < most && kind != FIRST; i++) {
        if is_along(at.x + 1, at.y, turned, is_mirrored) || is_across(at.x + 1, at.y - 1, turned, is_mirrored) {
            break;
        }
        let next = kind_of(at.y, at.x + 1, !turned, is_mirrored);
        if next == NONE || next == SECOND {
            break;
        }
        at = vec2i(at.y, at.x + 1);
        turned = !turned;
        kind = next;
        count++;
    }
    let end = vec2f(f32(at.x) + select(0.5, 1.0, kind == FIRST), f32(at.y));
    stair.end = select(end, end.yx, turned);
    at = vec2i(x, y);
    turned = is_turned;
    kind = own;
    for (var i = 0; i < most && kind != SECOND; i++) {
        if is_along(at.x - 1, at.y, turned, is_mirrored) || is_across(at.x, at.y, turned, is_mirrored) {
            break;
        }
        let next = kind_of(at.y - 1, at.x, !turned, is_mirrored);
        if next == NONE || next == FIRST {
            break;
        }
        at = vec2i(at.y - 1, at.x);
        turned = !turned;
        kind = next;
        count++;
    }
    let start = vec2f(f32(at.x) + select(0.5, 0.0, kind == SECOND), f32(at.y));
    stair.start = select(start, start.yx, turned);
    stair.count = select(0, count, count >= 3);
    return stair;
}

// The corner of a pixel that a line cuts off, from how far down it cuts the side, and how steep it is.
fn corner_area(cut: f32, slope: f32) -> f32 {
    let down = max(cut, 0.0);
    let along = down / slope;
    let over_down = max(down - 1.0, 0.0);
    let over_along = max(along - 1.0, 0.0);
    return 0.5 * (down * along - over_along * over_along * slope - over_down * over_down / slope);
}

// Areas as of `straight_areas`, of the edge in a row from corner x, y and the line of its stair.
fn stair_areas(x: i32, y: i32, stair: Stair) -> vec2f {
    let left = f32(x);
    let top = f32(y);
    // On the line of slope 1 through the middles of steps, halfway between the ends.
    let shift = top - left - 0.5;
    let halfway = 0.5 * (stair.start.x + stair.start.y + stair.end.x + stair.end.y);
    let middle = vec2f(0.5 * (halfway - shift), 0.5 * (halfway + shift));
    let own = left + 0.5 + top;
    let before = middle - stair.start;
    let after = stair.end - middle;
    // The line goes left of the middle of the edge above it, and right below it.
    let rise = select(before.y / before.x, after.y / after.x, own > halfway);
    let fall = select(before.y / before.x, after.y / after.x, own >= halfway);
    let above = top - middle.y + (middle.x - left) * rise;
    let below = middle.y + (left + 1.0 - middle.x) * fall - top;
    return vec2f(corner_area(above, rise), corner_area(below, fall));
}

// x, y: of the edge at the top, how much of the pixel above is of this one, and of this one of that above. z, w: the
// same of the edge at the left.
fn weights(at: vec2i) -> vec4f {
    let found = edges_at(at);
    var out = vec4f(0.0);
    if found.y > 0.5 {
        var stair = Stair(0, vec2f(0.0), vec2f(0.0));
        var mirrored = stair;
        if params.diagonals > 0.5 {
            stair = stair_of(at.x, at.y, false, false);
            mirrored = stair_of(-1 - at.x, at.y, false, true);
        }
        var areas = vec2f(0.0);
        if stair.count > 0 {
            areas += stair_areas(at.x, at.y, stair);
        }
        if mirrored.count > 0 {
            areas += stair_areas(-1 - at.x, at.y, mirrored);
        }
        if stair.count + mirrored.count == 0 {
            areas = straight_areas(at.x, at.y, false);
        }
        out = vec4f(min(areas, vec2f(0.5)), 0.0, 0.0);
    }
    if found.x > 0.5 {
        // Rows of a stair stand for its columns.
        var is_stair = false;
        if params.diagonals > 0.5 {
            is_stair = stair_of(at.y, at.x, true, false).count > 0 || stair_of(at.y, -at.x, true, true).count > 0;
        }
        if !is_stair {
            out = vec4f(out.xy, straight_areas(at.y, at.x, true));
        }
    }
    return out;
}

// Of the fourth stage.
fn weights_at(at: vec2i) -> vec4f {
    return select(vec4f(0.0), texel_1(at), all(at < size_1()));
}

fn blend(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let own = weights_at(at);
    // By the neighbour before and the one after.
    let rows = vec2f(own.y, weights_at(at + vec2i(0, 1)).x);
    let columns = vec2f(own.w, weights_at(at + vec2i(1, 0)).z);
    let by_columns = max(columns.x, columns.y) > max(rows.x, rows.y);
    let shares = select(rows, columns, by_columns);
    let sum = shares.x + shares.y;
    if sum == 0.0 {
        return color;
    }
    let step = select(vec2i(0, 1), vec2i(1, 0), by_columns);
    let before = mix(color, texel_0(at - step), shares.x);
    let after = mix(color, texel_0(at + step), shares.y);
    return (before * shares.x + after * shares.y) / sum;
}
