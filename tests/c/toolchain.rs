//! Builds the library, then programs of c_tests/ with it, and runs them.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use cargo_metadata::Message;
use tempfile::TempDir;

/// The name that programs ask the loader for.
const SONAME: &str = concat!("libhalfulp.so.", env!("CARGO_PKG_VERSION_MAJOR"));

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What ships.
pub struct Library {
    pub shared: PathBuf,
    pub archive: PathBuf,
}

/// The library as the sources are now, built once for each run of the tests: cargo knows what is stale.
pub static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let build = Command::new(env!("CARGO"))
        .args(["build", "--release", "--package", "halfulp", "--message-format", "json-render-diagnostics"])
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo starts");
    assert!(build.status.success(), "cargo build --release fails");
    let files: Vec<PathBuf> = Message::parse_stream(build.stdout.as_slice())
        .filter_map(|message| match message.expect("cargo reports in JSON") {
            Message::CompilerArtifact(artifact) => Some(artifact.filenames),
            _ => None,
        })
        .flatten()
        .map(PathBuf::from)
        .collect();
    let find = |name| {
        let file = files.iter().find(|file| file.file_name() == Some(OsStr::new(name)));
        file.unwrap_or_else(|| panic!("cargo build --release makes no {name}")).clone()
    };
    Library { shared: find("libhalfulp.so"), archive: find("libhalfulp.a") }
});

/// A program of c_tests/, compiled, in a temporary folder where its loader finds the shared library.
pub struct Program {
    folder: TempDir,
}

impl Program {
    /// Compiles and links `source`, with `arguments` before -lm.
    pub fn compile(source: &str, arguments: &[OsString]) -> Program {
        Program::compile_with(compiler(source, None), source, arguments)
    }

    pub fn compile_with(mut compiler: Command, source: &str, arguments: &[OsString]) -> Program {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("the target folder is writable");
        symlink(&LIBRARY.shared, folder.path().join(SONAME)).expect("a fresh folder is writable");
        let program = Program { folder };
        compiler.arg(root().join("c_tests").join(source)).arg("-o").arg(program.path());
        run(compiler.args(arguments).args(["-lm", "-ldl", "-pthread"]));
        program
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(self.path());
        // In the place of the folders that cargo puts there for tests.
        command.env("LD_LIBRARY_PATH", self.folder.path());
        command
    }
}

/// The compiler for a C or C++ source, the system's or the one of that name, with what all programs are compiled with.
pub fn compiler(source: &str, name: Option<&str>) -> Command {
    // cc is made for build scripts, where cargo tells it these three.
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let cpp = source.ends_with(".cpp");
    let golden = format!("{:?}", root().join("verify/golden"));
    let mut build = cc::Build::new();
    if let Some(name) = name {
        build.compiler(name);
    }
    build
        .target(&target)
        .host(&target)
        .opt_level(2)
        .cargo_metadata(false)
        .cpp(cpp)
        .std(if cpp { "c++17" } else { "c99" })
        .warnings(true)
        .extra_warnings(true)
        .warnings_into_errors(true)
        // So that the compiler computes no erff or expf itself, and the programs may define their own.
        .flag("-fno-builtin")
        .include(root().join("include"))
        .define("VERSION", concat!('"', env!("CARGO_PKG_VERSION"), '"'))
        .define("GOLDEN", golden.as_str())
        .get_compiler()
        .to_command()
}

/// How a program comes to the library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    LinkedShared,
    LinkedStatic,
    /// The program itself is linked against libm alone.
    Preloaded,
}

impl Way {
    pub const ALL: [Way; 3] = [Way::LinkedShared, Way::LinkedStatic, Way::Preloaded];

    /// What a user writes on the link line.
    pub fn arguments(self) -> Vec<OsString> {
        match self {
            Way::LinkedShared => {
                let mut search = OsString::from("-L");
                search.push(LIBRARY.shared.parent().expect("a file lies in a folder"));
                vec![search, "-lhalfulp".into()]
            }
            // The second for these programs only: dlsym finds the library's names in the program itself.
            Way::LinkedStatic => vec![LIBRARY.archive.clone().into(), "-Wl,--export-dynamic".into()],
            Way::Preloaded => vec![],
        }
    }

    /// What runs a program that is compiled with the arguments of this way.
    pub fn command(self, program: &Program) -> Command {
        let mut command = program.command();
        if self == Way::Preloaded {
            command.env("LD_PRELOAD", &LIBRARY.shared);
        }
        command
    }

    /// Compiles `source` and runs it.
    pub fn run(self, source: &str) {
        println!("{source}: {self:?}");
        let program = Program::compile(source, &self.arguments());
        run(&mut self.command(&program));
    }
}

/// Runs a command to its end, which must be a success; else what it printed tells why.
pub fn run(command: &mut Command) {
    let output = command.output();
    let line = [command.get_program()].into_iter().chain(command.get_args()).collect::<Vec<_>>().join(OsStr::new(" "));
    let line = line.display();
    let output = output.unwrap_or_else(|error| panic!("{line}: {error}"));
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(output.status.success(), "{line}: {}\n{text}", output.status);
    print!("{text}");
}

/// Whether there is a command of that name. If not, what it is for is skipped, and this says so.
pub fn is_installed(name: &str) -> bool {
    let installed = Command::new(name).arg("--version").output().is_ok();
    if !installed {
        println!("skipped: {name} is not installed");
    }
    installed
}
