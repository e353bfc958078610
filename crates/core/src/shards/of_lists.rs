//! A few numbers of each list, told to all shards.

use super::Shards;

/// What a shard says of one of its lists.
#[derive(Debug, Clone, PartialEq)]
pub struct SaidOfList<const N: usize> {
    /// The id of the list.
    pub id: String,
    /// The numbers.
    pub numbers: [f64; N],
    /// The shard.
    pub rank: usize,
}

impl Shards {
    /// Numbers of the lists of all shards, in the order of their ids, of which each shard gives those of its own.
    ///
    /// ```
    /// use stakes_core::shards::Shards;
    /// let said = Shards::alone().gather_lists([("b", [1.0]), ("a", [2.0])]);
    /// assert_eq!((&said[0].id[..], said[0].numbers), ("a", [2.0]));
    /// ```
    pub fn gather_lists<'l, const N: usize>(
        &self,
        own: impl IntoIterator<Item = (&'l str, [f64; N])>,
    ) -> Vec<SaidOfList<N>> {
        let mut bytes = Vec::new();
        for (id, numbers) in own {
            bytes.extend((id.len() as u32).to_le_bytes());
            bytes.extend(id.as_bytes());
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        let all = self.gather(bytes);
        let of_shard = |(rank, bytes)| {
            parsed(bytes).map(move |(id, numbers)| SaidOfList { id, numbers, rank })
        };
        let mut lists: Vec<SaidOfList<N>> =
            all.iter().map(Vec::as_slice).enumerate().flat_map(of_shard).collect();
        lists.sort_unstable_by(|a, b| (&a.id, a.rank).cmp(&(&b.id, b.rank)));
        lists
    }
}

/// The ids and numbers that a shard has written.
fn parsed<const N: usize>(mut bytes: &[u8]) -> impl Iterator<Item = (String, [f64; N])> {
    std::iter::from_fn(move || {
        let (length, rest) = bytes.split_first_chunk()?;
        let (id, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let (numbers, rest) = rest.split_at_checked(8 * N)?;
        bytes = rest;
        let numbers = numbers.as_chunks().0;
        let numbers = std::array::from_fn(|at| f64::from_le_bytes(numbers[at]));
        Some((std::str::from_utf8(id).ok()?.to_owned(), numbers))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::in_process;
    use super::*;

    #[test]
    fn lists_of_all_shards_come_in_the_order_of_their_ids() {
        let own = [vec![("c", [0.5, -1.0]), ("a", [f64::NAN, 2.0])], vec![("b", [3.0, 4.0])]];
        let found: Vec<_> = std::thread::scope(|scope| {
            let shards = in_process(2).into_iter().zip(own);
            let each =
                |(shards, own): (Shards, Vec<_>)| scope.spawn(move || shards.gather_lists(own));
            let threads: Vec<_> = shards.map(each).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for said in found {
            let ids: Vec<(&str, usize)> = said.iter().map(|of| (&of.id[..], of.rank)).collect();
            assert_eq!(ids, [("a", 0), ("b", 1), ("c", 0)]);
            assert!(said[0].numbers[0].is_nan() && said[2].numbers == [0.5, -1.0]);
        }
    }
}
