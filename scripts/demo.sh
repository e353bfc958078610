#!/usr/bin/env bash
# The demo: generated storms, what is in them, four learners on the older storms, and an honest
# comparison on the newest ones.
set -euo pipefail
stakes=$(realpath "$1")
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
step "4. A crew can harden 10 networks before each storm. Learn to choose them." \
    train older.parquet "${roles[@]}" -k 10 --effort low -o blend.json
step "5. Single learners beside it: for NDCG, for the plain cost, for chance times size." \
    train older.parquet "${roles[@]}" -k 10 --learner lambdamart -o lambdamart.json --quiet
run train older.parquet "${roles[@]}" -k 10 --learner mart -o mart.json --quiet
run train older.parquet "${roles[@]}" -k 10 --learner two-part -o two-part.json --quiet
step "6. Rank the newest storms by each model." rank blend.json newest.parquet -o blend.csv
run rank lambdamart.json newest.parquet -o lambdamart.csv
run rank mart.json newest.parquet -o mart.csv
run rank two-part.json newest.parquet -o two-part.csv
step "7. Which of them would have spared the most customers, and are the differences real?" \
    evaluate newest.parquet "${roles[@]}" -k 10 --metric rcs,ndcg@10:gain=linear --score customers \
    --score-file mart.csv --score-file lambdamart.csv --score-file two-part.csv \
    --score-file blend.csv --baseline mart --test randomisation
storm=$(tail -n 1 blend.csv | cut -d, -f1)
step "8. The networks to act on before one of these storms, with the customers that each, and all so far, are expected to lose." \
    rank blend.json newest.parquet --list-id "$storm" --top 10

cat <<'TEXT'

How to read it: rcs@10 is the share of all customers that could have been spared
by acting on ten networks in each storm, and that this order spares. NDCG, which
counts every storm alike, is there to compare. The ideal order shows what is
left to gain. In step 7 every order is judged on storms that no model has seen,
and compared with plain regression (mart), paired storm by storm.
Next: README.md, `stakes learners`, or `stakes --help`.
TEXT
