//! Vectors of three numbers, in f64.

pub type Vector = [f64; 3];

pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn plus(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn minus(a: Vector, b: Vector) -> Vector {
    plus(a, scaled(b, -1.0))
}

pub fn scaled(a: Vector, by: f64) -> Vector {
    a.map(|x| x * by)
}

pub fn unit(a: Vector) -> Vector {
    scaled(a, 1.0 / dot(a, a).sqrt())
}
