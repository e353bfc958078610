//! Writing files: under a temporary name beside the target, renamed when complete, so that no
//! reader ever sees half a file. A symbolic link stays, and its target is replaced; permissions
//! stay as they were.

use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::write::GzEncoder;
use zstd::stream::write::Encoder as ZstdEncoder;

use crate::targets::{destination, folder_of};
use crate::{WriteError, temporary};

/// The default of Zstandard.
const ZSTD_LEVEL: i32 = 3;

/// Runs `fill` on the target: stdout for `-`, compressed if the name ends in `.gz` or `.zst`.
pub(crate) fn to(
    path: &str,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<(), WriteError> {
    let done = if path == "-" {
        let mut out = BufWriter::new(io::stdout());
        fill(&mut out).and_then(|()| out.flush())
    } else {
        to_file(Path::new(path), fill)
    };
    done.map_err(|error| WriteError::io(&target_name(path), error))
}

/// The name of a path in messages.
pub(crate) fn target_name(path: &str) -> String {
    if path == "-" { "stdout".into() } else { path.into() }
}

fn to_file(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<()> {
    let compression = Compression::of(path);
    // A device or a pipe cannot be replaced, only written to.
    if path.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir()) {
        return compress(compression, File::create(path)?, fill).map(drop);
    }
    let path = &destination(path)?;
    let replaced = path.metadata().ok();
    let temporary = temporary::create_in(folder_of(path), replaced.is_none())?;
    let temporary = compress(compression, temporary, fill)?;
    if let Some(replaced) = &replaced {
        keep_access(temporary.as_file(), replaced);
    }
    // The name must not lead to an empty file after a power failure.
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|e| e.error)?;
    Ok(())
}

/// Gives a file the owner and the permissions of the one that it replaces, as far as that is
/// allowed; otherwise only its new owner can read it.
fn keep_access(file: &File, replaced: &Metadata) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let _ = fchown(file, Some(replaced.uid()), Some(replaced.gid()));
    }
    let _ = file.set_permissions(replaced.permissions());
}

/// The compression that a file name asks for.
#[derive(Debug, Clone, Copy)]
enum Compression {
    None,
    Gzip,
    Zstd,
}

impl Compression {
    fn of(path: &Path) -> Self {
        let is = |name| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(name));
        match (is("gz"), is("zst")) {
            (true, _) => Compression::Gzip,
            (_, true) => Compression::Zstd,
            _ => Compression::None,
        }
    }
}

fn compress<W: Write + Send>(
    compression: Compression,
    target: W,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<W> {
    let mut out = BufWriter::with_capacity(1 << 18, target);
    // Neither format stores a time or a name: equal input gives equal output.
    match compression {
        Compression::None => fill(&mut out)?,
        Compression::Gzip => {
            let mut encoder = GzEncoder::new(&mut out, flate2::Compression::default());
            fill(&mut encoder)?;
            encoder.finish()?;
        }
        Compression::Zstd => {
            let mut encoder = ZstdEncoder::new(&mut out, ZSTD_LEVEL)?;
            encoder.include_checksum(true)?;
            fill(&mut encoder)?;
            encoder.finish()?;
        }
    }
    out.into_inner().map_err(io::IntoInnerError::into_error)
}

/// Writes text to a file, or to stdout for `-`. As [`write_bytes`].
pub fn write_text(path: &str, text: &str) -> Result<(), WriteError> {
    write_bytes(path, text.as_bytes())
}

/// Writes bytes to a file, or to stdout for `-`; a name that ends in `.gz` or `.zst` is
/// compressed. The file appears under its name only when it is complete.
pub fn write_bytes(path: &str, bytes: &[u8]) -> Result<(), WriteError> {
    to(path, |out| out.write_all(bytes))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn bytes_come_back_and_are_compressed_alike_every_time() {
        let folder = tempfile::tempdir().unwrap();
        let bytes: Vec<u8> = (0..100_000_u32).map(|i| (i / 1000) as u8).collect();
        for (name, magic) in [("m.json", &[0, 0][..]), ("m.json.gz", &[0x1f]), ("m.ZST", &[0x28])] {
            let path = folder.path().join(name).to_str().unwrap().to_owned();
            write_bytes(&path, &bytes).unwrap();
            let first = std::fs::read(&path).unwrap();
            assert!(first.starts_with(magic), "{name}");
            assert_eq!(crate::read_bytes(&path).unwrap(), bytes, "{name}");
            write_bytes(&path, &bytes).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), first, "{name}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        std::fs::create_dir(path("sub")).unwrap();
        std::fs::write(path("sub/secret"), "old").unwrap();
        for mode in [0o600, 0o640, 0o666] {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(path("sub/secret"), permissions).unwrap();
            write_text(&path("sub/secret"), "new").unwrap();
            let kept = std::fs::metadata(path("sub/secret")).unwrap().permissions().mode();
            assert_eq!(kept & 0o777, mode);
        }
        symlink("sub/secret", path("link")).unwrap();
        write_text(&path("link"), "newer").unwrap();
        assert!(std::fs::symlink_metadata(path("link")).unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(path("sub/secret")).unwrap(), "newer");
        symlink("absent", path("dangling")).unwrap();
        write_text(&path("dangling"), "x").unwrap();
        assert_eq!(std::fs::read_to_string(path("absent")).unwrap(), "x");
    }
}
