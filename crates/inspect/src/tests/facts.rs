//! Facts computed by hand, determinism, generated data, and extreme data.

use super::*;

#[test]
fn facts_of_the_papers_storms() {
    let columns = Columns {
        list: Some("storm".into()),
        impact: Some("customers".into()),
        ..Columns::of_features(vec![Feature::numeric("cable"), Feature::numeric("wind")])
    };
    let mut builder = DatasetBuilder::new("storms", columns).unwrap();
    let rows = [("1", 10000., 5., 14.), ("1", 100., 4., 15.), ("1", 0., 3., 16.)];
    let more = [("2", 100., 3., 13.), ("2", 1., 4., 12.), ("2", 0., 5., 10.)];
    for (list, y, cable, wind) in rows.into_iter().chain(more) {
        let features = [cable, wind];
        builder.push(Row { list, impact: Some(y), features: &features, ..Row::default() }).unwrap();
    }
    let data = builder.finish().unwrap();
    let problem = Problem::new(&data, &CostModel::Impact).unwrap();
    let options = InspectOptions { k: Capacity::Items(2), cost_name: None };
    let seen = Inspection::of_problem(&problem, &options);
    let best = seen.best_columns();
    assert_eq!(best[0].0.name, "cable");
    assert!((best[0].1.r_cs - 0.9901483).abs() < 1e-7);
    let cost = seen.cost.unwrap();
    assert_eq!((cost.total, cost.zeros, cost.lists_for_80_percent), (10201.0, 2, 1));
    assert_eq!(cost.captured.ideal_share, 1.0);
    assert!((cost.captured.random_share - 2.0 / 3.0).abs() < 1e-12);
    // Ranks 1 and 2 of 3 with chances 1 and 1/2 get half of a list's cost: 5100.5 of 10150.5.
    assert!((cost.captured.r_cs_random - 5100.5 / 10150.5).abs() < 1e-12);
    assert_eq!((seen.lists.k_12_5_percent, seen.lists.k_25_percent), (1, 1));
}

#[test]
fn generated_data_raises_no_suspicion() {
    let storms = stakes_synth::Storms { rows: 6000, lists: 30, ..Default::default() };
    let search = stakes_synth::Search { lists: 40, ..Default::default() };
    for data in [storms.generate().unwrap(), search.generate().unwrap()] {
        let seen = seen(&data);
        let suspicious = [
            FindingKind::Leak,
            FindingKind::StrongColumn,
            FindingKind::SortedRows,
            FindingKind::MissingTells,
            FindingKind::IdColumn,
            FindingKind::DateColumn,
        ];
        let found = kinds(&seen).into_iter().find(|kind| suspicious.contains(kind));
        assert_eq!(found, None, "{}: {:#?}", data.source(), seen.findings);
    }
}

#[test]
fn the_same_on_one_thread_and_on_four() {
    let data =
        stakes_synth::Storms { rows: 2000, lists: 20, ..Default::default() }.generate().unwrap();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| serde_json::to_string(&seen(&data)).unwrap())
    };
    assert_eq!(on(1), on(4));
}

#[test]
fn data_without_cost_and_huge_costs_are_inspected() {
    let plain = data(vec![Feature::numeric("x")], cost, |item| vec![noise(item, 2) as f32]);
    let seen_plain = Inspection::of_data(&plain, &InspectOptions::default());
    assert!(seen_plain.cost.is_none() && seen_plain.row_order.is_none());
    let huge = data(
        vec![Feature::numeric("x")],
        |item| 1e307 * noise(item, 1),
        |item| vec![noise(item, 2) as f32],
    );
    let facts = seen(&huge).cost.unwrap();
    assert!((0.0..1.0).contains(&facts.captured.ideal_share));
    assert!((facts.histogram.iter().map(|bin| bin.share).sum::<f64>() - 1.0).abs() < 1e-9);
    for k in [Capacity::All, Capacity::Percent(25.0), Capacity::Range(2, 5)] {
        let problem = Problem::new(&plain, &CostModel::Impact).unwrap();
        let seen = Inspection::of_problem(&problem, &InspectOptions { k, cost_name: None });
        assert!(seen.cost.unwrap().captured.r_cs_random > 0.0, "{k}");
    }
}
