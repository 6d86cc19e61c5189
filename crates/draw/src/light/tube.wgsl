// A tube with round ends along `across`. `terms`: half the length of its straight part, its radius.
//
// Its outline is two arcs, each of the ball at one end, and the two great circles that touch both balls.
fn incident_tube(light: Light, point: vec3f) -> Incident {
    return towards_middle(light, point);
}

const ARC_SIDES: u32 = 16u;

// The ball at one end: unit direction of its middle, sine of the angle of its radius.
struct TubeEnd {
    w: vec3f,
    sine: f32,
}

fn tube_end(middle: vec3f, radius: f32) -> TubeEnd {
    let distance = max(length(middle), radius * 1.0001);
    return TubeEnd(middle / max(length(middle), 0.000001), radius / distance);
}

// Cosine of the angle about the end, from the way to the other end, at which the great circles touch it; outside of -1
// to 1 where one end hides the other.
fn tube_touch(end: TubeEnd, other: TubeEnd, cosine: f32, sine: f32) -> f32 {
    return (end.sine * cosine - other.sine) / (sine * sqrt(1.0 - end.sine * end.sine));
}

// Radius of the vertices of an arc between its two ends, for the area of the arc; `step`: angle of a side.
fn arc_radius(step: f32) -> f32 {
    let inner = f32(ARC_SIDES) - 2.0;
    return (sqrt(1.0 + inner * f32(ARC_SIDES) * step / sin(step)) - 1.0) / inner;
}

// The arc about an end beyond `touch`, and the edge to it from `start`. Gives its last point.
fn add_arc(outline: ptr<function, Outline>, lobe: Lobe, end: TubeEnd, x: vec3f, touch: f32, start: vec3f) -> vec3f {
    let first = acos(touch);
    let step = (2.0 * PI - 2.0 * first) / f32(ARC_SIDES);
    let radius = end.sine / sqrt(1.0 - end.sine * end.sine);
    let inner = radius * arc_radius(step);
    let y = cross(end.w, x);
    var last = start;
    for (var side = 0u; side <= ARC_SIDES; side++) {
        let angle = first + step * f32(side);
        let out_to = select(inner, radius, side == 0u || side == ARC_SIDES);
        let next = end.w + (x * cos(angle) + y * sin(angle)) * out_to;
        add_edge(outline, lobe, last, next);
        last = next;
    }
    return last;
}

fn share_tube(light: Light, lobe: Lobe, point: vec3f) -> Share {
    let middle = in_frame(lobe, light.position - point);
    let along = in_frame(lobe, light.across * light.terms.x);
    let a = tube_end(middle - along, light.terms.y);
    let b = tube_end(middle + along, light.terms.y);
    let normal = cross(a.w, b.w);
    let sine = length(normal);
    let cosine = dot(a.w, b.w);
    var outline: Outline;
    let touches = vec2f(tube_touch(a, b, cosine, max(sine, 0.00001)), tube_touch(b, a, cosine, max(sine, 0.00001)));
    if sine < 0.0001 || any(abs(touches) >= vec2f(1.0)) {
        var near = a;
        if b.sine > a.sine {
            near = b;
        }
        let x = normalize(cross(near.w, select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), abs(near.w.x) > 0.5)));
        let radius = near.sine / sqrt(1.0 - near.sine * near.sine);
        add_round(&outline, lobe, near.w, x * radius, cross(near.w, x) * radius);
        return share_inside(outline, lobe);
    }
    let side = normal / sine;
    let x_of_a = cross(side, a.w);
    let x_of_b = cross(b.w, side);
    // Starts where the second arc ends.
    let angle = -acos(touches.y);
    let radius = b.sine / sqrt(1.0 - b.sine * b.sine);
    let start = b.w + (x_of_b * cos(angle) + cross(b.w, x_of_b) * sin(angle)) * radius;
    let between = add_arc(&outline, lobe, a, x_of_a, touches.x, start);
    _ = add_arc(&outline, lobe, b, x_of_b, touches.y, between);
    return share_inside(outline, lobe);
}

fn leaving_tube(s: Surface, v: vec3f, light: Light, point: vec3f) -> vec3f {
    let lobe = lobe_of(s, v);
    return leaving_area(s, v, lobe, towards_middle(light, point).l, light.color, share_tube(light, lobe, point));
}

fn gathered_tube(s: Surface, v: vec3f, light: Light, point: vec3f) -> Incident {
    return gathered_area(s, light, point, share_tube(light, lobe_of(s, v), point));
}

fn shown_tube(light: Light, lobe: Lobe, point: vec3f) -> Shown {
    return Shown(share_tube(light, lobe, point), light.color, light.color);
}
