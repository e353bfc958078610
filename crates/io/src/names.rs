//! The names in the header of a table.

use std::collections::HashSet;

use stakes_core::display::counted;

use crate::Roles;

/// Names of columns, each of them once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    pub(crate) names: Vec<String>,
    /// The number of each column whose name was there before, and that name.
    repeats: Vec<(usize, String)>,
}

impl Names {
    /// Names columns without a name by their position, `column 1`, and numbers names that repeat: the second `wind`
    /// is `wind_2`.
    pub(crate) fn new(header: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let name = |(i, field): (usize, _)| {
            let name = AsRef::<str>::as_ref(&field).trim().to_owned();
            if name.is_empty() { format!("column {}", i + 1) } else { name }
        };
        let written: Vec<String> = header.into_iter().enumerate().map(name).collect();
        let mut taken: HashSet<String> = written.iter().cloned().collect();
        let (mut seen, mut repeats) = (HashSet::new(), Vec::new());
        let mut names = written.clone();
        for (at, name) in written.into_iter().enumerate() {
            if seen.insert(name.clone()) {
                continue;
            }
            let numbered = (2_u64..).map(|n| format!("{name}_{n}"));
            let free = numbered.filter(|name| !taken.contains(name)).take(1).collect::<String>();
            taken.insert(free.clone());
            names[at] = free;
            repeats.push((at, name));
        }
        Names { names, repeats }
    }

    /// Says which names were numbered.
    pub(crate) fn note(&self) -> Option<String> {
        const MAX_SHOWN: usize = 5;
        let shown = self.repeats.iter().take(MAX_SHOWN);
        let shown: Vec<String> =
            shown.map(|(at, name)| format!("{name} is also {}", self.names[*at])).collect();
        let more = if self.repeats.len() > MAX_SHOWN { ", ..." } else { "" };
        let columns = counted(self.repeats.len(), "column");
        let what = format!("{columns} had the name of another: {}{more}", shown.join(", "));
        (!self.repeats.is_empty()).then_some(what)
    }

    /// The roles, with all columns left out that have a name to drop, but for those that are named otherwise.
    pub(crate) fn drop_repeats(&self, roles: &Roles) -> Roles {
        let mut roles = roles.clone();
        let lists = [&roles.drop, &roles.categorical, &roles.numeric, &roles.extras];
        let of_roles = roles.columns().map(|(_, column)| column.to_owned());
        let named: HashSet<String> = lists.into_iter().flatten().cloned().chain(of_roles).collect();
        let is_dropped = |name: &String| roles.drop.iter().any(|drop| drop.trim() == name);
        let repeats = self.repeats.iter().filter(|(_, name)| is_dropped(name));
        let repeats: Vec<String> = repeats.map(|(at, _)| self.names[*at].clone()).collect();
        roles.drop.extend(repeats.into_iter().filter(|name| !named.contains(name)));
        roles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_name_of_its_own() {
        let names = Names::new(["wind", "", " wind ", "wind_2", "wind"]);
        assert_eq!(names.names, ["wind", "column 2", "wind_3", "wind_2", "wind_4"]);
        let note = names.note();
        let expected =
            "2 columns had the name of another: wind is also wind_3, wind is also wind_4";
        assert_eq!(note.as_deref(), Some(expected));
        assert_eq!(Names::new(["a", "b"]).note(), None);
        let dropped = names.drop_repeats(&Roles::new().drop(["wind"]).numeric(["wind_4"]));
        assert_eq!(dropped.drop, ["wind", "wind_3"]);
    }
}
