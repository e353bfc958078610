//! Defects that hard use has found, by what was typed: what is expected of each.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use serde_json::Value;

use crate::common::{Folder, ROLES, STORMS};

const STORM_ROLES: &str = "--list storm --impact customers --id network";

/// Runs what must fail with exit code 1 and leave every file as it was; `words` must stand in the
/// message.
fn refused(folder: &Folder, line: &str, words: &str) {
    let files = || -> Vec<(String, Vec<u8>)> {
        let names = folder.names().into_iter().filter(|name| folder.path(name).is_file());
        names.map(|name| (name.clone(), folder.bytes(&name))).collect()
    };
    let before = files();
    let ran = folder.run(line);
    assert_eq!(ran.code, 1, "stakes {line}\n{}", ran.err);
    assert!(ran.err.contains(words), "`{words}` is not in: {}", ran.err);
    for noise in ["panicked", "os error", ".stakes-"] {
        assert!(!ran.err.contains(noise), "`{noise}` is in: {}", ran.err);
    }
    assert_eq!(files(), before, "stakes {line} changed a file");
}

/// A model of the two storms in `m.json`.
fn with_model() -> Folder {
    let folder = Folder::with_storms();
    folder.ok(&format!("train storms.csv {STORM_ROLES} -k 2 --learner ridge -q -o m.json"));
    folder
}

/// The same columns in another order.
fn reordered(text: &str) -> String {
    let turn = |line: &str| line.split(',').rev().collect::<Vec<_>>().join(",") + "\n";
    text.lines().map(turn).collect()
}

#[test]
fn d1_a_resumed_run_with_an_offset_is_the_same_to_the_byte() {
    let folder = Folder::with_generated_storms();
    let line = format!("train s.csv {ROLES} -k 4 --learner cs-mart --rounds 30 --patience 0 -q");
    folder.ok(&format!("{line} -o whole.json"));
    for rounds in [35, 65, 80] {
        folder.ok(&format!("{line} --stop-after {rounds} -o parts.json"));
        folder.ok(&format!("{line} --resume -o parts.json"));
        assert_eq!(folder.bytes("parts.json"), folder.bytes("whole.json"), "{rounds}");
    }
}

#[test]
fn d2_columns_in_another_order_are_not_resumed_with() {
    let folder = Folder::with_generated_storms();
    folder.write("turned.csv", reordered(&folder.text("s.csv")));
    for learner in ["two-part", "cr-listnet", "cs-adarank", "cs-rankboost"] {
        let line =
            |data: &str| format!("train {data} {ROLES} -k 4 --learner {learner} -q -o m.json");
        folder.ok(&format!("{} --stop-after 3", line("s.csv")));
        let words = "the columns must be in the same order";
        refused(&folder, &format!("{} --resume", line("turned.csv")), words);
        folder.ok(&format!("{} --resume", line("s.csv")));
    }
}

/// Stderr that cannot be written to ends nothing.
#[cfg(target_os = "linux")]
#[test]
fn d3_notes_that_cannot_be_written_end_no_training() {
    let folder = Folder::with_storms();
    let run = |line: &str| {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("stakes"));
        let command = command.current_dir(folder.path("")).args(line.split_whitespace());
        let status = command.stdout(Stdio::null()).stderr(full).status().expect("it runs");
        status.code()
    };
    let train = format!("train storms.csv {STORM_ROLES} -k 2 --learner ridge -o m.json");
    assert_eq!(run(&train), Some(0));
    assert_eq!(run("generate storms --lists 3 --rows 30 -o g.csv"), Some(0));
    assert_eq!(run("rank m.json absent.csv"), Some(1));
    assert_eq!(folder.names(), ["g.csv", "m.json", "storms.csv"]);
}

#[test]
fn d4_outputs_never_overwrite_inputs() {
    let folder = with_model();
    let here = folder.path("storms.csv").to_str().expect("a path").to_owned();
    let over = "the output would overwrite an input";
    for path in ["storms.csv", "./storms.csv", here.as_str()] {
        refused(&folder, &format!("rank m.json storms.csv -o '{path}'"), over);
        refused(&folder, &format!("convert storms.csv -o '{path}'"), over);
        let split = format!("split storms.csv {STORM_ROLES} -o '{path}' b.csv");
        refused(&folder, &split, over);
        let evaluate =
            format!("evaluate storms.csv {STORM_ROLES} --score cable --per-list '{path}'");
        refused(&folder, &evaluate, over);
    }
    folder.write("scores.csv", "1\n2\n3\n4\n5\n6\n");
    let evaluate = format!("evaluate storms.csv {STORM_ROLES} --score-file a=scores.csv");
    refused(&folder, &format!("{evaluate} --per-list ./scores.csv"), over);
    // Files whose names end as those of outputs do.
    for name in ["d.json", "d.svg"] {
        folder.write(name, STORMS);
    }
    for (line, output) in [
        ("train d.json --format csv -k 2 --learner ridge", "-o ./d.json"),
        ("train storms.csv -k 2 --learner ridge --valid d.json --format csv", "-o ./d.json"),
        ("train storms.csv -k 2 --learner mart --continue m.json", "-o ./m.json"),
        ("train storms.csv -k 2 --learner exact-rerank --base m.json", "-o ./m.json"),
        ("certify d.json --format csv --score cable", "--save ./d.json"),
        ("certify storms.csv --model m.json", "--save ./m.json"),
        ("evaluate d.svg --format csv --score cable", "--curve ./d.svg"),
        ("evaluate d.svg --format csv --score cable", "--calibration ./d.svg"),
    ] {
        refused(&folder, &format!("{line} {STORM_ROLES} {output}"), over);
    }
    refused(&folder, "explain m.json d.svg --format csv --picture ./d.svg", over);
}

#[cfg(unix)]
#[test]
fn d4_links_lead_to_the_input() {
    let folder = with_model();
    std::os::unix::fs::symlink("storms.csv", folder.path("link.csv")).expect("a link");
    fs::hard_link(folder.path("storms.csv"), folder.path("hard.csv")).expect("a link");
    for name in ["link.csv", "hard.csv"] {
        let words = format!("{name}: the output would overwrite an input (storms.csv)");
        refused(&folder, &format!("rank m.json storms.csv -o {name}"), &words);
        let line = format!("train storms.csv {STORM_ROLES} -k 2 --learner ridge -o n.json");
        refused(&folder, &format!("{line} --valid {name}"), "the training data");
    }
}

#[test]
fn d4_split_checks_both_sides_before_it_writes() {
    let folder = Folder::with_storms();
    let split = |outputs: &str| format!("split storms.csv {STORM_ROLES} --hold-out 1 -o {outputs}");
    refused(&folder, &split("a.csv ./a.csv"), "are the same file");
    refused(&folder, &split("a.csv nodir/b.csv"), "the folder does not exist");
    refused(&folder, &split("a.csv b.xyz"), "unknown file extension");
    refused(&folder, &split("a.csv b.txt"), "b.txt: LETOR cannot hold the column `cable`");
    folder.ok(&split("a.csv b.csv"));
}

/// The bytes of a small Arrow file whose buffers are compressed.
fn arrow(compression: CompressionType) -> Vec<u8> {
    let column = |step: usize| -> ArrayRef {
        Arc::new((0..400).map(|i| Some((i / step) as f64)).collect::<Float64Array>())
    };
    let ids: StringArray = (0..400).map(|i| Some(format!("id{i}"))).collect();
    let batch = RecordBatch::try_from_iter([
        ("l", column(20)),
        ("i", Arc::new(ids) as ArrayRef),
        ("y", column(7)),
        ("x", column(3)),
    ]);
    let batch = batch.expect("a batch");
    let options = IpcWriteOptions::default().try_with_compression(Some(compression));
    let options = options.expect("compression");
    let mut bytes = Vec::new();
    let mut writer =
        FileWriter::try_new_with_options(&mut bytes, &batch.schema(), options).expect("a writer");
    writer.write(&batch).expect("a batch");
    writer.finish().expect("the end");
    drop(writer);
    bytes
}

#[test]
fn d5_damaged_lengths_in_arrow_files_are_refused() {
    let folder = Folder::new();
    let inspect = "inspect a.arrow --list l --id i --impact y";
    for compression in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
        let good = arrow(compression);
        folder.write("a.arrow", &good);
        folder.ok(inspect);
        // The lengths of buffers of 400 numbers, wherever they are.
        let length = (8 * 400_i64).to_le_bytes();
        let places = good.windows(8).enumerate().filter(|(_, bytes)| *bytes == length);
        let places: Vec<usize> = places.map(|(at, _)| at).collect();
        assert!(places.len() >= 3, "{places:?}");
        for at in places {
            for claimed in [13_792_273_858_822_148_i64, 1 << 40, 1 << 33, i64::MAX] {
                let mut bad = good.clone();
                bad[at..at + 8].copy_from_slice(&claimed.to_le_bytes());
                folder.write("a.arrow", bad);
                refused(&folder, inspect, "a.arrow: the file is damaged or truncated");
            }
        }
    }
}

#[test]
fn d6_damaged_checkpoints_are_refused() {
    let folder = Folder::with_generated_storms();
    let learners = ["cr-listnet", "ridge", "cs-adarank", "coordinate-ascent", "ranknet", "cs-mart"];
    for learner in learners {
        let line = format!("train s.csv {ROLES} -k 4 --learner {learner} -q -o m.json");
        folder.ok(&format!("{line} --stop-after 2"));
        let good = folder.text("m.json.checkpoint");
        let all = damaged(&serde_json::from_str(&good).expect("JSON"));
        assert!(all.len() >= 2, "{learner}: {good}");
        for (what, bad) in all {
            folder.write("m.json.checkpoint", bad.to_string());
            let ran = folder.run(&format!("{line} --resume"));
            assert_eq!(ran.code, 1, "{learner}, {what}: {}", ran.err);
            let words = ["error: the checkpoint is damaged: ", "error: m.json.checkpoint: "];
            let is_told = words.iter().any(|words| ran.err.starts_with(words));
            assert!(is_told, "{learner}, {what}: {}", ran.err);
        }
        folder.write("m.json.checkpoint", good);
        folder.ok(&format!("{line} --resume"));
    }
}

/// Checkpoints whose first stage has too few or too many numbers or trees.
fn damaged(good: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    let mut damage = |what: &str, change: &dyn Fn(&mut Value)| {
        let mut bad = good.clone();
        change(&mut bad["stages"][0]);
        if bad != *good {
            all.push((what.to_owned(), bad));
        }
    };
    if good["stages"][0]["numbers"].is_object() {
        for part in ["now", "memory", "best"] {
            let numbers = |stage: &mut Value, change: &dyn Fn(&mut Vec<Value>)| {
                change(stage["numbers"][part].as_array_mut().expect("numbers"));
            };
            damage(&format!("less {part}"), &|stage| numbers(stage, &|n| drop(n.pop())));
            damage(&format!("more {part}"), &|stage| numbers(stage, &|n| n.push(1.0.into())));
        }
        let leaf = serde_json::json!({
            "feature": [], "at_most": [], "missing": "", "left": [], "right": [], "gain": [],
            "rows": [], "leaf": [1.0], "leaf_rows": [1],
        });
        damage("a tree", &|stage| stage["trees"] = vec![leaf.clone()].into());
    } else {
        damage("no trees", &|stage| stage["trees"] = Vec::<Value>::new().into());
        let numbers = serde_json::json!({ "now": [1.0], "memory": [], "best": [1.0] });
        damage("numbers", &|stage| stage["numbers"] = numbers.clone());
    }
    all
}

#[test]
fn d9_times_are_all_numbers_or_all_dates() {
    let folder = Folder::new();
    folder.write("t.csv", "l,i,y,x,t\nA,a,1,2,20260101\nB,a,1,1,2026-06-01\nC,a,1,1,20250101\n");
    let line = "split t.csv --list l --id i --impact y --time t --hold-out 1 -o a.csv b.csv";
    let words = "t.csv:3 (list B, item a): time is `2026-06-01`, a date, but `20260101`, a number, \
                 in t.csv:2 (list A, item a)";
    refused(&folder, line, words);
    folder.write("t.csv", "l,i,y,x,t\nA,a,1,2,20260101\nB,a,1,1,20260601\nC,a,1,1,20250101\n");
    folder.ok(line);
    assert!(folder.text("b.csv").contains("\nB,"), "{}", folder.text("b.csv"));
}

#[test]
fn d10_names_give_no_orders_to_the_terminal() {
    let folder = Folder::new();
    let escape = "\u{1b}]0;pwned\u{7}\u{9b}2J";
    let name = |plain: &str| format!("{plain}{escape}");
    let mut text = format!("{},{},y,{},c\n", name("l"), name("i"), name("x"));
    for list in 0..6 {
        for item in 0..5 {
            let (list, id) = (name(&list.to_string()), name(&item.to_string()));
            text += &format!("{list},{id},{},{},{}\n", item % 3, (item * 7) % 5, name("k"));
        }
    }
    folder.write("e.csv", text);
    let roles = format!("--list '{}' --id '{}' --impact y", name("l"), name("i"));
    let train =
        format!("train e.csv {roles} -k 2 --learner mart --rounds 3 -p min-rows=1 -o m.json");
    let leak = folder.run(&train);
    assert!(leak.code == 1 && leak.err.contains("computed from `y`"), "{}", leak.err);
    assert!(!leak.err.contains(escape), "{}", leak.err);
    let train = format!("{train} --allow-leak '{}'", name("x"));
    for line in [
        format!("inspect e.csv {roles}"),
        format!("inspect e.csv {roles} --json"),
        format!("evaluate e.csv {roles} --score '{}'", name("x")),
        format!("evaluate e.csv {roles} --score '{}' --curve c.svg", name("x")),
        train,
        "model info m.json".to_owned(),
        "model info m.json --json".to_owned(),
        "explain m.json e.csv --picture p.svg".to_owned(),
    ] {
        let ran = folder.run(&line);
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        for text in [&ran.out, &ran.err] {
            let control = text.chars().find(|c| c.is_control() && *c != '\n');
            assert_eq!(control, None, "{line}: {text}");
        }
    }
    for picture in ["c.svg", "p.svg"] {
        let text = folder.text(picture);
        assert!(text.chars().all(|c| !c.is_control() || c == '\n'), "{picture}");
    }
    let ran = folder.run(&format!("inspect e.csv --list '{}'", name("z")));
    assert!(ran.code == 1 && !ran.err.contains('\u{1b}') && ran.err.contains("\\u{1b}"));
}

/// The figures of these lists have another sum, in the last digit, when they are added up backwards.
#[test]
fn d11_exact_reranking_does_not_depend_on_the_order_of_rows() {
    let folder = Folder::new();
    folder.ok("generate storms --lists 24 --networks 25 --rows 360 --seed 3 -o s.csv");
    let text = folder.text("s.csv");
    let (header, rows) = text.split_once('\n').expect("a header");
    let turned: Vec<&str> = rows.lines().rev().collect();
    folder.write("turned.csv", format!("{header}\n{}\n", turned.join("\n")));
    let models = ["s", "turned"].map(|data| {
        folder.ok(&format!(
            "train {data}.csv {ROLES} -k 4 -m ndcg@4 --hold-out none --learner exact-rerank --base \
             ridge -p nodes=20 --top 6 -q -o m.json"
        ));
        folder.text("m.json")
    });
    assert_eq!(models[0], models[1]);
}

#[test]
fn d12_training_lists_do_not_validate() {
    let folder = Folder::with_generated_storms();
    let text = folder.text("s.csv");
    folder.write("copy.csv", &text);
    folder.shuffle("s.csv", "shuffled.csv");
    folder.write("turned.csv", reordered(&text));
    // The first storms alone.
    let first: Vec<&str> =
        text.lines().skip(1).map(|row| row.split(',').next().expect("a storm")).collect();
    let kept = |row: &&str| row.split(',').next().expect("a storm") == first[0];
    let part: Vec<&str> = text.lines().take(1).chain(text.lines().skip(1).filter(kept)).collect();
    folder.write("part.csv", part.join("\n") + "\n");
    let line = format!("train s.csv {ROLES} -k 4 --learner mart --rounds 3 -o m.json");
    for valid in ["s.csv", "./s.csv"] {
        refused(&folder, &format!("{line} --valid {valid}"), "the training data; give other lists");
    }
    for valid in ["copy.csv", "shuffled.csv", "turned.csv", "part.csv"] {
        let words = format!("{valid}: all its lists are training lists");
        refused(&folder, &format!("{line} --valid {valid}"), &words);
    }
    // Lists of the same names and other rows are told of.
    folder.ok("generate storms --lists 24 --networks 25 --rows 480 --seed 4 -o other.csv");
    let ran = folder.run(&format!("{line} --valid other.csv"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("with the name of a training list"), "{}", ran.err);
}

#[test]
fn d13_models_with_many_absent_features_and_long_texts_are_refused_at_once() {
    let folder = with_model();
    let model: Value = serde_json::from_str(&folder.text("m.json")).expect("JSON");
    let mut wide = model.clone();
    // It has a line for each feature.
    wide.as_object_mut().expect("an object").remove("profile");
    let features = wide["features"].as_array_mut().expect("features");
    features.extend((0..20_000).map(|i| {
        serde_json::json!({ "name": format!("a feature that is not there {i}"), "kind": "numeric" })
    }));
    folder.write("wide.json", wide.to_string());
    refused(
        &folder,
        "rank wide.json storms.csv",
        "20,000 columns that the model reads are missing",
    );
    let mut long = model.clone();
    long["goal"]["cost"] = format!("y{}", "+y".repeat(300_000)).into();
    folder.write("long.json", long.to_string());
    refused(&folder, "explain long.json storms.csv", "the cost has 600001 characters");
    let mut other = model;
    other["format"] = "a".repeat(1_000_000).into();
    folder.write("other.json", other.to_string());
    let ran = folder.run("model info other.json");
    assert!(ran.code == 1 && ran.err.len() < 10_000, "{}", ran.err.len());
}

#[cfg(unix)]
#[test]
fn d14_an_interrupted_training_does_not_end_as_a_success() {
    let folder = Folder::with_generated_storms();
    let line = format!(
        "train s.csv {ROLES} -k 4 --learner mart --rounds 100000 --patience 0 --checkpoint-every 0 \
         -q -o m.json"
    );
    let ran = folder.interrupted(&line, "-TERM", "m.json.checkpoint");
    assert_eq!((ran.code, ran.out.as_str()), (130, ""), "{}", ran.err);
    folder.ok("rank m.json s.csv -o r.csv");
    // To stop by oneself is no interruption from outside.
    folder.ok(&format!("{line} --stop-after 2"));
}

#[test]
fn d15_costs_that_cannot_be_divided_by_are_refused() {
    let folder = Folder::new();
    folder.write("t.csv", "l,i,y,x\nA,a,1e-310,2\nA,b,0,1\nB,a,1,2\nB,b,2,1\n");
    let roles = "--list l --id i --impact y";
    let words = "t.csv:2 (list A, item a): y is 1e-310, too near 0 to divide by";
    refused(&folder, &format!("evaluate t.csv {roles} --score x -m r@1,ndcg@1"), words);
    refused(&folder, &format!("train t.csv {roles} --learner ridge -o m.json"), words);
    folder.write("t.csv", folder.text("t.csv").replace("1e-310", "1e-280"));
    folder.ok(&format!("evaluate t.csv {roles} --score x -m r@1,ndcg@1"));
    let words = "the cost y * 1e-20 is ";
    refused(&folder, &format!("evaluate t.csv {roles} --score x --cost 'y * 1e-20'"), words);
}

#[cfg(unix)]
#[test]
fn d16_permissions_and_links_of_outputs_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = with_model();
    folder.write("secret.csv", "old");
    let mode = |mode| fs::Permissions::from_mode(mode);
    fs::set_permissions(folder.path("secret.csv"), mode(0o600)).expect("permissions");
    symlink("secret.csv", folder.path("link.csv")).expect("a link");
    for output in ["secret.csv", "link.csv"] {
        folder.ok(&format!("rank m.json storms.csv -o {output}"));
        let met = fs::metadata(folder.path("secret.csv")).expect("a file").permissions().mode();
        assert_eq!(met & 0o777, 0o600, "{output}");
        assert!(folder.text("secret.csv").starts_with("list,rank,"), "{output}");
        folder.write("secret.csv", "old");
    }
    assert!(fs::symlink_metadata(folder.path("link.csv")).expect("a link").is_symlink());
}

#[test]
fn d17_messages_are_right() {
    let folder = with_model();
    let evaluate = format!("evaluate storms.csv {STORM_ROLES} --score cable");
    let words = "the confidence level is 0.9999999; allowed are shares above 0 up to 0.9999";
    refused(&folder, &format!("{evaluate} --level 0.9999999"), words);
    for pointless in ["--brief --level nan", "--no-intervals --resamples 3"] {
        let ran = folder.run(&format!("{evaluate} {pointless}"));
        assert_eq!(ran.code, 2, "{pointless}: {}", ran.err);
        assert!(ran.err.contains("cannot be used with"), "{}", ran.err);
    }
    // A byte order mark before scores.
    folder.write("scores.txt", "\u{feff}1\n2\n3\n4\n5\n6\n");
    folder.ok(&format!("evaluate storms.csv {STORM_ROLES} --score-file scores.txt"));
    // A byte too many.
    folder.write("more.json", folder.text("m.json") + "x");
    refused(&folder, "model info more.json", "trailing characters");
    // One list, and nothing to save in it.
    folder.write("one.csv", "l,i,y,x\nA,a,0,1\nA,b,0,2\n");
    let out = folder.ok("evaluate one.csv --list l --id i --impact y --score x -m rcs@1");
    assert!(out.contains("only 0 of 1 list with a value"), "{out}");
    folder.write("one.csv", "l,i,y,x\nA,a,0,1\nA,b,1,2\n");
    let out = folder.ok("evaluate one.csv --list l --id i --impact y --score x -m rcs@1");
    assert!(out.contains("only 1 list: intervals"), "{out}");
}

/// A full disk by another name.
#[cfg(target_os = "linux")]
#[test]
fn d17_a_full_disk_is_told_in_every_format() {
    let folder = Folder::with_storms();
    for format in ["csv", "parquet", "arrow", "letor"] {
        let line = format!("generate search --lists 3 --to {format} -o /dev/full");
        refused(&folder, &line, "/dev/full: cannot be written: the disk is full");
    }
    folder.ok("convert storms.csv --to parquet -o /dev/null");
}

#[test]
fn d18_tables_too_wide_for_parquet_are_refused() {
    let folder = Folder::new();
    let columns: Vec<String> = (0..60_000).map(|j| format!("c{j}")).collect();
    let row = vec!["1"; columns.len()].join(",");
    folder.write("wide.csv", format!("{}\n{row}\n", columns.join(",")));
    refused(&folder, "convert wide.csv -o wide.parquet", "Parquet is written with at most 50000");
    assert_eq!(folder.names(), ["wide.csv"]);
}

#[test]
fn d19_what_is_lost_or_left_out_is_told() {
    let folder = Folder::new();
    folder.write("c.csv", "l,i,y,x,kind\nA,a,1,2,oak\nA,b,0,1,pine\nB,a,1,1,oak\nB,b,0,2,oak\n");
    let roles = "--list l --id i --impact y";
    let ran = folder.run(&format!("convert c.csv {roles} -o c.txt"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("the names of categories are lost"), "{}", ran.err);
    assert!(ran.err.contains(": kind"), "{}", ran.err);
    folder.write("s.csv", "list,id,score\nA,a,1\nA,b,2\nB,a,1\nB,b,2\nB,c,3\nC,a,1\n");
    let ran = folder.run(&format!("evaluate c.csv {roles} --score-file s.csv"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let words = "s.csv: 2 scores of items that are not in the data, left out: list B, item c; list C, item a";
    assert!(ran.err.contains(words), "{}", ran.err);
    // Lists of one level have no value by these metrics, and the table of metrics says so.
    let metrics: Vec<Value> = serde_json::from_str(&folder.ok("metrics --json")).expect("JSON");
    folder.write("l.csv", "l,i,y,x\nA,a,1,2\nA,b,1,1\nB,a,1,1\nB,b,0,2\n");
    for name in ["footrule", "kendall", "mann-whitney", "jaccard"] {
        let row = metrics.iter().find(|row| row["name"] == name).expect("a metric");
        assert_eq!(row["left_out"], "lists whose items are all of one level", "{name}");
        let study = folder.json(&format!("evaluate l.csv {roles} --score x -m {name}"));
        assert_eq!(study.row("x", name)["lists"], 1, "{name}");
    }
    assert!(folder.ok("metrics kendall").contains("left out"));
}

#[test]
fn d20_sums_of_expected_costs_are_numbers() {
    let folder = Folder::with_generated_storms();
    folder.ok(&format!("train s.csv {ROLES} -k 4 --learner ridge -q -o m.json"));
    let mut model: Value = serde_json::from_str(&folder.text("m.json")).expect("JSON");
    for part in ["mean", "low", "high"] {
        let values = model["calibration"][part].as_array_mut().expect("a calibration");
        values.iter_mut().for_each(|value| *value = 1e308.into());
    }
    folder.write("m.json", model.to_string());
    let out = folder.ok("rank m.json s.csv");
    assert!(out.contains("running_total") && !out.contains("inf"), "{out}");
    let out = folder.ok("rank m.json s.csv --to json");
    assert!(!out.contains("\"running_total\": null"), "{out}");
}

#[test]
fn a_group_is_refused_where_it_has_no_effect() {
    let folder = with_model();
    for line in
        ["rank m.json storms.csv --group network", "explain m.json storms.csv --group network"]
    {
        refused(&folder, line, "--group network has no effect here");
    }
    let ran = folder.run("evaluate q --run r --group g");
    assert_eq!(ran.code, 2, "{}", ran.err);
    // Elsewhere it keeps a column out of the features.
    folder.write(
        "g.csv",
        STORMS
            .replace("network", "network,side")
            .replace(",5,", ",x,5,")
            .replace(",4,", ",y,4,")
            .replace(",3,", ",x,3,"),
    );
    let roles = format!("{STORM_ROLES} -k 2 --learner ridge -o g.json");
    folder.ok(&format!("train g.csv {roles} --group side -q"));
    let model: Value = serde_json::from_str(&folder.text("g.json")).expect("JSON");
    let features = model["features"].as_array().expect("features");
    assert!(features.iter().all(|feature| feature["name"] != "side"), "{features:?}");
}
