//! A [`Config`] as TOML, with comments.

use std::fmt::Write;

use stakes_core::cost::{Capacity, CostModel};
use stakes_core::display::printable;
use stakes_core::goal::Reach;
use stakes_io::MissingImpact;
use toml::Value;

use super::{Config, Guess};

impl Config {
    /// As text that [`Config::parse`] reads.
    pub fn to_toml(&self) -> String {
        Writer { text: String::new(), guess: None }.write(self)
    }
}

impl Guess {
    /// As text that [`Config::parse`] reads, with the reasons and the questions as comments. `title`
    /// is the first line.
    pub fn to_toml(&self, title: &str) -> String {
        let mut writer = Writer { text: String::new(), guess: Some(self) };
        writer.comment(title);
        writer.write(&self.config)
    }
}

/// A file in the making.
struct Writer<'g> {
    text: String,
    /// Where the comments come from.
    guess: Option<&'g Guess>,
}

impl Writer<'_> {
    fn write(mut self, config: &Config) -> String {
        self.columns(config);
        self.goal(config);
        self.train(config);
        self.text
    }

    fn columns(&mut self, config: &Config) {
        let roles = &config.columns;
        self.section("columns");
        if self.guess.is_some_and(|guess| guess.has_fixed_columns) {
            self.comment("Nothing to guess: this format names lists, labels and ids itself.");
        }
        if let Some(why) = self.guess.and_then(|guess| guess.without_list.as_ref()) {
            self.comment(&format!("list: {why}"));
        }
        for (role, column) in roles.columns() {
            self.key(role.name(), text(column));
        }
        let treatment = match roles.missing_impact {
            MissingImpact::Refuse => None,
            MissingImpact::Drop => Some("drop"),
            MissingImpact::Zero => Some("zero"),
        };
        if let Some(treatment) = treatment {
            self.key("missing-impact", text(treatment));
        }
        let file = &config.file;
        let keys = [
            ("sheet", file.sheet.clone()),
            ("decimal", file.decimal.map(|mark| mark.to_string())),
            ("dates", file.dates.map(|order| order.to_string())),
        ];
        for (key, value) in keys {
            value.iter().for_each(|value| self.key(key, text(value)));
        }
        self.list("drop", &roles.drop);
        self.list("categorical", &roles.categorical);
        self.list("numeric", &roles.numeric);
        let questions = self.guess.map_or(&[][..], |guess| &guess.questions);
        questions.iter().for_each(|question| self.comment(question));
    }

    fn goal(&mut self, config: &Config) {
        let goal = &config.goal;
        self.section("goal");
        match goal.reach {
            Some(Reach::Items(Capacity::Items(k))) => self.key("k", k.to_string()),
            Some(Reach::Items(k)) => self.key("k", text(&k.to_string())),
            Some(Reach::Money(money)) => self.key("budget", Value::Float(money).to_string()),
            None => {}
        }
        if let Some(cost) = &goal.cost {
            self.key("cost", text(&cost_text(cost)));
        }
        if let Some(policy) = &goal.policy {
            self.key("policy", text(&policy.to_string()));
        }
        if let Some(metric) = &goal.metric {
            self.key("metric", text(&metric.to_string()));
        }
    }

    fn train(&mut self, config: &Config) {
        let train = &config.train;
        if train == &Default::default() {
            return;
        }
        self.section("train");
        if let Some(learner) = &train.learner {
            self.key("learner", text(learner));
        }
        if let Some(part) = train.hold_out {
            self.key("hold-out", text(&part.to_string()));
        }
        if let Some(seed) = train.seed {
            // TOML has no larger integers.
            let number = i64::try_from(seed).map(|seed| seed.to_string());
            self.key("seed", number.unwrap_or_else(|_| text(&seed.to_string())));
        }
        if !train.parameters.is_empty() {
            self.section("train.parameters");
        }
        for (key, value) in &train.parameters {
            self.key(key, text(value));
        }
    }

    fn section(&mut self, name: &str) {
        let gap = if self.text.is_empty() { "" } else { "\n" };
        let _ = writeln!(self.text, "{gap}[{name}]");
    }

    fn key(&mut self, key: &str, value: String) {
        self.commented(format!("{key} = {value}"), key, None);
    }

    /// A list of columns, a line for each, so that each has its comment.
    fn list(&mut self, key: &str, columns: &[String]) {
        if columns.is_empty() {
            return;
        }
        let _ = writeln!(self.text, "{key} = [");
        for column in columns {
            self.commented(format!("    {},", text(column)), key, Some(column));
        }
        self.text.push_str("]\n");
    }

    fn commented(&mut self, line: String, key: &str, column: Option<&str>) {
        let of = |reason: &&super::Reason| {
            reason.key == key
                && column.is_none_or(|column| reason.column.as_deref() == Some(column))
        };
        let reason = self.guess.and_then(|guess| guess.reasons.iter().find(of));
        self.text.push_str(&line);
        if let Some(reason) = reason {
            self.text.push_str("  ");
            return self.comment(&reason.why);
        }
        self.text.push('\n');
    }

    /// A comment to the end of the line: a name in it must not begin another one.
    fn comment(&mut self, text: &str) {
        let line = text.split(['\n', '\r', '\t']).collect::<Vec<_>>().join(" ");
        let _ = writeln!(self.text, "# {}", printable(&line));
    }
}

/// A cost as [`CostModel`] reads it: in braces if the name of its column could be taken for an
/// expression.
fn cost_text(cost: &CostModel) -> String {
    let plain = cost.to_string();
    match plain.parse::<CostModel>() {
        Ok(read) if read == *cost => plain,
        _ => format!("{{{plain}}}"),
    }
}

/// Text in quotes.
fn text(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}
