//! What implementations of [`Learner`](crate::Learner) repeat.

/// What every `impl Learner` repeats: its groups of parameters, by field, and how it is copied.
#[macro_export]
macro_rules! parameters {
    ($($field:ident),* $(,)?) => {
        fn groups(&self) -> Vec<&dyn $crate::params::ParamGroup> {
            vec![$( &self.$field ),*]
        }

        fn groups_mut(&mut self) -> Vec<&mut dyn $crate::params::ParamGroup> {
            vec![$( &mut self.$field ),*]
        }

        fn boxed(&self) -> Box<dyn $crate::Learner> {
            Box::new(self.clone())
        }
    };
}

/// What every `impl Learner` of trees repeats, given its field `trees`.
macro_rules! grows_trees {
    ($unit:ident) => {
        fn kind(&self) -> $crate::learner::Kind {
            $crate::learner::Kind::Trees($crate::learner::TreeUnit::$unit)
        }

        fn trees(&self) -> Option<&$crate::tree::Trees> {
            Some(&self.trees)
        }
    };
}

/// What every `impl Learner` of a linear score or a net repeats, given its field `inputs`.
macro_rules! reads_inputs {
    () => {
        fn kind(&self) -> $crate::Kind {
            $crate::Kind::Weights
        }

        fn list_scaling(&self) -> stakes_model::ListScaling {
            self.inputs.within
        }
    };
}
pub(crate) use {grows_trees, reads_inputs};
