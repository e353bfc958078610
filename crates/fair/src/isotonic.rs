//! How far a sequence is from rising: the mean distance to its isotonic regression (Ayer et al. 1955; pool
//! adjacent violators).
//!
//! By hand: 1, 3, 2 becomes 1, 2.5, 2.5, so the mean distance is 1/3.

/// The sum of |y - fit| for the best rising fit by squares.
pub(crate) fn residual(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let mut blocks: Vec<(f64, u32)> = Vec::new();
    for value in values.clone() {
        let mut last = (value, 1);
        while let Some(&(sum, count)) = blocks.last()
            && sum * f64::from(last.1) > last.0 * f64::from(count)
        {
            last = (last.0 + sum, last.1 + count);
            blocks.pop();
        }
        blocks.push(last);
    }
    let fit = blocks
        .iter()
        .flat_map(|&(sum, count)| std::iter::repeat_n(sum / f64::from(count), count as usize));
    values.zip(fit).map(|(value, fit)| (value - fit).abs()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let of = |values: &[f64]| residual(values.iter().copied());
        assert_eq!(of(&[1.0, 3.0, 2.0]), 1.0);
        assert_eq!(of(&[1.0, 2.0, 2.0, 7.0]), 0.0);
        assert_eq!(of(&[3.0, 2.0, 1.0]), 2.0);
        assert_eq!(of(&[]), 0.0);
    }
}
