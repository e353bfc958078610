#!/usr/bin/env bash
# The demo: generated storms, what is in them, learners compared over the older storms, an honest judgement on
# the newest ones, and a page to decide from, which stays in target/demo.
set -euo pipefail
stakes=$(realpath "$1")
cd "$(dirname "$0")/.."
mkdir -p target/demo
page=$PWD/target/demo/report.html
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\033[1m' plain=$'\033[0m'; fi
step() { printf '\n%s%s%s\n' "$bold" "$(fold -s -w 80 <<<"$1")" "$plain"; run "${@:2}"; }
run() { printf '$ stakes %s\n' "$*"; "$stakes" "$@"; }

step "1. Make 300 storms, each a list of electricity networks, with the customers that lost power." \
    generate storms -o storms.parquet
roles=(--list storm --impact customers_out --id network --group settlement --price crew_hours --time date)
step "2. What is in the file?" inspect storms.parquet "${roles[@]}"
step "3. Keep the newest quarter of the storms for the end: nothing below learns from it." \
    split storms.parquet "${roles[@]}" --hold-out 25% -o older.parquet newest.parquet
step "4. A crew can harden 10 networks before each storm, today those with the most customers. Learn to choose them." \
    train older.parquet "${roles[@]}" -k 10 --effort low --current customers --unit customers -o blend.json
compare=(compare older.parquet "${roles[@]}" -k 10 --learners mart,lambdamart,cs-mart --current customers --folds time:3)
step "5. Which single learner would have saved most over the older storms, and is it more than by choosing the networks with the most customers, as is done today?" \
    "${compare[@]}" --run compared
# The same as JSON, for the page: the run directory keeps what was trained.
"$stakes" "${compare[@]}" --run compared --json --quiet > compared.json
step "6. Rank the newest storms by the model of step 4." rank blend.json newest.parquet -o blend.csv
step "7. How many customers would that have spared, beside the order of today?" \
    evaluate newest.parquet --model blend=blend.json "${roles[@]}" -k 10 --metric rcs,ndcg@10:gain=linear \
    --score customers --baseline customers --test randomisation
storm=$(tail -n 1 blend.csv | cut -d, -f1)
step "8. The networks to act on before one of these storms, with the customers that each, and all so far, are expected to lose." \
    rank blend.json newest.parquet --list-id "$storm" --top 10
step "9. All of it on a page for a browser: a slider for how many networks, the list of each storm, reasons, mistakes." \
    report blend.json newest.parquet compared.json --current customers --unit customers --group settlement -o report.html
mv report.html "$page"

cat <<'TEXT'

How to read it: rcs@10 is the share of all customers that could have been spared
by acting on ten networks in each storm, and that this order spares. NDCG, which
counts every storm alike, is there to compare. The ideal order shows what is
left to gain. Step 5 trains each learner three times on what was known then and
judges it by the storms that followed; step 7 judges by storms that nothing has
seen.
Next: README.md, `stakes learners`, or `stakes --help`.
TEXT
echo "The page of step 9: $page"
