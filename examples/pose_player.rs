//! Blending and skinning for `stillframe fuzz pose --player`, in `f32` with `glam`. A last argument plants a mistake:
//! `signs`, `sum`, `parents`, `delta` or `influences`.
use glam::{Mat4, Quat, Vec3, Vec4};
use serde_json::{Value, json};

fn number(value: &Value) -> f32 {
    value.as_f64().expect("a number") as f32
}

fn vector(value: &Value) -> Vec3 {
    Vec3::new(number(&value[0]), number(&value[1]), number(&value[2]))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// Translation, rotation, scale.
type Joint = (Vec3, Vec4, Vec3);

fn joint(value: &Value) -> Joint {
    let turn = &value["rotation"];
    (vector(&value["translation"]), vector(turn).extend(number(&turn[3])), vector(&value["scale"]))
}

fn row((translation, rotation, scale): Joint) -> Vec<f32> {
    [&translation.to_array()[..], &rotation.normalize().to_array(), &scale.to_array()].concat()
}

fn blend(layers: &[Value], at: usize, mistake: &str) -> Joint {
    let mut out = (Vec3::ZERO, Vec4::ZERO, Vec3::ZERO);
    let mut sum = 0.0;
    for layer in layers {
        let weight = number(&layer["weight"]) * layer["mask"].as_array().map_or(1.0, |mask| number(&mask[at]));
        let (translation, rotation, scale) = joint(&layer["pose"][at]);
        let is_other = rotation.dot(out.1) < 0.0 && mistake != "signs";
        out.0 += translation * weight;
        out.1 += rotation * if is_other { -weight } else { weight };
        out.2 += scale * weight;
        sum += weight;
    }
    let sum = if mistake == "sum" { 1.0 } else { sum };
    (out.0 / sum, out.1, out.2 / sum)
}

fn add(base: Joint, delta: Joint, weight: f32, mistake: &str) -> Joint {
    let [own, turn] = [base.1, delta.1].map(|four| Quat::from_vec4(four).normalize());
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let turn = (Quat::IDENTITY * (1.0 - weight) + turn * weight).normalize();
    let turned = if mistake == "delta" { turn * own } else { own * turn };
    (base.0 + delta.0 * weight, turned.into(), base.2 * (Vec3::ONE + (delta.2 - Vec3::ONE) * weight))
}

fn models(task: &Value, mistake: &str) -> Vec<Mat4> {
    let mut out: Vec<Mat4> = Vec::new();
    let mut locals: Vec<Mat4> = Vec::new();
    for (value, parent) in list(&task["pose"]).iter().zip(list(&task["parents"])) {
        let (translation, rotation, scale) = joint(value);
        let rotation = Quat::from_vec4(rotation).normalize();
        let local = Mat4::from_scale_rotation_translation(scale, rotation, translation);
        let above = if mistake == "parents" { &locals } else { &out };
        out.push(parent.as_u64().map_or(local, |parent| above[parent as usize] * local));
        locals.push(local);
    }
    out
}

fn matrix(value: &Value) -> Mat4 {
    let row = |at: usize| Vec4::from_array([0, 1, 2, 3].map(|column| number(&value[at * 4 + column])));
    Mat4::from_cols(row(0), row(1), row(2), Vec4::W).transpose()
}

fn skin(vertex: &Value, matrices: &[Mat4], is_dual: bool, mistake: &str) -> Vec<f32> {
    let most = if mistake == "influences" { 2 } else { usize::MAX };
    let pairs = list(&vertex["joints"]).iter().zip(list(&vertex["weights"])).take(most);
    let pairs = pairs.map(|(joint, weight)| (matrices[joint.as_u64().expect("a joint") as usize], number(weight)));
    let blended = if is_dual {
        let (mut real, mut half) = (Vec4::ZERO, Vec4::ZERO);
        for (matrix, weight) in pairs {
            let turn = Quat::from_mat4(&matrix).normalize();
            let moved = matrix.w_axis.truncate();
            let dual = Quat::from_xyzw(moved.x, moved.y, moved.z, 0.0) * turn * 0.5;
            let weight = if real.dot(turn.into()) < 0.0 { -weight } else { weight };
            real += Vec4::from(turn) * weight;
            half += Vec4::from(dual) * weight;
        }
        let [turn, dual] = [real, half].map(|four| Quat::from_vec4(four / real.length()));
        let moved = dual * turn.conjugate() * 2.0;
        Mat4::from_rotation_translation(turn, Vec3::new(moved.x, moved.y, moved.z))
    } else {
        pairs.fold(Mat4::ZERO, |sum, (matrix, weight)| sum + matrix * weight)
    };
    let position = blended.transform_point3(vector(&vertex["position"]));
    let normal = blended.transform_vector3(vector(&vertex["normal"])).normalize();
    [position.to_array(), normal.to_array()].concat()
}

fn answer(task: &Value, mistake: &str) -> Vec<Vec<f32>> {
    match task["do"].as_str() {
        Some("blend") => {
            let layers = list(&task["layers"]);
            (0..list(&layers[0]["pose"]).len()).map(|at| row(blend(layers, at, mistake))).collect()
        }
        Some("add") => {
            let pairs = list(&task["pose"]).iter().zip(list(&task["delta"]));
            let weight = number(&task["weight"]);
            pairs.map(|(base, delta)| row(add(joint(base), joint(delta), weight, mistake))).collect()
        }
        Some("model") => {
            let rows = |matrix: &Mat4| (0..3).flat_map(|row| matrix.row(row).to_array()).collect();
            models(task, mistake).iter().map(rows).collect()
        }
        word => {
            let matrices: Vec<Mat4> = list(&task["matrices"]).iter().map(matrix).collect();
            let is_dual = word == Some("skin_dual");
            list(&task["vertices"]).iter().map(|vertex| skin(vertex, &matrices, is_dual, mistake)).collect()
        }
    }
}

pub fn main() {
    let mistake = std::env::args().next_back().unwrap_or_default();
    for line in std::io::stdin().lines() {
        let task: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        println!("{}", json!({ "task": task["task"], "rows": answer(&task, &mistake) }));
    }
}
