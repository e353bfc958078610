//! What is asked for: by flags, where they say nothing by stakes.toml, and else by the task.

use anyhow::bail;
use stakes::Task;
use stakes::config::{Config, DEFAULT_LEARNER, TrainConfig};
use stakes::goal::Goal;
use stakes::learn::Configured;

use super::Train;
use crate::args::{note_config, specs, use_config};

impl Train {
    /// Fills in from stakes.toml what flags do not say, and says what.
    pub(super) fn use_config(&mut self, task: &Task) -> anyhow::Result<Config> {
        let config = self.data.load_config(true)?.for_task(task);
        let metric = self.metric.as_deref();
        let mut used = use_config(&config, &mut self.data, &mut self.cost, metric)?;
        used.extend(self.sides.use_config(&config.train));
        if self.run.seed.is_none() {
            self.run.seed = config.train.seed;
            used.extend(config.train.seed.map(|seed| format!("seed {seed}")));
        }
        let learner = config.train.learner.as_ref().filter(|_| self.learner.is_none());
        used.extend(learner.map(|name| format!("learner {name}")));
        if self.is_for(&config.train) {
            let pairs = config.train.parameters.iter();
            used.extend(pairs.map(|(key, value)| format!("{key} {value}")));
        }
        note_config(&config, &used);
        Ok(config)
    }

    /// Whether the parameters in stakes.toml are for the learner that is trained.
    fn is_for(&self, train: &TrainConfig) -> bool {
        let of_file = train.learner.as_deref().unwrap_or(DEFAULT_LEARNER);
        self.learner.as_ref().is_none_or(|learner| learner.name() == of_file)
    }

    /// The learner with its parameters.
    pub(super) fn configured(
        &self,
        train: &TrainConfig,
        task: &Task,
    ) -> anyhow::Result<Configured> {
        let asked = match &self.learner {
            Some(learner) => learner.clone(),
            None => train.learner()?,
        };
        let name = asked.name();
        let mut configured = self.params.settings(task.learner(asked)?)?;
        if self.is_for(train) && configured.learner.name() == name {
            configured.set_defaults(train.pairs())?;
        }
        Ok(configured)
    }

    pub(super) fn seed(&self) -> u64 {
        self.run.seed.unwrap_or(0)
    }

    pub(super) fn goal(&self, task: &Task) -> anyhow::Result<Goal> {
        if let Some(text) = &self.metric {
            match specs(text)?.len() {
                1 => {}
                n => bail!(
                    "--metric names {n} metrics; give the one for early stopping and model selection"
                ),
            }
        }
        self.cost.goal_or(self.metric.as_deref(), &task.goal())
    }
}
