//! A pass through all records of a table: pieces are parsed in parallel and taken in order, so that the outcome does not
//! depend on the number of threads, and the first mistake in the file is the one that is told.

use std::io::{self, Read};

use csv::ByteRecord;
use rayon::prelude::*;

use super::Records;
use super::pieces::{Piece, Pieces};
use super::records::{Stop, refusal};
use crate::ReadError;

/// Enough pieces that a free thread finds another one to parse.
const PIECES_PER_THREAD: usize = 3;
/// The number of records that are taken at a time where they are in memory already.
const RECORDS: usize = 1000;

/// A piece and what was made of it.
struct Part<T> {
    piece: Piece,
    is_there: bool,
    content: T,
    end: Result<(), ReadError>,
}

/// Calls `each` with every record, on any thread, to add it to the content of its piece; then `take` with the content of
/// every piece, in order. A record that `each` refuses is the last of its piece.
pub(super) fn pass<T: Default + Send>(
    records: &Records<'_>,
    each: impl Fn(&mut T, u64, &ByteRecord) -> Result<(), ReadError> + Send + Sync,
    mut take: impl FnMut(T) -> Result<(), ReadError> + Send,
) -> Result<(), ReadError> {
    let Some(made) = &records.made else {
        return match records.text.is_short() {
            true => in_turn(records, each, take),
            // On a thread of the pool: from any other, each `join` would wake one and wait for it.
            false => rayon::scope(|_| in_parallel(records, each, take)),
        };
    };
    for some in made.chunks(RECORDS) {
        let mut content = T::default();
        let end = some.iter().try_for_each(|(line, record)| each(&mut content, *line, record));
        take(content)?;
        end?;
    }
    Ok(())
}

/// A few rows are read where they arrived: a service should not wait for threads that are at work.
fn in_turn<T: Default>(
    records: &Records<'_>,
    each: impl Fn(&mut T, u64, &ByteRecord) -> Result<(), ReadError>,
    mut take: impl FnMut(T) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    refusal(records.for_each_piece(|piece| {
        let mut content = T::default();
        let row =
            |line, record: &ByteRecord| each(&mut content, line, record).map_err(Stop::Refused);
        let end = records.rows(piece, row);
        take(content).map_err(Stop::Refused)?;
        end
    }))
}

fn in_parallel<T: Default + Send>(
    records: &Records<'_>,
    each: impl Fn(&mut T, u64, &ByteRecord) -> Result<(), ReadError> + Send + Sync,
    mut take: impl FnMut(T) -> Result<(), ReadError> + Send,
) -> Result<(), ReadError> {
    let wrong = |error| ReadError::io(records.source, error);
    let mut pieces = records.text.pieces(records.start, records.delimiter).map_err(wrong)?;
    let batch = || -> Vec<Part<T>> {
        let count = PIECES_PER_THREAD * rayon::current_num_threads();
        (0..count).map(|_| Part::default()).collect()
    };
    let parse = |part: &mut Part<T>| {
        let Part { piece, content, .. } = part;
        let row = |line, record: &ByteRecord| each(content, line, record).map_err(Stop::Refused);
        part.end = refusal(records.rows(piece, row));
    };
    let mut take_all = |parts: &mut [Part<T>]| {
        parts.iter_mut().filter(|part| part.is_there).try_for_each(|part| {
            take(std::mem::take(&mut part.content))?;
            std::mem::replace(&mut part.end, Ok(()))
        })
    };
    // As for LETOR: one thread reads the next batch and takes the last one, while others parse the one between.
    let (mut parsed, mut now, mut next) = (batch(), batch(), batch());
    fill(&mut pieces, &mut now).map_err(wrong)?;
    while now[0].is_there {
        let (front, ()) = rayon::join(
            || {
                take_all(&mut parsed)?;
                Ok::<_, ReadError>(fill(&mut pieces, &mut next))
            },
            || now.par_iter_mut().filter(|part| part.is_there).for_each(parse),
        );
        if let Err(error) = front? {
            // A mistake in the text before may explain this one.
            take_all(&mut now)?;
            return Err(wrong(error));
        }
        (parsed, now, next) = (now, next, parsed);
    }
    take_all(&mut parsed)
}

fn fill<T>(pieces: &mut Pieces<impl Read>, batch: &mut [Part<T>]) -> io::Result<()> {
    batch.iter_mut().try_for_each(|part| {
        part.is_there = pieces.next(&mut part.piece)?;
        Ok(())
    })
}

impl<T: Default> Default for Part<T> {
    fn default() -> Self {
        Part { piece: Piece::default(), is_there: false, content: T::default(), end: Ok(()) }
    }
}
