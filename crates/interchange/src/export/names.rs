//! Names of features in formats that do not allow all of them.

/// Replaces characters that a format does not allow by `_`; says so in a note. Names that become equal get numbers.
pub(super) fn allowed(
    names: impl Iterator<Item = String>,
    is_allowed: fn(char) -> bool,
    notes: &mut Vec<String>,
) -> Vec<String> {
    let mut taken = std::collections::HashSet::new();
    let mut renamed = Vec::new();
    let names: Vec<String> = names
        .map(|name| {
            let plain: String = name.chars().map(|c| if is_allowed(c) { c } else { '_' }).collect();
            let mut free = plain.clone();
            let mut number = 2;
            while !taken.insert(free.clone()) {
                free = format!("{plain}_{number}");
                number += 1;
            }
            if free != name {
                renamed.push(format!("`{}` is `{free}`", name.escape_debug()));
            }
            free
        })
        .collect();
    if !renamed.is_empty() {
        notes.push(format!("the format does not allow all names: {}", renamed.join(", ")));
    }
    names
}
