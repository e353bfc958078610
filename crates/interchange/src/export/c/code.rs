//! The functions of the C file. Each is written only if the model needs it.

pub(super) const FEATURES: &str = "/* The code of a category; NAN, which means missing, for an unknown one. */
double stakes_code(int feature, const char *category) {
    int code;
    for (code = 0; code < category_counts[feature]; code++) {
        if (strcmp(categories[feature][code], category) == 0) return code;
    }
    return NAN;
}

/* Features as the model reads them: in 32 bits, with unknown codes as missing values. */
static void read_row(const double *features, float *x) {
    int i;
    for (i = 0; i < STAKES_FEATURES; i++) {
        int known = category_counts[i] < 0 || (features[i] >= 0 && features[i] < category_counts[i]);
        x[i] = known ? (float)features[i] : NAN;
    }
}

";

pub(super) const NODE: &str =
    "/* Children are nodes, or -1 - a leaf; set is -1 where there is a threshold. */
struct node {
    int feature, missing_left, set;
    float threshold;
    int left, right;
};

";

pub(super) const TREE: &str = "static double value(int at, const float *x) {
    while (at >= 0) {
        const struct node *node = &nodes[at];
        float value = x[node->feature];
        int left = isnan(value) ? node->missing_left
                 : TEST;
        at = left ? node->left : node->right;
    }
    return leaves[-1 - at];
}

";

pub(super) const ONLY_LEAVES: &str = "static double value(int at, const float *x) {
    (void)x;
    return leaves[-1 - at];
}

";

pub(super) const FINITE: &str = "static double clamped(double x) {
    return x > DBL_MAX ? DBL_MAX : x < -DBL_MAX ? -DBL_MAX : x;
}

";

pub(super) const NETS: &str = "/* 0: (x - a) / b, 0 if x is missing; 1: whether x is missing; 2: whether x is category a; 3: a draw. */
struct input {
    int kind, feature;
    double a, b;
    uint64_t seed;
};

/* The dot product, summed in eight lanes. */
static double dot(const double *a, const double *b, int n) {
    double s[8] = {0, 0, 0, 0, 0, 0, 0, 0}, rest = 0;
    int i, whole = n / 8 * 8;
    for (i = 0; i < whole; i++) s[i % 8] += a[i] * b[i];
    for (i = whole; i < n; i++) rest += a[i] * b[i];
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])) + rest;
}

/* activation: 0 for none, 1 for the larger of the sum and 0, 2 for tanh. */
static void layer(const double *in, int width, const double *biases, const double *weights,
                  double *out, int outputs, int activation) {
    int i;
    for (i = 0; i < outputs; i++) {
        double sum = biases[i] + dot(in, weights + (size_t)i * (size_t)width, width);
        out[i] = activation == 0 ? sum : activation == 1 ? (sum > 0 ? sum : 0) : tanh(sum);
    }
}

";

pub(super) const INPUT: &str = "static double input(const struct input *input, const float *x) {
    float value;
    DRAW
    value = x[input->feature];
    if (input->kind == 1) return isnan(value) ? 1 : 0;
    if (input->kind == 2) return value == (float)input->a ? 1 : 0;
    if (isnan(value)) return 0;
    value = value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : value;
    return ((double)value - input->a) / input->b;
}

";

pub(super) const CASE_DRAW: &str =
    "    if (input->kind == 3) return draw(x, input->feature, input->seed);\n";

pub(super) const DRAWS: &str = "static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* SplitMix64 of the features' bits. */
static double draw(const float *x, int count, uint64_t seed) {
    const uint64_t gamma = UINT64_C(0x9e3779b97f4a7c15);
    int i;
    for (i = 0; i < count; i++) {
        float value = x[i] + 0.0f;
        uint32_t bits = UINT32_MAX;
        if (!isnan(value)) memcpy(&bits, &value, sizeof bits);
        seed = mix((seed + gamma) ^ bits);
    }
    seed = mix(mix(mix(seed + gamma) ^ mix(gamma)) + gamma);
    return 2.0 * ((double)(seed >> 11) * (1.0 / 9007199254740992.0)) - 1.0;
}

";

pub(super) const CALIBRATION: &str = "
/* The expected cost of items with this score: linear between the knots, constant beyond them. */
double stakes_expected_cost(double score) {
    int above = 0;
    double from, to, a, b, cost;
    while (above < KNOTS && knots[above][0] <= score) above++;
    if (above == 0) return knots[0][1];
    from = knots[above - 1][0];
    a = knots[above - 1][1];
    if (above == KNOTS) return a;
    to = knots[above][0];
    b = knots[above][1];
    cost = a + (b - a) * ((0.5 * score - 0.5 * from) / (0.5 * to - 0.5 * from));
    return cost < b ? cost : b;
}
";

pub(super) const SCORE: &str = "
/* The score of one row. */
double stakes_score(const double *features) {
    float x[STAKES_FEATURES + 1];
    read_row(features, x);
    return score_of(x);
}
";

pub(super) const CHECK: &str = "
#ifdef STAKES_CHECK
#include <stdio.h>

/* Compares the scores of the rows of a parity pack. */
int main(int argc, char **argv) {
    static char line[1 << 20];
    FILE *file = argc > 1 ? fopen(argv[1], \"r\") : NULL;
    double *rows = NULL, *given = NULL, *scores;
    int items = 0, wrong = 0, i;
    if (file == NULL || fgets(line, sizeof line, file) == NULL) {
        fprintf(stderr, \"the first argument must be the file of the parity pack\\n\");
        return 2;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        char *at = line;
        rows = realloc(rows, (size_t)(items + 1) * (STAKES_FEATURES + 1) * sizeof *rows);
        given = realloc(given, (size_t)(items + 1) * 2 * sizeof *given);
        if (rows == NULL || given == NULL) return 2;
        for (i = 0; i < STAKES_FEATURES + 2; i++) {
            char *end;
            double value = strtod(at, &end);
            if (end == at) value = NAN;
            at = *end == ',' ? end + 1 : end;
            if (i < STAKES_FEATURES) rows[(size_t)items * STAKES_FEATURES + (size_t)i] = value;
            else given[items * 2 + i - STAKES_FEATURES] = value;
        }
        items++;
    }
    fclose(file);
    scores = malloc((size_t)(items + 1) * sizeof *scores);
    if (scores == NULL) return 2;
    SCORES
    for (i = 0; i < items; i++) {
        if (scores[i] != given[i * 2]) wrong++;
        COST
    }
    printf(\"%d of %d rows differ\\n\", wrong, items);
    free(rows);
    free(given);
    free(scores);
    return wrong > 0 || items == 0;
}
#endif
";

pub(super) const CHECK_ROWS: &str = "    for (i = 0; i < items; i++) scores[i] = stakes_score(rows + (size_t)i * STAKES_FEATURES);\n";

pub(super) const CHECK_LIST: &str = "    if (stakes_scores(rows, items, scores) != 0) return 2;\n";

pub(super) const CHECK_COST: &str =
    "        if (stakes_expected_cost(scores[i]) != given[i * 2 + 1]) wrong++;\n";
