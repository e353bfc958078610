//! One role after the other: what is a list decides what can be an id or a time.

use stakes_core::data::Role;
use stakes_core::display::counted;

use super::column::Column;
use super::vocabulary as words;
use super::{GuessedRole, LeftOut, RoleGuess};
use crate::names::MIN_ROWS;

/// The share of lists in which a time must be the same for all items, so that some lists are later than
/// others.
const SAME_TIME: f64 = 0.9;

/// A guess in the making.
pub(super) struct Guesser<'a> {
    columns: &'a [Column<'a>],
    rows: usize,
    /// Which columns may still get a role.
    free: Vec<bool>,
    guess: RoleGuess,
}

/// A column, and why.
type Found = Option<(usize, String)>;

impl<'a> Guesser<'a> {
    pub(super) fn new(
        columns: &'a [Column<'a>],
        rows: usize,
        given: &[(Role, &str)],
        features: &[&str],
    ) -> Self {
        let is_taken = |name: &str| {
            features.contains(&name) || given.iter().any(|(_, column)| *column == name)
        };
        let role = |(role, column): &(Role, &str)| GuessedRole {
            role: *role,
            column: (*column).to_owned(),
            why: "as given".to_owned(),
        };
        Guesser {
            columns,
            rows,
            free: columns.iter().map(|column| !is_taken(column.name)).collect(),
            guess: RoleGuess { roles: given.iter().map(role).collect(), ..RoleGuess::default() },
        }
    }

    pub(super) fn guess(mut self) -> RoleGuess {
        let lists = match self.guess.column(Role::List) {
            Some(_) => Vec::new(),
            None => self.possible_lists(),
        };
        self.find(Role::List, Self::list);
        self.find(Role::Impact, Self::impact);
        self.find(Role::Id, Self::id);
        self.find(Role::Time, Self::time);
        self.find(Role::Price, Self::price);
        self.find(Role::Weight, Self::weight);
        for at in (0..self.columns.len()).filter(|&at| self.free[at]) {
            let column = &self.columns[at];
            match self.why_not_a_feature(column) {
                Some(why) => {
                    let column = column.name.to_owned();
                    self.guess.left_out.push(LeftOut { column, why });
                }
                None => self.guess.questions.extend(question(column)),
            }
        }
        let others = lists.into_iter().filter(|&at| self.free[at]);
        self.guess.possible_lists = others.map(|at| self.columns[at].name.to_owned()).collect();
        self.guess.missing_impacts = self.of_role(Role::Impact).map_or(0, |column| column.missing);
        self.guess.roles.sort_by_key(|guess| guess.role);
        self.guess
    }

    fn find(&mut self, role: Role, search: fn(&Self) -> Found) {
        if self.guess.column(role).is_some() {
            return;
        }
        if let Some((at, why)) = search(self) {
            self.free[at] = false;
            let column = self.columns[at].name.to_owned();
            self.guess.roles.push(GuessedRole { role, column, why });
        }
    }

    fn of_role(&self, role: Role) -> Option<&Column<'a>> {
        let name = self.guess.column(role)?;
        self.columns.iter().find(|column| column.name == name)
    }

    /// The free columns with their numbers.
    fn free(&self) -> impl Iterator<Item = (usize, &Column<'a>)> {
        self.columns.iter().enumerate().filter(|(at, _)| self.free[*at])
    }

    /// Columns of values that repeat, under the most telling name; text before numbers.
    fn lists_by_name(&self) -> Vec<usize> {
        let telling = |column: &Column<'_>| {
            let word = list_word(column)?;
            let in_tier = |names: &[&str]| names.iter().position(|name| *name == word);
            let mut tiers = words::LISTS.iter().enumerate();
            tiers.find_map(|(tier, (least, names))| {
                let enough = column.distinct >= *least;
                Some((tier, in_tier(names).filter(|_| enough)?, !column.is_text()))
            })
        };
        let named = self.free().filter(|(_, column)| may_be_list(column));
        let mut named: Vec<_> =
            named.filter_map(|(at, column)| Some((telling(column)?, at))).collect();
        named.sort_unstable();
        named.into_iter().map(|(_, at)| at).collect()
    }

    /// Columns that could be the list: by their names, or else text whose values repeat.
    fn possible_lists(&self) -> Vec<usize> {
        // Numbers of more different values are quantities, such as the income of a state.
        const MIN_ROWS_EACH: usize = 5;
        let mut named = self.lists_by_name();
        if !named.is_empty() {
            let few = |column: &Column<'_>| MIN_ROWS_EACH * column.distinct <= self.rows;
            named.retain(|&at| self.columns[at].is_text() || few(&self.columns[at]));
            return named;
        }
        let text = |column: &Column<'_>| column.is_text() && may_be_list(column);
        self.free().filter(|(_, column)| text(column)).map(|(at, _)| at).collect()
    }

    /// The likeliest column of values that repeat.
    fn list(&self) -> Found {
        let best = *self.lists_by_name().first()?;
        let (values, rows) = (counted(self.columns[best].distinct, "value"), self.rows);
        Some((best, format!("{values} in {}, by its name", counted(rows, "row"))))
    }

    /// Numbers from 0 up, under the most telling name, or else in the last column.
    fn impact(&self) -> Found {
        let fits = |column: &Column<'_>| {
            let range = column.range.is_some_and(|(low, high)| low >= 0.0 && high > low);
            range && 2 * column.missing < self.rows
        };
        let telling = |column: &Column<'_>| {
            let name = column.words.join(" ");
            // Beside x, y is a coordinate.
            let is_y = name == "y" && self.columns.iter().all(|other| other.words != ["x"]);
            if is_y || words::IMPACT_NAMES.contains(&name.as_str()) {
                return Some(0);
            }
            let outcomes = words::OUTCOMES.iter().chain(&words::MAYBE_OUTCOMES);
            let known_before = says(column, &words::KNOWN_BEFORE);
            let at = outcomes.enumerate().find(|(_, word)| says(column, &[word]))?.0;
            (!known_before).then_some(1 + at)
        };
        let named = self.free().filter(|(_, column)| fits(column));
        let named = named.filter_map(|(at, column)| Some((telling(column)?, column.missing, at)));
        let is_other =
            |column: &Column<'_>| says(column, &words::IDS) || says(column, &words::TIMES);
        let last = || {
            let last = self.free().last().filter(|(_, c)| fits(c) && !is_other(c));
            last.map(|(at, _)| at)
        };
        let (at, how) = match named.min() {
            Some((.., at)) => (at, "by its name"),
            None => (last()?, "the last column"),
        };
        Some((at, format!("{}, {how}", self.columns[at].range_text())))
    }

    /// Values that differ within every list: under the name of an id, or text, or a row number.
    fn id(&self) -> Found {
        let list = self.of_role(Role::List);
        let differs = |column: &Column<'_>| match list {
            Some(list) if self.rows >= MIN_ROWS => column.pairs_with(list) == self.rows,
            _ => column.is_unique(),
        };
        let rank = |column: &Column<'_>| {
            let name = column.name.to_lowercase();
            let named = says(column, &words::IDS)
                || column.is_unique() && (name.starts_with("id") || name.ends_with("id"));
            match column {
                _ if named => Some(0),
                column if column.is_text() && !column.has_dates => Some(1),
                column if column.counts_rows() && self.rows >= MIN_ROWS => Some(2),
                _ => None,
            }
        };
        let usable = |column: &Column<'_>| {
            column.missing == 0 && (column.is_text() || column.is_whole) && !is_outcome(column)
        };
        let named = self.free().filter(|(_, column)| usable(column));
        let ranked = named.filter_map(|(at, column)| Some((rank(column)?, at, column)));
        let unique = ranked.filter(|(.., column)| differs(column)).map(|(rank, at, _)| (rank, at));
        let (rank, at) = unique.min()?;
        let how = ["by its name", "text", "a row number"][rank];
        let within = if list.is_some() { "no value twice in a list" } else { "no value twice" };
        Some((at, format!("{within}, {how}")))
    }

    /// Dates, or numbers with such a name, that are the same for all items of a list: only then are some
    /// lists later than others.
    fn time(&self) -> Found {
        let list = self.of_role(Role::List)?;
        let fits = |column: &Column<'_>| {
            let is_time = column.has_dates || !column.is_text() && says(column, &words::TIMES);
            is_time && column.missing == 0 && column.distinct > 1 && !is_outcome(column)
        };
        let lists = list.distinct;
        let is_later = |column: &Column<'_>| {
            let more = column.pairs_with(list) - lists;
            more as f64 <= (1.0 - SAME_TIME) * lists as f64
        };
        let found = self.free().filter(|(_, c)| fits(c) && is_later(c));
        let (_, at) = found.map(|(at, column)| (!column.has_dates, at)).min()?;
        let times = counted(self.columns[at].distinct, "value");
        Some((at, format!("{times}, the same within a list")))
    }

    /// The price of acting. (A column called just `price` is more likely that of a product.)
    fn price(&self) -> Found {
        let fits = |column: &Column<'_>| {
            let acting = says(column, &words::ACTIONS) && says(column, &words::PRICES);
            acting && column.missing == 0 && column.range.is_some_and(|(low, _)| low > 0.0)
        };
        let (at, column) = self.free().find(|(_, column)| fits(column))?;
        Some((at, format!("{}, by its name", column.range_text())))
    }

    fn weight(&self) -> Found {
        let named = |c: &Column<'_>| matches!(&c.words[..], [what, weight] if weight == "weight" && words::WEIGHTS.contains(&what.as_str()));
        let fits = |column: &Column<'_>| {
            named(column) && column.missing == 0 && column.range.is_some_and(|(low, _)| low > 0.0)
        };
        let (at, column) = self.free().find(|(_, column)| fits(column))?;
        Some((at, format!("{}, by its name", column.range_text())))
    }

    fn why_not_a_feature(&self, column: &Column<'_>) -> Option<String> {
        let many = self.rows >= MIN_ROWS;
        let names_rows = column.is_text() && 2 * column.distinct > self.rows;
        let is_id = names_rows || column.distinct > 10 && says(column, &words::IDS);
        let why = match column {
            _ if is_outcome(column) => "looks like an outcome, known only afterwards",
            _ if column.has_dates => "dates: as categories they say nothing about later dates",
            _ if many && column.counts_rows() => "numbers the rows",
            _ if many && is_id => "identifies rows",
            _ if says(column, &words::DIVISIONS) => "divides the rows",
            _ => return None,
        };
        Some(why.to_owned())
    }
}

/// Whether values repeat as those of a list do.
fn may_be_list(column: &Column<'_>) -> bool {
    column.repeats() && (column.is_text() || column.is_whole) && !says(column, &["of"])
}

/// The word of a name that may stand for a list: the last one, or the one before `id` and the like.
fn list_word<'c>(column: &'c Column<'_>) -> Option<&'c str> {
    let is_suffix = |word: &String| words::SUFFIXES.contains(&word.as_str());
    match &column.words[..] {
        [.., word, suffix] if is_suffix(suffix) => Some(word),
        [.., word] => Some(word),
        [] => None,
    }
}

/// Whether a word of the name is one of these.
fn says(column: &Column<'_>, names: &[&str]) -> bool {
    column.words.iter().any(|word| names.contains(&word.as_str()))
}

fn is_outcome(column: &Column<'_>) -> bool {
    words::is_outcome(&column.words)
}

/// What only a person can know about a feature.
fn question(column: &Column<'_>) -> Option<String> {
    let name = column.name;
    const MAX_GROUPS: usize = 20;
    if says(column, &words::GROUPS) && column.distinct <= MAX_GROUPS {
        return Some(format!("Is `{name}` a protected group? Then give it the role group."));
    }
    if column.words == ["price"] {
        return Some(format!(
            "Is `{name}` the price of acting on an item? Then give it the role price."
        ));
    }
    let may_be_outcome =
        says(column, &words::MAYBE_OUTCOMES) && !says(column, &words::KNOWN_BEFORE);
    let text = || format!("Is `{name}` known before acting? If not, leave it out.");
    (may_be_outcome && !column.is_text()).then(text)
}
