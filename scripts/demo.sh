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
