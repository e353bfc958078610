//! What comes out of a log.

use stakes_core::data::{Dataset, Role};
use stakes_core::display::{counted, nice_number};
use stakes_io::Roles;

use super::LeftOut;
use crate::config::{Config, Guess};

/// Lists that can be learnt from.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// Lists of items with their impact and features.
    pub data: Dataset,
    /// What was counted.
    pub summary: Summary,
    /// What should be known of the log and the joined files.
    pub notes: Vec<String>,
    /// Questions that only a person can answer.
    pub questions: Vec<String>,
    /// Columns that are known only afterwards and were kept.
    pub outcomes: Vec<String>,
}

/// What was counted.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // The names say it.
pub struct Summary {
    pub events: usize,
    pub left_out: LeftOut,
    pub lists: usize,
    pub empty_lists: usize,
    pub items: usize,
    pub rows: usize,
    /// Rows of items to which nothing happened.
    pub zeros: usize,
    pub cost: f64,
    pub joined: usize,
    pub attributes: usize,
    pub history: usize,
}

impl Prepared {
    /// The roles of the columns.
    pub fn roles(&self) -> Roles {
        let columns = self.data.columns();
        let roles = [Role::List, Role::Impact, Role::Id, Role::Time].into_iter();
        let given = roles.filter_map(|role| Some((role, columns.role(role)?)));
        let roles = given.fold(Roles::new(), |roles, (role, name)| roles.with_role(role, name));
        roles.drop(self.outcomes.clone())
    }

    /// A first `stakes.toml` for the data.
    pub fn config(&self) -> Guess {
        let mut guess = Guess {
            config: Config { columns: self.roles(), ..Config::default() },
            questions: self.questions.clone(),
            ..Guess::default()
        };
        guess.add_reach(&self.data);
        guess
    }
}

impl Summary {
    /// Lines for people: what was read, what was made.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let LeftOut { no_list, no_item } = self.left_out;
        let mut events = counted(self.events, "event");
        if no_list + no_item > 0 {
            events += &format!(
                ", of which {no_list} without a list and {no_item} without an item left out"
            );
        }
        let mut lists = counted(self.lists, "list");
        if self.empty_lists > 0 {
            lists += &format!(", {} without any event", self.empty_lists);
        }
        let rows = counted(self.rows, "row");
        let zeros = match self.zeros {
            0 => String::new(),
            zeros => {
                format!(", {} of them items without an event", nice_number(zeros as f64))
            }
        };
        vec![
            ("read", events),
            ("lists", lists),
            ("items", counted(self.items, "item")),
            ("rows", format!("{rows}{zeros}; cost {} in all", nice_number(self.cost))),
            (
                "columns",
                format!(
                    "{} of history, {} joined, {} carried along",
                    self.history, self.joined, self.attributes
                ),
            ),
        ]
    }
}
