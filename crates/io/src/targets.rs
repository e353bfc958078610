//! Checks of output files before any work is done: they can be written, and writing them destroys
//! neither an input nor another output.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::WriteError;
use crate::many::matching_files;

/// Checks, before a long computation, that files of these names can be written ([`check_target`]),
/// and that each is another file than every input and every other output, whichever path or link
/// leads to it. `-`, stdin or stdout, is no file.
pub fn check_targets<O: AsRef<str>, I: AsRef<str>>(
    outputs: impl IntoIterator<Item = O>,
    inputs: impl IntoIterator<Item = I>,
) -> Result<(), WriteError> {
    // A name may stand for many files; one that stands for none is refused when it is read.
    let files = |input: I| {
        matching_files(input.as_ref()).unwrap_or_else(|_| vec![input.as_ref().to_owned()])
    };
    let inputs: Vec<String> = inputs.into_iter().flat_map(files).collect();
    let mut others: Vec<O> = Vec::new();
    for output in outputs {
        let path = output.as_ref();
        if path == "-" {
            continue;
        }
        check_target(path)?;
        if let Some(input) = inputs.iter().find(|input| is_same_file(path, input)) {
            let (path, input) = (path.to_owned(), input.clone());
            return Err(WriteError::OverInput { path, input });
        }
        if let Some(other) = others.iter().find(|other| is_same_file(path, other.as_ref())) {
            let (first, second) = (other.as_ref().to_owned(), path.to_owned());
            return Err(WriteError::SameOutput { first, second });
        }
        others.push(output);
    }
    Ok(())
}

/// Checks, before a long computation, that a file of this name can be written: its folder
/// exists and is writable, and the name is not that of a folder.
pub fn check_target(path: &str) -> Result<(), WriteError> {
    let target = Path::new(path);
    let checked = match target.metadata() {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() => Ok(()),
        _ => destination(target)
            .and_then(|target| tempfile::tempfile_in(folder_of(&target)).map(drop)),
    };
    checked.map_err(|error| WriteError::io(path, error))
}

/// Whether two paths lead to the same file, though they may differ: one may be relative or a link.
/// Devices and pipes, such as a terminal, may well be read and written.
pub fn is_same_file(a: &str, b: &str) -> bool {
    if a == "-" || b == "-" {
        return false;
    }
    let (a, b) = (Path::new(a), Path::new(b));
    let is_same_path = || match (destination(a), destination(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    };
    match (a.metadata(), b.metadata()) {
        (Ok(of_a), Ok(of_b)) => {
            of_a.is_file() && of_b.is_file() && (is_same_inode(&of_a, &of_b) || is_same_path())
        }
        // Two files that are not there yet may become one.
        (Err(_), Err(_)) => is_same_path(),
        _ => false,
    }
}

/// Whether two names (hard links) stand for one file.
#[cfg(unix)]
fn is_same_inode(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same_inode(_: &Metadata, _: &Metadata) -> bool {
    false
}

/// The path of the file that writing to `path` creates or replaces: at the end of all symbolic
/// links. Its folder must exist.
pub(crate) fn destination(path: &Path) -> io::Result<PathBuf> {
    // Systems follow no more; links may lead in a circle.
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else {
            let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
            return Ok(folder_of(&path).canonicalize()?.join(name));
        };
        path = folder_of(&path).join(target);
    }
    let what = format!("{} is one of too many symbolic links", path.display());
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}

/// The folder of a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A folder with the file `there` and its path in it.
    fn folder() -> (tempfile::TempDir, impl Fn(&str) -> String) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        let path = move |name: &str| root.join(name).to_str().unwrap().to_owned();
        fs::write(path("there"), "x").unwrap();
        (folder, path)
    }

    #[test]
    fn one_file_is_recognised_by_any_path() {
        let (_folder, path) = folder();
        fs::create_dir(path("sub")).unwrap();
        fs::write(path("other"), "x").unwrap();
        assert!(is_same_file(&path("there"), &path("./sub/../there")));
        assert!(is_same_file(&path("new"), &path("sub/../new")));
        assert!(!is_same_file(&path("there"), &path("other")));
        assert!(!is_same_file(&path("new"), &path("sub/new")));
        assert!(!is_same_file(&path("there"), &path("new")));
        assert!(!is_same_file("-", "-"));
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_their_file() {
        let (_folder, path) = folder();
        std::os::unix::fs::symlink("there", path("link")).unwrap();
        std::os::unix::fs::symlink("link", path("link to link")).unwrap();
        std::os::unix::fs::symlink("new", path("dangling")).unwrap();
        std::os::unix::fs::symlink("circle", path("circle")).unwrap();
        fs::hard_link(path("there"), path("hard")).unwrap();
        for other in ["link", "link to link", "hard"] {
            assert!(is_same_file(&path("there"), &path(other)), "{other}");
        }
        assert!(is_same_file(&path("dangling"), &path("new")));
        assert!(check_target(&path("circle")).is_err());
        assert!(!is_same_file("/dev/null", "/dev/null"));
        check_targets(["/dev/null", "/dev/null"], ["/dev/null"]).unwrap();
    }

    #[test]
    fn targets_are_refused_that_destroy_something_or_cannot_be_written() {
        let (_folder, path) = folder();
        let refuse = |outputs: &[String], inputs: &[String]| {
            check_targets(outputs, inputs).unwrap_err().to_string()
        };
        let (there, new) = (path("there"), path("new"));
        let error = refuse(&[path("./there")], std::slice::from_ref(&there));
        assert!(error.contains("the output would overwrite an input"), "{error}");
        let error = refuse(&[new.clone(), path("./new")], &[]);
        assert!(error.contains("are the same file"), "{error}");
        let error = refuse(&[path("no/new")], &[]);
        assert!(error.contains("the folder does not exist"), "{error}");
        let error = refuse(&[path(".")], &[]);
        assert!(error.contains("this is a folder"), "{error}");
        check_targets(["-", "-", &new], ["-", &there]).unwrap();
        assert!(!Path::new(&new).exists());
    }
}
