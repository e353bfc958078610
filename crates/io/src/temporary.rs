//! Temporary files, which become the target when they are complete.
//!
//! A writer holds a lock on its file. A process that is killed cannot remove its file, but the system
//! releases the lock: whoever writes into the folder next removes what nobody holds. (Where the file
//! system has no locks, such files stay.)

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

const PREFIX: &str = ".stakes-";
const SUFFIX: &str = ".tmp";

/// Makes a file in the folder, and removes those that were left there. `is_new` is whether it will
/// have the usual permissions of a new file; otherwise only its owner can read it.
#[cfg_attr(not(unix), allow(unused_variables))] // There, permissions are not set.
pub(crate) fn create_in(folder: &Path, is_new: bool) -> io::Result<NamedTempFile> {
    remove_abandoned(folder);
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    if is_new {
        // Subject to the user's mask.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    loop {
        let file = builder.tempfile_in(folder)?;
        // Until it is locked, another process may take it for abandoned.
        let is_taken = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
        if !is_taken && file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes temporary files that no process holds. What cannot be done is left.
fn remove_abandoned(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_temporary =
            name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if is_temporary && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let path = entry.path();
            if let Ok(file) = File::options().write(true).open(&path)
                && file.try_lock().is_ok()
            {
                let _ = fs::remove_file(&path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed_and_what_is_being_written_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let held = create_in(folder.path(), true).unwrap();
        for name in [".stakes-aB3xYz.tmp", ".stakes-notes", "stakes-1.tmp", ".other.tmp"] {
            fs::write(path(name), "half a fi").unwrap();
        }
        fs::create_dir(path(".stakes-folder.tmp")).unwrap();
        crate::write_text(path("out.csv").to_str().unwrap(), "whole").unwrap();
        assert!(!path(".stakes-aB3xYz.tmp").exists());
        assert!(held.path().exists());
        // The folder, three files of other names, the held one and the new one.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6);
        // Without its lock it is abandoned, too.
        let left = held.into_temp_path().keep().unwrap();
        crate::write_text(path("out.csv").to_str().unwrap(), "whole").unwrap();
        assert!(!left.exists());
        assert_eq!(fs::read_to_string(path("out.csv")).unwrap(), "whole");
    }
}
