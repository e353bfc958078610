//! The numbers of lists and items among those of all shards.
//!
//! Random draws are numbered by item and by list. Where each shard has only some of the lists, their numbers are
//! those that they would have if all lists were in one place: by the order of list ids, of which each shard tells
//! its own.

use crate::shards::Shards;

/// The numbers of the lists and items of a shard.
#[derive(Debug, Clone)]
pub(super) struct Numbers {
    pub(super) lists: Vec<u32>,
    pub(super) items: Vec<u32>,
}

impl Numbers {
    /// Those of lists with these ids, which ascend, whose items begin at these offsets.
    pub(super) fn among(ids: &[&str], offsets: &[usize], shards: &Shards) -> Result<Self, String> {
        let mut own = Vec::new();
        for (id, ends) in ids.iter().zip(offsets.windows(2)) {
            own.extend((id.len() as u32).to_le_bytes());
            own.extend(id.as_bytes());
            own.extend(((ends[1] - ends[0]) as u32).to_le_bytes());
        }
        let all = shards.gather(own);
        if let Some(failure) = shards.failure() {
            return Err(failure);
        }
        let mut others: Vec<(&str, u32, usize)> = Vec::new();
        for (rank, bytes) in all.iter().enumerate() {
            others.extend(lists_of(bytes).map(|(id, items)| (id, items, rank)));
        }
        others.sort_unstable();
        if let Some(pair) = others.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let [first, second] = [0, 1].map(|at| pair[at].2 + 1);
            return Err(format!(
                "list {} is in shard {first} and in shard {second} of {}: each list must be whole in one of them",
                pair[0].0,
                all.len()
            ));
        }
        let (mut lists, mut items, mut start) = (Vec::new(), Vec::new(), 0u64);
        let mut wanted = ids.iter();
        let mut next = wanted.next();
        for (number, (id, size, _)) in others.into_iter().enumerate() {
            let end = start + u64::from(size);
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

/// The ids and sizes that a shard has written.
fn lists_of(mut bytes: &[u8]) -> impl Iterator<Item = (&str, u32)> {
    std::iter::from_fn(move || {
        let (length, rest) = bytes.split_first_chunk()?;
        let (id, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let (size, rest) = rest.split_first_chunk()?;
        bytes = rest;
        Some((std::str::from_utf8(id).ok()?, u32::from_le_bytes(*size)))
    })
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
            assert!(found.unwrap_err().contains("list c is in shard 1 and in shard 2 of 2"));
        }
    }
}
