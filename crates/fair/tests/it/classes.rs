//! Classes by group, and what groups prefer.

use crate::world::near;
use stakes_fair::{AuditError, GivenClasses, GroupColumn, audit_classes, envy};

/// Salomon 2020, section 1.2.2: spicy and sweet food.
#[test]
fn the_canteen() {
    let mut people: Vec<(&str, u32, u32)> = Vec::new();
    // Group, class, how many are given spicy (0) and sweet (1).
    for (group, class, spicy, sweet) in
        [("women", 0, 6, 2), ("men", 0, 3, 1), ("women", 1, 2, 2), ("men", 1, 4, 4)]
    {
        people.extend(std::iter::repeat_n((group, class, 0), spicy));
        people.extend(std::iter::repeat_n((group, class, 1), sweet));
    }
    let column = GroupColumn::of("sex", people.iter().map(|one| one.0));
    let names = ["spicy", "sweet"].map(str::to_owned);
    let truth: Vec<u32> = people.iter().map(|one| one.1).collect();
    let given: Vec<u32> = people.iter().map(|one| one.2).collect();
    let classes = GivenClasses { names: &names, truth: &truth, given: &given, costs: None };
    let found = audit_classes(&column, &classes).unwrap();
    near(found.conditional_independence, 0.0, 1e-15, "conditional independence");
    // Of the 15 that are given spicy food 8 are women, of all 24 half.
    near(found.statistical_independence, 5.0 / 9.0 - 0.5, 1e-12, "statistical independence");
    let rates = |group: usize| found.groups[group].classes[0].clone();
    let (women, men) = (rates(0), rates(1));
    near(women.fdr.unwrap(), 0.25, 1e-12, "FDR of women");
    near(men.fdr.unwrap(), 0.571_429, 5e-7, "FDR of men");
    near(women.omission.unwrap(), 0.5, 1e-12, "FOR of women");
    near(men.omission.unwrap(), 0.2, 1e-12, "FOR of men");
    for one in [&women, &men] {
        near(one.fpr.unwrap(), 0.5, 1e-12, "FPR");
        near(one.fnr.unwrap(), 0.25, 1e-12, "FNR");
    }
    assert_eq!([found.groups[0].wrong, found.groups[1].wrong], [4, 5]);
    near(found.groups[1].mean_cost, 5.0 / 12.0, 1e-12, "mean cost");
    // Sweet for who likes spicy costs 3, the other mistake 1: women 2 x 3 + 2, men 3 + 4.
    let costs = [0.0, 3.0, 1.0, 0.0];
    let found = audit_classes(&column, &GivenClasses { costs: Some(&costs), ..classes }).unwrap();
    near(found.groups[0].mean_cost, 8.0 / 12.0, 1e-12, "mean cost of women");
    near(found.groups[1].mean_cost, 7.0 / 12.0, 1e-12, "mean cost of men");
    let short = GivenClasses { given: &given[1..], ..classes };
    assert!(matches!(audit_classes(&column, &short), Err(AuditError::Length { .. })));
    let unknown = vec![2; 24];
    let unknown = GivenClasses { given: &unknown, ..classes };
    assert!(matches!(audit_classes(&column, &unknown), Err(AuditError::Value { .. })));
}

/// Elections (Salomon 2020, observation 3): what each party's weak ranker does for each party.
#[test]
fn parties_prefer_their_own() {
    let parties = ["T", "L", "D", "T", "T", "T", "D", "L", "T"];
    let column = GroupColumn::of("party", parties);
    let of = |party: &str| -> Vec<f64> {
        let one = |(place, other): (usize, &&str)| {
            f64::from(u8::from(*other == party && (party != "T" || place < 8)))
        };
        parties.iter().enumerate().map(one).collect()
    };
    let (t, l, d) = (of("T"), of("L"), of("D"));
    let found = envy(&[0, 9], &column, &[&t, &l, &d]).unwrap();
    assert_eq!(found.groups, ["T", "L", "D"]);
    // Benefits as sums over pairs: h_L 14 of 14, h_D 14 of 14, h_T 16 of 20.
    near(found.benefits[1][1], 1.0, 1e-12, "Labour");
    near(found.benefits[2][2], 1.0, 1e-12, "Liberal Democrats");
    near(found.benefits[0][0], 16.0 / 20.0, 1e-12, "Tories");
    assert!(found.is_envy_free());
    // With each other's orders, the Tories and Labour would exchange.
    let found = envy(&[0, 9], &column, &[&l, &t, &d]).unwrap();
    assert_eq!(found.envies, [Some(1), Some(0), None]);
    assert!(envy(&[0, 9], &column, &[&l, &t]).is_err());
}
