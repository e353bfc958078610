//! Words in names of columns that say what a column is for. They are a judgement, made by looking at
//! public data sets; a name that none of them fits says nothing.

/// Words for what is ranked together, the most telling first: queries, events, periods, places. With the
/// number of different values that such a column has at least.
pub(super) const LISTS: [(usize, &[&str]); 7] = [
    (1, &["list", "qid", "query", "session", "srch", "search"]),
    (1, &["storm", "event", "auction", "batch", "campaign", "tender", "tournament", "election"]),
    (2, &["month", "yearmonth", "week", "quarter", "fortnight", "period", "season"]),
    (2, &["day", "date", "shift"]),
    (
        3,
        &[
            "state",
            "region",
            "district",
            "county",
            "province",
            "municipality",
            "zone",
            "city",
            "town",
            "country",
            "territory",
            "site",
            "plant",
            "depot",
            "branch",
            "store",
            "hospital",
            "school",
            "ward",
            "department",
            "station",
        ],
    ),
    (3, &["user", "individual", "household"]),
    (2, &["year", "group"]),
];

/// What may follow the word for a list: `storm_id`, `region name`.
pub(super) const SUFFIXES: [&str; 5] = ["id", "name", "code", "no", "number"];

/// Names that are an impact and nothing else.
pub(super) const IMPACT_NAMES: [&str; 9] =
    ["impact", "label", "relevance", "target", "outcome", "response", "rel", "grade", "rating"];

/// Words for harm and other outcomes, the most telling first.
pub(super) const OUTCOMES: [&str; 28] = [
    "impact",
    "affected",
    "out",
    "interrupted",
    "injuries",
    "injured",
    "fatalities",
    "deaths",
    "casualties",
    "victims",
    "damage",
    "damages",
    "loss",
    "losses",
    "claims",
    "claim",
    "crimes",
    "accidents",
    "burned",
    "burnt",
    "payout",
    "duration",
    "downtime",
    "restoration",
    "restored",
    "resolved",
    "repaired",
    "outcome",
];

/// Words for what may be an outcome or may be known before: they only raise a question.
pub(super) const MAYBE_OUTCOMES: [&str; 15] = [
    "cost",
    "costs",
    "amount",
    "revenue",
    "paid",
    "failures",
    "defects",
    "outages",
    "murders",
    "robberies",
    "assaults",
    "burglaries",
    "closed",
    "completed",
    "ended",
];

/// Beside one of these, a word for an outcome stands for something that is known before acting.
pub(super) const KNOWN_BEFORE: [&str; 17] = [
    "expected",
    "predicted",
    "forecast",
    "planned",
    "previous",
    "prev",
    "prior",
    "past",
    "last",
    "historic",
    "history",
    "lag",
    "mean",
    "avg",
    "index",
    "pct",
    "risk",
];

/// Words that say that a column identifies items.
pub(super) const IDS: [&str; 8] =
    ["id", "ids", "uuid", "guid", "key", "identifier", "docid", "rownum"];

/// Words for times that are written as numbers.
pub(super) const TIMES: [&str; 5] = ["date", "datetime", "timestamp", "epoch", "year"];

/// Words for what is done about an item, and for what that takes: together, a price of acting.
pub(super) const ACTIONS: [&str; 9] = [
    "crew",
    "action",
    "treatment",
    "intervention",
    "inspection",
    "repair",
    "visit",
    "labour",
    "labor",
];
pub(super) const PRICES: [&str; 6] = ["price", "cost", "hours", "minutes", "days", "effort"];

/// Words for importance that is given with the rows, before `weight`.
pub(super) const WEIGHTS: [&str; 5] = ["sample", "case", "instance", "row", "item"];

/// Words for divisions of the rows, such as folds.
pub(super) const DIVISIONS: [&str; 4] = ["fold", "folds", "split", "partition"];

/// Words for protected groups.
pub(super) const GROUPS: [&str; 5] = ["sex", "gender", "race", "ethnicity", "religion"];

/// Whether a name of these words stands for an outcome, which is known only afterwards.
pub(super) fn is_outcome(name: &[String]) -> bool {
    let says = |words: &[&str]| name.iter().any(|word| words.contains(&word.as_str()));
    says(&OUTCOMES) && !says(&KNOWN_BEFORE)
}
