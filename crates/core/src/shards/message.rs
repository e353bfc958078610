//! Messages of shards as bytes, for whatever carries them.
//!
//! `S` begins numbers to be added, `G` texts to be put one after the other. Numbers are packed, as many cells of a
//! histogram are 0: of each 64 numbers those that are not 0, behind a word whose bits say which they are.
//!
//! ```
//! use stakes_core::shards::{Message, combine};
//! let messages = [Message::Sum(vec![1, 0, 2]), Message::Sum(vec![5, 0, -2])].map(|message| message.to_bytes());
//! let parts: Vec<&[u8]> = messages.iter().map(|bytes| &bytes[..]).collect();
//! assert_eq!(Message::parse(&combine(&parts).unwrap()), Some(Message::Sum(vec![6, 0, 0])));
//! ```

/// What a shard tells the others, or what all of them have told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Numbers that are added, place by place.
    Sum(Vec<i64>),
    /// What each shard has said, by rank.
    Gather(Vec<Vec<u8>>),
}

/// The numbers that one word of bits tells of.
const GROUP: usize = u64::BITS as usize;

impl Message {
    /// The message as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Message::Sum(numbers) => packed(numbers),
            Message::Gather(parts) => {
                let mut bytes = vec![b'G'];
                for part in parts {
                    bytes.extend((part.len() as u64).to_le_bytes());
                    bytes.extend_from_slice(part);
                }
                bytes
            }
        }
    }

    /// The messages of shards as one, as [`combine`] does it.
    #[must_use]
    pub fn of_all(messages: &[&[u8]]) -> Option<Message> {
        let kind = *messages.first()?.first()?;
        if messages.iter().any(|message| message.first() != Some(&kind)) {
            return None;
        }
        if kind != b'S' {
            let parts = messages.iter().map(|message| match Message::parse(message)? {
                Message::Gather(parts) => Some(parts),
                Message::Sum(_) => None,
            });
            return Some(Message::Gather(parts.collect::<Option<Vec<_>>>()?.concat()));
        }
        let mut sums = Vec::new();
        for (at, message) in messages.iter().enumerate() {
            let length = sums.len();
            add_packed(&message[1..], &mut sums)?;
            if at > 0 && sums.len() != length {
                return None;
            }
        }
        Some(Message::Sum(sums))
    }

    /// The message of these bytes; `None` if they are no message.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Message> {
        let (kind, mut rest) = bytes.split_first()?;
        match kind {
            b'S' => {
                let mut numbers = Vec::new();
                add_packed(rest, &mut numbers)?;
                Some(Message::Sum(numbers))
            }
            b'G' => {
                let mut parts = Vec::new();
                while !rest.is_empty() {
                    let (length, after) = rest.split_first_chunk()?;
                    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
                    let (part, after) = after.split_at_checked(length)?;
                    parts.push(part.to_vec());
                    rest = after;
                }
                Some(Message::Gather(parts))
            }
            _ => None,
        }
    }
}

/// The messages of shards, in the order of their ranks, as one: sums are added, the rest is put one after the other.
/// Groups of messages may be combined first. `None` if they do not belong together.
#[must_use]
pub fn combine(messages: &[&[u8]]) -> Option<Vec<u8>> {
    Some(Message::of_all(messages)?.to_bytes())
}

/// Numbers as a message.
pub(super) fn packed(numbers: &[i64]) -> Vec<u8> {
    const HEAD: usize = 1 + size_of::<u64>();
    let most = numbers.len() + numbers.len().div_ceil(GROUP);
    let mut bytes = vec![0; HEAD + most * size_of::<u64>()];
    bytes[0] = b'S';
    bytes[1..HEAD].copy_from_slice(&(numbers.len() as u64).to_le_bytes());
    let (words, mut end) = (bytes[HEAD..].as_chunks_mut().0, 0);
    for group in numbers.chunks(GROUP) {
        let (at, mut bits) = (end, 0);
        end += 1;
        // Each number is written, and the next one in its place if it is 0: quicker than asking first.
        for (place, number) in group.iter().enumerate() {
            words[end] = number.to_le_bytes();
            end += usize::from(*number != 0);
            bits |= u64::from(*number != 0) << place;
        }
        words[at] = bits.to_le_bytes();
    }
    bytes.truncate(HEAD + end * size_of::<u64>());
    bytes
}

/// Adds packed numbers to others; `None` if these are no packed numbers. Numbers that are missing in `sums` are 0.
fn add_packed(bytes: &[u8], sums: &mut Vec<i64>) -> Option<()> {
    let (length, rest) = bytes.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let mut words = match rest.as_chunks() {
        // Each group has a word at least: a length that cannot be is refused before there is room for it.
        (words, []) if words.len() >= length.div_ceil(GROUP) => words.iter(),
        _ => return None,
    };
    sums.resize(sums.len().max(length), 0);
    for group in sums[..length].chunks_mut(GROUP) {
        let mut bits = u64::from_le_bytes(*words.next()?);
        if bits == u64::MAX && group.len() == GROUP {
            let (all, rest) = words.as_slice().split_first_chunk::<GROUP>()?;
            for (sum, number) in group.iter_mut().zip(all) {
                *sum = sum.wrapping_add(i64::from_le_bytes(*number));
            }
            words = rest.iter();
            continue;
        }
        while bits != 0 {
            let sum = group.get_mut(bits.trailing_zeros() as usize)?;
            *sum = sum.wrapping_add(i64::from_le_bytes(*words.next()?));
            bits &= bits - 1;
        }
    }
    words.next().is_none().then_some(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Sums of any numbers, combined at once and in groups.
        #[test]
        fn sums_are_sums(
            rows in (0usize..200).prop_flat_map(|n| {
                let number = prop_oneof![Just(0i64), any::<i64>()];
                prop::collection::vec(prop::collection::vec(number, n), 1..5)
            })
        ) {
            let bytes: Vec<Vec<u8>> =
                rows.iter().map(|row| Message::Sum(row.clone()).to_bytes()).collect();
            let parts: Vec<&[u8]> = bytes.iter().map(|bytes| &bytes[..]).collect();
            let expected: Vec<i64> = (0..rows[0].len())
                .map(|at| rows.iter().fold(0i64, |sum, row| sum.wrapping_add(row[at])))
                .collect();
            let whole = combine(&parts).unwrap();
            prop_assert_eq!(Message::parse(&whole), Some(Message::Sum(expected)));
            let (some, others) = parts.split_at(parts.len() / 2);
            if let Some(first) = combine(some) {
                let rest = combine(others).unwrap();
                prop_assert_eq!(combine(&[&first, &rest]), Some(whole));
            }
        }

        /// Whatever arrives, nothing panics, and what is taken for a message comes back.
        #[test]
        fn odd_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..80), kind in "[SG]") {
            let bytes = [kind.as_bytes(), &bytes[..]].concat();
            if let Some(message) = Message::parse(&bytes) {
                prop_assert_eq!(Message::parse(&message.to_bytes()), Some(message));
            }
            let _ = combine(&[&bytes, &bytes]);
        }
    }

    #[test]
    fn what_shards_say_is_kept_in_order() {
        let say = |text: &str| Message::Gather(vec![text.as_bytes().to_vec()]).to_bytes();
        let (a, b, c) = (say("a"), say(""), say("cc"));
        let whole = combine(&[&a, &b, &c]).unwrap();
        assert_eq!(combine(&[&combine(&[&a, &b]).unwrap(), &c]), Some(whole.clone()));
        let Some(Message::Gather(said)) = Message::parse(&whole) else { panic!("texts") };
        assert_eq!(said, [b"a".to_vec(), Vec::new(), b"cc".to_vec()]);
    }

    #[test]
    fn messages_that_do_not_belong_together_are_refused() {
        let sum = |n: usize| Message::Sum(vec![1; n]).to_bytes();
        let said = Message::Gather(vec![vec![1]]).to_bytes();
        assert_eq!(combine(&[&sum(3), &said]), None);
        assert_eq!(combine(&[&sum(3), &sum(4)]), None);
        assert_eq!(combine(&[]), None);
    }
}
