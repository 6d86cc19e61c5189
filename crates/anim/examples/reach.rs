//! Prints where the joints of an arm are before and after each solver has brought the hand to a point, and what it
//! took. `cargo run -p stillframe-anim --example reach`.

use glam::{Affine3A, Vec3};
use stillframe_anim::ik::{Ccd, Fabrik, IkError, JacobianTranspose, JointLimit, Limit, Reach, Rig, TwoBone};
use stillframe_anim::pose::{Affine, JointBlock, LocalToModel, NO_PARENT, Trs};
use stillframe_base::lanes::Isa;

/// Shoulder, elbow, wrist, hand.
const PARENTS: [u16; 4] = [NO_PARENT, 0, 1, 2];
const TARGET: Vec3 = Vec3::new(0.25, 0.3, 0.1);

fn main() -> Result<(), IkError> {
    let joint = |translation| Trs { translation, ..Trs::IDENTITY };
    let joints = [Vec3::ZERO, Vec3::X * 0.3, Vec3::X * 0.25, Vec3::X * 0.1].map(joint);
    let arm = JointBlock::pack(&joints);
    print("before", &arm);

    // The wrist is on the point, the elbow below.
    let mut locals = arm.clone();
    let rig = Rig { parents: &PARENTS, locals: &mut locals };
    let (target, pole, bend_axis) = (TARGET, -Vec3::Y, Vec3::ZERO);
    let job = TwoBone { rig, joints: [0, 1, 2], target, pole, bend_axis, soften: 1.0, weight: 1.0 };
    job.validate()?;
    tell("two bones, wrist", job.run(), &locals);

    // The hand is, each bend at most 80 degrees.
    let mut locals = arm.clone();
    let (rig, joints, tolerance_m) = (Rig { parents: &PARENTS, locals: &mut locals }, &[0, 1, 2, 3], 1e-4);
    let bends_max_rad = &[1.4; 2];
    let job = Fabrik { rig, joints, bends_max_rad, target, pole, tolerance_m, iterations_max: 50, weight: 1.0 };
    job.validate()?;
    tell("FABRIK, hand", job.run(), &locals);

    // The same with an elbow that is a hinge.
    let mut locals = arm.clone();
    let rig = Rig { parents: &PARENTS, locals: &mut locals };
    let hinge = Limit::Hinge { axis: Vec3::Z, min_rad: 0.0, max_rad: 2.5 };
    let limits = &[JointLimit::FREE, JointLimit { limit: hinge, ..JointLimit::FREE }, JointLimit::FREE];
    let job = Ccd { rig, joints, limits, target, pole, tolerance_m, iterations_max: 50, weight: 1.0 };
    job.validate()?;
    tell("CCD, hand", job.run(), &locals);

    // And with all joints turning at once.
    let mut locals = arm.clone();
    let rig = Rig { parents: &PARENTS, locals: &mut locals };
    let job = JacobianTranspose { rig, joints, limits, target, pole, tolerance_m, iterations_max: 500, weight: 1.0 };
    job.validate()?;
    tell("Jacobian, hand", job.run(), &locals);
    Ok(())
}

fn tell(what: &str, reach: Reach, locals: &[JointBlock]) {
    print(what, locals);
    let Reach { reached, distance_m, iterations, blind, limited } = reach;
    let left = format!("{distance_m:.6} m left, {iterations} passes");
    println!("{:>16}  reached: {reached}, {left}, blind: {blind}, limited: {limited}", "");
}

fn print(what: &str, locals: &[JointBlock]) {
    let mut models = [Affine::IDENTITY; 4];
    let (isa, root) = (Isa::detect(), &Affine::IDENTITY);
    LocalToModel { isa, parents: &PARENTS, locals, root, models: &mut models }.run();
    let positions = models.map(|model| {
        let [x, y, z] = Affine3A::from(model).translation.to_array();
        format!("({x:6.3} {y:6.3} {z:6.3})")
    });
    println!("{what:>16}  {}", positions.join(" "));
}
