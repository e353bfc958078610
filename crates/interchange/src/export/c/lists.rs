//! Models that need the whole list, in C: scaling within lists, and the second stage.

use stakes_model::{ListScaling, Model, Rerank, RerankScope};

/// What comes after the score of a row: the scores of a list.
pub(super) fn code(model: &Model) -> String {
    let mut code = String::new();
    let mut steps = ["", ""];
    let how = match model.list_scaling {
        ListScaling::None => None,
        ListScaling::MinMax => Some(MIN_MAX),
        ListScaling::ZScore => Some(Z_SCORE),
    };
    if let Some(how) = how {
        code.push_str(&SCALE.replace("            HOW\n", how));
        steps[0] = "    failed |= scale(x, items);\n";
    }
    if let Some(rerank) = &model.rerank {
        code.push_str(&second_stage(rerank));
        steps[1] = "    failed |= rerank(x, items, scores);\n";
    }
    code + &SCORES.replace("    SCALE\n", steps[0]).replace("    RERANK\n", steps[1])
}

fn second_stage(rerank: &Rerank) -> String {
    let base = match rerank.base_weight {
        0.0 => String::new(),
        weight => format!(" + {weight:?} * scores[i]"),
    };
    let (least, selected, floor, last, score) = match rerank.scope {
        RerankScope::All => ("", "1".to_owned(), "0.0".to_owned(), "-INFINITY", "r"),
        RerankScope::Score(threshold) => {
            let selected = format!("scores[i] > {threshold:?}");
            ("", selected, format!("{threshold:?}"), "lowest", "lowest + size * rise")
        }
        RerankScope::First(count) => {
            let selected = format!("{count} > 0 && scores[i] >= least");
            (LEAST, selected, "least".to_owned(), "lowest", "lowest + size * rise")
        }
    };
    let count = match rerank.scope {
        RerankScope::First(count) => count.saturating_sub(1).min(i32::MAX as u64).to_string(),
        _ => String::new(),
    };
    let falling = if least.is_empty() { "" } else { FALLING };
    let parts = [
        ("    LEAST\n", least),
        ("COUNT", count.as_str()),
        ("BASE", &base),
        ("SELECTED", &selected),
        ("FLOOR", &floor),
        ("LAST", last),
        ("SCORE", score),
    ];
    falling.to_owned()
        + &parts.iter().fold(RERANK.to_owned(), |code, (name, part)| code.replace(name, part))
}

const SCORES: &str = "
/* The scores of the items of one list, whose rows follow one another. Returns -1 if there is no memory, else 0. */
int stakes_scores(const double *rows, int items, double *scores) {
    float *x;
    int i, failed = 0;
    if (items == 0) return 0;
    x = malloc((size_t)items * (STAKES_FEATURES + 1) * sizeof *x);
    if (x == NULL) return -1;
    for (i = 0; i < items; i++) read_row(rows + (size_t)i * STAKES_FEATURES, x + (size_t)i * STAKES_FEATURES);
    SCALE
    for (i = 0; i < items; i++) scores[i] = score_of(x + (size_t)i * STAKES_FEATURES);
    RERANK
    free(x);
    return failed ? -1 : 0;
}
";

const SCALE: &str = "
static int by_size(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

/* Scales the numbers of a list. */
static int scale(float *rows, int items) {
    float *known = malloc((size_t)items * sizeof *known);
    int i, j;
    if (known == NULL) return -1;
    for (j = 0; j < STAKES_FEATURES; j++) {
        double shift, size = 1;
        int count = 0;
        if (category_counts[j] >= 0) continue;
        for (i = 0; i < items; i++) {
            float x = rows[(size_t)i * STAKES_FEATURES + (size_t)j];
            if (!isnan(x)) known[count++] = x;
        }
        if (count == 0) continue;
        qsort(known, (size_t)count, sizeof *known, by_size);
        shift = known[0];
        if (known[0] != known[count - 1]) {
            HOW
        }
        for (i = 0; i < items; i++) {
            float *x = &rows[(size_t)i * STAKES_FEATURES + (size_t)j];
            *x = (float)(((double)*x - shift) / size);
        }
    }
    free(known);
    return 0;
}
";

const MIN_MAX: &str = "            size = (double)known[count - 1] - shift;\n";

const Z_SCORE: &str = "            double sum = 0;
            for (i = 0; i < count; i++) sum += (double)known[i];
            shift = sum / count;
            for (sum = 0, i = 0; i < count; i++) sum += ((double)known[i] - shift) * ((double)known[i] - shift);
            size = sqrt(sum / count);
";

const FALLING: &str = "
static int falling(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x > y ? -1 : x < y;
}
";

/// The lowest of the first scores: it is also the lowest that is selected.
const LEAST: &str =
    "    double least = -INFINITY, *sorted = malloc((size_t)items * sizeof *sorted);
    if (sorted == NULL) return -1;
    memcpy(sorted, scores, (size_t)items * sizeof *sorted);
    qsort(sorted, (size_t)items, sizeof *sorted, falling);
    least = sorted[items > COUNT ? COUNT : items - 1];
    free(sorted);
";

const RERANK: &str = "
struct place {
    double second;
    int item;
};

static int by_second(const void *a, const void *b) {
    const struct place *p = a, *q = b;
    return p->second < q->second ? -1 : p->second > q->second ? 1 : p->item - q->item;
}

/* Puts some items of a list above the others, in the order of their second score. */
static int rerank(const float *rows, int items, double *scores) {
    struct place *order;
    double lowest, size, last;
    int i, j, count = 0;
    LEAST
    order = malloc((size_t)items * sizeof *order);
    if (order == NULL) return -1;
    for (i = 0; i < items; i++) {
        if (!(SELECTED)) continue;
        order[count].second = net_second(rows + (size_t)i * STAKES_FEATURES)BASE;
        order[count++].item = i;
    }
    qsort(order, (size_t)count, sizeof *order, by_second);
    lowest = FLOOR;
    size = lowest == 0 ? 1 : fabs(lowest);
    last = LAST;
    (void)size;
    for (i = 0; i < count; i = j) {
        double r = order[i].second, rise = r >= 0 ? 1 + r : 1 / (1 - r), score = SCORE;
        (void)rise;
        last = fmin(fmax(fmin(score, DBL_MAX / 2), nextafter(last, INFINITY)), DBL_MAX);
        for (j = i; j < count && order[j].second == r; j++) scores[order[j].item] = last;
    }
    free(order);
    return 0;
}
";
