//! Target `import`: files of every kind, as programs write them but for some lies, and the same damaged.
//!
//! One file a family of formats; each makes whole files in code, so that no byte of a seed is somebody's asset.

mod draw;
mod fbx;
mod fbx_form;
mod glb;
mod lamp;
mod picture;
mod table;
mod text;
mod whole;
mod zlib;

use std::path::Path;

use stillframe_base::rng::Stream;

use super::law;
use super::mutate;
use super::{Case, Mutant};
use crate::asset::ModelFormat;
use crate::import::{self, Model};
use crate::source::Diagnostic;

/// Makes a file of one format: mostly right, with a lie here and there.
type Make = fn(&mut Stream) -> Case;

/// Makers of each model format. A format without a row does not compile.
fn makers(format: ModelFormat) -> &'static [Make] {
    match format {
        ModelFormat::Gltf => &[glb::binary, glb::text, whole::model],
        ModelFormat::Fbx => &[fbx::file, fbx_form::text, fbx_form::old],
        ModelFormat::Obj => &[text::obj],
        ModelFormat::Stl => &[text::stl, table::stl],
        ModelFormat::Ply => &[table::ply],
    }
}

/// A file of any format.
pub fn make(stream: &mut Stream) -> Case {
    let mut case = if stream.one_in(20) {
        lamp::ies(stream)
    } else if stream.one_in(3) {
        stream.pick(picture::MAKERS)(stream)
    } else {
        // Each format as often as the others, however many endings it has.
        let (_, format) = *stream.pick(ModelFormat::ENDINGS);
        stream.pick(makers(format))(stream)
    };
    if stream.one_in(3) {
        let target = stream.below(case.beside.len() as u32 + 1) as usize;
        match target.checked_sub(1) {
            Some(index) => mutate::bytes(stream, &mut case.beside[index].1),
            None => mutate::bytes(stream, &mut case.bytes),
        }
    }
    if stream.one_in(100) {
        mutate::swell(stream, &mut case.bytes);
    }
    if stream.one_in(400) {
        // A file under another's ending.
        let (ending, _) = *stream.pick(ModelFormat::ENDINGS);
        case.name = format!("model.{ending}");
    }
    case
}

/// Names of files by number: models of each ending, then pictures, then lamps.
fn names() -> Vec<String> {
    const PICTURES: [&str; 9] = ["png", "jpg", "webp", "bmp", "tga", "hdr", "exr", "ktx2", "dds"];
    let models = ModelFormat::ENDINGS.iter().map(|(ending, _)| format!("model.{ending}"));
    let pictures = PICTURES.iter().map(|ending| format!("picture.{ending}"));
    models.chain(pictures).chain(["lamp.ies".to_string()]).collect()
}

/// A file after a byte that says by its number how it is called.
pub fn of_bytes(bytes: &[u8]) -> Case {
    let (number, bytes) = bytes.split_first().map_or((0, bytes), |(first, rest)| (usize::from(*first), rest));
    let names = names();
    Case::new(&names[number % names.len()], bytes.to_vec())
}

/// A file with its name's number before it; the first name for one that is called otherwise.
pub fn to_bytes(case: &Case) -> Vec<u8> {
    let number = names().iter().position(|name| *name == case.name).unwrap_or(0);
    [&[number as u8], case.bytes.as_slice()].concat()
}

/// One limit for everything, so that the law of the memory that is held does not depend on the number of pictures.
const WISHES: import::Wishes = import::Wishes { max_bytes: Some(120 << 20), stroke_width_ratio: None };

/// Imports a file twice and holds it to the laws.
pub fn check(case: &Case, _scratch: &Path, mutant: Option<Mutant>) -> Result<(), String> {
    let mutant = mutant.filter(|mutant| mutant.meets(case));
    let file = Path::new("folder").join(&case.name);
    if is_lamp(&file) {
        return match import::profile(&file, &case.bytes) {
            Ok(profile) => law::profile(&profile),
            Err(found) => complaints(case, &[found]),
        };
    }
    if ModelFormat::of(&file).is_none() {
        return match import::picture(&file, &case.bytes) {
            Ok(image) => law::picture(&image),
            Err(found) => complaints(case, &[found]),
        };
    }
    let import = || import::model_within(&file, &|path: &Path| case.read(path), WISHES);
    match import() {
        Ok(mut model) => {
            if case.size_bytes() < 20_000 && import().as_ref() != Ok(&model) {
                return Err("the same file, another model (or one with a NaN in it)".into());
            }
            plant(&mut model, mutant);
            law::model(&model)
        }
        Err(found) => {
            if case.size_bytes() < 20_000 && import().as_ref() != Err(&found) {
                return Err("the same file, other complaints".into());
            }
            complaints(case, &found)
        }
    }
}

fn is_lamp(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "ies")
}

fn complaints(case: &Case, found: &[Diagnostic]) -> Result<(), String> {
    law::complaints(found, |file| {
        let bytes = case.read(file).ok()?;
        String::from_utf8(bytes).ok()
    })
}

fn plant(model: &mut Model, mutant: Option<Mutant>) {
    for geometry in &mut model.geometries {
        match mutant {
            Some(Mutant::Index) => geometry.surface.indices.iter_mut().for_each(|index| *index += 1),
            Some(Mutant::NotFinite) => geometry.surface.positions.iter_mut().for_each(|p| p[1] = f32::NAN),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stillframe_base::rng::Rng;

    /// A fuzzer whose files are all refused at the door finds nothing.
    #[test]
    fn every_maker_makes_good_files_too() {
        let models =
            ModelFormat::ENDINGS.iter().flat_map(|(ending, format)| makers(*format).iter().map(|m| (*ending, *m)));
        let pictures = picture::MAKERS.iter().map(|maker| ("picture", *maker));
        let lamps = [("ies", lamp::ies as Make)];
        for (index, (ending, maker)) in models.chain(pictures).chain(lamps).enumerate() {
            let mut good = 0;
            let mut codes = Vec::new();
            for number in 0..200 {
                let case = maker(&mut Rng::new(1).stream("makers", number));
                let file = Path::new("folder").join(&case.name);
                let outcome = match ModelFormat::of(&file) {
                    Some(_) => import::model_within(&file, &|path: &Path| case.read(path), WISHES).map(|_| ()),
                    None if is_lamp(&file) => import::profile(&file, &case.bytes).map(|_| ()).map_err(|d| vec![d]),
                    None => import::picture(&file, &case.bytes).map(|_| ()).map_err(|d| vec![d]),
                };
                match outcome {
                    Ok(()) => good += 1,
                    Err(found) => codes.push(format!("{} {}", found[0].code, found[0].message)),
                }
            }
            let unread = codes.iter().filter(|c| c.contains("cannot be read yet") || c.contains("is no PNG")).count();
            println!("{ending} {index}: {good} of 200 are good, {unread} not read");
            assert!(
                good >= 20 || unread >= 150,
                "{ending}, maker {index}: {good} good; {:#?}",
                &codes[..codes.len().min(30)]
            );
        }
    }
}
