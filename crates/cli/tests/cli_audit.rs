//! `stakes audit`: how an order treats groups.

use serde_json::Value;

use crate::common::{Folder, document, on_one_line};

/// 100 items of which 10 are in group A, with true positions 5, 15, ..., 95, at these positions; the others are in
/// true order (Salomon 2020, Figures 2.2 and 2.3).
fn ranking(positions: [usize; 10]) -> String {
    let truth: Vec<usize> = (0..10).map(|i| 5 + 10 * i).collect();
    let mut others = (1..=100).filter(|t| !truth.contains(t));
    let mut text = String::from("id,y,g,s\n");
    for p in 1..=100 {
        let (t, group) = match positions.iter().position(|&q| q == p) {
            Some(i) => (truth[i], 'A'),
            None => (others.next().expect("one for each place"), 'B'),
        };
        text += &format!("i{p},{},{group},{}\n", 100 - t, 100 - p);
    }
    text
}

fn world() -> Folder {
    let folder = Folder::new();
    folder.write("uniform.csv", ranking([5, 15, 25, 35, 45, 55, 65, 75, 85, 95]));
    folder.write("tokens.csv", ranking([1, 8, 16, 22, 31, 72, 79, 83, 92, 100]));
    folder.write(
        "two.csv",
        "list,id,y,g,h,s\n1,a,8,A,x,4\n1,b,4,B,x,3\n1,c,2,B,y,2\n1,d,1,A,y,1\n2,a,3,B,x,2\n2,b,6,A,y,1\n",
    );
    folder
}

const ROLES: &str = "--impact y --id id --group g";

fn row<'d>(document: &'d Value, group: &str, measure: &str) -> &'d Value {
    let rows = document["measures"].as_array().expect("measures");
    let found = rows.iter().find(|row| row["group"] == group && row["measure"] == measure);
    found.unwrap_or_else(|| panic!("{group} {measure}: {document}"))
}

fn refused(folder: &Folder, line: &str) -> String {
    let ran = folder.run(line);
    assert!(ran.code != 0 && ran.out.is_empty(), "{line}: {}", ran.out);
    on_one_line(&ran.err)
}

#[test]
fn the_contract() {
    let folder = world();
    let line = format!("audit uniform.csv {ROLES} --protected A --score s --json");
    let found = document(&folder.ok(&line));
    let mean_rank = row(&found, "A", "mean-rank");
    assert_eq!(mean_rank["value"], -0.5);
    assert_eq!(mean_rank["n"], 10);
    for end in ["low", "high", "p"] {
        assert!(mean_rank[end].is_f64(), "{mean_rank}");
    }
    assert!(mean_rank["p"].as_f64().expect("p") > 0.9);
    assert_eq!(row(&found, "A", "four-fifths@10")["measure"], "four-fifths@10");
    assert!(found["measures"].as_array().expect("rows").iter().all(|row| row["group"] == "A"));
    // Without --protected every group has its rows.
    let both = document(&folder.ok(&format!("fair uniform.csv {ROLES} --score s --json -k 20")));
    assert_eq!(row(&both, "A", "rank-parity")["value"], 455.0 / 900.0);
    assert_eq!(row(&both, "B", "rank-parity")["value"], 445.0 / 900.0);
    assert_eq!(row(&both, "A", "four-fifths@20")["value"], 1.0);
}

#[test]
fn the_same_bytes_at_any_number_of_threads() {
    let folder = world();
    for file in ["tokens.csv", "two.csv --list list"] {
        let line = format!("audit {file} {ROLES} --score s --json -k 2");
        let one = folder.ok(&format!("{line} --threads 1"));
        assert_eq!(one, folder.ok(&format!("{line} --threads 3")));
        assert_ne!(one, folder.ok(&format!("{line} --seed 1")));
    }
}

#[test]
fn the_page_says_what_differs_and_what_is_not_seen() {
    let folder = world();
    let page = folder.ok(&format!("audit tokens.csv {ROLES} --protected A --score s -k 20"));
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    assert!(page.contains("Placement: where the group stands"), "{page}");
    let words = on_one_line(&page);
    assert!(words.contains("differs from what chance gives (p < 0.05) by gap, spread,"), "{page}");
    assert!(words.contains("tokenisation"), "{page}");
    assert!(page.contains("WHERE GROUPS STAND") && page.contains("evenly"), "{page}");
    let line = format!("audit tokens.csv {ROLES} --protected A --score s --measure mean-rank,gap");
    let words = on_one_line(&folder.ok(&line));
    assert!(
        words.contains("cannot see: all members drawn to the middle; members displaced at random;"),
        "{words}"
    );
    // Nothing is ever called fair.
    for text in [&page, &words] {
        assert!(!text.to_lowercase().contains("fair"), "{text}");
    }
}

#[test]
fn several_lists_columns_and_files() {
    let folder = world();
    let line = "audit two.csv --list list --impact y --id id --group g,h --score s -k 1 \
                --per-list lists.csv --svg places.svg --html audit.html --json";
    let found = document(&folder.ok(line));
    assert_eq!(row(&found, "A", "cost-recall@1")["value"], 8.0 / 15.0);
    assert_eq!(row(&found, "A", "cost-recall@1")["rest"], 3.0 / 9.0);
    assert_eq!(row(&found, "x", "list-share")["value"], 0.5);
    // Combinations are too small, and that is said.
    assert!(found["warnings"].to_string().contains("too few items"), "{found}");
    let lists = folder.text("lists.csv");
    assert!(lists.starts_with("list,column,group,n,measure,value\n1,g,A,2,mean-rank,"), "{lists}");
    assert!(lists.contains("\n2,g,B,1,cost-recall@1,1\n"), "{lists}");
    assert!(folder.text("places.svg").contains("top of the list"));
    let html = folder.text("audit.html");
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    assert!(html.contains("<svg") && !html.contains("<script") && !html.contains("http-equiv"));
    assert!(html.contains("This page does not say whether the order is fair."));
    assert!(
        html.contains("the member stands above.") && html.contains("of the others'."),
        "{html}"
    );
}

#[test]
fn names_from_data_are_escaped() {
    let folder = Folder::new();
    folder.write("x.csv", "y,<i>g,s\n3,<b>A&\"</b>,1\n2,B,2\n1,<b>A&\"</b>,3\n0,B,4\n");
    folder.ok("audit x.csv --impact y --group <i>g --score s --html x.html --svg x.svg");
    for file in ["x.html", "x.svg"] {
        let text = folder.text(file);
        assert!(text.contains("&lt;b&gt;A&amp;&quot;&lt;/b&gt;"), "{file}");
        assert!(!text.contains("<b>A") && !text.contains("<i>g"), "{file}");
    }
}

#[test]
fn placement_needs_no_outcomes() {
    let folder = world();
    let found = document(
        &folder.ok("audit two.csv --list list --id id --group g --drop y --score s --json"),
    );
    assert_eq!(found["cost"], Value::Null);
    assert_eq!(row(&found, "A", "rank-parity")["value"], 2.0 / 5.0);
    let rows = found["measures"].as_array().expect("rows");
    assert!(rows.iter().all(|row| row["measure"] != "displacement"), "{found}");
    let error = refused(&folder, "audit two.csv --group g --score s --measure noise");
    assert!(
        error.contains("`noise` needs a true order") && error.contains("(--impact COLUMN)"),
        "{error}"
    );
}

#[test]
fn models_and_files_of_scores() {
    let folder = Folder::with_generated_storms();
    let roles = crate::common::ROLES;
    folder.ok(&format!("train s.csv {roles} -k 5 --learner ridge -o m.json --quiet"));
    let line = "audit s.csv --model m.json --group region --measure mean-rank,calibration --json --draws 50";
    let found = document(&folder.ok(line));
    assert!(row(&found, "north", "mean-rank")["p"].is_f64());
    assert!(row(&found, "north", "calibration")["value"].as_f64().expect("a ratio") > 0.0);
    // A group may be a feature of the model, here even one of numbers.
    let line = "audit s.csv --model m.json --group phases --measure mean-rank --draws 50 --json";
    assert_eq!(document(&folder.ok(line))["score"], "m");
    let size = folder.text("s.csv").lines().count() - 1;
    folder.write("scores.txt", (0..size).map(|i| format!("{}\n", i % 7)).collect::<String>());
    let line = format!(
        "audit s.csv {roles} --group region --score-file mine=scores.txt --expected --json --draws 20 \
         --measure calibration"
    );
    assert_eq!(document(&folder.ok(&line))["score"], "mine");
    // The group of stakes.toml is used as well.
    folder.write(
        "stakes.toml",
        "[columns]\nlist = 'storm'\nimpact = 'customers_out'\nid = 'network'\ngroup = 'region'\n",
    );
    let found =
        document(&folder.ok("audit s.csv --score customers --measure gap --draws 20 --json"));
    assert!(row(&found, "north", "gap")["value"].is_f64());
}

#[test]
fn the_framework() {
    let folder = Folder::new();
    let page = folder.ok("audit --framework");
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    let line = |measure: &str| -> Vec<String> {
        let line = page.lines().find(|line| line.trim_start().starts_with(&format!("{measure} ")));
        line.expect(measure).split_whitespace().skip(1).map(str::to_owned).collect()
    };
    let blind = |n: usize| vec!["blind".to_owned(); n];
    assert_eq!(line("mean-rank")[1..], blind(6));
    assert_eq!(line("displacement")[1..], blind(6));
    assert_eq!(line("noise"), [blind(5), vec!["seen".to_owned(); 2]].concat());
    let detail =
        folder.ok("audit --framework --measure gap,four-fifths -k 10 --items 60 --members 6");
    assert!(detail.contains("FOUR-FIFTHS@10") && detail.contains("bimodal(3)"), "{detail}");
    let found = document(&folder.ok("audit --framework --measure gap --json"));
    assert_eq!(found["rows"][0]["measure"], "gap");
    assert_eq!(found["rows"][0]["cells"][1]["verdict"], "seen");
    for refused_line in
        ["audit --framework x.csv", "audit --framework --score s", "audit x.csv --items 9"]
    {
        assert!(refused(&folder, refused_line).contains("error:"), "{refused_line}");
    }
}

#[test]
fn bad_input_is_explained() {
    let folder = world();
    folder.write("missing.csv", "id,y,g,s\n1,9,A,1\n2,8,B,5\n3,4,A,3\n4,1,B,4\n5,2,,2\n");
    let error = refused(&folder, &format!("audit missing.csv {ROLES} --score s"));
    assert!(error.contains("missing.csv:6 (item 5): the group `g` is missing"), "{error}");
    assert!(error.contains("(--missing-group drop, or own)"), "{error}");
    let own = folder.ok(&format!("audit missing.csv {ROLES} --score s --missing-group own"));
    assert!(
        on_one_line(&own).contains("not compared, as they have one member: `(missing)`"),
        "{own}"
    );
    let dropped = folder.ok(&format!("audit missing.csv {ROLES} --score s --missing-group drop"));
    assert!(
        dropped.contains("4 items in 1 list")
            && dropped.contains("1 item without a group left out")
    );
    let mut many = String::from("y,age,one,lone,g,s\n");
    for i in 0..60 {
        let lone = if i == 0 { "A" } else { "B" };
        let region = ["north", "south"][i % 2];
        many += &format!("{i},{}.5,same,{lone},{region},{i}\n", 20 + i);
    }
    folder.write("many.csv", many);
    for (flags, expected) in [
        ("--group one", "all 60 items have the same value in `one`: `same`"),
        ("--group age", "`age` has 60 values in 60 items: it looks like a measurement"),
        ("--group lone --protected A", "the group `A` of `lone` has one member"),
        (
            "--group g --protected norht",
            "no item has the value `norht` in `g`; did you mean `north`?",
        ),
        ("--group gg", "there is no column `gg`"),
        ("--group g,g", "the group column `g` is given twice"),
        ("", "name the column of the groups: --group COLUMN"),
        ("--group g --measure gapp", "there is no measure `gapp`; did you mean `gap`?"),
        ("--group g --measure gap,gap", "the measure `gap` is given twice"),
        ("--group g -k 1..4", "an audit needs a number of items"),
        ("--group g --level 3", "the level is 3"),
        ("--group g --svg x.png", "give the file a name that ends in .svg"),
        ("--group g --html x.svg", "give the file a name that ends in .html"),
    ] {
        let error = refused(&folder, &format!("audit many.csv --impact y --score s {flags}"));
        assert!(error.contains(expected), "{flags}: {error}");
    }
    let error = refused(&folder, "audit many.csv --group g");
    assert!(error.contains("an audit looks at one order"), "{error}");
    let error =
        refused(&folder, "audit many.csv --group g --score s --html many.csv.html --svg many.csv");
    assert!(error.contains(".svg"), "{error}");
    assert_eq!(folder.names(), ["many.csv", "missing.csv", "tokens.csv", "two.csv", "uniform.csv"]);
}

#[test]
fn the_page_of_the_documentation_names_every_measure() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/fairness.md")).expect("docs/fairness.md");
    let found = document(&Folder::new().ok("audit --framework --json"));
    let folder = world();
    let line =
        format!("audit uniform.csv {ROLES} --score s --expected --json --draws 0 --resamples 0");
    let audited = document(&folder.ok(&line));
    let rows = |document: &Value, key: &str| document[key].as_array().expect("rows").clone();
    for row in rows(&found, "rows").iter().chain(&rows(&audited, "measures")) {
        let name = row["measure"].as_str().expect("a name");
        let name = name.split('@').next().unwrap_or(name);
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
        assert!(page.contains(&format!("`{name}")), "{name} is not in docs/fairness.md");
    }
}

#[test]
fn a_reference_group() {
    let folder = world();
    let line = format!("audit two.csv --list list {ROLES} --score s -k 2 --reference B");
    let found = document(&folder.ok(&format!("{line} --json")));
    let beside = &row(&found, "A", "mean-rank")["to_reference"];
    assert_eq!(beside["group"], "B");
    let values = [&row(&found, "A", "mean-rank")["value"], &row(&found, "B", "mean-rank")["value"]];
    let [a, b] = values.map(|value| value.as_f64().expect("a value"));
    assert!((beside["difference"].as_f64().expect("a difference") - (a - b)).abs() < 1e-12);
    assert!(row(&found, "B", "mean-rank").get("to_reference").is_none());
    assert!(folder.ok(&format!("{line} --html x.html")).contains("less B"));
    assert!(folder.text("x.html").contains("less B"));
    assert!(refused(&folder, &line.replace("reference B", "reference C")).contains("`C`"));
}

#[test]
fn classes_orders_of_groups_and_single_items() {
    let folder = world();
    // 12 people like spicy food (8 women), 12 sweet (4 women); 75 % and 50 % of them are recognised.
    let mut text = String::from("id,sex,diet,menu\n");
    let mut id = 0;
    for (sex, diet, right, wrong) in
        [("F", "spicy", 6, 2), ("F", "sweet", 2, 2), ("M", "spicy", 3, 1), ("M", "sweet", 4, 4)]
    {
        let other = if diet == "spicy" { "sweet" } else { "spicy" };
        for given in std::iter::repeat_n(diet, right).chain(std::iter::repeat_n(other, wrong)) {
            id += 1;
            text += &format!("{id},{sex},{diet},{given}\n");
        }
    }
    folder.write("canteen.csv", &text);
    let line = "audit canteen.csv --id id --group sex --classes diet,menu";
    let found = document(&folder.ok(&format!("{line} --json")));
    assert!(found["conditional_independence"].as_f64().is_some_and(|met| met < 1e-12), "{found}");
    let women = &found["groups"][0]["classes"][0];
    assert_eq!((&women["class"], &women["fdr"]), (&"spicy".into(), &0.25.into()), "{found}");
    let page = folder.ok(line);
    assert!(page.contains("equalised odds") && page.contains("25 %"), "{page}");
    folder.write("four.csv", "id,g,y,a,b\n1,A,4,4,4\n2,A,3,1,3\n3,B,2,3,2\n4,B,1,2,1\n");
    let line = "audit four.csv --id id --group g --envy A=a,B=b";
    let found = document(&folder.ok(&format!("{line} --json")));
    assert_eq!(found["benefits"].to_string(), "[[0.0,1.0],[0.0,-1.0]]");
    assert!(folder.ok(line).contains("order of A"));
    refused(&folder, "audit four.csv --id id --group g --envy A=a");
    refused(&folder, "audit four.csv --id id --group g --envy A=a,C=b");
    refused(&folder, "audit four.csv --id id --group g --classes y");
    let line =
        "audit two.csv --list list --impact y --id id --group g --score s -k 1 --individuals";
    let found = document(&folder.ok(&format!("{line} --json")));
    assert!(found["individuals"]["mean"].is_number() && found["measures"].is_array(), "{found}");
    assert!(folder.ok(line).contains("of its list from where it should"));
}
