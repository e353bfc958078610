//! Two examples for every command. They are run by the tests, on the data that the first one of
//! `stakes generate storms` writes.

/// The examples of a command, `stakes model info`, as they are typed; a comment follows `#`.
pub(crate) fn of(path: &str) -> &'static [&'static str] {
    match path {
        "stakes" => &[
            "stakes init storms.csv                  # which column is what: stakes.toml",
            "stakes train storms.csv -o model.json   # then: stakes rank model.json NEW.csv",
        ],
        "stakes init" => &[
            "stakes init storms.csv",
            "stakes init storms.csv --impact customers_out -k 10 -o -   # only shows it",
        ],
        "stakes prepare" => &[
            "stakes prepare storms.csv --list month:date --item network -o new.csv",
            "stakes prepare storms.csv --list year:date --item region -o new.xlsx",
        ],
        "stakes inspect" => &[
            "stakes inspect storms.csv --list storm --impact customers_out -k 10",
            "stakes inspect storms.csv   # columns and k from stakes.toml",
        ],
        "stakes train" => &[
            "stakes train storms.csv --list storm --impact customers_out -k 9 -o model.json",
            "stakes train storms.csv -o model.json   # columns and k from stakes.toml",
        ],
        "stakes rank" => &[
            "stakes rank model.json next.csv",
            "stakes rank model.json next.csv --explain 3 -o plan.csv",
        ],
        "stakes plan" => &[
            "stakes plan next.csv --model model.json --budget 100",
            "stakes plan next.csv --expected-cost customers -k 10 --at-most region=3",
        ],
        "stakes serve" => &[
            "stakes serve model.json             # curl localhost:8080/v1/health",
            "stakes serve model.json next=other.json --port 9000",
        ],
        "stakes report" => &[
            "stakes report model.json next.csv -o report.html",
            "stakes report model.json next.csv --plan budget=80 -o plan.html",
        ],
        "stakes evaluate" => &[
            "stakes evaluate storms.csv --list storm --impact customers_out --score poles",
            "stakes evaluate storms.csv --model model.json --score customers",
        ],
        "stakes audit" => &[
            "stakes audit storms.csv --group settlement --score customers",
            "stakes audit --framework   # what each measure can see",
        ],
        "stakes mitigate" => &[
            "stakes mitigate storms.csv --group settlement --protected country",
            "stakes mitigate storms.csv --group settlement --protected town --json",
        ],
        "stakes compare" => &[
            "stakes compare storms.csv --learners cs-mart,two-part --current customers",
            "stakes compare storms.csv --folds time:2 --show-folds   # trains nothing",
        ],
        "stakes backtest" => &[
            "stakes backtest storms.csv --folds time:3 --current customers",
            "stakes backtest storms.csv --folds time:2 --retrain-and-rank next.csv",
        ],
        "stakes reproduce" => &[
            "stakes reproduce furnkranz                              # needs no data",
            "stakes reproduce furnkranz --markdown papers.md",
        ],
        "stakes explain" => &[
            "stakes explain model.json",
            "stakes explain model.json next.csv --picture effects.svg",
        ],
        "stakes monitor" => &[
            "stakes monitor model.json next.csv",
            "stakes monitor model.json next.csv --only-alarms   # for cron",
        ],
        "stakes certify" => &[
            "stakes certify storms.csv --score customers --metric rcs@10",
            "stakes certify storms.csv --model model.json -o best.json",
        ],
        "stakes model" => &[
            "stakes model info model.json",
            "stakes model import lightgbm.txt -o m.json   # XGBoost, CatBoost, ONNX ... too",
        ],
        "stakes model info" => {
            &["stakes model info model.json", "stakes model info model.json --json"]
        }
        "stakes model diff" => &[
            "stakes model diff model.json other.json",
            "stakes model diff model.json other.json --json",
        ],
        "stakes model export" => &[
            "stakes model export model.json --to onnx -o model.onnx",
            "stakes model export model.json --to c --parity-rows 50 -o model.c",
        ],
        "stakes model import" => &[
            "stakes model import lightgbm.txt -o m.json",
            "stakes model import lightgbm.txt --list storm --id network -k 9 -o m.json",
        ],
        "stakes convert" => &[
            "stakes convert storms.csv -o storms.parquet",
            "stakes convert storms.csv --to run --score customers -o run.txt",
        ],
        "stakes split" => &[
            "stakes split storms.csv -o train.csv test.csv   # columns from stakes.toml",
            "stakes split storms.csv --list storm --hold-out 30% -o train.csv test.csv",
        ],
        "stakes generate" => &[
            "stakes generate storms -o storms.csv",
            "stakes generate search --seed 2 -o search.txt",
        ],
        "stakes generate storms" => &[
            "stakes generate storms -o storms.csv",
            "stakes generate storms --lists 120 --rows 6000 --oracle -o storms.parquet",
        ],
        "stakes generate search" => &[
            "stakes generate search -o search.txt",
            "stakes generate search --lists 100 --mean-length 20 -o search.csv",
        ],
        "stakes generate gaussians" => &[
            "stakes generate gaussians -o points.csv",
            "stakes generate gaussians --theorem -o theorem.csv",
        ],
        "stakes learners" => &["stakes learners", "stakes learners two-part"],
        "stakes metrics" => &["stakes metrics --short", "stakes metrics ndcg"],
        "stakes glossary" => &["stakes glossary rcs", "stakes glossary expected cost"],
        "stakes demo" => &["stakes demo", "stakes demo theorem"],
        "stakes demo theorem" => &["stakes demo theorem", "stakes demo theorem --seed 2 --json"],
        "stakes completions" => {
            &["stakes completions bash -o stakes.bash", "stakes completions zsh -o _stakes"]
        }
        "stakes man" => &["stakes man train", "stakes man -o man1   # a page per command"],
        _ => &[],
    }
}
