//! Real files, if available: STAKES_DATA is their folder, by default `shared/data` beside the
//! workspace.

use std::path::{Path, PathBuf};

use stakes_core::data::{Dataset, FeatureKind};
use stakes_io::{MissingImpact, ReadOptions, Roles, TrecOptions, columns, read, write};
use stakes_io::{join_trec, read_qrels, read_run};

/// The path of a real file, or `None` with a note on stderr.
fn real(name: &str) -> Option<String> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("STAKES_DATA").map_or(default, PathBuf::from);
    let path = folder.join(name);
    if !path.exists() {
        eprintln!("skipped: {} is not there (set STAKES_DATA)", path.display());
        return None;
    }
    Some(path.to_str().unwrap().to_owned())
}

fn shape(data: &Dataset) -> (usize, usize, usize) {
    (data.n_lists(), data.len(), data.features().width())
}

fn roles(list: &str, impact: &str) -> ReadOptions {
    Roles::new().list(list).impact(impact).into()
}

#[test]
fn letor_collections_have_the_published_shape() {
    for (name, expected, ids, positive) in [
        ("mq2008/S1.txt.gz", (157, 2933, 46), true, 617),
        ("mq2008/S5.txt.gz", (156, 2874, 46), true, 555),
        ("mq2007-partial/S1.txt.gz", (339, 11933, 46), true, 3173),
        ("ohsumed-letor3-min/S1.txt.gz", (21, 2570, 45), true, 819),
        ("ohsumed-letor3-qln/S5.txt.gz", (22, 3383, 45), true, 589),
        ("mslr-sample/rankeval-msn1.fold1.train.5k.txt.gz", (43, 5000, 136), false, 2208),
        ("mslr-sample/onlinelambdamart-fold1.vali.sample.txt.gz", (18, 1734, 136), false, 754),
        ("lightgbm-lambdarank/rank.train.gz", (201, 3005, 300), false, 2360),
        ("lightgbm-lambdarank/rank.test.gz", (50, 768, 300), false, 562),
        ("trec-news-2018-fastrank/trec_news_2018.train", (45, 782, 5), false, 479),
        ("trec-news-2018-fastrank/trec_news_2018.test", (5, 41, 5), false, 27),
    ] {
        let Some(path) = real(name) else { continue };
        let data = read(&path, ReadOptions::default()).unwrap();
        assert_eq!(shape(&data), expected, "{name}");
        assert_eq!(data.item_id(0).is_some(), ids, "{name}");
        let relevant = data.impact().unwrap().iter().filter(|v| **v > 0.0).count();
        assert_eq!(relevant, positive, "{name}");
        let names = columns(&path, &stakes_io::FileOptions::default()).unwrap();
        assert_eq!(names[..4], ["label", "qid", "docid", "1"], "{name}");
    }
}

#[test]
fn a_letor_value_is_where_it_belongs() {
    let Some(path) = real("mq2008/S1.txt.gz") else { return };
    let data = read(&path, ReadOptions::default()).unwrap();
    assert_eq!(data.list_id(0), "10002");
    assert_eq!(data.item_id(0), Some("GX008-86-4444840"));
    assert_eq!(data.features().row(0)[10], 0.471076);
    assert_eq!(data.features().row(0)[45], 0.007042);
}

#[test]
fn letor_through_a_table_and_back_keeps_all_values() {
    let Some(path) = real("mslr-sample/rankeval-msn1.fold1.test.5k.txt.gz") else { return };
    let data = read(&path, ReadOptions::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut now = data.clone();
    for name in ["a.csv.gz", "a.csv.zst", "a.parquet", "a.txt", "a.arrow", "a.tsv"] {
        if !cfg!(feature = "arrow") && !name.ends_with("v") && !name.ends_with("txt") {
            continue;
        }
        let path = folder.path().join(name).to_str().unwrap().to_owned();
        write(&now, &path, None).unwrap();
        now = read(&path, roles("qid", "label")).unwrap();
        assert_eq!(now.features(), data.features(), "{name}");
        assert_eq!(now.impact(), data.impact(), "{name}");
        assert_eq!(now.offsets(), data.offsets(), "{name}");
        assert_eq!(now.columns(), data.columns(), "{name}");
    }
}

#[test]
fn forest_fires_have_a_list_for_each_month() {
    let Some(path) = real("forest-fires/forestfires.csv") else { return };
    let data = read(&path, roles("month", "area")).unwrap();
    assert_eq!(shape(&data), (12, 517, 11));
    let categorical = |data: &Dataset| -> Vec<String> {
        let features = data.feature_info().iter();
        let names = features.filter(|f| matches!(f.kind, FeatureKind::Categorical(_)));
        names.map(|f| f.name.clone()).collect()
    };
    assert_eq!(categorical(&data), ["day"]);
    let all = read(&path, ReadOptions::default()).unwrap();
    assert_eq!(categorical(&all), ["month", "day"]);
    assert_eq!(columns(&path, &stakes_io::FileOptions::default()).unwrap().len(), 13);
}

#[test]
fn outages_without_customers_are_refused_or_dropped() {
    let Some(path) = real("power-outages/outage.csv") else { return };
    let mut options = roles("U.S._STATE", "CUSTOMERS.AFFECTED");
    let error = read(&path, &options).unwrap_err().to_string();
    let expected = "outage.csv:3 (list Minnesota): CUSTOMERS.AFFECTED is missing";
    assert!(error.contains(expected), "{error}");
    options.roles.missing_impact = MissingImpact::Drop;
    options.roles.id = Some("OBS".into());
    let data = read(&path, &options).unwrap();
    assert_eq!(data.len(), 1091);
    assert_eq!(data.features().width(), 56 - 3);
}

#[test]
fn concrete_has_trimmed_names() {
    let Some(path) = real("concrete/Concrete_Data.csv") else { return };
    let options = roles("Age (day)", "Concrete compressive strength(MPa, megapascals)");
    let data = read(&path, &options).unwrap();
    assert_eq!(shape(&data), (14, 1030, 7));
}

#[test]
fn other_tables_are_read_as_they_are() {
    for (name, rows, width) in [
        ("nhanes/nhanes.csv", 6482, 21),
        ("travel-mode/TravelMode.csv", 840, 9),
        ("uis/uis.csv", 575, 9),
        ("movielens-latest-small/ratings.csv.gz", 100_836, 4),
        ("movielens-latest-small/movies.csv", 9742, 3),
    ] {
        let Some(path) = real(name) else { continue };
        let data = read(&path, ReadOptions::default()).unwrap();
        assert_eq!(data.len(), rows, "{name}");
        assert_eq!(data.features().width(), width, "{name}");
    }
}

#[test]
fn columns_that_repeat_are_numbered_and_can_be_dropped() {
    let Some(path) = real("compas/compas-scores-two-years.noident.csv.gz") else { return };
    let mut options = roles("race", "two_year_recid");
    let data = read(&path, &options).unwrap();
    assert!(data.notes()[0].contains("decile_score is also decile_score_2"), "{:?}", data.notes());
    let has = |data: &Dataset, name| data.feature_info().iter().any(|f| f.name == name);
    assert!(has(&data, "decile_score_2"));
    options.roles.drop = vec!["decile_score".into(), "priors_count".into()];
    let data = read(&path, &options).unwrap();
    assert!(data.len() == 7214 && !has(&data, "decile_score_2"));
}

/// The CSV was made of the workbook by somebody else: titles, units and the empty column left out.
#[test]
fn a_workbook_is_read_as_its_csv() {
    let (Some(book), Some(csv)) =
        (real("power-outages/outage.xlsx"), real("power-outages/outage.csv"))
    else {
        return;
    };
    let options = ReadOptions::from(Roles::new().exact());
    let (book, csv) = (read(&book, &options).unwrap(), read(&csv, &options).unwrap());
    assert_eq!(
        book.notes(),
        [
            "header found in row 6; 5 rows above it left out",
            "row 7 left out: it holds units, not values",
            "the first column, `variables`, left out: it has no values",
        ]
    );
    assert_eq!((book.len(), csv.len()), (1534, 1534));
    assert_eq!(book.column_order(), csv.column_order());
    assert_eq!(book.feature_info(), csv.feature_info());
    for ((name, a), (_, b)) in book.extras().zip(csv.extras()) {
        assert!(
            a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()),
            "{name}"
        );
    }
    for row in 0..book.len() {
        let (a, b) = (book.features().row(row), csv.features().row(row));
        assert!(a.iter().zip(b).all(|(a, b)| a == b || a.is_nan() && b.is_nan()), "row {row}");
    }
}

#[test]
fn trec_evals_own_files_are_read() {
    let folder = "trec-eval-fixtures";
    for (name, judgements) in [
        ("qrels.test", 3681),
        ("qrels.test.with-comments", 3681),
        ("qrels.rel_level", 3681),
        ("../trec-news-2018-fastrank/newsir18-entity.qrel", 823),
    ] {
        let Some(path) = real(&format!("{folder}/{name}")) else { continue };
        assert_eq!(read_qrels(&path).unwrap().judgements.len(), judgements, "{name}");
    }
    for name in ["qrels.comment.test", "../ir-measures-fixtures/cwl.qrels", "qrels-302.test"] {
        let Some(path) = real(&format!("{folder}/{name}")) else { continue };
        read_qrels(&path).unwrap();
    }
    for (name, documents) in
        [("results.test", 1500), ("results.trunc", 584), ("results.comment.test.gz", 0)]
    {
        let Some(path) = real(&format!("{folder}/{name}")) else { continue };
        let run = read_run(&path).unwrap();
        assert!(documents == 0 || run.documents.len() == documents, "{name}");
    }
}

/// trec_eval's mean average precision and reciprocal rank, from the joined data alone.
#[test]
fn the_joined_order_is_that_of_trec_eval() {
    let folder = "trec-eval-fixtures";
    let (Some(qrels), Some(run)) =
        (real(&format!("{folder}/qrels.test")), real(&format!("{folder}/results.test")))
    else {
        return;
    };
    let (qrels, run) = (read_qrels(&qrels).unwrap(), read_run(&run).unwrap());
    let depth = |topic: &str| run.documents.iter().filter(|d| d.topic == topic).count();
    let data = join_trec(&qrels, std::slice::from_ref(&run), TrecOptions::default()).unwrap();
    assert_eq!(data.n_lists(), 3);
    let (scores, impact) = (data.numbers("STANDARD").unwrap(), data.impact().unwrap());
    let (mut map, mut mrr) = (0.0, 0.0);
    for (list, items) in data.lists().enumerate() {
        let mut order: Vec<usize> = items.collect();
        let relevant = order.iter().filter(|&&i| impact[i] > 0.0).count() as f64;
        order.retain(|&i| !scores[i].is_nan());
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        assert_eq!(order.len(), depth(data.list_id(list)));
        let retrieved = &order;
        let hits: Vec<usize> =
            (0..retrieved.len()).filter(|&p| impact[retrieved[p]] > 0.0).collect();
        let precisions = hits.iter().enumerate().map(|(n, p)| (n + 1) as f64 / (p + 1) as f64);
        map += precisions.sum::<f64>() / relevant / 3.0;
        mrr += hits.first().map_or(0.0, |p| 1.0 / (p + 1) as f64) / 3.0;
    }
    assert_eq!((format!("{map:.4}"), format!("{mrr:.4}")), ("0.1785".into(), "0.4064".into()));
}
