//! The readers of data: accepted input keeps the invariants of a data set.

use std::io::{Cursor, Write};

use stakes_core::data::Dataset;
use stakes_io::{
    Format, MissingImpact, ReadOptions, Roles, TrecOptions, TrecTies, TrecTopics, join_trec,
    parse_csv_bytes, parse_letor_bytes, parse_qrels_bytes, parse_run_bytes, parse_scores_bytes,
    parse_xlsx_bytes,
};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::accepted;

/// Roles of columns: none, some and all.
pub(crate) fn roles() -> [Roles; 3] {
    let some = Roles::new().list("list").impact("y").numeric(["a"]).categorical(["b"]);
    let all = Roles::new().list("list").impact("y").id("id").group("group");
    [
        Roles::new(),
        some.extras(["s"]).missing_impact(MissingImpact::Drop),
        all.weight("weight").price("price").time("time"),
    ]
}

/// CSV and TSV: without roles, and with all of them.
pub fn csv(data: &[u8]) {
    for roles in roles() {
        for format in [Format::Csv, Format::Tsv] {
            check(parse_csv_bytes(data, ReadOptions::from(roles.clone()).format(format)));
        }
    }
}

/// Excel workbooks: as a whole, and as the sheet of one that is whole otherwise. (A change within an archive is
/// mostly found by its checksum.)
pub fn xlsx(data: &[u8]) {
    for bytes in [data.to_vec(), workbook(data)] {
        for roles in roles().into_iter().chain([Roles::new().exact()]) {
            check(parse_xlsx_bytes(&bytes, roles));
        }
    }
}

/// A workbook with this sheet, two shared texts and a format of dates.
fn workbook(sheet: &[u8]) -> Vec<u8> {
    const FILES: [(&str, &str); 4] = [
        (
            "xl/workbook.xml",
            r#"<workbook><sheets><sheet name="s" sheetId="1" r:id="a"/></sheets></workbook>"#,
        ),
        (
            "xl/_rels/workbook.xml.rels",
            r#"<Relationships><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#,
        ),
        ("xl/sharedStrings.xml", "<sst><si><t>list</t></si><si><t>1,5</t></si></sst>"),
        (
            "xl/styles.xml",
            r#"<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>"#,
        ),
    ];
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let files = FILES.iter().map(|(name, text)| (*name, text.as_bytes()));
    for (name, bytes) in files.chain([("xl/worksheets/sheet1.xml", sheet)]) {
        zip.start_file(name, stored).expect("a file in memory");
        zip.write_all(bytes).expect("a file in memory");
    }
    zip.finish().expect("an archive in memory").into_inner()
}

/// LETOR / SVMlight: without roles, and with one feature as price and one as extra.
pub fn letor(data: &[u8]) {
    let roles = Roles {
        price: Some("1".into()),
        extras: vec!["2".into()],
        categorical: vec!["3".into()],
        drop: vec!["docid".into()],
        missing_impact: MissingImpact::Zero,
        ..Roles::default()
    };
    for roles in [Roles::default(), roles] {
        check(parse_letor_bytes(data, ReadOptions::from(roles)));
    }
}

/// TREC qrels, joined with a small run.
pub fn qrels(data: &[u8]) {
    let (Some(qrels), Some(run)) = (
        accepted(parse_qrels_bytes(data)),
        accepted(parse_run_bytes(b"1 Q0 a 1 2 me\n1 Q0 b 2 1 me\n2 Q0 a 1 0 me\n")),
    ) else {
        return;
    };
    for topics in [TrecTopics::JudgedAndRetrieved, TrecTopics::Judged, TrecTopics::All] {
        let options = TrecOptions { topics, ..TrecOptions::default() };
        check(join_trec(&qrels, std::slice::from_ref(&run), options));
    }
}

/// A TREC run, joined with itself and small qrels.
pub fn run(data: &[u8]) {
    let (Some(run), Some(qrels)) = (
        accepted(parse_run_bytes(data)),
        accepted(parse_qrels_bytes(b"1 0 a 2\n1 0 c 0\n2 0 a -1\n")),
    ) else {
        return;
    };
    assert!(run.documents.iter().all(|d| d.score.is_finite()));
    let options = TrecOptions { ties: TrecTies::AsGiven, topics: TrecTopics::All };
    check(join_trec(&qrels, &[run.clone(), run], options));
}

/// A score file, aligned with a small data set with and without ids.
pub fn scores(data: &[u8]) {
    let Some(scores) = accepted(parse_scores_bytes(data)) else { return };
    let text = b"list,id,y\nb,x,1\na,x,2\nb,y,3\n";
    let roles = |id: Option<&str>| Roles {
        list: Some("list".into()),
        impact: Some("y".into()),
        id: id.map(str::to_owned),
        ..Roles::default()
    };
    for id in [None, Some("id")] {
        let options = ReadOptions::from(roles(id));
        let Some(data) = accepted(parse_csv_bytes(text, options)) else { continue };
        if let Some(aligned) = accepted(scores.align(&data)) {
            assert_eq!(aligned.values.len(), data.len());
            assert!(aligned.values.iter().all(|s| s.is_finite()));
        }
    }
}

/// Checks the invariants of an accepted data set.
pub(crate) fn check<E: std::fmt::Display>(result: Result<Dataset, E>) {
    let Some(data) = accepted(result) else { return };
    assert!(!data.is_empty() && data.n_lists() > 0);
    assert_eq!(data.lists().map(|items| items.len()).sum::<usize>(), data.len());
    assert!(data.lists().all(|items| !items.is_empty()));
    for column in [data.impact(), data.weight(), data.price()].into_iter().flatten() {
        assert_eq!(column.len(), data.len());
        assert!(column.iter().all(|v| v.is_finite() && *v >= 0.0));
    }
    assert_eq!(data.features().values().len(), data.len() * data.features().width());
    assert!(data.features().values().iter().all(|v| !v.is_infinite()));
    for name in &data.columns().extras {
        let values = data.numbers(name).unwrap_or_else(|e| panic!("extra {name}: {e}"));
        assert_eq!(values.len(), data.len());
    }
    for item in 0..data.len().min(8) {
        assert!(!data.place(item).to_string().is_empty());
    }
}
