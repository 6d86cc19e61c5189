//! A project in a folder of its own, and the program run in it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub struct Ground {
    root: PathBuf,
}

/// What a run of the program left.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Asserts the exit status, and shows what was said where it is another.
    #[track_caller]
    pub fn code(self, code: i32) -> Ran {
        assert_eq!(self.code, code, "\n--- out\n{}--- err\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub fn says(self, part: &str) -> Ran {
        assert!(self.out.contains(part), "no {part:?} in\n{}--- err\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub fn complains(self, part: &str) -> Ran {
        assert!(self.err.contains(part), "no {part:?} in\n{}--- out\n{}", self.err, self.out);
        self
    }

    #[track_caller]
    pub fn last_line(self, line: &str) -> Ran {
        assert_eq!(self.out.lines().last().unwrap_or_default(), line, "\n{}--- err\n{}", self.out, self.err);
        self
    }
}

impl Ground {
    /// An empty project.
    pub fn new(name: &str) -> Ground {
        let root = std::env::temp_dir().join(format!("stillframe-ground-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("scenes")).unwrap();
        let ground = Ground { root: root.canonicalize().unwrap() };
        ground.write("stillframe.toml", "[test]\n");
        ground
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// A ball of a colour, 32x32, without light or shadow; `more` joins the file's end.
    pub fn ball(&self, name: &str, color: &str, more: &str) {
        self.write(&format!("scenes/{name}.toml"), scene(color, more));
    }

    /// Two balls before a floor, lit and shadowed.
    pub fn stage(&self, name: &str, ball_color: &str, more: &str) {
        let text = format!(
            "title = \"{name}\"\n[output]\nsize_px = [64, 48]\nsamples = 4\n[camera.main]\nposition = [0.0, 1.2, 4.0]\nlook_at = [0.0, 0.3, 0.0]\n\
             [[light]]\nname = \"sun\"\nkind = \"directional\"\nilluminance_lux = 3.0\ndirection = [-0.5, -1.0, -0.3]\n\
             [material.paint]\nbase_color = \"{ball_color}\"\n[material.stone]\nbase_color = \"#808890\"\n\
             [[node]]\nname = \"floor\"\nshape = \"plane\"\nsize_m = [6.0, 6.0]\nmaterial = \"stone\"\n\
             [[node]]\nname = \"left\"\nshape = \"sphere\"\nradius_m = 0.5\nposition = [-0.8, 0.5, 0.0]\nmaterial = \"stone\"\n\
             [[node]]\nname = \"right\"\nshape = \"sphere\"\nradius_m = 0.5\nposition = [0.8, 0.5, 0.0]\nmaterial = \"paint\"\n{more}"
        );
        self.write(&format!("scenes/{name}.toml"), text);
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, |_| ())
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stillframe"));
        command.args(arguments).current_dir(&self.root).env("XDG_CACHE_HOME", self.root.join(".cache"));
        for name in ["CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "STILLFRAME_ISA", "STILLFRAME_THREADS"] {
            command.env_remove(name);
        }
        command
    }

    pub fn run_with(&self, arguments: &[&str], change: impl Fn(&mut Command)) -> Ran {
        let mut command = self.command(arguments);
        change(&mut command);
        ran(command.output().unwrap())
    }

    /// Runs with a text on standard input.
    pub fn run_reading(&self, arguments: &[&str], text: &str) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        ran(child.wait_with_output().unwrap())
    }

    /// Renders and accepts everything there is.
    pub fn settle(&self) {
        self.run(&["test"]).code(5);
        self.run(&["accept", "--all"]).code(0);
        self.run(&["test", "--no-cache"]).code(0);
    }

    pub fn git(&self, arguments: &[&str]) {
        let identity = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false"];
        let output = Command::new("git").args(identity).args(arguments).current_dir(&self.root).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Where the project's store keeps the picture of a case.
    pub fn picture(&self, name: &str) -> PathBuf {
        use stillframe_frames::store::{Store, StoreAddress, StoreOptions};
        let config = self.read("stillframe.toml");
        let address = config.split('"').nth(1).unwrap_or("git");
        let address = StoreAddress::parse(address).unwrap().under(&self.root);
        let store = Store::open(&self.root.join("references"), address, StoreOptions::default()).unwrap();
        let (family, behaviour) = stillframe_frames::run::split_name(name);
        let lock = store.lock(family).unwrap();
        store.picture_path(family, lock.find(behaviour).unwrap()).unwrap()
    }

    pub fn last_run(&self) -> PathBuf {
        stillframe_frames::run::newest(&self.root.join("target/stillframe/runs")).unwrap().expect("there is a run")
    }

    pub fn record(&self, name: &str) -> stillframe_frames::run::CaseRecord {
        let run = stillframe_frames::run::Run::read(&self.last_run()).unwrap();
        run.find(name).unwrap_or_else(|| panic!("no {name}")).clone()
    }
}

pub fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

pub fn scene(color: &str, more: &str) -> String {
    format!(
        "title = \"A ball\"\n[output]\nsize_px = [32, 32]\nsamples = 1\ntonemap = \"none\"\n[camera.main]\nposition = [0.0, 0.0, 3.0]\n\
         look_at = [0.0, 0.0, 0.0]\n[material.paint]\nbase_color = \"{color}\"\nunlit = true\n\
         [[node]]\nname = \"ball\"\nshape = \"sphere\"\nmaterial = \"paint\"\n{more}"
    )
}

impl Drop for Ground {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.root);
        }
    }
}
