//! What is read, what is refused and where, and that writing and reading are inverse.

#![allow(clippy::unwrap_used)]

use stakes_core::cost::{Capacity, CostModel, Policy};
use stakes_core::goal::Reach;
use stakes_core::split::HoldOut;
use stakes_io::{DateOrder, Decimal, MissingImpact, Roles};

use super::*;

const FULL: &str = r#"
[columns]
list = "month"
impact = "customers"
id = "network"
time = "date"
price = "crew_hours"
weight = "importance"
group = "settlement"
drop = ["notes", "restored"]
categorical = ["zone"]
numeric = ["wind"]
missing-impact = "drop"
sheet = "Log"
decimal = "comma"
dates = "dmy"

[goal]
k = "12.5%"
cost = "customers * hours"
policy = "geometric(0.9)"
metric = "ndcg@5"

[train]
learner = "csmart"
hold-out = 30
seed = 7

[train.parameters]
num_leaves = 15
rate = 0.1
monotone = "wind:+"
"#;

fn refusal(text: &str) -> String {
    Config::parse(text, "stakes.toml").unwrap_err().to_string()
}

#[test]
fn all_keys_are_read() {
    let config = Config::parse(FULL, "stakes.toml").unwrap();
    let roles = Roles::new().list("month").impact("customers").id("network").time("date");
    let roles = roles.price("crew_hours").weight("importance").group("settlement");
    let roles = roles.drop(["notes", "restored"]).categorical(["zone"]).numeric(["wind"]);
    assert_eq!(config.columns, roles.missing_impact(MissingImpact::Drop));
    let file = FileOptions {
        sheet: Some("Log".into()),
        decimal: Some(Decimal::Comma),
        dates: Some(DateOrder::Dmy),
        ..FileOptions::default()
    };
    assert_eq!(config.file, file);
    // Only where it has an effect.
    let given = FileOptions { dates: Some(DateOrder::Mdy), ..FileOptions::default() };
    let csv = given.clone().or(&file, "a.csv");
    assert_eq!((csv.sheet, csv.decimal, csv.dates), (None, file.decimal, given.dates));
    assert_eq!(FileOptions::default().or(&file, "a.xlsx"), file);
    assert_eq!(FileOptions::default().or(&file, "a.parquet"), FileOptions::default());
    assert_eq!(config.goal.reach, Some(Reach::Items(Capacity::Percent(12.5))));
    assert_eq!(config.goal.cost, Some("customers * hours".parse().unwrap()));
    assert_eq!(config.goal.policy, Some(Policy::Geometric(0.9)));
    assert_eq!(config.goal.metric.as_ref().unwrap().to_string(), "ndcg@5");
    // An alias is known by the name of the learner.
    assert_eq!(config.train.learner.as_deref(), Some("cs-mart"));
    assert_eq!((config.train.hold_out, config.train.seed), (Some(HoldOut::Lists(30)), Some(7)));
    let configured = config.train.configured().unwrap();
    assert_eq!(configured.learner.texts()["leaves"], "15");
    assert_eq!(configured.given.len(), 3);
    assert_eq!(Config::parse("", "x").unwrap().columns, Roles::default());
}

#[test]
fn writing_and_reading_are_inverse() {
    let mut config = Config::parse(FULL, "stakes.toml").unwrap();
    assert_eq!(Config::parse(&config.to_toml(), "stakes.toml").unwrap(), config);
    config.columns.list = Some("it's \"quoted\"\\\n# a [line]\t\u{1b}é".into());
    config.columns.drop = vec!["a,b".into(), "'''".into(), "\u{0}".into()];
    config.goal.reach = Some(Reach::Money(1e6));
    config.goal.cost = Some(CostModel::Column("crew hours".into()));
    config.train.seed = Some(u64::MAX);
    assert_eq!(Config::parse(&config.to_toml(), "stakes.toml").unwrap(), config);
}

#[test]
fn refusals_name_the_line_what_was_met_and_what_is_allowed() {
    for (text, message) in [
        ("[colums]\n", "stakes.toml:1: there is no section [colums]; did you mean `columns`?"),
        (
            "\n[columns]\nlsit = \"a\"\n",
            "stakes.toml:3: [columns] has no key `lsit`; did you mean `list`?",
        ),
        (
            "[columns]\nlist = 3\n",
            "stakes.toml:2: list: 3 is a number; allowed is the name of a column, in quotes",
        ),
        ("[columns]\nlist = ''\n", "stakes.toml:2: list: `` is text; allowed is the name"),
        (
            "[columns]\ndrop = \"notes\"\n",
            "stakes.toml:2: drop: `notes` is text; allowed is a list of columns such as",
        ),
        (
            "[columns]\nmissing_impact = \"dorp\"\n",
            "stakes.toml:2: missing_impact: there is no treatment of missing impacts `dorp`; did \
             you mean `drop`?",
        ),
        ("k = 10\n", "stakes.toml:1: `k` stands outside of a section; write it below [goal]"),
        ("x = 10\n", "write it below [columns], [goal] or [train]"),
        ("goal = 10\n", "stakes.toml:1: `goal` is a section; write [goal]"),
        ("[goal]\nk = 0\n", "stakes.toml:2: k is `0`; allowed are a number of items"),
        ("[goal]\nk = true\n", "stakes.toml:2: k: true is yes or no; allowed is a number"),
        ("[goal]\nk = 1\nbudget = 2\n", "stakes.toml:3: budget: k and budget are both given"),
        ("[goal]\nbudget = -1\n", "stakes.toml:2: budget: `-1` is not money to spend"),
        ("[goal]\nbudget = inf\n", "stakes.toml:2: budget: `inf` is not money to spend"),
        ("[goal]\ncost = \"a +\"\n", "stakes.toml:2: cost: the cost `a +` cannot be read"),
        ("[goal]\npolicy = \"liner\"\n", "stakes.toml:2: policy is `liner`; allowed are"),
        (
            "[goal]\nmetric = \"rsc\"\n",
            "stakes.toml:2: metric: there is no metric `rsc`; did you mean",
        ),
        (
            "[train]\nlearner = \"cs-mrat\"\n",
            "stakes.toml:2: learner: there is no learner `cs-mrat`; did you mean `cs-mart`?",
        ),
        ("[train]\nseed = -1\n", "stakes.toml:2: seed: `-1` is not a seed"),
        ("[train]\nhold-out = \"some\"\n", "stakes.toml:2: hold-out: `some` is not a part"),
        ("[train]\nparameters = 1\n", "stakes.toml:2: parameters: allowed is a section"),
        (
            "[train]\nleaves = 1\n",
            "stakes.toml:2: [train] has no key `leaves`; there are: learner, hold-out, seed, \
             parameters (parameters of the learner stand below [train.parameters])",
        ),
        (
            "[train.parameters]\nleafs = 3\n[train]\nlearner = \"cs-mart\"\n",
            "stakes.toml:2: learner cs-mart has no parameter `leafs`; did you mean `leaves`?",
        ),
        (
            "[train]\nlearner = \"mart\"\n[train.parameters]\nleaves = 31\nnum-leaves = 31\n",
            "stakes.toml:5: parameter `leaves` is given twice",
        ),
        ("[columns\n", "stakes.toml:1: not TOML: "),
        ("[columns]\nlist = month\n", "stakes.toml:2: not TOML: "),
        ("[columns]\nid = 'a'\nid = 'b'\n", "stakes.toml:3: not TOML: "),
    ] {
        let met = refusal(text);
        assert!(met.starts_with(message) || met.ends_with(message), "{message}\n{met}");
    }
}

#[test]
fn what_is_given_wins_and_lists_add_up() {
    let file = Roles::new().list("month").impact("customers").time("date").drop(["notes", "hours"]);
    let file = file.missing_impact(MissingImpact::Drop);
    // A role of its own, another column for a role, a column of the cost.
    let given = Roles::new().list("date").drop(["zone"]).outcomes(["hours"]);
    let roles = filled(&given, &file);
    assert_eq!(roles.list.as_deref(), Some("date"));
    assert_eq!((roles.impact.as_deref(), roles.time.as_deref()), (Some("customers"), None));
    assert_eq!(roles.drop, ["zone", "notes"]);
    assert_eq!(roles.missing_impact, MissingImpact::Drop);
}

#[test]
fn the_file_is_looked_for_in_the_folder_of_the_data() {
    for (data, path) in [
        ("a.csv", "stakes.toml"),
        ("data/a.csv", "data/stakes.toml"),
        ("/a.csv", "/stakes.toml"),
        ("-", "stakes.toml"),
    ] {
        assert_eq!(Config::path_beside(data), PathBuf::from(path), "{data}");
    }
}

#[test]
fn comments_stay_in_their_line() {
    let mut guess = Guess::default();
    guess.questions.push("Is `a\nk = 3\r` known?".into());
    assert_eq!(guess.to_toml("by\nme"), "# by me\n\n[columns]\n# Is `a k = 3 ` known?\n\n[goal]\n");
}
