//! Parting the rows of a node into its two sides.

/// Puts the rows that go left before the others, keeping their order, and their words along.
pub(super) fn part(
    rows: &mut [u32],
    words: &mut [i64],
    spare: &mut (Vec<u32>, Vec<i64>),
    goes_left: impl Fn(u32) -> bool,
) -> usize {
    spare.0.resize(rows.len().max(spare.0.len()), 0);
    spare.1.resize(rows.len().max(spare.1.len()), 0);
    let (mut left, mut right) = (0, 0);
    for at in 0..rows.len() {
        let (row, word) = (rows[at], words[at]);
        // Written to both sides, and kept on one: no branch to guess wrong.
        let is_left = goes_left(row);
        rows[left] = row;
        words[left] = word;
        spare.0[right] = row;
        spare.1[right] = word;
        left += usize::from(is_left);
        right += usize::from(!is_left);
    }
    rows[left..].copy_from_slice(&spare.0[..right]);
    words[left..].copy_from_slice(&spare.1[..right]);
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_kept_on_both_sides() {
        let mut rows = [1, 4, 5, 8, 9];
        let mut words = [10, 40, 50, 80, 90];
        let left = part(&mut rows, &mut words, &mut Default::default(), |row| row % 4 == 1);
        assert_eq!((left, rows, words), (3, [1, 5, 9, 4, 8], [10, 50, 90, 40, 80]));
    }
}
