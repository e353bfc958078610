//! Plans beside all that there are.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

/// The value of the best plan, by trying all of them; `None` if none keeps the limits.
fn best_of_all(problem: &Problem) -> Option<f64> {
    let n = problem.values.len();
    let mut best: Option<f64> = None;
    for set in 0..1_u32 << n {
        let chosen: Vec<usize> = (0..n).filter(|item| set >> item & 1 == 1).collect();
        let has = |item: &usize| chosen.contains(item);
        if !problem.must.iter().all(has) || problem.must_not.iter().any(has) {
            continue;
        }
        let keeps = |limit: &Limit| match limit.is_least {
            true => limit.used(&chosen) >= limit.amount - 1e-9,
            false => limit.used(&chosen) <= limit.amount + 1e-9,
        };
        if problem.limits.iter().all(keeps) {
            let value = chosen.iter().map(|&item| problem.values[item]).sum();
            best = Some(best.map_or(value, |best: f64| best.max(value)));
        }
    }
    best
}

/// A problem of up to 11 items with budgets, groups and items that must be taken or not.
fn problems() -> impl Strategy<Value = Problem> {
    let item = (0_u32..30, 1_u32..12, 1_u32..12, 0_usize..3);
    (prop::collection::vec(item, 1..11), 0_u32..40, 0_u32..40, 0_usize..4, 0_usize..3, 0_u32..9)
        .prop_map(|(items, first, second, most, least, kind)| {
            let of = |group: usize| {
                let own = items.iter().enumerate().filter(move |(_, item)| item.3 == group);
                own.map(|(place, _)| place).collect::<Vec<_>>()
            };
            let values = items.iter().map(|item| f64::from(item.0)).collect();
            let hours = items.iter().map(|item| f64::from(item.1));
            let mut problem =
                Problem::new(values).with(Limit::at_most("hours", f64::from(first), hours));
            if kind % 2 == 1 {
                let trucks = items.iter().map(|item| f64::from(item.2));
                problem = problem.with(Limit::at_most("trucks", f64::from(second), trucks));
            }
            if kind % 3 == 1 {
                problem = problem
                    .with(Limit::at_most_of("most", most, of(0)))
                    .with(Limit::at_least_of("least", least, of(1)));
            }
            if kind % 3 == 2 {
                problem.must.push(0);
                problem.must_not.extend(of(2).into_iter().filter(|item| *item != 0));
            }
            problem
        })
}

proptest! {
    #[test]
    fn a_plan_is_the_best_of_all(problem in problems()) {
        match (plan(&problem), best_of_all(&problem)) {
            (Ok(found), Some(best)) => {
                prop_assert!(found.is_proven, "{found:?}");
                prop_assert!((found.value - best).abs() < 1e-9, "{found:?} {best}");
                prop_assert!(found.bound >= best - 1e-9);
                prop_assert!(found.chosen.windows(2).all(|pair| pair[0] < pair[1]));
                let value: f64 = found.chosen.iter().map(|&item| problem.values[item]).sum();
                prop_assert!((found.value - value).abs() < 1e-9);
                for (limit, used) in problem.limits.iter().zip(&found.used) {
                    let keeps = if limit.is_least { *used >= limit.amount } else { *used <= limit.amount };
                    prop_assert!(keeps, "{limit:?} {used}");
                }
                prop_assert!(problem.must.iter().all(|item| found.chosen.contains(item)));
                prop_assert!(!problem.must_not.iter().any(|item| found.chosen.contains(item)));
            }
            (Err(_), None) => {}
            (found, best) => prop_assert!(false, "{found:?} {best:?}"),
        }
    }
}

/// Numbers that look random, the same on every machine.
fn draws(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    })
}

#[test]
fn large_plans_are_near_their_bounds() {
    let n = 20_000;
    let mut draw = draws(1);
    let mut next = || draw.next().unwrap();
    let values: Vec<f64> = (0..n).map(|_| (4.0 * next()).exp()).collect();
    let amounts: Vec<Vec<f64>> =
        (0..3).map(|_| (0..n).map(|_| 1.0 + 9.0 * next()).collect()).collect();
    let regions: Vec<usize> = (0..n).map(|_| (50.0 * next()) as usize).collect();
    let one = Problem::new(values).with(Limit::at_most("money", 5_000.0, amounts[0].clone()));
    let found = plan(&one).unwrap();
    assert!(found.gap() < 1e-6, "{}", found.gap());
    assert!(found.used[0] <= 5_000.0 && found.worth[0] > 0.0);
    let mut many = one;
    for (name, amounts) in ["hours", "trucks"].into_iter().zip(&amounts[1..]) {
        many = many.with(Limit::at_most(name, 6_000.0, amounts.clone()));
    }
    for region in 0..50 {
        let own = (0..n).filter(|&item| regions[item] == region);
        many = many.with(Limit::at_most_of("region", 30, own));
    }
    let found = plan(&many).unwrap();
    assert!(found.gap() < 1e-3, "{}", found.gap());
    assert!(found.used.iter().zip(&many.limits).all(|(used, limit)| *used <= limit.amount + 1e-6));
}

#[test]
fn what_cannot_be_is_said() {
    let problem = || Problem::new(vec![3.0, 2.0, 1.0]);
    let hours = |amount: f64| Limit::at_most("hours", amount, [2.0, 2.0, 2.0]);
    let said = |problem: Problem| plan(&problem).unwrap_err().to_string();
    let must = Problem { must: vec![0, 1], ..problem().with(hours(3.0)) };
    assert_eq!(said(must), "what must be taken needs 4 of hours, and there are 3");
    let both = Problem { must: vec![0], must_not: vec![0], ..problem() };
    assert_eq!(said(both), "item 0 must be taken and must not be taken");
    let least = problem().with(Limit::at_least_of("at least 2 of north", 2, [1]));
    assert!(said(least).starts_with("at least 2 of north asks for 2, and there are only 1"));
    let torn = problem().with(hours(3.0)).with(Limit::at_least_of("north", 2, [0, 1, 2]));
    assert_eq!(said(torn), "no plan keeps all limits; relax one of them");
    assert!(said(Problem::new(vec![f64::NAN])).contains("NaN"));
    assert!(said(problem().with(hours(-1.0))).contains("-1"));
    assert!(said(Problem { must: vec![7], ..problem() }).contains("there are 3"));
}

#[test]
fn without_limits_everything_of_value_is_taken() {
    let found = plan(&Problem::new(vec![1.0, 0.0, 2.0])).unwrap();
    assert_eq!((found.chosen, found.value, found.is_proven), (vec![0, 2], 3.0, true));
    assert_eq!(plan(&Problem::new(Vec::new())).unwrap().chosen, Vec::<usize>::new());
}
