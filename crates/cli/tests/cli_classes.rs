//! Classes of rows, and costs of pairs from files.

use crate::common::{Folder, real};

/// The complaint of a command that must fail.
fn fails(folder: &Folder, line: &str) -> String {
    let ran = folder.run(line);
    assert_ne!(ran.code, 0, "{line}");
    ran.err
}

/// Rows of three classes that two numbers tell apart.
fn shapes(folder: &Folder) {
    let mut text = "id,x,y,shape\n".to_owned();
    for i in 0..90 {
        let (class, step) = (i % 3, (i * 7 % 10) as f64 / 10.0);
        let (x, y) = ([0.0, 2.0, 2.0][class] + step, [0.0, 0.0, 2.0][class] + 1.0 - step);
        text += &format!("r{i},{x},{y},{}\n", ["circle", "line", "wave"][class]);
    }
    folder.write("shapes.csv", &text);
}

#[test]
fn classes_are_learnt_and_told() {
    let folder = Folder::new();
    shapes(&folder);
    let train = "train shapes.csv --task multiclass --class shape --id id -o m.json -p rounds=30";
    for learner in ["rankboost", "rankboost+", "cs-rankboost", "cs-rankboost+"] {
        let page = folder.ok(&format!("{train} --learner {learner}"));
        assert!(page.contains("accuracy") && page.contains("most common class"), "{page}");
        assert!(page.contains("3 classes"), "{page}");
        let told = folder.ok("rank m.json shapes.csv");
        assert!(told.starts_with("row,rank,class,score"), "{told}");
        assert_eq!(told.lines().count(), 91);
        let right = |line: &&str| {
            let fields: Vec<&str> = line.split(',').collect();
            let row: usize = fields[0][1..].parse().unwrap_or_default();
            fields[2] == ["circle", "line", "wave"][row % 3]
        };
        assert!(told.lines().skip(1).filter(right).count() >= 85, "{learner}: {told}");
    }
    assert!(folder.ok("model info m.json").contains("class = shape"));
    let top = folder.ok("rank m.json shapes.csv --top 3 --explain 1");
    assert_eq!(top.lines().count(), 271);
    assert!(top.starts_with("row,rank,class,score") && top.contains("because"), "{top}");
    // The class need not be there.
    let text = folder.text("shapes.csv");
    let without: String = text
        .lines()
        .map(|line| line.rsplit_once(',').map_or("", |(l, _)| l).to_owned() + "\n")
        .collect();
    folder.write("new.csv", &without);
    assert_eq!(folder.ok("rank m.json new.csv").lines().count(), 91);
}

#[test]
fn costs_of_classes_come_from_a_file() {
    let folder = Folder::new();
    shapes(&folder);
    folder.write("c.csv", "true,circle,line,wave\ncircle,0,1,5\nline,1,0,1\nwave,5,1,0\n");
    let train = "train shapes.csv --task multiclass --class shape --id id -o m.json -p rounds=9";
    let page = folder.ok(&format!("{train} -p class-costs=c.csv"));
    assert!(page.contains("as in c.csv"), "{page}");
    folder.write("c.csv", "true,circle,line\ncircle,0,1\nline,1,0\n");
    let error = fails(&folder, &format!("{train} -p class-costs=c.csv"));
    assert!(error.contains("no costs of the class `wave`"), "{error}");
}

#[test]
fn what_has_no_place_is_refused() {
    let folder = Folder::new();
    shapes(&folder);
    for (flags, words) in [
        ("--task multiclass", "--class COLUMN"),
        ("--class shape", "--task multiclass"),
        ("--task multiclass --class shape --list id", "--list cannot be combined with"),
        ("--task multiclass --class form", "`form`"),
        ("--task multiclass --class shape --learner mart", "rankboost"),
        ("--task classes --class shape", "multiclass"),
        ("--task multiclass --class shape -p bins=2", "the number of classes"),
    ] {
        let error = fails(&folder, &format!("train shapes.csv {flags} -o m.json"));
        assert!(error.contains(words), "{flags}: {error}");
    }
}

#[test]
fn costs_of_pairs_come_from_a_file() {
    let folder = Folder::new();
    let mut text = "list,id,a,y\n".to_owned();
    for i in 0..60 {
        text += &format!("l{},i{},{},{}\n", i / 6, i % 6, i * 7 % 11, i % 6);
    }
    folder.write("d.csv", &text);
    let pairs = (0..10).map(|list| format!("l{list},i5,i0,2\nl{list},i4,i1,3.5\n"));
    folder.write("p.csv", format!("list,better,worse,cost\n{}", pairs.collect::<String>()));
    let train = "train d.csv --list list --id id --impact y -k 2 --learner cs-rankboost \
                 -p rounds=5 -p pair-costs=p.csv -o m.json --no-baseline";
    folder.ok(train);
    folder.write("p.csv", "list,better,worse,cost\nl0,i0,i5,2\n");
    let error = fails(&folder, train);
    assert!(error.contains("p.csv:2") && error.contains("impact"), "{error}");
    folder.write("p.csv", "list,better,worse,cost\nl0,i5,i0,much\n");
    assert!(fails(&folder, train).contains("p.csv:2"));
}

/// The data set of the thesis: 15 signs of 24 rows, 90 numbers each.
#[test]
fn libras() {
    let Some(path) = real("libras/movement_libras.data") else { return };
    let folder = Folder::new();
    let header: Vec<String> = (1..=90).map(|i| format!("f{i}")).collect();
    let rows = std::fs::read_to_string(path).unwrap_or_default();
    folder.write("libras.csv", format!("{},sign\n{rows}", header.join(",")));
    let page = folder.ok(
        "train libras.csv --task multiclass --class sign --learner rankboost -o m.json --json \
         -p rounds=150",
    );
    let page: serde_json::Value = serde_json::from_str(&page).unwrap_or_default();
    let accuracy = page["classes"]["results"][0]["accuracy"]["value"].as_f64().unwrap_or(0.0);
    assert!(accuracy > 0.6, "{accuracy}");
}
