//! `stakes compare`: folds, contestants, run directories, verdicts.

use serde_json::Value;

use crate::common::{Folder, ROLES, Ran, document as json, on_one_line, real};

fn line(more: &str) -> String {
    format!(
        "compare s.csv {ROLES} -k 5 --learners cs-mart:rounds=3,start=none,ridge --contestants quick.toml \
         --current customers {more}"
    )
}

/// The document without what the clock says.
fn timeless(text: &str) -> Value {
    let mut document = json(text);
    document.as_object_mut().expect("an object").remove("times").expect("times");
    document
}

#[test]
fn a_comparison_says_who_saves_most() {
    let folder = Folder::with_quick_contestants();
    let out = folder.ok(&line("--folds 3 --run run --json --csv c.csv --latex t.tex --svg p.svg"));
    let document = json(&out);
    for key in
        "stakes data settings folds contestants results comparisons wins best verdict notes times"
            .split_whitespace()
    {
        assert!(!document[key].is_null(), "{key}: {document:#}");
    }
    let names: Vec<&str> = document["contestants"]
        .as_array()
        .expect("contestants")
        .iter()
        .filter_map(|contestant| contestant["name"].as_str())
        .collect();
    let expected = [
        "cs-mart:rounds=3,start=none",
        "ridge",
        "two-part",
        "tweedie-mart",
        "current",
        "best-feature",
        "random",
        "ideal",
    ];
    assert_eq!(names, expected);
    let verdict = document["verdict"][0].as_str().expect("a sentence");
    assert!(verdict.contains("customers_out") && verdict.contains("today's order by customers"));
    assert!(folder.text("c.csv").starts_with("contestant,part,metric,value,low,high"));
    assert!(folder.text("t.tex").contains("\\toprule") && folder.text("p.svg").contains("<svg"));
    assert!(
        folder.path("run/manifest.json").exists() && folder.path("run/cells/ridge/3.json").exists()
    );
    // The page says the same, in 80 columns, whatever the number of threads.
    let page = folder.ok(&line("--folds 3 --threads 1"));
    assert_eq!(page, folder.ok(&line("--folds 3 --run run --threads 3")));
    assert!(on_one_line(&page).contains(verdict), "{page}");
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    let times = folder.ok(&line("--folds 3 --run run --times"));
    assert!(times.starts_with(&page) && times.contains("SECONDS OF TRAINING"), "{times}");
}

#[test]
fn an_interrupted_comparison_goes_on() {
    let folder = Folder::with_quick_contestants();
    let whole = folder.ok(&line("--folds 3 --json"));
    for stop in [1, 5] {
        let Ran { code, out, err } =
            folder.run(&line(&format!("--folds 3 --run run --stop-after {stop}")));
        assert_eq!((code, out.as_str()), (0, ""), "{err}");
        assert!(on_one_line(&err).contains("the same command goes on from there"), "{err}");
    }
    let cells = std::fs::read_dir(folder.path("run/cells")).expect("cells").count();
    assert!(cells > 0);
    let resumed = folder.ok(&line("--folds 3 --run run --json"));
    assert_eq!(timeless(&resumed), timeless(&whole));
    // All is finished: the very same document.
    assert_eq!(folder.ok(&line("--folds 3 --run run --json")), resumed);
    let lost = folder.run(&line("--folds 3 --stop-after 1"));
    assert!(on_one_line(&lost.err).contains("--run DIR keeps them"), "{}", lost.err);
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_finished() {
    let folder = Folder::with_quick_contestants();
    let long = line("--learners mart:rounds=100000,patience=100000 --folds 3 --run run");
    let Ran { code, err, .. } = folder.interrupted(&long, "-INT", "run/cells/ridge/1.json");
    assert_eq!(code, 130, "{err}");
    assert!(on_one_line(&err).contains("trainings are in run"), "{err}");
}

#[test]
fn folds_are_drawn_before_anything_is_trained() {
    let folder = Folder::with_quick_contestants();
    let out = folder.ok(&line("--folds letor:4 --show-folds --svg f.svg --run run"));
    assert_eq!(out.lines().filter(|line| line.contains("fold ")).count(), 5, "{out}");
    assert!(out.contains("█ train   ▒ validate   ● test"), "{out}");
    assert!(folder.text("f.svg").contains("validate") && !folder.path("run").exists());
    let out = folder.ok(&line("--time date --folds time:3,gap=1 --show-folds"));
    assert!(out.contains("█ train   ● test"), "{out}");
    let document = json(&folder.ok(&line("--folds 4 --show-folds --json")));
    let tested: usize = document["folds"]
        .as_array()
        .expect("folds")
        .iter()
        .map(|fold| fold["test"].as_array().expect("lists").len())
        .sum();
    assert_eq!(tested, 24);
}

#[test]
fn parts_may_be_given_by_a_column() {
    let folder = Folder::with_quick_contestants();
    let text = folder.text("s.csv");
    let mut lines = text.lines();
    let header = lines.next().expect("a header");
    let storm = header.split(',').position(|name| name == "storm").expect("storms");
    let mut parts = format!("{header},part\n");
    for line in lines {
        let number =
            line.split(',').nth(storm).expect("a storm").bytes().map(usize::from).sum::<usize>();
        parts += &format!("{line},S{}\n", 1 + number % 3);
    }
    folder.write("parts.csv", parts);
    let line = line("--folds column:part,letor --show-folds").replace("s.csv", "parts.csv");
    let out = folder.ok(&line);
    assert_eq!(out.lines().filter(|line| line.contains("fold ")).count(), 4, "{out}");
    // The parts are not a feature.
    let out = folder.ok(&line.replace("--show-folds", "--json"));
    assert!(!out.contains("\"name\": \"part\""), "{out}");
}

#[test]
fn bad_input_is_refused_and_nothing_is_overwritten() {
    let folder = Folder::with_quick_contestants();
    folder.ok(&line("--folds 3 --run run --quiet"));
    let manifest = folder.text("run/manifest.json");
    folder.ok("generate storms --lists 24 --networks 25 --rows 480 --seed 4 -o other.csv");
    folder.write("gaps.csv", folder.text("s.csv").replacen(",2", ",", 3));
    for (arguments, words) in [
        (line("--folds 40"), "40 folds need 40 lists with something to save, and there are"),
        (line("--folds 1"), "the number of folds must be from 2"),
        (line("--folds sometimes"), "is not a plan of folds"),
        (line("--folds time:2"), "need the time of each row; name its column (--time COLUMN)"),
        (
            line("--time date --folds time:at=2200-01-01"),
            "no list is between 2200-01-01 and the end",
        ),
        (line("--folds column:storms"), "there is no column `storms`; did you mean `storm`?"),
        (line("--folds 4 --run run"), "the plan of folds was 3 and is now 4"),
        (line("--folds 3 --run run").replace("-k 5", "-k 7"), "the goal was"),
        (line("--folds 3 --run run --tune 2"), "the number of trials was 0 and is now 2"),
        (line("--folds 3 --run run").replace("s.csv", "other.csv"), "other data"),
        (line("--folds 3 --run quick.toml"), "it is not a directory"),
        (line("--learners cs-martt"), "did you mean"),
        (line("--learners ridge"), "ridge is named twice"),
        (line("--csv figures.txt"), "ends in .csv"),
        (line("--csv s.csv"), "s.csv"),
        (line("--show-folds --csv c.csv"), "cannot be used with"),
        (
            line("").replace("--current customers", "--current custommers"),
            "did you mean `customers`?",
        ),
        (line("").replace("quick.toml", "none.toml"), "none.toml"),
    ] {
        let Ran { code, out, err } = folder.run(&arguments);
        assert!(code != 0 && out.is_empty(), "{arguments}\n{out}");
        assert!(on_one_line(&err).contains(words), "{arguments}\n{err}");
    }
    assert_eq!(folder.text("run/manifest.json"), manifest);
    // Values that are missing.
    let rows = "storm,network,day,rank,customers\na,1,2020-01-01,3,5\na,2,2020-01-01,,0\nb,1,,1,5\nb,2,2020-02-01,2,0\n";
    folder.write("gaps.csv", rows);
    let gaps = "compare gaps.csv --list storm --impact customers --id network -k 1 --learners ridge --folds 2";
    let Ran { code, err, .. } = folder.run(&format!("{gaps} --drop day --current rank"));
    assert!(
        code == 1 && on_one_line(&err).contains("gaps.csv:3") && err.contains("rank is missing"),
        "{err}"
    );
    let Ran { code, err, .. } = folder.run(&format!("{gaps} --time day --current network"));
    assert!(
        code == 1 && on_one_line(&err).contains("gaps.csv:4") && err.contains("day is missing"),
        "{err}"
    );
}

#[test]
fn scores_of_other_models_take_part() {
    let folder = Folder::with_quick_contestants();
    folder.ok(&format!("train s.csv {ROLES} --learner ridge -k 5 -o m.json --quiet"));
    folder.ok("rank m.json s.csv --to scores -o vendor.csv --quiet");
    let out = folder.ok(&line("--folds 3 --score poles --score-file vendor=vendor.csv --json"));
    let document = json(&out);
    let part = |name: &str| {
        let all = document["contestants"].as_array().expect("contestants");
        let found = all.iter().find(|contestant| contestant["name"] == name);
        found.unwrap_or_else(|| panic!("{name}: {document:#}"))["part"].clone()
    };
    assert_eq!(
        (part("poles"), part("vendor"), part("current")),
        ("score".into(), "score".into(), "current".into())
    );
}

#[test]
fn concrete_in_five_folds() {
    let Some(path) = real("concrete/Concrete_Data.csv") else { return };
    let folder = Folder::new();
    folder.write_quick_contestants();
    let out = folder.ok(&format!(
        "compare '{path}' --list 'Age (day)' --impact 'Concrete compressive strength(MPa, megapascals)' \
         -k 12.5% --learners cs-mart:rounds=5,ridge --contestants quick.toml --folds 5 --json"
    ));
    let document = json(&out);
    let value = |name: &str| {
        let rows = document["results"].as_array().expect("results");
        let row = rows.iter().find(|row| row["contestant"] == name && row["metric"] == "rcs@10");
        row.and_then(|row| row["value"].as_f64()).unwrap_or_else(|| panic!("{name}: {document:#}"))
    };
    assert!(value("ridge") > value("random") && value("ridge") < value("ideal"));
    assert_eq!(document["folds"].as_array().expect("folds").len(), 5);
}

#[test]
fn a_learning_curve_takes_parts_of_the_training_lists() {
    let folder = Folder::with_quick_contestants();
    let curve = line("--folds 3 --learning-curve 50%,0.25 --run run");
    let found = json(&folder.ok(&format!("{curve} --json")));
    let points = found["learning_curve"].as_array().expect("points").clone();
    let of_ridge: Vec<(f64, f64)> = points
        .iter()
        .filter(|point| point["contestant"] == "ridge")
        .map(|point| {
            (point["share"].as_f64().expect("a share"), point["lists"].as_f64().expect("lists"))
        })
        .collect();
    // 24 lists, 16 of them train in the mean: a quarter, a half, all, rounded up in each fold.
    assert_eq!(of_ridge.iter().map(|point| point.0).collect::<Vec<_>>(), [0.25, 0.5, 1.0]);
    assert_eq!(of_ridge.iter().map(|point| point.1.floor()).collect::<Vec<_>>(), [4.0, 8.0, 16.0]);
    let value = |share: f64| {
        let is_it = |point: &&Value| point["contestant"] == "ridge" && point["share"] == share;
        points.iter().find(is_it).expect("a point")["value"].as_f64()
    };
    let whole = found["results"].as_array().expect("results").iter();
    let whole = whole.filter(|figure| figure["contestant"] == "ridge").map(|f| f["value"].as_f64());
    assert_eq!(value(1.0), whole.clone().next().expect("a figure"));
    assert_ne!(value(0.25), value(1.0));
    let page = folder.ok(&curve);
    assert!(page.contains("COST SAVED BY THE NUMBER OF TRAINING LISTS"), "{page}");
    // Everything is kept, the parts as well.
    let stopped = folder.run(&format!("{curve} --stop-after 1"));
    assert_eq!((stopped.code, stopped.out), (0, page));
    for bad in ["2", "100%", "0", "x"] {
        let ran = folder.run(&line(&format!("--folds 3 --learning-curve {bad}")));
        assert!(ran.code != 0 && ran.err.contains("shar"), "{bad}: {}", ran.err);
    }
}
