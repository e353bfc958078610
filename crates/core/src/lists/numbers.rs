//! The numbers of lists and items among those of all shards.
//!
//! Random draws are numbered by item and by list. Where each shard has only some of the lists, their numbers are
//! those that they would have if all lists were in one place: by the order of list ids, of which each shard tells
//! its own.

use crate::shards::{SaidOfList, Shards};

/// The numbers of the lists and items of a shard.
#[derive(Debug, Clone)]
pub(super) struct Numbers {
    pub(super) lists: Vec<u32>,
    pub(super) items: Vec<u32>,
}

impl Numbers {
    /// Those of lists with these ids, which ascend, whose items begin at these offsets.
    pub(super) fn among(ids: &[&str], offsets: &[usize], shards: &Shards) -> Result<Self, String> {
        let sizes = offsets.windows(2).map(|ends| [(ends[1] - ends[0]) as f64]);
        let all = shards.gather_lists(ids.iter().copied().zip(sizes));
        if let Some(failure) = shards.failure() {
            return Err(failure);
        }
        if let Some(pair) = all.windows(2).find(|pair| pair[0].id == pair[1].id) {
            let [first, second] = [0, 1].map(|at| pair[at].rank + 1);
            return Err(format!(
                "list {} is in shard {first} and in shard {second}: each list must be whole in one of them",
                pair[0].id
            ));
        }
        let (mut lists, mut items, mut start) = (Vec::new(), Vec::new(), 0u64);
        let mut wanted = ids.iter();
        let mut next = wanted.next();
        for (number, SaidOfList { id, numbers: [size], .. }) in all.into_iter().enumerate() {
            let end = start + size as u64;
            if end > u64::from(u32::MAX) {
                return Err(format!("there are more than {} items in all shards", u32::MAX));
            }
            if next.is_some_and(|next| *next == id) {
                next = wanted.next();
                lists.push(number as u32);
                items.extend(start as u32..end as u32);
            }
            start = end;
        }
        Ok(Numbers { lists, items })
    }

    /// Those of some of the lists and their items.
    pub(super) fn take(&self, lists: &[usize], items: &[usize]) -> Self {
        Numbers {
            lists: lists.iter().map(|&list| self.lists[list]).collect(),
            items: items.iter().map(|&item| self.items[item]).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::shards::in_process;

    fn numbers(of: [(&[&str], &[usize]); 2]) -> Vec<Result<Numbers, String>> {
        std::thread::scope(|scope| {
            let shards = in_process(2).into_iter().zip(of);
            let each = |(shards, (ids, offsets)): (Shards, (_, _))| {
                scope.spawn(move || Numbers::among(ids, offsets, &shards))
            };
            let threads: Vec<_> = shards.map(each).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    #[test]
    fn lists_are_numbered_as_if_they_were_in_one_place() {
        let found = numbers([(&["a", "c"], &[0, 2, 3]), (&["b", "d"], &[0, 1, 4])]);
        let [first, second] = found.try_into().unwrap();
        let (first, second) = (first.unwrap(), second.unwrap());
        assert_eq!((first.lists, first.items), (vec![0, 2], vec![0, 1, 3]));
        assert_eq!((second.lists, second.items), (vec![1, 3], vec![2, 4, 5, 6]));
    }

    #[test]
    fn a_list_in_two_shards_is_refused() {
        for found in numbers([(&["a", "c"], &[0, 2, 3]), (&["c"], &[0, 1])]) {
            assert!(found.unwrap_err().contains("list c is in shard 1 and in shard 2: "));
        }
    }
}
