//! Parts: body, hat and boots on one skeleton.

use glam::{Affine3A, Vec3};
use proptest::prelude::*;
use stillframe_anim::figure::{Figure, FigureError, PartJoint, RawPart};
use stillframe_anim::pose::{Affine, Palette};
use stillframe_base::lanes::Isa;

use super::rig::{models, poses, skeleton};

const NAMES: [&str; 5] = ["hips", "spine", "head", "foot.L", "foot.R"];

fn bind(x: f32) -> Affine {
    Affine3A::from_translation(Vec3::new(x, 0.5, -x)).into()
}

fn figure() -> Figure {
    // Joints in orders of their own, one named by two parts, each bound its own way.
    let parts = [
        RawPart { name: "body", joints: &["spine", "hips"], inverse_binds: &[bind(1.0), bind(2.0)] },
        RawPart { name: "hat", joints: &["head"], inverse_binds: &[bind(3.0)] },
        RawPart {
            name: "boots",
            joints: &["foot.R", "hips", "foot.L"],
            inverse_binds: &[bind(4.0), bind(5.0), bind(6.0)],
        },
    ];
    Figure::new(&skeleton(&NAMES), &parts).expect("all joints are there")
}

proptest! {
    /// One job from one model pose gives each part the bits of a palette of its own.
    #[test]
    fn parts_follow_one_skeleton(pose in poses()) {
        let (figure, models) = (figure(), models(&pose));
        let mut palette = vec![Affine::IDENTITY; figure.joints().len()];
        let job = figure.palette(Isa::detect(), &models, &mut palette);
        prop_assert_eq!(job.validate(), Ok(()));
        job.run();
        for part in figure.parts() {
            let range = part.palette.clone();
            let mut own = vec![Affine::IDENTITY; range.len()];
            Palette {
                isa: Isa::detect(),
                models: &models,
                joints: &figure.joints()[range.clone()],
                inverse_binds: &figure.inverse_binds()[range.clone()],
                palette: &mut own,
            }
            .run();
            prop_assert_eq!(&palette[range], &own[..]);
        }
    }
}

#[test]
fn joints_are_found_by_name() {
    let figure = figure();
    assert_eq!(figure.joints(), [1, 0, 2, 4, 0, 3]);
    let parts: Vec<_> = figure.parts().iter().map(|part| (part.name.as_str(), part.palette.clone())).collect();
    assert_eq!(parts, [("body", 0..2), ("hat", 2..3), ("boots", 3..6)]);
}

/// D3: a name that is missing is an error, which lists all of them, and no list that ends there.
#[test]
fn d3_all_missing_names_are_listed() {
    let (one, two) = ([Affine::IDENTITY], [Affine::IDENTITY; 2]);
    let joint = |part: &str, joint: &str| PartJoint { part: part.to_owned(), joint: joint.to_owned() };
    let parts = [
        RawPart { name: "body", joints: &["hips", "tail"], inverse_binds: &two },
        RawPart { name: "cape", joints: &["Spine"], inverse_binds: &one },
    ];
    let refused = Figure::new(&skeleton(&NAMES), &parts).expect_err("two joints are not there");
    assert_eq!(refused, FigureError::Missing(vec![joint("body", "tail"), joint("cape", "Spine")]));
    assert_eq!(refused.to_string(), "the skeleton has no joint `tail` of part `body`, `Spine` of part `cape`");

    let twins = skeleton(&["hips", "arm", "arm"]);
    let part = RawPart { name: "glove", joints: &["arm"], inverse_binds: &one };
    assert_eq!(Figure::new(&twins, &[part]), Err(FigureError::Ambiguous(vec![joint("glove", "arm")])));
    let short = RawPart { name: "glove", joints: &["hips", "arm"], inverse_binds: &one };
    assert_eq!(Figure::new(&twins, &[short]), Err(FigureError::Binds { part: "glove".into(), count: 1, want: 2 }));
}
