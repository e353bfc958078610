//! Memory for rows, reserved before it is needed: data that do not fit are refused, where a vector
//! that grows by itself would abort the program.

use std::collections::TryReserveError;

use super::{DataError, DataProblem, DatasetBuilder, Place};

impl DatasetBuilder {
    /// Makes room for this many further rows, or returns an error if there is not enough memory.
    pub fn reserve(&mut self, rows: usize) -> Result<(), DataError> {
        self.try_reserve(rows).map_err(|_| self.out_of_memory(rows, self.stride))
    }

    /// Makes room for one more row; if the memory is used up, it is doubled.
    pub(super) fn make_room(&mut self) -> Result<(), DataError> {
        const MIN_ROWS: usize = 16;
        if self.data.lines.len() == self.data.lines.capacity() {
            let rows = self.len().max(MIN_ROWS);
            self.try_reserve(rows).map_err(|_| self.out_of_memory(1, self.stride))?;
        }
        let room = self.data.features.values.try_reserve(self.stride);
        room.map_err(|_| self.out_of_memory(1, self.stride))
    }

    /// Makes room for longer rows.
    pub(super) fn make_room_for(&mut self, stride: usize) -> Result<(), DataError> {
        let values = &mut self.data.features.values;
        let more = (stride - self.stride).saturating_mul(self.list_of_row.len());
        values.try_reserve_exact(more).map_err(|_| self.out_of_memory(0, stride))
    }

    fn try_reserve(&mut self, rows: usize) -> Result<(), TryReserveError> {
        let data = &mut self.data;
        data.features.values.try_reserve(rows.saturating_mul(self.stride))?;
        data.lines.try_reserve(rows)?;
        self.list_of_row.try_reserve(rows)?;
        let c = &data.columns;
        let numbers = [
            (c.impact.is_some(), &mut data.impact),
            (c.weight.is_some(), &mut data.weight),
            (c.price.is_some(), &mut data.price),
            (c.time.is_some(), &mut data.time.keys),
        ];
        let numbers = numbers.into_iter().filter(|(is_there, _)| *is_there);
        for column in numbers.map(|(_, column)| column).chain(&mut data.extras) {
            column.try_reserve(rows)?;
        }
        if c.group.is_some() {
            data.group_of.try_reserve(rows)?;
        }
        let texts = [(c.id.is_some(), &mut data.ids), (c.time.is_some(), &mut data.time.text)];
        for (_, column) in texts.into_iter().filter(|(is_there, _)| *is_there) {
            column.try_reserve(rows)?;
        }
        Ok(())
    }

    fn out_of_memory(&self, more_rows: usize, features: usize) -> DataError {
        let rows = self.len().saturating_add(more_rows);
        let problem = DataProblem::OutOfMemory { rows, features };
        DataError::new(Place::source(self.source()), problem)
    }
}
