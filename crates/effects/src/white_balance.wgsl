// White balance: a matrix of linear Rec. 709.

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let c = color.xyz;
    return vec4f(dot(frame.data[0].xyz, c), dot(frame.data[1].xyz, c), dot(frame.data[2].xyz, c), color.w);
}
