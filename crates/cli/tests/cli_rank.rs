//! `stakes rank`: the order, what to act on, and data that are not as they were in training.

use crate::common::{Folder, ROLES, on_one_line, plain};

/// A folder with `s.csv` and `m.json`, learnt from it.
fn trained(more: &str) -> Folder {
    let folder = Folder::with_generated_storms();
    let roles = format!("{ROLES} --time date");
    let plain = plain(more);
    folder.ok(&format!("train s.csv {plain} {roles} --rounds 8 --leaves 8 -q -o m.json {more}"));
    folder
}

/// What is said of the lists that were not held out.
const TRAINED_ON: &str = "note: the model was trained on 19 of the 24 lists of FILE: scores and figures there \
                          flatter it, and say nothing about other lists\n";

/// The rows of a CSV text without its header.
fn rows(text: &str) -> Vec<Vec<String>> {
    text.lines().skip(1).map(|row| row.split(',').map(str::to_owned).collect()).collect()
}

/// The columns of a CSV text without quotes, in another order or changed.
fn columns(text: &str, change: impl Fn(Vec<(String, String)>) -> Vec<(String, String)>) -> String {
    let header: Vec<&str> = text.lines().next().expect("a header").split(',').collect();
    let mut lines = Vec::new();
    for line in text.lines().skip(1) {
        let pairs = header.iter().map(|h| (*h).to_owned()).zip(line.split(',').map(str::to_owned));
        let changed = change(pairs.collect());
        if lines.is_empty() {
            lines.push(changed.iter().map(|c| c.0.as_str()).collect::<Vec<_>>().join(","));
        }
        lines.push(changed.iter().map(|c| c.1.as_str()).collect::<Vec<_>>().join(","));
    }
    lines.join("\n") + "\n"
}

#[test]
fn lists_ranks_and_what_to_act_on() {
    let folder = trained("-k 3");
    let ran = folder.run("rank m.json s.csv");
    assert_eq!((ran.code, ran.err.as_str()), (0, TRAINED_ON.replace("FILE", "s.csv").as_str()));
    assert!(ran.out.starts_with("list,rank,id,score,act\n"), "{}", ran.out);
    let all = rows(&ran.out);
    assert_eq!(all.len(), 480);
    // Lists in the order of the file, each by falling score, the first three to act on.
    let order: Vec<String> = rows(&folder.text("s.csv")).iter().map(|row| row[0].clone()).collect();
    let mut lists: Vec<&str> = all.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(lists, order);
    lists.dedup();
    assert_eq!(lists.len(), 24);
    for list in lists {
        let items: Vec<_> = all.iter().filter(|row| row[0] == list).collect();
        let scores: Vec<f64> = items.iter().map(|row| row[3].parse().expect("a score")).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{list}: {scores:?}");
        for (i, row) in items.iter().enumerate() {
            assert_eq!(row[1], (i + 1).to_string());
            assert_eq!(row[4], if i < 3 { "yes" } else { "no" });
        }
    }
    let yes = |text: &str| text.lines().filter(|line| line.ends_with(",yes")).count();
    assert_eq!(yes(&folder.ok("rank m.json s.csv -k 5")), 24 * 5);
    assert_eq!(yes(&folder.ok("rank m.json s.csv -k 12.5%")), 24 * 3);
    assert_eq!(yes(&folder.ok("rank m.json s.csv -k 2..4")), 24 * 4);
}

#[test]
fn some_lists_some_items_and_other_formats() {
    let folder = trained("-k 3");
    let all = folder.ok("rank m.json s.csv");
    let top = folder.ok("rank m.json s.csv --top 2");
    assert_eq!(rows(&top).len(), 48);
    assert!(top.lines().all(|line| all.contains(line)));
    let one = folder.ok("rank m.json s.csv --list-id storm-003 --top 1");
    assert_eq!(rows(&one).len(), 1);
    assert!(all.contains(one.lines().nth(1).expect("a row")), "{one}");
    folder.ok("rank m.json s.csv -o r.tsv");
    assert_eq!(folder.text("r.tsv").replace('\t', ","), all);
    folder.ok("rank m.json s.csv -o r.csv.gz");
    assert!(folder.bytes("r.csv.gz").starts_with(&[0x1f, 0x8b]));
    let json: serde_json::Value =
        serde_json::from_str(&folder.ok("rank m.json s.csv --json")).expect("JSON");
    assert_eq!(json[0]["list"], "storm-001");
    assert_eq!((&json[0]["rank"], &json[0]["act"]), (&1.into(), &true.into()));
    // Scores alone and scores by id say the same.
    folder.ok("rank m.json s.csv -o scores.txt");
    folder.ok("rank m.json s.csv -o ranked.csv");
    let study = folder.json(&format!(
        "evaluate s.csv {ROLES} --score-file a=scores.txt --score-file b=ranked.csv --metric rcs@3,ndcg@5:gain=linear"
    ));
    for metric in ["rcs@3", "ndcg@5:gain=linear"] {
        assert_eq!(study.value("a", metric), study.value("b", metric));
    }
    let refused = folder.run("rank m.json s.csv -o scores.txt --top 2");
    assert!(refused.err.contains("scores alone are written for every row"), "{}", refused.err);
}

#[test]
fn a_budget_is_spent_from_the_top() {
    let folder = trained("--budget 60");
    let price: std::collections::HashMap<(String, String), f64> = {
        let text = folder.text("s.csv");
        let header: Vec<&str> = text.lines().next().expect("a header").split(',').collect();
        let at = |name: &str| header.iter().position(|h| *h == name).expect("a column");
        let [list, id, price] = ["storm", "network", "crew_hours"].map(at);
        let key = |row: &Vec<String>| (row[list].clone(), row[id].clone());
        rows(&text).iter().map(|row| (key(row), row[price].parse().expect("a price"))).collect()
    };
    for (line, money) in [("rank m.json s.csv", 60.0), ("rank m.json s.csv --budget 25", 25.0)] {
        let (mut list, mut spent, mut lasts, mut before) = (String::new(), 0.0, true, 0.0);
        for row in rows(&folder.ok(line)) {
            if row[0] != list {
                (list, spent, lasts) = (row[0].clone(), 0.0, true);
            }
            let own = price[&(row[0].clone(), row[2].clone())];
            // What is ranked is cost per price.
            let worth = row[3].parse::<f64>().expect("a score") / own;
            assert!(spent == 0.0 || worth <= before * (1.0 + 1e-12), "{row:?}");
            before = worth;
            spent += own;
            lasts &= spent <= money;
            assert_eq!(row[4], if lasts { "yes" } else { "no" }, "{row:?}");
        }
    }
    // A number of items instead.
    let acts = folder.ok("rank m.json s.csv -k 1");
    assert_eq!(acts.lines().filter(|line| line.ends_with(",yes")).count(), 24);
    let text = columns(&folder.text("s.csv"), |mut row| {
        row.retain(|(name, _)| name != "crew_hours");
        row
    });
    folder.write("free.csv", text);
    let ran = folder.run("rank m.json free.csv");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("a budget needs the price of each item"), "{}", ran.err);
    let ran = folder.run("rank m.json s.csv --budget -5");
    assert!(ran.err.contains("--budget is -5; it must be a finite number above 0"), "{}", ran.err);
}

#[test]
fn columns_in_another_order_and_more_of_them() {
    let folder = trained("-k 3");
    let expected = folder.ok("rank m.json s.csv");
    let s = folder.text("s.csv");
    folder.write("turned.csv", columns(&s, |row| row.into_iter().rev().collect()));
    assert!(folder.ok("rank m.json turned.csv") == expected);
    // Without what is known only afterwards, or with anything in its place.
    folder.write(
        "next.csv",
        columns(&s, |row| row.into_iter().filter(|(name, _)| name != "customers_out").collect()),
    );
    assert!(folder.ok("rank m.json next.csv") == expected);
    folder.write(
        "later.csv",
        columns(&s, |row| {
            let unknown = |(name, value): (String, String)| match name.as_str() {
                "customers_out" => (name, "not known".to_owned()),
                _ => (name, value),
            };
            row.into_iter().map(unknown).collect()
        }),
    );
    let ran = folder.run("rank m.json later.csv");
    assert_eq!(ran.err, TRAINED_ON.replace("FILE", "later.csv"));
    assert!(ran.out == expected);
    // Another column is told once and changes nothing.
    folder.write(
        "more.csv",
        columns(&s, |mut row| {
            row.insert(3, ("remark".into(), "hello".into()));
            row
        }),
    );
    let ran = folder.run("rank m.json more.csv");
    assert!(ran.out == expected);
    let said = TRAINED_ON.replace("FILE", "more.csv");
    assert_eq!(ran.err, said + "note: columns that the model does not read: remark\n");
    // Other formats, too.
    folder.ok("convert s.csv -o s.parquet");
    assert!(folder.ok("rank m.json s.parquet") == expected);
    let ran = folder.run_with("rank m.json -", s);
    assert!(ran.out == expected, "{}", ran.err);
}

#[test]
fn columns_that_are_not_there_or_are_called_otherwise() {
    let folder = trained("-k 3");
    let s = folder.text("s.csv");
    let rename = |from: &str, to: &str| {
        let (from, to) = (from.to_owned(), to.to_owned());
        columns(&s, move |mut row| {
            row.iter_mut().filter(|(name, _)| *name == from).for_each(|c| c.0.clone_from(&to));
            row
        })
    };
    folder.write("slip.csv", rename("wind_max_ms", "wind_mx_ms"));
    let ran = folder.run("rank m.json slip.csv");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("`wind_max_ms`") && ran.err.contains("wind_mx_ms"), "{}", ran.err);
    folder.write("event.csv", rename("storm", "event"));
    let expected = folder.ok("rank m.json s.csv");
    assert!(folder.ok("rank m.json event.csv --list event") == expected);
    // Without the list's column there is one list.
    folder.write("one.csv", {
        let first: Vec<&str> =
            s.lines().filter(|l| !l.starts_with("storm-") || l.starts_with("storm-001,")).collect();
        columns(&(first.join("\n") + "\n"), |mut row| {
            row.retain(|(name, _)| name != "storm" && name != "network");
            row
        })
    });
    let ran = folder.run("rank m.json one.csv");
    for gone in
        ["`storm`, the list column in training, is not", "`network`, the id column in training"]
    {
        assert!(ran.err.contains(gone), "{}", ran.err);
    }
    let out = ran.ok("rank m.json one.csv");
    let of_first: Vec<Vec<String>> =
        rows(&expected).into_iter().filter(|row| row[0] == "storm-001").collect();
    let one = rows(&out);
    assert_eq!(one.len(), of_first.len());
    for (one, expected) in one.iter().zip(&of_first) {
        // Without ids the lines of the file stand for the items.
        assert_eq!((&one[1], &one[3], &one[4]), (&expected[1], &expected[3], &expected[4]));
        assert!(one[2].parse::<usize>().is_ok_and(|line| line >= 2), "{one:?}");
    }
}

#[test]
fn categories_that_the_model_does_not_know_count_as_missing() {
    let folder = Folder::new();
    let mut text = "list,id,colour,y\n".to_owned();
    for list in 0..12 {
        for (id, colour) in ["red", "blue", "7"].iter().enumerate() {
            text += &format!("{list},{id},{colour},{}\n", id * 10 + list % 2);
        }
    }
    folder.write("t.csv", text);
    folder.ok(
        "train t.csv --learner cs-mart -p start=none --list list --id id --impact y -k 1 --rounds 5 -p min-rows=1 -q -o m.json",
    );
    folder.write("n.csv", "list,id,colour\na,1,pink\na,2,7\na,3,\na,4,red\n");
    let ran = folder.run("rank m.json n.csv");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let words =
        "note: 1 category of colour unknown to the model, treated as missing in 1 item: pink\n";
    assert_eq!(ran.err, words);
    let score = |id: &str| rows(&ran.out).iter().find(|row| row[2] == id).map(|row| row[3].clone());
    assert_eq!(score("1"), score("3"));
    assert_eq!(rows(&ran.out)[0][2], "2");
    // Where all names look like numbers, they are names all the same.
    folder.write("sevens.csv", "list,id,colour\na,1,7\na,2,\n");
    let sevens = folder.ok("rank m.json sevens.csv");
    assert_eq!(rows(&sevens)[0][3], score("2").expect("a score"));
}

#[test]
fn what_cannot_be_ranked_is_refused() {
    let folder = trained("-k 3");
    folder.write("not.json", "{\"format\": \"else\"}");
    folder.write("cut.json", &folder.bytes("m.json")[..500]);
    let before = folder.names();
    let cases = [
        ("rank nowhere.json s.csv", 1, "nowhere.json: there is no such file"),
        ("rank s.csv s.csv", 1, "s.csv:"),
        ("rank not.json s.csv", 1, "not.json: "),
        ("rank cut.json s.csv", 1, "truncated"),
        ("rank m.json nowhere.csv", 1, "nowhere.csv: there is no such file"),
        ("rank m.json s.csv --list-id storm-03", 1, "there is no list `storm-03`; did you mean"),
        (
            "rank m.json s.csv --id netwrok",
            1,
            "there is no column `netwrok`; did you mean `network`?",
        ),
        ("rank m.json s.csv -o r.xls", 1, "r.xls: unknown file extension"),
        ("rank m.json s.csv -o m.json", 1, "m.json: the output would overwrite an input (m.json)"),
        ("rank m.json s.csv --to xls", 2, "rankings are not written as `xls`"),
        ("rank m.json s.csv -k 0", 2, "k is `0`"),
        ("rank m.json s.csv -k 3 --budget 5", 2, "cannot be used with"),
        ("rank m.json s.csv -o nowhere/r.csv", 1, "the folder does not exist"),
    ];
    for (line, code, words) in cases {
        let ran = folder.run(line);
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{line}: {}", ran.err);
        assert!(ran.err.contains("error: ") && ran.err.contains(words), "{line}: {}", ran.err);
        assert_eq!(folder.names(), before, "{line} left a file behind");
    }
}

/// Columns of the data beside the ranking, as the file has them.
#[test]
fn columns_are_kept_beside_the_ranking() {
    let folder = trained("-k 3 --hold-out 50%");
    // A column that the model does not read, a code with zeros, and one with the name of another column.
    let place = |line: &str| format!("\"Mill St, {}\"", line.split(',').nth(1).expect("a network"));
    let text = folder.text("s.csv");
    let mut lines = text.lines();
    let mut next = format!("{},place,code,score\n", lines.next().expect("a header"));
    for line in lines {
        next += &format!("{line},{},007,\n", place(line));
    }
    folder.write("next.csv", &next);
    let all = folder.ok("rank m.json next.csv -q");
    let kept = folder.ok("rank m.json next.csv -q --keep place,code,customers_out,score");
    let header = "list,rank,id,score,act,expected_cost,low,high,running_total,\
                  total_low,total_high,chance,item_low,item_high";
    assert_eq!(
        kept.lines().next(),
        Some(&*format!("{header},place,code,customers_out,data_score"))
    );
    let impact =
        text.lines().next().expect("a header").split(',').position(|c| c == "customers_out");
    for (row, kept) in all.lines().zip(kept.lines()).skip(1) {
        let item: Vec<&str> = row.split(',').collect();
        let of_item = |line: &&str| {
            line.starts_with(&format!("{},", item[0])) && line.split(',').nth(1) == Some(item[2])
        };
        let line = text.lines().find(of_item).expect("the item");
        let observed = line.split(',').nth(impact.expect("the impact")).expect("a number");
        assert_eq!(kept, format!("{row},{},007,{observed},", place(line)));
    }
    let every = folder.ok("rank m.json next.csv -q --keep all --top 1 --explain 1");
    let columns: Vec<&str> = every.lines().next().expect("a header").split(',').collect();
    assert!(columns.contains(&"place") && columns.contains(&"data_score"), "{columns:?}");
    assert!(!columns.contains(&"storm") && !columns.contains(&"network"), "{columns:?}");
    assert_eq!(columns.last(), Some(&"because"));
    let json = folder.ok("rank m.json next.csv -q --keep place,score --json");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(
        json[0]["columns"]["place"].as_str().expect("text").starts_with("Mill St, net-"),
        "{json}"
    );
    assert!(json[0]["columns"]["score"].is_null() && json[0]["score"].is_number(), "{json}");
    // Rows of Parquet and Arrow are found as lines are.
    folder.ok(&format!("convert next.csv -o n.parquet {ROLES} --categorical code -q"));
    assert_eq!(
        folder.ok("rank m.json n.parquet -q --keep place,code,score").replace(".0,", ","),
        folder.ok("rank m.json next.csv -q --keep place,code,score").replace(".0,", ",")
    );
    for (line, words) in [
        ("rank m.json next.csv --keep plce", "there is no column `plce`; did you mean `place`?"),
        ("rank m.json next.csv --keep place,,code", "a name is empty"),
        ("rank m.json next.csv --keep place -o s.txt", "--keep goes with csv, tsv and json"),
        ("rank m.json - --keep place", "stdin can be read only once"),
    ] {
        let ran = folder.run_with(line, next.as_bytes());
        assert!(ran.code != 0 && ran.err.contains(words), "{line}: {}", ran.err);
    }
}

#[test]
fn every_prefix_holds_a_minimum_share() {
    let folder = Folder::with_generated_storms();
    folder.ok(&format!("train s.csv {ROLES} --learner ridge --hold-out 10 -k 5 -o m.json -q"));
    let line = "rank m.json s.csv --keep region --json";
    let ranked = |more: &str| {
        let ran = folder.run(&format!("{line} {more}"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        let rows: Vec<serde_json::Value> = serde_json::from_str(&ran.out).expect("rows");
        (rows, on_one_line(&ran.err))
    };
    let (plain, _) = ranked("");
    let region = plain[0]["columns"]["region"].as_str().expect("a region").to_owned();
    let is_member = |row: &serde_json::Value| row["columns"]["region"] == region.as_str();
    let (rows, said) = ranked(&format!("--min-share region={region}:50%"));
    assert!(said.contains("in other places than by score"), "{said}");
    let lists: std::collections::BTreeSet<&str> =
        rows.iter().filter_map(|row| row["list"].as_str()).collect();
    let mut changed = 0;
    for list in lists {
        let own: Vec<&serde_json::Value> = rows.iter().filter(|row| row["list"] == list).collect();
        let all = own.iter().filter(|row| is_member(row)).count();
        let mut members = 0;
        for (rank, row) in (1..).zip(&own) {
            assert_eq!(row["rank"], rank);
            assert_eq!(row["act"], rank <= 5, "{list}");
            members += usize::from(is_member(row));
            assert!(members >= (rank / 2).min(all), "{list} {rank}");
        }
        let before: Vec<&serde_json::Value> =
            plain.iter().filter(|row| row["list"] == list).collect();
        changed += before.iter().zip(&own).filter(|(a, b)| a["id"] != b["id"]).count();
    }
    assert!(changed > 0, "the shares are not there by themselves");
    for (more, words) in [
        ("--min-share region=nowhere:0.5", "has no value `nowhere`"),
        ("--min-share region=0.5", "COLUMN=VALUE:SHARE"),
        ("--min-share regoin=x:0.5", "regoin"),
        ("--min-share region=x:1.5", "above 0 and below 1"),
        ("--significance 0.1", "--min-share"),
    ] {
        let ran = folder.run(&format!("{line} {more}"));
        assert_ne!(ran.code, 0, "{more}");
        assert!(on_one_line(&ran.err).contains(words), "{more}: {}", ran.err);
    }
    let bad = folder.run(&format!("{line} --min-share region={region}:0.5 --significance 2"));
    assert!(bad.err.contains("--significance is 2"), "{}", bad.err);
}

#[test]
fn limits_of_groups_are_kept_exactly() {
    let folder = Folder::with_generated_storms();
    folder.ok(&format!("train s.csv {ROLES} --learner ridge --hold-out 10 -k 6 -o m.json -q"));
    let line = "rank m.json s.csv --keep region,settlement --json";
    let ran = folder.run(&format!("{line} --at-most region=2 --min-share settlement=town:0.5"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("in other places than by score"), "{}", ran.err);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&ran.out).expect("rows");
    let lists: std::collections::BTreeSet<&str> =
        rows.iter().filter_map(|row| row["list"].as_str()).collect();
    for list in lists {
        let acted_on = rows.iter().filter(|row| row["list"] == list && row["act"] == true);
        let acted_on: Vec<&serde_json::Value> = acted_on.collect();
        assert!(!acted_on.is_empty() && acted_on.len() <= 6);
        let mut regions = std::collections::BTreeMap::new();
        for row in &acted_on {
            *regions.entry(row["columns"]["region"].to_string()).or_insert(0) += 1;
        }
        assert!(regions.values().all(|&number| number <= 2), "{list}: {regions:?}");
    }
    for (more, words) in [
        ("--at-most region=x:0", "has no value `x`"),
        ("--at-most region=0", "no order of the list keeps to all limits"),
        ("--at-most region", "COLUMN=NUMBER"),
        ("--at-most region=2 --budget 9", "not under a budget"),
    ] {
        let ran = folder.run(&format!("{line} {more}"));
        assert_ne!(ran.code, 0, "{more}");
        assert!(on_one_line(&ran.err).contains(words), "{more}: {}", ran.err);
    }
}
