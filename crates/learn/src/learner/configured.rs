//! Learners whose parameters were given as texts: by hand, in a file, by a preset.

use std::collections::BTreeSet;

use super::Learner;
use crate::params::{ParamError, canonical_key};
use crate::preset;

/// A learner whose parameters were given as texts.
#[derive(Debug, Clone)]
pub struct Configured {
    /// The learner, with what was given in place of its defaults.
    pub learner: Box<dyn Learner>,
    /// The keys of the parameters that were given: these are not tuned.
    pub given: BTreeSet<String>,
    /// The keys that a preset has set, if one was given.
    preset: Option<BTreeSet<String>>,
}

impl From<Box<dyn Learner>> for Configured {
    /// A learner as it is.
    fn from(learner: Box<dyn Learner>) -> Self {
        Configured { learner, given: BTreeSet::new(), preset: None }
    }
}

impl Configured {
    /// Sets the given parameters of a learner, none of them twice.
    pub fn new<'t>(
        learner: Box<dyn Learner>,
        pairs: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<Self, ParamError> {
        let mut configured = Configured::from(learner);
        for (key, text) in pairs {
            configured.set(key, text)?;
        }
        Ok(configured)
    }

    /// Sets a parameter that was not given yet. The key [`preset::KEY`] sets all those of a preset that
    /// are not given, before or after.
    pub fn set(&mut self, key: &str, text: &str) -> Result<(), ParamError> {
        if canonical_key(key) == preset::KEY {
            return match self.preset {
                Some(_) => Err(ParamError::Twice(preset::KEY.to_owned())),
                None => self.set_preset(text),
            };
        }
        let key = self.learner.set(key, text)?;
        match self.given.insert(key.clone()) {
            true => Ok(()),
            false => Err(ParamError::Twice(key)),
        }
    }

    /// Sets parameters that were not given yet, and leaves the others as they are.
    pub fn set_defaults<'t>(
        &mut self,
        pairs: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<(), ParamError> {
        for (key, text) in pairs {
            if canonical_key(key) == preset::KEY {
                preset::settings(self.learner.name(), text.trim())?;
                if self.preset.is_none() {
                    self.set_preset(text)?;
                }
                continue;
            }
            let mut changed = self.learner.clone();
            if self.given.insert(changed.set(key, text)?) {
                self.learner = changed;
            }
        }
        Ok(())
    }

    fn set_preset(&mut self, name: &str) -> Result<(), ParamError> {
        let settings = preset::settings(self.learner.name(), name.trim())?;
        let mut keys = BTreeSet::new();
        for (key, text) in settings.into_iter().filter(|(key, _)| !self.given.contains(*key)) {
            keys.insert(self.learner.set(key, text)?);
        }
        self.preset = Some(keys);
        Ok(())
    }

    /// Whether a parameter was given, or set by a preset that was: then it is not tuned.
    pub fn is_fixed(&self, key: &str) -> bool {
        let preset = self.preset.as_ref();
        self.given.contains(key) || preset.is_some_and(|keys| keys.contains(key))
    }
}
