//! `stakes model import`, and everything that works on an imported model.

use crate::common::{Folder, golden_import, on_one_line};

/// Lists with the features of the models in `tests/golden/interchange`, in another order.
fn rows() -> String {
    let mut text = String::from("storm,network,pole,customers,age,wind,cost,hours\n");
    for row in 0..1200_u64 {
        let (storm, network, noise) = (row / 30, row % 30, row * 7919 % 97);
        let pole = ["wood", "steel", "iron", "glass"][(noise % 4) as usize];
        let wind = match noise % 11 {
            0 => String::new(),
            _ => format!("{}", 6.0 + (row * 31 % 170) as f64 / 10.0),
        };
        let (age, customers) = (row * 13 % 60, if noise % 3 == 0 { noise % 40 } else { 0 });
        let cost = if noise < 30 { 0 } else { (row * 31 % 170) * (1 + noise % 4) + age };
        let hours = 1 + noise % 5;
        text += &format!("{storm},n{network},{pole},{customers},{age},{wind},{cost},{hours}\n");
    }
    text
}

const ROLES: &str = "--list storm --id network --impact cost --price hours";

/// A folder with data, and models of other libraries.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("rows.csv", rows());
    for file in
        ["lightgbm-pandas.txt", "lightgbm-tweedie.txt", "xgboost-pandas.ubj", "onnx-boosting.onnx"]
    {
        folder.write(file, golden_import(file));
    }
    folder
}

fn import(folder: &Folder) {
    folder.ok(&format!(
        "model import lightgbm-pandas.txt {ROLES} -k 5 --calibrate rows.csv -o m.json"
    ));
}

#[test]
fn what_was_imported_is_shown() {
    let folder = folder();
    let line = format!("model import lightgbm-pandas.txt {ROLES} -k 5 -o m.json");
    let ran = folder.run(&line);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    for words in
        ["lightgbm-pandas.txt (lightgbm)", "3 trees with 12 leaves, 4 features", "--calibrate"]
    {
        assert!(ran.err.contains(words), "`{words}` is not in: {}", ran.err);
    }
    let info = folder.ok("model info m.json");
    for words in ["lightgbm", "objective=regression", "trained elsewhere", "list = storm", "rcs@5"]
    {
        assert!(info.contains(words), "`{words}` is not in: {info}");
    }
    // The names of features come from a file, where the model has none.
    let line = "model import lightgbm-tweedie.txt -o t.json";
    let unnamed = folder.run(line);
    assert!(
        on_one_line(&unnamed.err).contains("called Column_0, Column_1, Column_2"),
        "{}",
        unnamed.err
    );
    folder.write("header.csv", "wind,cost,age,customers\n1,2,3,4\n");
    let named = folder.run(&format!("{line} --features-from header.csv --impact cost"));
    assert!(named.code == 0 && !named.err.contains("Column_0"), "{}", named.err);
    assert!(folder.text("t.json").contains("\"name\": \"customers\""));
    let named = folder.run(&format!("{line} --features wind,age"));
    assert!(
        named.code != 0 && on_one_line(&named.err).contains("the model has 3 features"),
        "{}",
        named.err
    );
}

#[test]
fn an_imported_model_can_do_what_others_can() {
    let folder = folder();
    import(&folder);
    let ranked = folder.ok("rank m.json rows.csv --explain 2 -o -");
    assert!(ranked.contains("expected_cost") && ranked.contains("because"), "{ranked}");
    // What it measures may be what it has learnt.
    let evaluated = on_one_line(&folder.ok("evaluate rows.csv --model m.json"));
    assert!(
        evaluated.contains("whether it has seen lists of rows.csv is not known"),
        "{evaluated}"
    );
    let json = folder.json("evaluate rows.csv --model m.json").0;
    assert_eq!(json["trained_on"][0]["elsewhere"], true, "{json}");
    let explained = folder.run("explain m.json rows.csv");
    assert!(
        explained.code == 0 && explained.err.contains("trained elsewhere"),
        "{}",
        explained.err
    );
    assert!(explained.out.contains("wind"), "{}", explained.out);
    let plan = folder.ok("plan rows.csv --model m.json --budget 20");
    assert!(plan.contains("n"), "{plan}");
    let audit = folder.run(&format!("audit rows.csv {ROLES} --group pole --model m.json"));
    assert!(
        audit.code == 0 && audit.err.contains("trained elsewhere"),
        "{}{}",
        audit.out,
        audit.err
    );
    let line =
        format!("certify rows.csv {ROLES} --drop pole --score wind --metric rcs@5 -p nodes=20");
    folder.ok(&line.replace(" --drop pole --score wind", " --model m.json"));
    let line = format!(
        "train rows.csv {ROLES} -k 5 --learner exact-rerank --base m.json --top 10 -p nodes=20"
    );
    let reranked = folder.run(&format!("{line} --no-baseline -o r.json"));
    assert_eq!(reranked.code, 0, "{}", reranked.err);
    assert!(reranked.err.contains("trained elsewhere"), "{}", reranked.err);
    assert!(folder.ok("model info r.json").contains("lightgbm"));
    folder.ok("report m.json rows.csv -o report.html");
    folder.ok("model diff m.json r.json");
}

#[test]
fn training_continues_where_scores_mean_the_same() {
    let folder = folder();
    import(&folder);
    folder.write("same.csv", {
        // The model's features in its order: a learner that adds trees knows them by number.
        let order = ["wind", "age", "customers", "pole", "storm", "network", "cost"];
        let rows = rows();
        let header: Vec<&str> = rows.lines().next().expect("a header").split(',').collect();
        let line = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            let at = |name: &&str| cells[header.iter().position(|h| h == name).expect("a column")];
            order.iter().map(at).collect::<Vec<_>>().join(",") + "\n"
        };
        rows.lines().map(line).collect::<String>()
    });
    let train = "train same.csv --list storm --id network --impact cost -k 5 --hold-out 20% --no-baseline --rounds 3";
    let continued =
        folder.run(&format!("{train} --learner lambdamart --continue m.json -o c.json"));
    assert_eq!(continued.code, 0, "{}", continued.err);
    assert!(continued.err.contains("trained elsewhere"), "{}", continued.err);
    let trees = folder.json("model info c.json").0["trees"].as_u64().expect("trees");
    assert!((3..=6).contains(&trees), "{trees}");
    let refused =
        folder.run(&format!("{train} --learner tweedie-mart --continue m.json -o d.json"));
    assert_eq!(refused.code, 1, "{}", refused.out);
    let words = on_one_line(&refused.err);
    assert!(
        words.contains("is the sum of its trees") && words.contains("exp of the sum"),
        "{words}"
    );
}

#[test]
fn what_cannot_be_imported_leaves_nothing_behind() {
    let folder = folder();
    folder.write("bad.txt", "tree\nversion=v4\n");
    for (line, words) in [
        ("model import bad.txt -o m.json", "end of trees"),
        ("model import rows.csv -o m.json", "no model that can be imported"),
        ("model import lightgbm-pandas.txt --from xgbost -o m.json", "did you mean `xgboost`"),
        ("model import lightgbm-pandas.txt --from xgboost -o m.json", "lightgbm-pandas.txt"),
        ("model import lightgbm-pandas.txt --list wind -o m.json", "is a feature of the model"),
        ("model import lightgbm-pandas.txt --rounds 9 -o m.json", "the model has 3"),
        ("model import lightgbm-pandas.txt --drop age -o m.json", "none are read here"),
        ("model import lightgbm-pandas.txt -o lightgbm-pandas.txt", ".json"),
        ("model import lightgbm-pandas.txt -k 5 --calibrate rows.csv -o m.json", "impact"),
        ("model import absent.txt -o m.json", "no such file"),
    ] {
        let ran = folder.run(line);
        assert!(ran.code != 0, "{line}: {}", ran.out);
        assert!(on_one_line(&ran.err).contains(words), "{line}: {}", ran.err);
        assert!(!folder.names().contains(&"m.json".to_owned()), "{line}");
    }
}

#[test]
fn every_library_by_its_content() {
    let folder = Folder::new();
    for (file, kind) in [
        ("lightgbm-lambdarank.txt", "lightgbm"),
        ("xgboost-tweedie.ubj", "xgboost"),
        ("xgboost-dart.json", "xgboost"),
        ("catboost-pandas.json", "catboost"),
        ("ranklib-lambdamart.txt", "ranklib"),
        ("onnx-classes.onnx", "onnx"),
        ("fastrank-random-forest.json", "fastrank"),
    ] {
        folder.write(file, golden_import(file));
        let ran = folder.run(&format!("model import {file} -o m.json"));
        assert!(ran.code == 0 && ran.err.contains(&format!("({kind})")), "{}", ran.err);
    }
}

#[test]
fn databases_are_sent_through_a_pipe() {
    let folder = folder();
    for line in [
        "train postgresql://me:secret@host/db -o m.json",
        "train postgresql://me:secret@host/db --query 'select 1' -o m.json",
        "inspect postgres://me:secret@host/db",
    ] {
        let ran = folder.run(line);
        let words = on_one_line(&ran.err);
        assert!(ran.code != 0 && words.contains("psql --csv -c 'select ...'"), "{line}: {words}");
        assert!(words.contains("| stakes train - -o model.json"), "{line}: {words}");
        assert!(!words.contains("secret"), "{line}: {words}");
    }
    // And the other end of the pipe works.
    let line = format!("train - {ROLES} -k 5 --learner ridge --no-baseline -q -o m.json");
    folder.run_with(&line, rows()).ok(&line);
}
