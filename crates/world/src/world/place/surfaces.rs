//! Surfaces: geometry and images, baked for the materials they meet.
//!
//! In: models as they are stored, shapes, files of pictures. Out: ids in the store of one world. What does not depend
//! on the moment is baked once and shared by all worlds ([`SurfaceCache`]); what does is made for one world and goes
//! with it. A world's ids count what it shows in its own order, so that they do not depend on which moments were placed
//! before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use stillframe_base::id::{Arena, Id};
use stillframe_base::lanes::Isa;

use super::{PoseId, Problems, StoredGeometry};
use crate::asset::{Bend, BendBlocks, Geometry, GeometryId, Image, ImageId, Store, Tail};
use crate::bake::{self, Completed, TangentWish};
use crate::cache::Ready;
use crate::import;
use crate::scene::Shape;
use crate::source::{Diagnostic, count};
use crate::world::code;

/// What a geometry is made of, for which tangents, and how it is bent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SurfaceKey {
    pub source: SurfaceSource,
    pub tangents: TangentWish,
    pub bend: Option<BendKey>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SurfaceSource {
    /// A geometry of a model. `file`: the first model of the scene with the same file.
    Model {
        file: usize,
        geometry: usize,
    },
    Shape(Id<Shape>),
    /// A part of a model that has no normals of its own, as a pose bends it: it belongs to one moment.
    Bent {
        pose: PoseId,
        node: usize,
        part: usize,
    },
}

/// What the vertices of a geometry need to be bent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BendKey {
    /// By a pose: whether joints pull, and what else each vertex has.
    Pose { skinned: bool, tail: Tail },
    /// As figures of crowds wear it: by baked joints and the shapes that are kept of a node, or by baked vertices.
    Figure { node: usize, vertices: bool, kept: Vec<bool> },
}

/// A geometry that keeps every promise.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    pub geometry: Arc<Geometry>,
    /// Of what is bent.
    pub bend: Option<Arc<Bend>>,
    /// The same for the processor; none of what only devices bend.
    pub blocks: BendBlocks,
    /// What was done to it.
    repairs: Repairs,
}

#[derive(Clone, Copy, Debug, Default)]
struct Repairs {
    degenerate_count: usize,
    mended_count: usize,
    crowded: bool,
}

impl From<Completed> for Surface {
    fn from(completed: Completed) -> Surface {
        let Completed { geometry, degenerate_count, mended_count, crowded } = completed;
        let repairs = Repairs { degenerate_count, mended_count, crowded };
        Surface { geometry: Arc::new(geometry), repairs, ..Surface::default() }
    }
}

impl Surface {
    /// Raw geometry that is only baked once it has been bent.
    pub fn raw_bending(rest: &Geometry, bend: &Bend) -> Surface {
        Surface {
            blocks: BendBlocks::new(rest, bend),
            geometry: Arc::new(rest.clone()),
            bend: Some(Arc::new(bend.clone())),
            ..Surface::default()
        }
    }

    /// Baked for poses.
    pub fn bending(rest: Geometry, bend: &Bend, wish: TangentWish) -> Surface {
        let mut out = Surface::figure(rest, bend, wish);
        out.blocks = BendBlocks::new(&out.geometry, out.bend.as_ref().expect("it was given one"));
        out
    }

    /// Baked for figures of crowds, which only vertex shaders bend.
    pub fn figure(rest: Geometry, bend: &Bend, wish: TangentWish) -> Surface {
        let (completed, bend) = bake::complete_bending(rest, bend, wish);
        Surface { bend: Some(Arc::new(bend)), ..Surface::from(completed) }
    }

    /// What was repaired, as warnings of its file.
    fn warnings<'a>(&self, file: &'a Path) -> impl Iterator<Item = Diagnostic> + use<'a> {
        let Repairs { degenerate_count, mended_count, crowded } = self.repairs;
        let degenerate = format!("ignored {}", count(degenerate_count, "zero-area triangle", "zero-area triangles"));
        let mended = format!("replaced {}", count(mended_count, "zero-length normal", "zero-length normals"));
        let crowd = "a normal map cannot be lit correctly: too many triangles meet at a point".to_string();
        let rows = [
            (degenerate_count > 0, code::DEGENERATE, degenerate),
            (mended_count > 0, code::NORMALS, mended),
            (crowded, code::CROWDED, crowd),
        ];
        rows.into_iter().filter(|row| row.0).map(move |(_, code, message)| Diagnostic::warning(code, file, message))
    }
}

/// Where an image comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ImageKey {
    File(PathBuf),
    /// `file`: the first model of the scene with the same file.
    Model {
        file: usize,
        image: usize,
    },
}

/// What worlds share. Whoever needs something first makes it; what is made does not depend on who that was.
#[derive(Debug, Default)]
pub struct SurfaceCache {
    shapes: Mutex<Arena<Shape>>,
    surfaces: Mutex<BTreeMap<SurfaceKey, Arc<Surface>>>,
    images: Mutex<BTreeMap<ImageKey, Arc<Image>>>,
    /// By file whose model lacks the surfaces that were baked ahead of time: the whole model, once it was needed after
    /// all.
    whole: BTreeMap<usize, Mutex<Option<Arc<import::Model>>>>,
    /// What a scene says about its models' import.
    wishes: import::Wishes,
}

/// What a thread that panicked has left is whole: nothing is changed in place.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SurfaceCache {
    /// Empty, for models as the scene wishes.
    pub fn within(wishes: import::Wishes) -> SurfaceCache {
        SurfaceCache { wishes, ..SurfaceCache::default() }
    }

    /// Keeps what was baked of the model of a file; out: the model. `file`: the first model of the scene with it.
    pub fn take_in(&mut self, file: usize, ready: Ready) -> import::Model {
        if ready.lean {
            self.whole.insert(file, Mutex::default());
        }
        let surfaces = self.surfaces.get_mut().unwrap_or_else(PoisonError::into_inner);
        surfaces.extend(ready.completed.into_iter().map(|((geometry, tangents), completed)| {
            let source = SurfaceSource::Model { file, geometry };
            (SurfaceKey { source, tangents, bend: None }, Arc::new(Surface::from(completed)))
        }));
        ready.model
    }

    /// A geometry of a model as it is stored, from the file itself where the model at hand lacks it.
    ///
    /// Errors: the file has changed since it was read.
    pub fn stored(&self, of: &StoredGeometry<'_>, read: &import::Read<'_>) -> Result<Geometry, Vec<Diagnostic>> {
        let StoredGeometry { model, path, file, geometry } = *of;
        let Some(whole) = self.whole.get(&file) else { return Ok(model.geometries[geometry].surface.clone()) };
        let mut whole = lock(whole);
        let whole = match &mut *whole {
            Some(whole) => whole,
            none => none.insert(Arc::new(import::model_within(path, read, self.wishes)?)),
        };
        let changed = || {
            let message = "the file changed while in use";
            vec![Diagnostic::error(import::code::REFERENCE, path, message)]
        };
        whole.geometries.get(geometry).map(|geometry| geometry.surface.clone()).ok_or_else(changed)
    }

    fn shape_id(&self, shape: &Shape) -> Id<Shape> {
        let mut shapes = lock(&self.shapes);
        let known = shapes.iter().find(|(_, known)| *known == shape).map(|(id, _)| id);
        known.unwrap_or_else(|| shapes.push(*shape))
    }

    fn surface(&self, key: &SurfaceKey, make: Make<'_>) -> Result<Arc<Surface>, Vec<Diagnostic>> {
        if let Some(known) = lock(&self.surfaces).get(key) {
            return Ok(known.clone());
        }
        // Unlocked: two threads that bake the same get the same.
        let made = Arc::new(make(self)?);
        Ok(lock(&self.surfaces).entry(key.clone()).or_insert(made).clone())
    }

    fn image<E>(&self, key: &ImageKey, make: impl FnOnce() -> Result<Image, E>) -> Result<Arc<Image>, E> {
        if let Some(known) = lock(&self.images).get(key) {
            return Ok(known.clone());
        }
        let made = Arc::new(make()?);
        Ok(lock(&self.images).entry(key.clone()).or_insert(made).clone())
    }
}

/// Makes a surface that no world had before.
type Make<'a> = &'a mut dyn FnMut(&SurfaceCache) -> Result<Surface, Vec<Diagnostic>>;

/// The surfaces of one world.
pub struct Surfaces<'a> {
    pub store: Store,
    /// What bends, to the same bits by any.
    pub isa: Isa,
    pub read: &'a import::Read<'a>,
    cache: &'a SurfaceCache,
    made: BTreeMap<SurfaceKey, Made>,
    images: BTreeMap<ImageKey, ImageId>,
    views: BTreeMap<usize, ImageId>,
}

/// A surface of a world.
#[derive(Clone)]
pub struct Made {
    pub id: GeometryId,
    pub surface: Arc<Surface>,
}

impl<'a> Surfaces<'a> {
    pub fn new(cache: &'a SurfaceCache, read: &'a import::Read<'a>, isa: Isa) -> Surfaces<'a> {
        Surfaces {
            store: Store::default(),
            isa,
            read,
            cache,
            made: BTreeMap::new(),
            images: BTreeMap::new(),
            views: BTreeMap::new(),
        }
    }

    /// A surface that all worlds share. Where it cannot be made it is empty. `path`: of the file that warnings are of.
    pub fn shared(&mut self, key: SurfaceKey, path: &Path, problems: &mut Problems, make: Make<'_>) -> Made {
        if let Some(known) = self.made.get(&key) {
            return known.clone();
        }
        let surface = self.cache.surface(&key, make).unwrap_or_else(|errors| {
            problems.errors.extend(errors);
            Arc::default()
        });
        self.add(key, surface, path, problems)
    }

    /// A surface of this world alone.
    pub fn own(
        &mut self,
        key: SurfaceKey,
        path: &Path,
        problems: &mut Problems,
        make: impl FnOnce() -> Surface,
    ) -> Made {
        match self.made.get(&key) {
            Some(known) => known.clone(),
            None => self.add(key, Arc::new(make()), path, problems),
        }
    }

    /// A surface that all worlds share and none shows: what others are made of.
    ///
    /// Errors: as `make` has them.
    pub fn unseen(&self, key: &SurfaceKey, make: Make<'_>) -> Result<Arc<Surface>, Vec<Diagnostic>> {
        self.cache.surface(key, make)
    }

    fn add(&mut self, key: SurfaceKey, surface: Arc<Surface>, path: &Path, problems: &mut Problems) -> Made {
        problems.warnings.extend(surface.warnings(path));
        let geometry = surface.geometry.clone();
        let id = match &surface.bend {
            Some(bend) => self.store.add_bending(geometry, bend.clone()),
            None => self.store.add_geometry(geometry),
        };
        let made = Made { id, surface };
        self.made.insert(key, made.clone());
        made
    }

    /// A built-in shape.
    pub fn shape(&mut self, shape: &Shape, problems: &mut Problems) -> GeometryId {
        let source = SurfaceSource::Shape(self.cache.shape_id(shape));
        let key = SurfaceKey { source, tangents: TangentWish::Any, bend: None };
        let mut make = |_: &SurfaceCache| Ok(Surface { geometry: Arc::new(bake::shape(shape)), ..Surface::default() });
        self.shared(key, Path::new(""), problems, &mut make).id
    }

    /// A picture that the scene names.
    ///
    /// Errors: it cannot be read.
    pub fn picture(&mut self, path: &Path) -> Result<ImageId, Diagnostic> {
        let read = self.read;
        self.image(ImageKey::File(path.to_path_buf()), || picture(path, read))
    }

    /// The image that a view of the scene fills.
    pub fn view(&mut self, view: usize, name: &str) -> ImageId {
        let store = &mut self.store;
        *self.views.entry(view).or_insert_with(|| store.add_view(view, name))
    }

    /// An image of a model. `file`: the first model of the scene with the same file.
    pub fn model_image(&mut self, model: &import::Model, file: usize, image: usize) -> ImageId {
        let make = || Ok::<Image, std::convert::Infallible>(model.images[image].clone());
        match self.image(ImageKey::Model { file, image }, make) {
            Ok(id) => id,
            Err(never) => match never {},
        }
    }

    fn image<E>(&mut self, key: ImageKey, make: impl FnOnce() -> Result<Image, E>) -> Result<ImageId, E> {
        if let Some(id) = self.images.get(&key) {
            return Ok(*id);
        }
        let id = self.store.add_image(self.cache.image(&key, make)?);
        self.images.insert(key, id);
        Ok(id)
    }
}

/// Reads and decodes one picture of any kind.
pub fn picture(path: &Path, read: &import::Read<'_>) -> Result<Image, Diagnostic> {
    import::picture(path, &read(path)?)
}
