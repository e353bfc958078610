//! What every learner promises, checked for every row of the table.

mod budgets;
mod cross_fit;
mod odd_data;
mod options;
mod presets;
mod progress;
mod promises;
mod refusals;
mod runs;
mod shards;
mod stored;
mod tuning;
mod world;
