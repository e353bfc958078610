//! Bad input: what the program says, where it says the trouble is, and that it leaves
//! nothing behind.
//!
//! Exit codes: 1 for what is wrong with data and files, 2 for what is wrong with the command
//! line itself.

use crate::common::Folder;

/// Runs what must fail; `words` must stand in the message.
fn refused(folder: &Folder, line: &str, code: i32, words: &[&str]) {
    let before = folder.names();
    let ran = folder.run(line);
    assert_eq!(ran.code, code, "stakes {line}\n{}", ran.err);
    assert_eq!(ran.out, "", "stakes {line} wrote to stdout");
    let message = ran.err.lines().find(|l| l.starts_with("error: ")).unwrap_or_default();
    assert!(!message.is_empty(), "no error in: {}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "`{word}` is not in: {}", ran.err);
    }
    for noise in ["panicked", "os error", ".stakes-", "RUST_BACKTRACE"] {
        assert!(!ran.err.contains(noise), "`{noise}` is in: {}", ran.err);
    }
    assert_eq!(folder.names(), before, "stakes {line} left a file behind");
}

const EVALUATE: &str = "evaluate bad.csv --list l --id i --impact y --score s --metric rcs@1";

/// Contents of `bad.csv` with the columns list, id, impact and score.
#[test]
fn wrong_values_have_a_place() {
    let cases: &[(&str, &str)] = &[
        ("1,a,x,2", "bad.csv:2 (list 1, item a): y is `x`; a number is needed"),
        ("1,a,1,two", "bad.csv:2 (list 1, item a): s is `two`; a number is needed"),
        ("1,a,nan,2", "bad.csv:2 (list 1, item a): y is missing; every row needs an impact"),
        ("1,a,,2", "set `missing_impact` to drop or zero"),
        ("1,a,-1,2", "bad.csv:2 (list 1, item a): y is -1; it must be a finite number >= 0"),
        ("1,a,inf,2", "bad.csv:2 (list 1, item a): y is inf; it must be a finite number >= 0"),
        ("1,a,1e999,2", "bad.csv:2 (list 1, item a): y is inf"),
        ("1,a,1", "bad.csv:2: the row has 3 fields, the header has 4"),
        ("1,a,1,2,3", "bad.csv:2: the row has 5 fields, the header has 4"),
        ("1,\"a,1,2", "bad.csv:2: a quote is opened in this row and never closed"),
        ("1,b,1,1\n1,a,1,2\n1,a,2,3", "bad.csv:4 (list 1, item a): the item occurs twice"),
        (",a,1,2", "bad.csv:2: l is missing; every row needs one"),
        ("1,,1,2", "bad.csv:2: i is missing; every row needs one"),
        ("1,a,1,2\n1,b,1,", "bad.csv:3 (list 1, item b): score s is missing"),
        ("1,a,1,2\n1,b,1,-inf", "bad.csv:3 (list 1, item b): s is -inf"),
        ("", "bad.csv: there are no rows; at least one item is needed"),
    ];
    let folder = Folder::new();
    for (rows, words) in cases {
        folder.write("bad.csv", format!("l,i,y,s\n{rows}\n"));
        refused(&folder, EVALUATE, 1, &[words]);
    }
}

#[test]
fn columns_that_are_not_there() {
    let folder = Folder::with_storms();
    let cases = [
        (
            "--list strom --impact customers",
            "storms.csv: there is no column `strom`; did you mean `storm`?",
        ),
        ("--impact custmers", "did you mean `customers`?"),
        ("--impact customers --score cabel", "did you mean `cable`?"),
        ("--impact customers --score network", "storms.csv:2: network is `City 1`; a number"),
        ("--impact customers --price prize", "there is no column `prize`"),
        ("--impact customers --drop x", "there is no column `x`; there are: storm, network, cable"),
        (
            "--impact customers --list customers",
            "column `customers` is given as both `list` and `impact`; choose one",
        ),
        ("--impact customers --cost 'hours * 2'", "there is no column `hours`"),
        (
            "--impact customers --time network",
            "time is `City 1`; allowed are numbers and ISO dates",
        ),
        ("--score cable", "or give a cost over other columns (--impact COLUMN)"),
    ];
    for (options, words) in cases {
        refused(&folder, &format!("evaluate storms.csv {options} --metric rcs@2"), 1, &[words]);
    }
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::with_storms();
    for name in ["s.csv.gz", "s.parquet", "s.arrow"] {
        folder.ok(&format!("convert storms.csv -o {name}"));
    }
    let cut = |name: &str, to: usize| folder.bytes(name)[..to].to_vec();
    let files: Vec<(&str, Vec<u8>, &str)> = vec![
        (
            "cut.csv.gz",
            cut("s.csv.gz", 60),
            "cut.csv.gz: the data ends too early: the file is truncated",
        ),
        ("cut.parquet", cut("s.parquet", 600), "cut.parquet: the file is damaged or truncated"),
        ("four.parquet", cut("s.parquet", 4), "four.parquet: the file is damaged or truncated"),
        ("cut.arrow", cut("s.arrow", 600), "cut.arrow: the file is damaged or truncated"),
        ("text.parquet", b"a,b\n1,2\n".to_vec(), "text.parquet: the file is damaged or truncated"),
        ("empty.csv", vec![], "empty.csv: the file is empty"),
        ("empty.parquet", vec![], "empty.parquet: the file is damaged or truncated"),
        ("empty.txt", vec![], "empty.txt: there are no rows"),
        ("header.csv", b"a,b\n".to_vec(), "header.csv: there are no rows"),
        ("latin.csv", b"a,b\n1,x\n2,z\xfcrich\n".to_vec(), "latin.csv:3: byte 0xfc is not UTF-8"),
        ("latin.txt", b"1 qid:\xfc 1:2\n".to_vec(), "latin.txt:1: byte 0xfc is not UTF-8"),
        (
            "far.txt",
            b"1 qid:1 1:1\n1 qid:1 4294967296:1\n".to_vec(),
            "far.txt:2: feature index 4294967296 is too large",
        ),
        (
            "word.txt",
            b"1 qid:1 1:1\n1 qid:1 x\n".to_vec(),
            "word.txt:2: `x` is not of the form index:value",
        ),
        (
            "label.txt",
            b"1 qid:1 1:1\nhigh qid:1 1:2\n".to_vec(),
            "label.txt:2: the line begins with `high`",
        ),
        (
            "mixed.txt",
            b"1 qid:1 1:1\n1 1:2\n".to_vec(),
            "mixed.txt:2: some lines have a qid and some have none",
        ),
        ("words", b"hello\n".to_vec(), "words: unknown file extension"),
    ];
    for (name, content, words) in files {
        folder.write(name, content);
        refused(&folder, &format!("convert {name} -o out.csv"), 1, &[words]);
    }
    refused(&folder, "convert nowhere.csv -o out.csv", 1, &["nowhere.csv: there is no such file"]);
    refused(&folder, "convert . -o out.csv", 1, &[".: this is a folder; name a file inside it"]);
}

#[test]
fn metrics_and_options_that_do_not_exist() {
    let folder = Folder::with_storms();
    let line = "evaluate storms.csv --list storm --impact customers --score cable";
    let cases = [
        ("--metric ndgc@2", "there is no metric `ndgc`; did you mean `ndcg`?"),
        ("--metric ndcg@2:gian=linear", "metric ndcg has no option `gian`; did you mean `gain`?"),
        ("--metric ndcg@2:gain=cubic", "metric ndcg: gain is `cubic`; there are: exp2, linear"),
        ("--metric rcs@0", "metric rcs: k is `0`; allowed are a number of items"),
        ("--metric auc@3", "metric auc: cutoff 3; allowed is none"),
        ("--metric ndcg@2..3", "ranges belong to the cost-sensitive metrics"),
        ("--metric rcs@2,rcs@2", "metric rcs@2 is given twice"),
        ("--metric 'rcr@2(ndcg'", "cannot be read; the form is name[@k]"),
        ("--metric ''", "there is no metric ``"),
        ("--metric rcs@2 --policy flat", "policy is `flat`; allowed are linear, log, step"),
        ("--metric rcs@2 --policy 0.5/0.6", "a table of probabilities that never rise"),
        (
            "--metric rcs:budget=5",
            "a budget needs the price of each item; name the column that holds it",
        ),
        (
            "--price wind --budget lots --metric rcs",
            "budget is `lots`; it must be a number above 0",
        ),
        (
            "--budget 10",
            "a budget of 10 needs the price of each item; name its column (--price COLUMN)",
        ),
        ("--price wind --budget -3 --metric rcs", "budget is `-3`; it must be a number above 0"),
        (
            "--metric dcg@2",
            "dcg@2 of list 1 is inf: the labels are too large for 2^y - 1; use gain=linear",
        ),
        ("--metric rcs@2 --cost exp2", "storms.csv:2 (list 1): exp2 is inf"),
        ("--metric rcs@2 --cost 'customers *'", "the cost `customers *` cannot be read"),
        ("--metric rcs@2 --cost 12", "it names no column"),
        ("--metric rcs@2 --cost 'cable wind'", "two names or numbers without an operator"),
        ("--metric rcs@2 --drop cable", "column `cable` is given as both `drop` and `extras`"),
        ("--metric rcs@2 --cost 'wind - 15'", "storms.csv:2 (list 1): wind - 15 is -1; it must be"),
        (
            "--metric rcs@2 --baseline cabel",
            "there is no score `cabel` to compare with; did you mean `cable`?",
        ),
        (
            "--metric rcs@2 --score cable",
            "score cable is given twice; give each score a different name",
        ),
        ("--metric rcs@2 --interval bca --resamples 3", "3 resamples; allowed are 40 to 1000000"),
        ("--metric rcs@2 --resamples 300", "t does not resample lists"),
        ("--metric rcs@2 --level 95", "the confidence level is 95; allowed are shares above 0"),
    ];
    for (options, words) in cases {
        refused(&folder, &format!("{line} {options}"), 1, &[words]);
    }
    folder.write("huge.csv", "l,y,s\n1,1e308,1\n2,1e308,1\n");
    let huge = "rcs@1 of all lists is NaN: the sum exceeds the largest floating-point number";
    refused(&folder, "evaluate huge.csv --list l --impact y --score s --metric rcs@1", 1, &[huge]);
    // The ideal is beyond all numbers, what this order reaches is not: 0 would be a lie.
    folder.write("huge.csv", "y,s\n1e308,1\n1e308,2\n1e308,3\n0,9\n0,8\n0,7\n");
    let huge = "the sum exceeds the largest floating-point number";
    refused(
        &folder,
        "evaluate huge.csv --impact y --score s --metric r@3",
        1,
        &["r@3 of list", huge],
    );
    // A slip in a metric is told before a long file is read.
    refused(&folder, "evaluate nowhere.csv --metric ndgc", 1, &["did you mean `ndcg`?"]);
}

#[test]
fn command_lines_that_cannot_be_meant() {
    let folder = Folder::with_storms();
    let line = "evaluate storms.csv --impact customers";
    let cases = [
        (format!("{line} --k 0"), "k is `0`; allowed are a number of items"),
        (format!("{line} --k -1"), "k is `-1`; allowed are a number of items"),
        (format!("{line} --k 99999999999"), "k is `99999999999`"),
        (format!("{line} --k 200%"), "k is `200%`"),
        (format!("{line} --k 4..2"), "k is `4..2`"),
        (format!("{line} --price wind --budget 10 --k 2"), "cannot be used with"),
        (format!("{line} --format xls"), "there is no format `xls`; did you mean `xlsx`?"),
        (format!("{line} --test f"), "randomisation"),
        (format!("{line} --correction none,holm"), "none,holm"),
        (format!("{line} --missing-impact drpo"), "did you mean `drop`?"),
        (format!("{line} --threads 0"), "0 is not in 1..=1024"),
        (format!("{line} --json --latex"), "cannot be used with"),
        (format!("{line} --run x.run"), "cannot be used with"),
        (format!("{line} --scores cable"), "a similar argument exists: '--score'"),
        ("evaluate".into(), "<DATA>"),
        ("eval storms.csv".into(), "evaluate"),
        ("convert storms.csv".into(), "--output <FILE>"),
        ("generate".into(), "Usage: stakes generate"),
        ("generate storm".into(), "a similar subcommand exists: 'storms'"),
    ];
    for (line, words) in &cases {
        if *line == "generate" {
            let ran = folder.run(line);
            assert!(ran.code == 2 && ran.err.contains(words), "{}", ran.err);
            continue;
        }
        refused(&folder, line, 2, &[words]);
    }
}

#[test]
fn score_files_that_do_not_fit() {
    let folder = Folder::with_storms();
    let cases: &[(&str, &str, &str)] = &[
        ("1\n2\n", "", "there are 2 scores for 6 items of storms.csv"),
        ("1\n2\nx\n", "", "s.txt:3: the score is `x`; it must be a finite number"),
        ("1\nnan\n", "", "s.txt:2: the score is `nan`"),
        ("", "", "s.txt: there are no scores"),
        ("storm,network,score\n1,City 1,3\n", "", "the data has no column with the role `id`"),
        (
            "storm,network,score\n1,City 1,3\n",
            "--id network",
            "s.txt: there is no score for storms.csv:3 (list 1, item City 2)",
        ),
        (
            "storm,network,score\n1,City 1,3\n1,City 1,4\n",
            "--id network",
            "s.txt:3: a second score for list `1`, item `City 1`",
        ),
        ("storm,network,points\n1,City 1,3\n", "--id network", "there is no column `score`"),
    ];
    for (text, options, words) in cases {
        folder.write("s.txt", text);
        let line = "evaluate storms.csv --list storm --impact customers --metric rcs@2";
        refused(&folder, &format!("{line} {options} --score-file s.txt"), 1, &[words]);
    }
    let line = "evaluate storms.csv --list storm --impact customers --score-file nowhere.txt";
    refused(&folder, line, 1, &["nowhere.txt: there is no such file"]);
}

#[test]
fn trec_files_that_are_wrong() {
    let folder = Folder::new();
    folder.write("qrels", "1 0 a 1\n");
    folder.write("good.run", "1 Q0 a 1 1 me\n");
    let runs: &[(&str, &str)] = &[
        (
            "1 Q0 a 1 1\n",
            "bad.run:1: the line has 5 words; it must have the form `topic Q0 docno rank score tag`",
        ),
        ("1 Q0 a 1 high me\n", "bad.run:1: the score is `high`"),
        ("1 Q0 a 1 2 me\n1 Q0 a 2 1 me\n", "bad.run:2: document a occurs twice in topic 1"),
        ("", "bad.run: there are no documents"),
        ("2 Q0 a 1 2 me\n", "topic"),
    ];
    for (text, words) in runs {
        folder.write("bad.run", text);
        refused(&folder, "evaluate qrels --run bad.run --metric p@1", 1, &[words]);
    }
    folder.write("bad.qrels", "1 0 a\n");
    let line = "evaluate bad.qrels --run good.run --metric p@1";
    refused(&folder, line, 1, &["bad.qrels:1: the line has 3 words"]);
}

#[test]
fn places_that_cannot_be_written() {
    let folder = Folder::with_storms();
    let line = "evaluate storms.csv --list storm --impact customers --score cable --metric rcs@2";
    let missing = "nowhere/x.csv: cannot be written: the folder does not exist";
    refused(&folder, &format!("{line} --per-list nowhere/x.csv"), 1, &[missing]);
    let missing = "nowhere/x.svg: cannot be written: the folder does not exist";
    refused(&folder, &format!("{line} --curve nowhere/x.svg --json"), 1, &[missing]);
    let picture = "x.png: pictures are written here; give the file a name that ends in .svg";
    refused(&folder, &format!("{line} --curve x.png"), 1, &[picture]);
    refused(&folder, "convert storms.csv -o nowhere/x.csv", 1, &["the folder does not exist"]);
    refused(&folder, "convert storms.csv -o .", 1, &[]);
    refused(
        &folder,
        "convert storms.csv -o storms.csv/x.csv",
        1,
        &["a part of the path is a file"],
    );
    refused(&folder, "convert storms.csv -o x.xls", 1, &["x.xls: unknown file extension"]);
    let line = "convert storms.csv --list storm --id network --impact customers -o x.txt";
    refused(&folder, line, 1, &["x.txt: the id `City 1` has a blank or `#`"]);
    refused(&folder, "convert storms.csv -o x.txt", 1, &["x.txt: LETOR needs an impact"]);
}

/// Small files that claim gigabytes, in half of one.
#[cfg(target_os = "linux")]
#[test]
fn parquet_does_not_take_the_memory_that_it_claims() {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/parquet");
    for name in
        ["claims_size", "claims_dictionary", "claims_texts", "claims_suffixes", "deep_schema"]
    {
        let run = "ulimit -v 524288 && exec \"$0\" inspect \"$1\" --threads 1";
        let mut command = std::process::Command::new("sh");
        command.args(["-c", run, env!("CARGO_BIN_EXE_stakes"), &format!("{seeds}/{name}")]);
        let ran = command.output().expect("a shell");
        let message = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(1), "{name}: {message}");
        assert!(message.contains("the file is damaged or truncated"), "{name}: {message}");
    }
}
