//! The same scores, to the bit, as the workflows give for a file, whatever the format of the body.

use serde_json::{Map, Value};
use stakes::data::{Purpose, read_for};
use stakes::io::{ReadOptions, Roles};
use stakes::plan::{PlanOptions, plan_by};
use stakes::prelude::*;
use stakes::scoring::SeenLists;

use super::world::{Made, World, made};

/// The new lists, read from a file as the program does.
fn data(world: &World) -> Dataset {
    let path = world.path("next.csv").to_string_lossy().into_owned();
    std::fs::write(&path, &made().csv).unwrap();
    let purpose = Purpose::Rank { prices: false };
    read_for(&made().model, &path, &ReadOptions::default(), purpose).unwrap()
}

/// Rows of a CSV text without quotes as JSON; what is not a number is a text.
fn rows(csv: &str) -> Vec<Value> {
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let value = |text: &str| match text.parse::<f64>() {
        Ok(_) => serde_json::from_str(text).unwrap(),
        Err(_) if text.is_empty() => Value::Null,
        Err(_) => Value::from(text),
    };
    let row = |line: &str| -> Map<String, Value> {
        names.iter().map(|name| (*name).to_owned()).zip(line.split(',').map(value)).collect()
    };
    lines.map(|line| Value::Object(row(line))).collect()
}

/// The bytes of the new lists in a format, by its extension.
fn written(world: &World, extension: &str) -> Vec<u8> {
    let path = world.path(&format!("next.{extension}")).to_string_lossy().into_owned();
    let format = extension.parse().unwrap();
    stakes::io::write_csv_as(&made().csv, Roles::new().list("storm"), &path, format).unwrap();
    std::fs::read(&path).unwrap()
}

/// The same rows as a stream of Arrow instead of a file.
fn stream(world: &World) -> Vec<u8> {
    let file = written(world, "arrow");
    let reader = arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(file), None).unwrap();
    let mut bytes = Vec::new();
    let mut writer =
        arrow_ipc::writer::StreamWriter::try_new(&mut bytes, &reader.schema()).unwrap();
    reader.for_each(|batch| writer.write(&batch.unwrap()).unwrap());
    writer.finish().unwrap();
    drop(writer);
    bytes
}

#[test]
fn every_format_gives_the_bytes_of_the_program() {
    let world = World::new();
    let Made { model, csv, .. } = made();
    let data = data(&world);
    let options = RankOptions { reasons: 2, ..RankOptions::default() };
    let plain = model.rank(&data).unwrap();
    let explained = model.rank_with(&data, &options).unwrap();
    assert!(plain.to_act_on().count() > 0 && plain.items[0].expected_cost.is_known());
    let json = serde_json::to_vec(&rows(csv)).unwrap();
    let wrapped = [b"{\"rows\": ".to_vec(), json.clone(), b"}".to_vec()].concat();
    for (kind, body) in [
        ("text/csv", csv.clone().into_bytes()),
        ("Text/CSV; charset=utf-8; header=present", csv.clone().into_bytes()),
        ("text/tab-separated-values", csv.replace(',', "\t").into_bytes()),
        ("application/json", json),
        ("application/json", wrapped),
        ("application/vnd.apache.arrow.file", written(&world, "arrow")),
        ("application/vnd.apache.arrow.stream", stream(&world)),
        ("application/vnd.apache.parquet", written(&world, "parquet")),
        (
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            written(&world, "xlsx"),
        ),
    ] {
        let kind_of = format!("Content-Type: {kind}");
        let headers = [kind_of.as_str(), "Accept: text/csv"];
        let answer = world.client().request("POST /v1/rank", &headers, &body);
        assert_eq!((answer.status, answer.text()), (200, plain.csv(None)), "{kind}");
        assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
        let answer = world.post("/v1/rank?explain=2", kind, &body);
        assert_eq!(answer.json(), serde_json::to_value(&explained).unwrap(), "{kind}");
        assert_eq!(answer.text(), serde_json::to_string(&explained).unwrap(), "{kind}");
    }
}

#[test]
fn outcomes_are_not_needed() {
    let world = World::new();
    let csv = &made().csv;
    let names: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let outcome = names.iter().position(|name| *name == "customers_out").unwrap();
    let without = |line: &str| {
        let fields = line.split(',').enumerate().filter(|(i, _)| *i != outcome);
        fields.map(|(_, field)| field).collect::<Vec<_>>().join(",") + "\n"
    };
    let shorter: String = csv.lines().map(without).collect();
    let answers = [csv.clone(), shorter].map(|csv| world.post("/v1/rank", "text/csv", csv));
    assert_eq!(answers[0].status, 200);
    assert_eq!(answers[0].body, answers[1].body);
}

#[test]
fn scores_are_in_the_order_of_the_rows() {
    let world = World::new();
    let Made { model, csv, .. } = made();
    let data = data(&world);
    let ranked = model.rank(&data).unwrap();
    let answer = world.post("/v1/score", "text/csv", csv);
    let scores: Vec<f64> = serde_json::from_value(answer.json()["scores"].clone()).unwrap();
    assert_eq!(scores.len(), csv.lines().count() - 1);
    assert_eq!(answer.json()["expected_costs"].as_array().unwrap().len(), scores.len());
    let names: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let at = |name: &str| names.iter().position(|other| *other == name).unwrap();
    for (line, score) in csv.lines().skip(1).zip(&scores) {
        let fields: Vec<&str> = line.split(',').collect();
        let (list, id) = (fields[at("storm")], fields[at("network")]);
        let item = ranked.items.iter().find(|item| item.list == list && item.id == id).unwrap();
        assert_eq!(item.score.to_bits(), score.to_bits());
    }
    let lines = world.csv("/v1/score").text();
    let lines: Vec<f64> = lines.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(lines, scores);
}

#[test]
fn plans_are_those_of_the_library() {
    let world = World::new();
    let data = data(&world);
    let options = PlanOptions {
        k: Some(2),
        at_most: vec!["region=1".parse().unwrap()],
        ..PlanOptions::default()
    };
    let planned = plan_by(&made().model, &data, options, 0, SeenLists::OutOfFold).unwrap().planned;
    let answer = world.post("/v1/plan?k=2&at_most=region%3D1", "text/csv", &made().csv);
    assert_eq!(answer.json(), serde_json::to_value(&planned).unwrap());
    assert_eq!(world.csv("/v1/plan?k=2&at_most=region%3D1").text(), planned.csv());
    // As in training.
    let answer = world.post("/v1/plan", "text/csv", &made().csv);
    assert_eq!(answer.json()["lists"][0]["chosen"].as_array().unwrap().len(), 3);
}
