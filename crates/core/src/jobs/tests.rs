#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use super::*;

/// Tells what it is given.
struct Given(Vec<Heard>);

impl Elsewhere for Given {
    fn work(&self, _: &[Job], hear: &mut dyn FnMut(Heard) -> bool) -> Result<(), String> {
        self.0.iter().all(|heard| hear(heard.clone()));
        Ok(())
    }
}

fn shared(heard: Vec<Heard>, stop_after: usize) -> Result<Vec<(usize, Vec<u8>)>, JobError> {
    let jobs = Jobs::elsewhere(Arc::new(Given(heard))).within("part");
    let mut found = Vec::new();
    let named = [Job::new("a 0", Vec::new()), Job::new("a 1", Vec::new())];
    let all = jobs.share(&named, |result| {
        found.extend(result);
        Ok::<bool, JobError>(found.len() < stop_after)
    })?;
    assert_eq!(all, found.len() == 2);
    Ok(found)
}

#[test]
fn results_come_in_any_order_and_only_once() {
    let done = |at| Heard::Done(at, Ok(vec![at as u8]));
    let all = vec![done(1), Heard::Nothing, done(1), done(7), done(0)];
    assert_eq!(shared(all.clone(), 9), Ok(vec![(1, vec![1]), (0, vec![0])]));
    assert_eq!(shared(all, 1), Ok(vec![(1, vec![1])]));
    let lost = shared(vec![done(1)], 9).unwrap_err().to_string();
    assert_eq!(lost, "work elsewhere has failed: nothing was heard of `part: a 0`");
    let failed = vec![Heard::Done(0, Err("no memory".into())), done(1)];
    assert_eq!(shared(failed, 9).unwrap_err().to_string(), "part: a 0, elsewhere: no memory");
}

#[test]
fn a_job_is_found_by_its_name_in_its_part() {
    let only = Jobs::only(Job::new("curve: trial 3 rung 1", vec![7]));
    assert!(!only.within("whole").include_this_part());
    let part = only.within("curve");
    assert!(part.include_this_part());
    let wanted = part.wanted().unwrap();
    assert_eq!((wanted.numbers("trial rung"), wanted.begun.clone()), (Some([3, 1]), vec![7]));
    assert_eq!(wanted.numbers::<1>("trial"), None);
    assert_eq!(wanted.numbers::<2>("trial step"), None);
    assert_eq!(only.result(), None);
    assert_eq!(part.end(vec![8]), JobError::Done("curve: trial 3 rung 1".into()));
    assert_eq!(only.result(), Some(vec![8]));
}
