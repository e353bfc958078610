#!/usr/bin/env bash
# The demo: generated storms, what is in them, and three simple orders measured.
set -euo pipefail
stakes=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

step() { printf '\n\033[1m%s\033[0m\n$ stakes %s\n\n' "$1" "${*:2}"; "$stakes" "${@:2}"; }

step "1. Make 300 storms, each a list of electricity networks, with the customers that lost power." \
    generate storms -o storms.parquet
roles=(--list storm --impact customers_out --id network --group settlement --price crew_hours --time date)
step "2. What is in the file?" inspect storms.parquet "${roles[@]}"
step "3. A crew can harden 10 networks before each storm. Which simple order saves the most customers?" \
    evaluate storms.parquet "${roles[@]}" --score customers,past_outages_5y,vegetation_density \
    -k 10 --metric rcs,lift,ndcg@10:gain=linear

cat <<'TEXT'

How to read it: rcs@10 is the share of all customers that could have been spared by acting on ten networks in
each storm, and that this order spares; lift@10 compares with acting at random. NDCG, which counts every storm
alike, is there to compare. The ideal order shows what is left to gain. Next: README.md, or `stakes --help`.
TEXT
