//! The id of an item, in the comment of its line.

/// Returns the id in a comment (without its `#`): the word after `docid`, `=` or `:`, or else
/// the first word.
pub(super) fn id(comment: &[u8]) -> Option<&[u8]> {
    let rest = comment.trim_ascii();
    let after = match rest.get(..5) {
        Some(word) if word.eq_ignore_ascii_case(b"docid") => {
            let rest = rest[5..].trim_ascii_start();
            match rest.first() {
                Some(b'=' | b':') => rest[1..].trim_ascii_start(),
                // `docid 12`, but not `docids-are-my-ids`.
                _ if rest.len() < comment.trim_ascii().len() - 5 => rest,
                _ => comment.trim_ascii(),
            }
        }
        _ => rest,
    };
    let end = after.iter().position(u8::is_ascii_whitespace).unwrap_or(after.len());
    (end > 0).then_some(&after[..end])
}

#[cfg(test)]
mod tests {
    use super::id;

    #[test]
    fn the_usual_notations_of_an_id() {
        let cases: [(&[u8], Option<&[u8]>); 9] = [
            (b"docid = GX008-86-4444840 inc = 1 prob = 0.086622", Some(b"GX008-86-4444840")),
            (b"docid = 244338\r", Some(b"244338")),
            (b" docid=7", Some(b"7")),
            (b"docid:7 x", Some(b"7")),
            (b"DocId 7", Some(b"7")),
            (b" GX1 other words", Some(b"GX1")),
            (b"docids-1", Some(b"docids-1")),
            (b"docid =", None),
            (b"  ", None),
        ];
        for (comment, expected) in cases {
            assert_eq!(id(comment), expected, "{}", comment.escape_ascii());
        }
    }
}
