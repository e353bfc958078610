//! Any data set is read back from any format with all its bits.

use proptest::prelude::*;
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, FeatureKind, Role, Row};
use stakes_io::{Format, ReadOptions, Roles, read, write};

/// Everything that is compared, as text and bits.
pub(crate) fn content(data: &Dataset) -> Vec<String> {
    let c = data.columns();
    let mut out = vec![format!("{:?} {:?}", c.list, c.impact)];
    for (list, items) in data.lists().enumerate() {
        for item in items {
            let mut row = format!("{:?} {:?} ", data.list_id(list), data.item_id(item));
            for values in [data.impact(), data.weight(), data.price()].into_iter().flatten() {
                row += &format!("{:x} ", values[item].to_bits());
            }
            if let Some((codes, names)) = data.groups() {
                row += &format!("{:?} ", names[codes[item] as usize]);
            }
            if let Some(time) = data.time() {
                row += &format!("{} {} ", time.text(item), time.keys()[item]);
            }
            for name in &c.extras {
                row += &format!("{:x} ", data.numbers(name).unwrap()[item].to_bits());
            }
            for (feature, value) in data.feature_info().iter().zip(data.features().row(item)) {
                row += &match (&feature.kind, value.is_nan()) {
                    (_, true) => "missing ".into(),
                    (FeatureKind::Numeric, _) => format!("{:x} ", value.to_bits()),
                    (FeatureKind::Categorical(_), _) => format!("{:?}", feature.category(*value)),
                };
            }
            out.push(row);
        }
    }
    out
}

#[derive(Debug, Clone)]
struct Item {
    list: String,
    group: String,
    impact: f64,
    score: f64,
    day: u32,
    features: Vec<f32>,
    color: Option<String>,
}

fn text() -> impl Strategy<Value = String> {
    // Always with a leading letter, so that no text is a number or a missing value.
    "x[ ,;\"'#\\n\\r\\t\\\\a-cé漢😀|-]{0,8}"
}

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<u32>().prop_map(f32::from_bits).prop_map(|v| if v.is_infinite() {
            f32::NAN
        } else {
            v
        }),
        (-1000i32..1000).prop_map(|v| v as f32 / 8.0),
        Just(f32::NAN),
        Just(-0.0),
        Just(f32::MIN_POSITIVE / 8.0),
        Just(f32::MAX),
    ]
}

fn item() -> impl Strategy<Value = Item> {
    let impact = prop_oneof![
        any::<u64>().prop_map(f64::from_bits).prop_map(|v| if v.is_finite() {
            v.abs()
        } else {
            0.0
        }),
        (0u32..100).prop_map(f64::from),
    ];
    let features = prop::collection::vec(number(), 3);
    let color = prop::option::of(text());
    (text(), text(), impact, -1e9..1e9, 1u32..29, features, color).prop_map(
        |(list, group, impact, score, day, features, color)| Item {
            list,
            group,
            impact,
            score,
            day,
            features,
            color,
        },
    )
}

const NAMES: [&str; 3] = ["wind", "a \"quoted\", name", "größe"];

fn dataset(items: &[Item]) -> Dataset {
    let mut colors: Vec<String> = items.iter().filter_map(|i| i.color.clone()).collect();
    colors.sort();
    colors.dedup();
    let mut features: Vec<Feature> = NAMES.iter().map(|n| Feature::numeric(*n)).collect();
    // Without any value a reader cannot see that it is text.
    features.push(if colors.is_empty() {
        Feature::numeric("color")
    } else {
        Feature::categorical("color", colors.clone())
    });
    let columns = Columns {
        list: Some("storm".into()),
        impact: Some("customers".into()),
        id: Some("network".into()),
        group: Some("area".into()),
        price: Some("crew".into()),
        time: Some("day".into()),
        extras: vec!["customers".into(), "score".into()],
        ..Columns::of_features(features)
    };
    let mut builder = DatasetBuilder::new("made", columns).unwrap();
    for (n, item) in items.iter().enumerate() {
        let mut features = item.features.clone();
        let code = item.color.as_ref().and_then(|c| colors.iter().position(|o| o == c));
        features.push(code.map_or(f32::NAN, |code| code as f32));
        let row = Row {
            line: n as u64 + 1,
            list: &item.list,
            impact: Some(item.impact),
            id: Some(&format!("{} {n}", item.list)),
            group: Some(&item.group),
            price: Some(item.impact / 3.0),
            time: Some(&format!("2026-03-{:02}", item.day)),
            features: &features,
            extras: &[item.impact, item.score],
            ..Row::default()
        };
        builder.push(row).unwrap();
    }
    builder.finish().unwrap()
}

fn roles() -> Roles {
    let roles = Roles::new().list("storm").impact("customers").id("network");
    roles.group("area").price("crew").time("day").extras(["customers", "score"])
}

fn through(data: &Dataset, folder: &tempfile::TempDir, name: &str, roles: Roles) -> Dataset {
    let path = folder.path().join(name).to_str().unwrap().to_owned();
    write(data, &path, None).unwrap();
    read(&path, roles).unwrap()
}

fn table_files() -> Vec<&'static str> {
    let mut names = vec!["a.csv", "a.tsv", "a.csv.gz", "a.tsv.gz"];
    if cfg!(feature = "arrow") {
        names.extend(["a.parquet", "a.arrow", "a.feather"]);
    }
    names
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn tables_keep_everything(items in prop::collection::vec(item(), 1..12)) {
        let data = dataset(&items);
        let folder = tempfile::tempdir().unwrap();
        let mut now = data.clone();
        for name in table_files() {
            now = through(&now, &folder, name, roles());
            prop_assert_eq!(content(&now), content(&data), "{}", name);
            prop_assert_eq!(now.columns().names().collect::<Vec<_>>(),
                            data.columns().names().collect::<Vec<_>>(), "{}", name);
        }
    }

    #[test]
    fn letor_keeps_what_it_can_represent(items in prop::collection::vec(item(), 1..12)) {
        let columns = Columns {
            list: Some("qid".into()),
            impact: Some("label".into()),
            id: Some("docid".into()),
            ..Columns::of_features((1..=3).map(|i| Feature::numeric(i.to_string())).collect())
        };
        let mut builder = DatasetBuilder::new("made", columns).unwrap();
        for (n, item) in items.iter().enumerate() {
            let list = item.list.replace(|c: char| c.is_ascii_whitespace() || c == '#', "_");
            let id = format!("{n}é");
            let row = Row { line: 1, list: &list, id: Some(&id), impact: Some(item.impact),
                            features: &item.features, ..Row::default() };
            builder.push(row).unwrap();
        }
        let data = builder.finish().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let letor = Roles::new().list("qid").impact("label").id("docid");
        let mut now = data.clone();
        for name in ["a.txt", "a.csv", "a.svm.gz"].into_iter().chain(table_files()) {
            now = through(&now, &folder, name, letor.clone());
            prop_assert_eq!(content(&now), content(&data), "{}", name);
        }
    }

    #[test]
    fn noise_is_refused_or_read_but_never_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let options = ReadOptions::default();
        let _ = stakes_io::parse_csv_bytes(&bytes, &options);
        let _ = stakes_io::parse_letor_bytes(&bytes, &options);
        let _ = stakes_io::parse_qrels_bytes(&bytes);
        let _ = stakes_io::parse_run_bytes(&bytes);
        let _ = stakes_io::parse_scores_bytes(&bytes);
    }

    #[test]
    fn near_misses_are_refused_or_read_but_never_a_panic(
        csv in "[a,\"\\n;]{0,6}\\n[0-9a,\"\\n.\\r]{0,60}",
        letor in "([0-9]{1,2} (qid:[ab12] )?([0-9]{0,3}:[-0-9.e]{0,4} ?){0,4}(#(docid = )?[a-c])?\\r?\\n?){0,5}",
    ) {
        let options = ReadOptions::default();
        let _ = stakes_io::parse_csv_bytes(csv.as_bytes(), &options);
        let _ = stakes_io::parse_letor_bytes(letor.as_bytes(), &options);
    }
}

fn any_item() -> Item {
    Item {
        list: "x".into(),
        group: "g".into(),
        impact: 1.0,
        score: 2.0,
        day: 3,
        features: vec![1.0, 2.0, 3.0],
        color: None,
    }
}

#[test]
fn letor_refuses_what_it_cannot_represent() {
    let error = write(&dataset(&[any_item()]), "-", Some(Format::Letor)).unwrap_err().to_string();
    assert!(error.starts_with("stdout: LETOR cannot hold the column `area`"), "{error}");
}

#[test]
fn letor_refuses_ids_with_blanks() {
    let text = b"l,i,y\n1,City 1,3\n";
    let roles = Roles::new().list("l").id("i").impact("y");
    let data = stakes_io::parse_csv_bytes(text, roles).unwrap();
    let error = write(&data, "-", Some(Format::Letor)).unwrap_err().to_string();
    assert!(error.starts_with("stdout: the id `City 1` has a blank or `#`"), "{error}");
}

#[test]
fn roles_are_written_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tsv").to_str().unwrap().to_owned();
    let text = b"x,time,group,price,weight,impact,id,list,score\n1,2020,g,3,4,5,i,l,6\n";
    let roles = Role::ALL.into_iter().filter(|role| *role != Role::Class);
    let roles =
        roles.fold(Roles::new().extras(["score"]), |r, role| r.with_role(role, role.name()));
    write(&stakes_io::parse_csv_bytes(text, roles).unwrap(), &path, None).unwrap();
    let expected = "list\tid\timpact\tweight\tprice\tgroup\ttime\tscore\tx\n\
                    l\ti\t5\t4\t3\tg\t2020\t6\t1\n";
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    // A file is not a folder.
    let error = write(&dataset(&[any_item()]), &format!("{path}/a.csv"), None).unwrap_err();
    assert!(error.to_string().contains("a part of the path is a file, not a folder"), "{error}");
}

#[test]
fn nothing_is_left_behind_when_writing_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no/such/folder/a.csv");
    let error =
        write(&dataset(&[any_item()]), path.to_str().unwrap(), None).unwrap_err().to_string();
    assert!(error.contains("a.csv: cannot be written: the folder does not exist"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_lone_column_keeps_its_missing_values() {
    let folder = tempfile::tempdir().unwrap();
    let data = stakes_io::parse_csv_bytes(b"x\n1\nNA\n\"\"\n2\n", ReadOptions::default()).unwrap();
    assert_eq!(data.len(), 4);
    for name in table_files() {
        let back = through(&data, &folder, name, Roles::default());
        assert_eq!(content(&back), content(&data), "{name}");
    }
}

#[test]
fn a_category_named_as_missing_is_not_written() {
    let feature = Feature::categorical("color", vec!["NA".into()]);
    let mut builder = DatasetBuilder::new("made", Columns::of_features(vec![feature])).unwrap();
    builder.push(Row { features: &[0.0], ..Row::default() }).unwrap();
    let data = builder.finish().unwrap();
    let error = write(&data, "-", Some(Format::Csv)).unwrap_err().to_string();
    assert!(error.starts_with("stdout: the category `NA` would be read as a missing"), "{error}");
}
