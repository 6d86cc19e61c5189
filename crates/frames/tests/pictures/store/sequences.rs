//! Random sequences of all that people do with references, against a model: no accepted reference is lost.
//!
//! The model knows what each case must look like. After every step each lock line says so, and a store that was used
//! has its picture, whole; or the step refused with words and changed nothing. Programs that are ended are played by
//! what they leave at that moment: `ci/steps/power-cut.sh` ends real ones.

use std::collections::BTreeMap;
use std::path::PathBuf;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use stillframe_testkit::depth;

use super::*;

const ADDRESSES: [&str; 3] = ["git", "dir:blobs", "dir:other"];
const CASES: [(&str, &str); 5] = [("light", "a"), ("light", "b"), ("shape", "a"), ("shape", "c@1"), ("", "d")];

/// A case and the seed of its picture.
type Wish = (usize, u32);

/// When a program is ended that accepts something.
#[derive(Clone, Copy, Debug)]
enum Ended {
    /// With so many of its files written, and nothing recorded.
    Unrecorded(usize),
    /// The change is recorded, and so many of its steps are done.
    Recorded(usize),
}

#[derive(Clone, Debug)]
enum Step {
    Accept(Vec<Wish>),
    /// One that was accepted a moment ago is taken back, as a review does.
    Undo,
    Gone(usize),
    /// A case and its picture get another name.
    Rename(usize, usize),
    Switch {
        to: usize,
        copies: bool,
    },
    Copy(usize),
    Sweep,
    /// Two programs with a store open each.
    Two(Wish, Wish),
    Killed(Wish, Ended),
    /// A file is cut short, and the step after it must not make that worse.
    Damage(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let wish = || (0..CASES.len(), 1..6u32);
    let ended = prop_oneof![(0..3usize).prop_map(Ended::Unrecorded), (0..4usize).prop_map(Ended::Recorded)];
    prop_oneof![
        4 => prop::collection::vec(wish(), 1..4).prop_map(Step::Accept),
        1 => Just(Step::Undo),
        1 => (0..CASES.len()).prop_map(Step::Gone),
        1 => (0..CASES.len(), 0..CASES.len()).prop_map(|(from, to)| Step::Rename(from, to)),
        3 => (0..ADDRESSES.len(), any::<bool>()).prop_map(|(to, copies)| Step::Switch { to, copies }),
        2 => (0..ADDRESSES.len()).prop_map(Step::Copy),
        3 => Just(Step::Sweep),
        1 => (wish(), wish()).prop_map(|(a, b)| Step::Two(a, b)),
        2 => (wish(), ended).prop_map(|(wish, ended)| Step::Killed(wish, ended)),
        1 => (0..CASES.len()).prop_map(Step::Damage),
    ]
}

/// Everything that a sequence changes.
struct Ground {
    root: PathBuf,
    current: usize,
    /// What each case must look like.
    want: BTreeMap<usize, u32>,
    undo: Option<BTreeMap<usize, u32>>,
}

impl Ground {
    fn store(&self, at: usize) -> Store {
        open(&self.root, ADDRESSES[at])
    }

    fn changes(wishes: &[Wish]) -> Vec<Change> {
        wishes.iter().map(|(case, seed)| set_with_passes(CASES[*case].0, CASES[*case].1, *seed)).collect()
    }

    /// What a step does, and what is wanted after it. A refusal changes nothing.
    fn take(&mut self, step: &Step) {
        let before = self.want.clone();
        let store = self.store(self.current);
        let done = match step {
            Step::Accept(wishes) => {
                let wishes: BTreeMap<usize, u32> = wishes.iter().copied().collect();
                let wishes: Vec<Wish> = wishes.into_iter().collect();
                self.want.extend(wishes.iter().copied());
                store.accept(&Ground::changes(&wishes)).map(drop)
            }
            Step::Undo => {
                let Some(old) = self.undo.take() else { return };
                let all: Vec<usize> = self.want.keys().chain(old.keys()).copied().collect();
                let changed: std::collections::BTreeSet<usize> =
                    all.into_iter().filter(|case| self.want.get(case) != old.get(case)).collect();
                let change = |case: usize| match old.get(&case) {
                    Some(seed) => set_with_passes(CASES[case].0, CASES[case].1, *seed),
                    None => remove(CASES[case].0, CASES[case].1),
                };
                self.want = old.clone();
                store.accept(&changed.into_iter().map(change).collect::<Vec<_>>()).map(drop)
            }
            Step::Gone(case) => {
                self.want.remove(case);
                store.accept(&[remove(CASES[*case].0, CASES[*case].1)]).map(drop)
            }
            Step::Rename(from, to) => {
                let (Some(seed), false) = (self.want.get(from).copied(), self.want.contains_key(to)) else { return };
                self.want.remove(from);
                self.want.insert(*to, seed);
                let gone = remove(CASES[*from].0, CASES[*from].1);
                store.accept(&[Ground::changes(&[(*to, seed)]).remove(0), gone]).map(drop)
            }
            Step::Switch { to, copies } => {
                let old = std::mem::replace(&mut self.current, *to);
                let copied = if *copies { self.store(*to).copy_from(&self.store(old)).map(drop) } else { Ok(()) };
                self.undo = None;
                return drop(copied);
            }
            Step::Copy(from) => return drop(store.copy_from(&self.store(*from))),
            Step::Sweep => return drop(store.sweep(&Sweep::default())),
            Step::Two(one, other) => {
                let late = self.store(self.current);
                let first = store.accept(&Ground::changes(&[*one]));
                let second = std::thread::scope(|scope| {
                    let second = scope.spawn(|| late.accept(&Ground::changes(&[*other])));
                    second.join().expect("no panic")
                });
                for (done, (case, seed)) in [(first, one), (second, other)] {
                    if done.is_ok() {
                        self.want.insert(*case, *seed);
                    }
                }
                self.undo = None;
                return;
            }
            Step::Killed(wish, ended) => return self.kill(*wish, *ended),
            Step::Damage(case) => {
                // Only where another store has it too, for all cases that share the file: nothing brings back the only
                // copy.
                let path_of = |case: usize| {
                    let line = store.lock(CASES[case].0).unwrap().find(CASES[case].1).cloned()?;
                    Some((store.picture_path(CASES[case].0, &line)?, line))
                };
                let Some((path, _)) = path_of(*case) else { return };
                let others = |case: usize, line: &LockLine| {
                    let mut others = (0..ADDRESSES.len()).filter(|at| *at != self.current);
                    others.any(|at| self.store(at).check_kept(CASES[case].0, line, None).is_ok())
                };
                let sharing = (0..CASES.len()).filter_map(|case| Some((case, path_of(case)?)));
                let mut sharing = sharing.filter(|(_, (own, _))| *own == path);
                if path.exists() && sharing.all(|(case, (_, line))| others(case, &line)) {
                    fs::write(path, b"\x89PNG\r\n\x1a\ncut").unwrap();
                }
                return;
            }
        };
        match done {
            Ok(()) => self.undo = Some(before),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                self.want = before;
            }
        }
    }

    /// What an `accept` leaves that is ended, made from what it would have done.
    fn kill(&mut self, wish: Wish, ended: Ended) {
        let before = tree(&self.root);
        if self.store(self.current).accept(&Ground::changes(&[wish])).is_err() {
            return;
        }
        let after = tree(&self.root);
        let old: BTreeMap<&String, &Vec<u8>> = before.iter().map(|(name, bytes)| (name, bytes)).collect();
        let new: Vec<_> = after.iter().filter(|(name, bytes)| old.get(name) != Some(&bytes)).collect();
        let (mut beside, mut blobs): (Vec<_>, Vec<_>) =
            new.into_iter().partition(|(name, _)| name.starts_with("references/"));
        beside.sort_by_key(|(name, _)| name.ends_with(LOCK_FILE));
        // Back to what was, file by file.
        for (name, _) in &after {
            fs::remove_file(self.root.join(name)).unwrap();
        }
        let write = |name: &str, bytes: &[u8]| {
            let path = self.root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        };
        before.iter().for_each(|(name, bytes)| write(name, bytes));
        let (blob_count, done) = match ended {
            Ended::Unrecorded(count) => (count.min(blobs.len()), None),
            Ended::Recorded(count) => (blobs.len(), Some(count.min(beside.len()))),
        };
        blobs.truncate(blob_count);
        blobs.iter().for_each(|(name, bytes)| write(name, bytes));
        let mut journal = String::from("stillframe-store 1\n");
        for (at, (name, bytes)) in beside.iter().enumerate() {
            match done {
                Some(count) if at < count => write(name, bytes),
                _ => write(&format!("references/.store/staged/{at}"), bytes),
            }
            let path = name.strip_prefix("references/").unwrap();
            journal += &format!("{{\"put\":{{\"path\":\"{path}\",\"from\":{at}}}}}\n");
        }
        match done {
            None => write("references/.store/journal.new", journal.as_bytes()),
            Some(_) => {
                write("references/.store/journal", (journal + "end\n").as_bytes());
                self.want.insert(wish.0, wish.1);
            }
        }
        self.undo = None;
    }

    /// What was lost, if anything was.
    fn lost(&self) -> Result<(), String> {
        let stores: Vec<Store> = (0..ADDRESSES.len()).map(|at| self.store(at)).collect();
        let mut lines = BTreeMap::new();
        for family in stores[0].families().map_err(|error| error.to_string())? {
            for line in stores[0].lock(&family).map_err(|error| error.to_string())?.lines() {
                lines.insert((family.clone(), line.name.clone()), line.clone());
            }
        }
        for (case, seed) in &self.want {
            let (family, name) = CASES[*case];
            let line = lines.remove(&(family.to_string(), name.to_string()));
            let line = line.ok_or_else(|| format!("{family}/{name} has no line"))?;
            if line.pixels != picture(*seed).hash() {
                return Err(format!("{family}/{name} is not the picture that was accepted last"));
            }
            let kept = stores.iter().map(|store| store.check_kept(family, &line, None));
            let refusals: Vec<String> = kept.filter_map(|kept| kept.err().map(|error| error.to_string())).collect();
            if refusals.len() == stores.len() {
                return Err(format!("{family}/{name}: no store has it: {}", refusals.join("; ")));
            }
        }
        match lines.keys().next() {
            Some((family, name)) => Err(format!("{family}/{name} was removed, and has a line")),
            None => Ok(()),
        }
    }
}

/// In memory where there is such a folder: a disk that is waited for proves nothing more.
fn scratch() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let name = format!("stillframe-sequences-{}", std::process::id());
    if memory.is_dir() { memory.join(name) } else { folder("sequences") }
}

#[test]
fn no_sequence_of_commands_loses_a_reference() {
    let root = scratch();
    let mut runner =
        TestRunner::new(Config { cases: depth::cases(1000), failure_persistence: None, ..Config::default() });
    let sequences = prop::collection::vec(step(), 1..16);
    let ran = runner.run(&sequences, |steps| {
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).unwrap();
        let mut ground = Ground { root: root.clone(), current: 0, want: BTreeMap::new(), undo: None };
        for (at, step) in steps.iter().enumerate() {
            ground.take(step);
            if let Err(words) = ground.lost() {
                return Err(TestCaseError::fail(format!("after step {at}, {step:?}: {words}")));
            }
        }
        Ok(())
    });
    let _ = fs::remove_dir_all(&root);
    ran.unwrap_or_else(|error| panic!("{error}"));
}
