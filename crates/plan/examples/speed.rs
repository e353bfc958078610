//! How long plans take, and how far they may be from the best: `cargo run --release -p stakes-plan --example speed`.

use std::time::Instant;

use stakes_plan::{Limit, Problem, plan};

/// Numbers that look random, the same on every machine.
fn draws(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn main() {
    println!("| items | limits | seconds | gap | proven | taken |\n|---|---|---|---|---|---|");
    for n in [1_000, 10_000, 100_000] {
        for regions in [0, 50] {
            let mut next = draws(n as u64);
            let values = (0..n).map(|_| (4.0 * next()).exp()).collect();
            let mut problem = Problem::new(values);
            let resources = if regions == 0 { 1 } else { 3 };
            for resource in 0..resources {
                let amounts: Vec<f64> = (0..n).map(|_| 1.0 + 9.0 * next()).collect();
                let amount = 0.2 * amounts.iter().sum::<f64>();
                problem =
                    problem.with(Limit::at_most(&format!("resource {resource}"), amount, amounts));
            }
            let region: Vec<usize> = (0..n).map(|_| (50.0 * next()) as usize).collect();
            for own in 0..regions {
                let items = (0..n).filter(|&item| region[item] == own);
                problem = problem.with(Limit::at_most_of(&format!("region {own}"), n / 200, items));
            }
            let begun = Instant::now();
            let found = plan(&problem).expect("a plan that takes nothing keeps all limits");
            println!(
                "| {n} | {} | {:.2} | {:.6} % | {} | {} |",
                problem.limits.len(),
                begun.elapsed().as_secs_f64(),
                100.0 * found.gap(),
                found.is_proven,
                found.chosen.len()
            );
        }
    }
}
