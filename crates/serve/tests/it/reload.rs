//! Models are replaced as a whole, under load, and never by half a file.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use stakes::prelude::*;

use super::world::{World, made};

#[test]
fn a_changed_file_is_loaded_again() {
    let world = World::new();
    let path = world.path("model.json");
    let before = world.csv("/v1/score");
    let fingerprint = |world: &World| world.get("/v1/models").json()[0]["fingerprint"].clone();
    let first = fingerprint(&world);
    assert_eq!(world.server().reload(), 0, "the content is the same");
    made().other.save(path.to_str().unwrap()).unwrap();
    // The service may have looked by itself.
    world.server().look_at_files();
    assert_eq!(world.csv("/v1/score").body, world.csv("/v1/score?model=other").body);
    assert_ne!(world.csv("/v1/score").body, before.body);
    assert_ne!(fingerprint(&world), first);
    assert!(world.logged().contains("model model loaded again"));
    assert!(world.get("/metrics").text().contains("stakes_reloads_total 1"));
}

#[test]
fn a_damaged_file_changes_nothing() {
    let world = World::new();
    let path = world.path("model.json");
    let before = world.csv("/v1/score");
    let whole = std::fs::read(&path).unwrap();
    for bytes in [&whole[..whole.len() / 2], b"", b"{}", b"not a model"] {
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(world.server().reload(), 0);
        assert_eq!(world.csv("/v1/score").body, before.body);
    }
    std::fs::remove_file(&path).unwrap();
    assert_eq!(world.server().look_at_files(), 0);
    assert_eq!(world.csv("/v1/score").body, before.body);
    assert!(world.logged().contains("model model stays as it was"));
    assert!(!world.get("/metrics").text().contains("stakes_reload_failures_total 0"));
}

#[test]
fn no_request_is_lost_while_models_are_replaced() {
    const REQUESTS: usize = 150;
    let world = World::new();
    let path = world.path("model.json");
    let path = path.to_str().unwrap();
    let expected = [world.csv("/v1/score").body, world.csv("/v1/score?model=other").body];
    let is_done = AtomicBool::new(false);
    let of_other = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let asking: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    for _ in 0..REQUESTS {
                        let answer = world.csv("/v1/score");
                        assert_eq!(answer.status, 200, "{}", answer.text());
                        let which = expected.iter().position(|body| *body == answer.body);
                        of_other.fetch_add(
                            which.expect("one model or the other, whole"),
                            Ordering::Relaxed,
                        );
                    }
                })
            })
            .collect();
        scope.spawn(|| {
            let whole = std::fs::read(path).unwrap();
            let mut i = 0;
            while !is_done.load(Ordering::Relaxed) {
                match i % 4 {
                    0 => made().other.save(path).unwrap(),
                    2 => made().model.save(path).unwrap(),
                    _ => std::fs::write(path, &whole[..whole.len() / 3]).unwrap(),
                }
                world.server().look_at_files();
                i += 1;
            }
        });
        let asked: Vec<_> = asking.into_iter().map(|thread| thread.join()).collect();
        is_done.store(true, Ordering::Relaxed);
        assert!(asked.iter().all(Result::is_ok));
    });
    let of_other = of_other.into_inner();
    assert!(of_other > 0 && of_other < 3 * REQUESTS, "{of_other} by the other model");
}

#[test]
fn a_model_that_cannot_be_loaded_is_no_service() {
    let folder = tempfile::tempdir().unwrap();
    let options = super::world::options(folder.path());
    std::fs::write(&options.models[1].path, "{").unwrap();
    let error = stakes_serve::Server::start(options, std::sync::Arc::new(|_| {})).err().unwrap();
    assert!(error.to_string().contains("other.json"), "{error}");
}
