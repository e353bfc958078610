//! The page of a report: its figures are those of the library, its text is text, its size is bounded.

use stakes::audit::{MissingGroup, item_groups};
use stakes::goal::Reach;
use stakes::judge::CurrentPolicy;
use stakes::plan::{PlanOptions, plan};
use stakes::prelude::*;
use stakes::rank::expected_costs;
use stakes::synth::Storms;
use stakes_report::{Document, Kind, Report, ReportOptions, Subject, report};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn storms(lists: usize, seed: u64) -> Result<Dataset, Box<dyn std::error::Error>> {
    Ok(Storms { lists, networks: 60, rows: 30 * lists, seed, ..Storms::default() }.generate()?)
}

fn model(k: impl Into<Reach>) -> Result<Model, Box<dyn std::error::Error>> {
    let goal = Goal { reach: k.into(), ..Goal::default() };
    Ok(Fit::with_parameters("two-part", [("rounds", "20")])?.fit(&storms(40, 1)?, &goal)?)
}

fn of(
    model: &Model,
    data: &Dataset,
    options: &ReportOptions,
) -> Result<Report, Box<dyn std::error::Error>> {
    Ok(report(Some(&Subject { name: "model.json", model, data, past: None }), options, None)?)
}

#[test]
fn where_the_slider_starts_the_curve_is_the_verdict() -> Outcome {
    let newer = storms(30, 2)?;
    for (reach, kind) in [(Reach::from(5), Kind::Items), (Reach::Money(60.0), Kind::Money)] {
        let model = model(reach)?;
        for current in [None, Some(CurrentPolicy::parse("customers")?)] {
            let options = ReportOptions { current, ..ReportOptions::default() };
            let found = of(&model, &newer, &options)?;
            let (slider, curve) = (found.slider.ok_or("a slider")?, found.curve.ok_or("a curve")?);
            let verdict = found.verdict.ok_or("a verdict")?;
            assert_eq!(slider.kind, kind);
            let at = slider.start;
            assert_eq!(curve.model[at], verdict.model);
            assert_eq!(curve.now[at], verdict.now);
            assert_eq!(curve.more[at], verdict.difference);
            assert_eq!(
                (Some(curve.more_low[at]), Some(curve.more_high[at])),
                (verdict.low, verdict.high)
            );
            assert!(
                curve.model.is_sorted()
                    && curve.model.iter().zip(&curve.ideal).all(|(m, i)| m <= i)
            );
        }
    }
    Ok(())
}

#[test]
fn items_are_those_of_rank() -> Outcome {
    let (model, newer) = (model(5)?, storms(12, 2)?);
    let found = of(&model, &newer, &ReportOptions::default())?;
    let ranked = model.rank(&newer)?;
    assert_eq!(found.lists.len(), newer.n_lists());
    for list in &found.lists {
        let items: Vec<_> = ranked.items.iter().filter(|item| item.list == list.list).collect();
        assert_eq!(list.of, items.len());
        for (place, item) in items.iter().enumerate().take(list.items.id.len()) {
            assert_eq!(list.items.id[place], item.id);
            assert_eq!(Some(list.items.expected[place]), item.expected_cost.value());
            assert_eq!(Some(list.items.total[place]), item.running_total.value());
            assert_eq!(list.items.total_high.get(place).copied(), item.total_high.value());
        }
    }
    Ok(())
}

#[test]
fn every_position_of_a_plan_is_that_plan() -> Outcome {
    let (model, newer) = (model(5)?, storms(3, 2)?);
    let asked = PlanOptions { budget: Some(50.0), ..PlanOptions::default() };
    let options = ReportOptions { plan: Some(asked.clone()), ..ReportOptions::default() };
    let found = of(&model, &newer, &options)?;
    let slider = found.slider.ok_or("a slider")?;
    assert_eq!(slider.positions[slider.start], 50.0);
    let expected = expected_costs(&model, &model.score(&newer)?).ok_or("calibrated")?;
    for (position, &budget) in slider.positions.iter().enumerate() {
        let planned =
            plan(&newer, &expected, &PlanOptions { budget: Some(budget), ..asked.clone() })?;
        for (list, wanted) in found.lists.iter().zip(&planned.lists) {
            let chosen: Vec<&String> =
                list.plans[position].chosen.iter().map(|&place| &list.items.id[place]).collect();
            assert_eq!(chosen, wanted.chosen.iter().collect::<Vec<_>>());
            assert_eq!(list.plans[position].expected, wanted.expected);
        }
    }
    Ok(())
}

#[test]
fn without_outcomes_there_are_expected_costs_and_no_verdict() -> Outcome {
    let roles = || Roles::new().list("storm").id("network");
    let row = |item: usize| format!("{},n{item},{},{}\n", item / 8, item % 8 * item % 7, item % 8);
    let past: String = (0..240).map(row).collect();
    let past = format!("storm,network,cost,wind\n{past}");
    let past = parse_csv_bytes(past.as_bytes(), roles().impact("cost"))?;
    let model = Fit::with("ridge")?.fit(&past, &Goal::act_on(2))?;
    let next = parse_csv_bytes(b"storm,network,wind\nnext,a,3\nnext,b,7\nnext,c,1\n", roles())?;
    let found = of(&model, &next, &ReportOptions::default())?;
    assert!(found.verdict.is_none() && found.curve.is_none());
    assert!(found.lists[0].items.cost.is_empty());
    assert_eq!((found.lists[0].of, found.words.unit.as_str()), (3, "cost"));
    // Past lists judge the model, whose scores out of fold are used.
    let subject = Subject { name: "m", model: &model, data: &next, past: Some(&past) };
    let judged = report(Some(&subject), &ReportOptions::default(), None)?;
    assert!(judged.verdict.is_some() && judged.curve.is_some());
    assert!(judged.lists[0].items.cost.is_empty());
    assert!(!judged.html()?.contains("What came</h3>"));
    Ok(())
}

#[test]
fn groups_and_documents_have_their_sections() -> Outcome {
    let (model, newer) = (model(5)?, storms(12, 2)?);
    let groups = item_groups(&newer, &["settlement".to_owned()], MissingGroup::Refuse)?;
    let json = br#"{"lists": [{"list": "s", "chosen": ["<b>"], "spent": 2, "expected": 5, "proven": true, "gap": 0,
                   "items": [{"id": "<b>", "expected": 5, "price": 2}]}]}"#;
    let documents = vec![Document::parse("plan.json", json)?];
    let options = ReportOptions { groups: Some(groups), documents, ..ReportOptions::default() };
    let found = of(&model, &newer, &options)?;
    let ids: Vec<&str> = found.sections.iter().map(|section| section.id.as_str()).collect();
    for wanted in
        ["orders", "time", "missed", "calibration", "groups", "features", "plan-1", "data", "card"]
    {
        assert!(ids.contains(&wanted), "no section {wanted} in {ids:?}");
    }
    let html = found.html()?;
    assert!(!html.contains("<b>") && html.contains("&#60;b&#62;"), "ids are text");
    for (json, wanted) in [
        ("[1", "EOF"),
        ("{}", "neither a model nor"),
        (r#"{"lists": [{}]}"#, "looks like a plan, but"),
    ] {
        let refused = Document::parse("x.json", json.as_bytes()).and_then(|document| {
            report(
                None,
                &ReportOptions { documents: vec![document], ..ReportOptions::default() },
                None,
            )
        });
        let why = refused.err().ok_or("refused")?.to_string();
        assert!(why.starts_with("x.json: ") && why.contains(wanted), "{why}");
    }
    Ok(())
}

#[test]
fn hostile_names_stay_text() -> Outcome {
    let hostile = [
        "</script><script>alert(1)</script>".to_owned(),
        "\" onmouseover=\"alert(1)".to_owned(),
        "'; alert(1); '".to_owned(),
        "\u{202e}rtl \u{1f600} \u{2028}".to_owned(),
        "x".repeat(10_000),
    ];
    let text: String = hostile.iter().enumerate().fold(
        "storm,network,customers_out,wind\n".to_owned(),
        |text, (i, id)| {
            text + &format!("<i>s</i>,\"{}\",{},{}\n", id.replace('"', "\"\""), 10 * i, i)
        },
    );
    let roles = || Roles::new().list("storm").impact("customers_out").id("network");
    let many: String =
        (0..30).fold("storm,network,customers_out,wind\n".to_owned(), |text, list| {
            (0..8)
                .fold(text, |text, item| text + &format!("{list},n{item},{},{item}\n", item * item))
        });
    let model =
        Fit::with("ridge")?.fit(&parse_csv_bytes(many.as_bytes(), roles())?, &Goal::act_on(2))?;
    let data = parse_csv_bytes(text.as_bytes(), roles())?;
    let found = of(&model, &data, &ReportOptions::default())?;
    let html = found.html()?;
    assert_eq!(html.matches("<script").count(), 2, "the figures and our own script");
    assert!(!html.contains("<i>s") && !html.contains("\" onmouseover=\"alert"));
    let begin = html.find("id=\"figures\">").ok_or("figures")? + "id=\"figures\">".len();
    let end = begin + html[begin..].find("</script>").ok_or("their end")?;
    let figures: serde_json::Value = serde_json::from_str(&html[begin..end])?;
    let ids: Vec<&str> = (figures["lists"][0]["items"]["id"].as_array().ok_or("ids")?.iter())
        .filter_map(serde_json::Value::as_str)
        .collect();
    for id in &hostile {
        assert!(ids.contains(&id.as_str()));
    }
    Ok(())
}

#[test]
fn a_page_of_300_lists_of_300_items_is_small_and_the_same_at_any_thread_count() -> Outcome {
    let text: String =
        (0..300).fold("storm,network,customers_out,wind,poles\n".to_owned(), |text, list| {
            (0..300).fold(text, |text, item| {
                let wind = (list * 7919 + item * 104_729) % 1013;
                let cost = if wind > 700 { wind * (item % 17) } else { 0 };
                text + &format!("storm-{list},network-{item},{cost},{wind},{item}\n")
            })
        });
    let roles = Roles::new().list("storm").impact("customers_out").id("network");
    let data = parse_csv_bytes(text.as_bytes(), roles)?;
    let (train, _) = data.hold_out(0.2)?;
    let model =
        Fit::with_parameters("two-part", [("rounds", "10")])?.fit(&train, &Goal::act_on(30))?;
    let page = |threads: usize| -> Result<String, String> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|e| e.to_string())?;
        pool.install(|| {
            of(&model, &data, &ReportOptions::default())
                .and_then(|r| Ok(r.html()?))
                .map_err(|e| e.to_string())
        })
    };
    let html = page(1)?;
    assert!(html.len() < 1_500_000, "{} bytes", html.len());
    assert!(html == page(2)?, "the same bytes with two threads");
    Ok(())
}
