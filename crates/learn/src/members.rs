//! The members of a protected group among the training items.

use crate::error::FitError;
use crate::learner::Learner;
use crate::prepared::Prepared;

/// Returns whether each training item, in canonical order, is a member of the group that the learner's parameter
/// `protected` names.
pub(crate) fn members(
    learner: &dyn Learner,
    prepared: &Prepared<'_>,
    protected: &str,
) -> Result<Vec<bool>, FitError> {
    let part = &prepared.training;
    let Some((codes, names)) = part.data.groups() else {
        let what = "none where the data name no groups";
        return Err(learner.refuse("protected", what).into());
    };
    let Some(code) = names.iter().position(|name| name == protected) else {
        let hint = stakes_core::suggest::hint(protected, names.iter().map(String::as_str));
        return Err(FitError::Data(format!("there is no group `{protected}`; {hint}")));
    };
    let is_member = |row: &u32| codes[*row as usize] as usize == code;
    Ok(part.lists.rows().iter().map(is_member).collect())
}
