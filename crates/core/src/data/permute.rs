//! Grouping the rows of each list in place, so that reading a file never needs a second copy of
//! the matrix.

use super::Dataset;

/// Returns the stable order that groups rows by list, or `None` if they are grouped already.
/// `list_of_row` numbers lists by first appearance.
pub(super) fn grouping_order(list_of_row: &[u32], n_lists: usize) -> Option<Vec<u32>> {
    if list_of_row.is_sorted() {
        return None;
    }
    let mut next = vec![0u32; n_lists + 1];
    for &list in list_of_row {
        next[list as usize + 1] += 1;
    }
    for i in 1..next.len() {
        next[i] += next[i - 1];
    }
    let mut order = vec![0u32; list_of_row.len()];
    for (row, &list) in list_of_row.iter().enumerate() {
        let slot = &mut next[list as usize];
        order[*slot as usize] = row as u32;
        *slot += 1;
    }
    Some(order)
}

/// Sets `values[i] = old_values[order[i]]` for rows of `width` values, following the cycles of
/// the permutation with one spare row.
pub(super) fn permute_rows<T: Copy>(values: &mut [T], width: usize, order: &[u32]) {
    if width == 0 {
        return;
    }
    let mut done = vec![false; order.len()];
    let mut spare = Vec::with_capacity(width);
    for start in 0..order.len() {
        if done[start] {
            continue;
        }
        spare.clear();
        spare.extend_from_slice(&values[start * width..(start + 1) * width]);
        let mut hole = start;
        loop {
            done[hole] = true;
            let from = order[hole] as usize;
            if from == start {
                values[hole * width..(hole + 1) * width].copy_from_slice(&spare);
                break;
            }
            values.copy_within(from * width..(from + 1) * width, hole * width);
            hole = from;
        }
    }
}

impl Dataset {
    /// Reorders the rows of all columns.
    pub(super) fn permute(&mut self, order: &[u32]) {
        let width = self.features.width;
        match &mut self.features.stored {
            Some(stored) => permute_rows(&mut stored.rows, 1, order),
            None => permute_rows(self.features.values_mut(), width, order),
        }
        permute_rows(&mut self.lines, 1, order);
        let columns = [&mut self.impact, &mut self.weight, &mut self.price, &mut self.time.keys];
        for column in columns.into_iter().chain(&mut self.extras) {
            if !column.is_empty() {
                permute_rows(column, 1, order);
            }
        }
        if !self.group_of.is_empty() {
            permute_rows(&mut self.group_of, 1, order);
        }
        for text in [&mut self.ids, &mut self.time.text] {
            if !text.is_empty() {
                *text = text.permuted(order);
            }
        }
    }
}

/// Moves rows of `used` values from stride `old` to stride `new`, in place, last row first.
pub(super) fn restride(values: &mut Vec<f32>, rows: usize, old: usize, used: usize, new: usize) {
    values.resize(rows * new, 0.0);
    for row in (0..rows).rev() {
        values.copy_within(row * old..row * old + used, row * new);
        values[row * new + used..(row + 1) * new].fill(0.0);
    }
}

/// Removes the gaps between rows and releases spare memory.
pub(super) fn compact(values: &mut Vec<f32>, rows: usize, stride: usize, width: usize) {
    if stride != width {
        for row in 1..rows {
            values.copy_within(row * stride..row * stride + width, row * width);
        }
        values.truncate(rows * width);
    }
    values.shrink_to_fit();
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_are_grouped_stably(lists in prop::collection::vec(0u32..5, 1..40), width in 1usize..4) {
            let original: Vec<usize> = (0..lists.len() * width).collect();
            let mut expected: Vec<usize> = (0..lists.len()).collect();
            expected.sort_by_key(|&row| lists[row]);
            let mut values = original.clone();
            match grouping_order(&lists, 5) {
                None => prop_assert!(lists.is_sorted()),
                Some(order) => permute_rows(&mut values, width, &order),
            }
            let rows: Vec<usize> = values.chunks(width).map(|r| r[0] / width).collect();
            prop_assert_eq!(rows, expected);
        }
    }
}
