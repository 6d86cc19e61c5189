// Values of all lights that have lists of them, one after the other.
@group(1) @binding(11) var<storage, read> values: array<f32>;
