//! Who belongs to which group: columns of values, and their combinations.

use std::collections::BTreeMap;

use stakes_core::suggest;

use crate::error::AuditError;

/// More groups than these are not compared in turn.
const MAX_GROUPS: usize = 50;
/// More columns than these are not combined.
const MAX_COLUMNS: usize = 4;
/// A column of numbers that are not whole with more values than these is a measurement.
const MAX_MEASURED: usize = 10;

/// A column of groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupColumn {
    /// Its name.
    pub name: String,
    /// The names of the groups.
    pub values: Vec<String>,
    /// The group of every item, as an index into `values`.
    pub codes: Vec<u32>,
}

impl GroupColumn {
    /// A column of these values, one per item; groups are in the order of their first appearance.
    pub fn of<T: AsRef<str>>(name: &str, items: impl IntoIterator<Item = T>) -> Self {
        let mut column =
            GroupColumn { name: name.to_owned(), values: Vec::new(), codes: Vec::new() };
        let mut known: BTreeMap<String, u32> = BTreeMap::new();
        for value in items {
            let next = known.len() as u32;
            let code = *known.entry(value.as_ref().to_owned()).or_insert(next);
            if code == next {
                column.values.push(value.as_ref().to_owned());
            }
            column.codes.push(code);
        }
        column
    }

    pub(crate) fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.values.len()];
        self.codes.iter().for_each(|&code| sizes[code as usize] += 1);
        sizes
    }

    pub(crate) fn check(&self) -> Result<(), AuditError> {
        let sizes = self.sizes();
        let used: Vec<usize> = (0..self.values.len()).filter(|&i| sizes[i] > 0).collect();
        let (column, items) = (self.name.clone(), self.codes.len());
        if let [only] = used[..] {
            return Err(AuditError::OneGroup { column, value: self.values[only].clone(), items });
        }
        let number = |&i: &usize| self.values[i].trim().parse::<f64>().ok();
        let numbers: Option<Vec<f64>> = used.iter().map(number).collect();
        let measured = numbers.is_some_and(|all| all.iter().any(|value| value.fract() != 0.0));
        // Ages and years are whole numbers; as groups they would have a handful of members each.
        let nearly_all = used.len() > 2 * MAX_GROUPS && 5 * used.len() > items;
        if (measured && used.len() > MAX_MEASURED) || nearly_all {
            return Err(AuditError::Continuous { column, groups: used.len(), items });
        }
        Ok(())
    }
}

/// The columns of groups that are audited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    columns: Vec<GroupColumn>,
}

impl Groups {
    /// Checks that there are groups to compare.
    ///
    /// # Errors
    /// If there is no column, one twice, one of a single value, or one that is a measurement.
    pub fn new(columns: Vec<GroupColumn>) -> Result<Self, AuditError> {
        if columns.is_empty() {
            return Err(AuditError::NoColumn);
        }
        if columns.len() > MAX_COLUMNS {
            return Err(AuditError::ManyColumns { columns: columns.len(), max: MAX_COLUMNS });
        }
        for (i, column) in columns.iter().enumerate() {
            if columns[..i].iter().any(|other| other.name == column.name) {
                return Err(AuditError::ColumnTwice { column: column.name.clone() });
            }
            column.check()?;
        }
        Ok(Groups { columns })
    }

    /// One column.
    ///
    /// # Errors
    /// As [`Groups::new`].
    pub fn one(column: GroupColumn) -> Result<Self, AuditError> {
        Groups::new(vec![column])
    }

    /// The columns.
    #[must_use]
    pub fn columns(&self) -> &[GroupColumn] {
        &self.columns
    }

    /// The columns and all combinations of several of them.
    fn with_combinations(&self) -> Vec<(GroupColumn, Vec<usize>)> {
        let all = 1..1_usize << self.columns.len();
        let parts = |set: usize| (0..self.columns.len()).filter(move |i| set >> i & 1 == 1);
        let mut sets: Vec<Vec<usize>> = all.map(|set| parts(set).collect()).collect();
        sets.sort_by_key(Vec::len);
        sets.into_iter().map(|set| (self.combined(&set), set)).collect()
    }

    fn combined(&self, set: &[usize]) -> GroupColumn {
        if let [one] = set {
            return self.columns[*one].clone();
        }
        let columns = || set.iter().map(|&i| &self.columns[i]);
        let name = columns().map(|column| column.name.as_str()).collect::<Vec<_>>().join(",");
        let mut combined = GroupColumn { name, values: Vec::new(), codes: Vec::new() };
        // Told apart by their codes: a value may hold a comma.
        let mut known: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        for item in 0..self.columns[0].codes.len() {
            let codes: Vec<u32> = columns().map(|column| column.codes[item]).collect();
            let next = known.len() as u32;
            let code = *known.entry(codes).or_insert(next);
            if code == next {
                let value =
                    |column: &GroupColumn| column.values[column.codes[item] as usize].clone();
                combined.values.push(columns().map(value).collect::<Vec<_>>().join(","));
            }
            combined.codes.push(code);
        }
        combined
    }

    /// What is compared: for each column and combination the groups, in order. Of combinations those with at
    /// least `min_combined` items; with `protected`, that group and the combinations it is part of. The group that
    /// is the `reference` of its column is always among them.
    pub(crate) fn partitions(
        &self,
        protected: Option<&str>,
        reference: Option<&str>,
        min_combined: usize,
    ) -> Result<Vec<Partition>, AuditError> {
        let wanted = protected.map(|value| self.find(value)).transpose()?;
        let reference = reference.map(|value| self.find(value)).transpose()?;
        let mut partitions = Vec::new();
        for (column, set) in self.with_combinations() {
            let sizes = column.sizes();
            let least = if set.len() > 1 { min_combined.max(2) } else { 2 };
            let is_wanted = |group: &u32| match wanted {
                None => true,
                Some((of, code)) => {
                    set.contains(&of) && {
                        let mut items = column.codes.iter().zip(&self.columns[of].codes);
                        items.find(|(g, _)| *g == group).is_some_and(|(_, c)| *c == code)
                    }
                }
            };
            let reference = reference.filter(|(of, _)| set == [*of]).map(|(_, code)| code);
            let all = (0..column.values.len() as u32).filter(|&g| sizes[g as usize] > 0);
            let (compared, small): (Vec<u32>, Vec<u32>) = all
                .filter(|group| is_wanted(group) || reference == Some(*group))
                .partition(|&g| sizes[g as usize] >= least);
            let named = small.iter().find(|&&g| wanted.is_some() || reference == Some(g));
            if let (true, Some(&group)) = (set.len() == 1, named) {
                let (column, values) = (column.name, column.values);
                return Err(AuditError::OneMember {
                    column,
                    group: values[group as usize].clone(),
                });
            }
            if compared.len() > MAX_GROUPS {
                let (groups, max) = (compared.len(), MAX_GROUPS);
                return Err(AuditError::ManyGroups { column: column.name, groups, max });
            }
            let name = |&g: &u32| column.values[g as usize].clone();
            let small = small.iter().map(name).collect();
            let combined = set.len() > 1;
            partitions.push(Partition { column, sizes, compared, reference, small, combined });
        }
        if partitions.iter().all(|partition| partition.compared.is_empty()) {
            return Err(AuditError::SmallGroups { columns: self.names() });
        }
        Ok(partitions)
    }

    fn names(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|c| format!("`{}`", c.name)).collect();
        names.join(", ")
    }

    /// The column and code of a group, given as `value` or `column=value`.
    fn find(&self, text: &str) -> Result<(usize, u32), AuditError> {
        let code = |column: &GroupColumn, value: &str| {
            column.values.iter().position(|known| known == value).map(|code| code as u32)
        };
        let plain = self.columns.iter().enumerate();
        let mut found = plain.filter_map(|(i, column)| Some((i, code(column, text)?)));
        if let Some(first) = found.next() {
            return Ok(first);
        }
        if let Some((name, value)) = text.split_once('=')
            && let Some(i) = self.columns.iter().position(|column| column.name == name)
            && let Some(code) = code(&self.columns[i], value)
        {
            return Ok((i, code));
        }
        let values =
            self.columns.iter().flat_map(|column| column.values.iter().map(String::as_str));
        let hint = suggest::hint(text, values.collect::<Vec<_>>());
        Err(AuditError::UnknownGroup { value: text.to_owned(), columns: self.names(), hint })
    }
}

/// A column and the groups of it that are compared.
#[derive(Debug, Clone)]
pub(crate) struct Partition {
    pub(crate) column: GroupColumn,
    pub(crate) sizes: Vec<usize>,
    pub(crate) compared: Vec<u32>,
    /// The one of them that the others are compared with as well.
    pub(crate) reference: Option<u32>,
    /// Groups with too few members.
    pub(crate) small: Vec<String>,
    pub(crate) combined: bool,
}

impl Partition {
    /// Whether every group of the column is compared, and there are more than two.
    pub(crate) fn is_in_turn(&self) -> bool {
        let used = self.sizes.iter().filter(|&&size| size > 0).count();
        self.compared.len() > 2 && self.compared.len() + self.small.len() == used
    }
}
