//! The delimiter of fields.

/// Returns the delimiter: tab for TSV; for CSV `;` or tab if the header has only these and no
/// comma, else `,`.
pub(super) fn of(header: &[u8], tsv: bool) -> u8 {
    if tsv {
        return b'\t';
    }
    let mut quoted = false;
    let mut count = [0usize; 3];
    for &byte in header {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted => break,
            b',' if !quoted => count[0] += 1,
            b';' if !quoted => count[1] += 1,
            b'\t' if !quoted => count[2] += 1,
            _ => {}
        }
    }
    match count {
        [0, n, 0] if n > 0 => b';',
        [0, 0, n] if n > 0 => b'\t',
        _ => b',',
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn the_header_decides_only_when_it_is_obvious() {
        assert_eq!(of(b"a;b\n1,5;2,5\n", false), b';');
        assert_eq!(of(b"a\tb\n", false), b'\t');
        assert_eq!(of(b"\"a,b\";c\n", false), b';');
        assert_eq!(of(b"a;b,c\n", false), b',');
        assert_eq!(of(b"a\n1;2\n", false), b',');
        assert_eq!(of(b"a,b\n", true), b'\t');
    }
}
