#!/usr/bin/env bash
# Training and scoring speed beside LightGBM, XGBoost, CatBoost and hessboost; the table goes to
# benches/runs/DATE-speed.md and, shortened, into docs/speed.md. Give the machine to it alone: an hour,
# with --large a night.
#   benches/speed.sh [--large | --trial] [options of speed.py, such as --only stakes,lightgbm]
# --trial is tiny, uses unoptimised builds and keeps nothing: do the scripts work?
# Only a whole run is kept in benches/runs; with --only, --sets or --threads the table is shown.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
work=$root/target/peers
folder=$work/speed
profile=release built=release kept=yes name=speed
for option in "$@"; do
    case $option in
        --trial) profile=dev built=debug kept=no folder=$work/speed-trial ;;
        --large) folder=$work/speed-large name=speed-large ;;
        --only* | --sets* | --threads*) kept=no ;;
    esac
done
python=$("$here/peers/venv.sh" "$work")
cargo build --profile $profile --quiet --manifest-path "$root/Cargo.toml" -p stakes-bench -p stakes-cli
cargo build --profile $profile --quiet --locked --manifest-path "$here/peers/hessboost/Cargo.toml" \
    --target-dir "$work/hessboost"
mkdir -p "$folder"
"$python" "$here/speed.py" "$folder" --stakes "$root/target/$built/stakes" \
    --bench "$root/target/$built/stakes-bench" --hessboost "$work/hessboost/$built/hessboost-peer" "$@"
python3 "$here/speed_table.py" "$folder" > "$folder/table.md"
cat "$folder/table.md"
[ $kept = yes ] || exit 0
table=benches/runs/$(date +%Y-%m-%d)-$name.md
cp "$folder/table.md" "$root/$table"
[ $name != speed ] || python3 "$here/speed_table.py" "$folder" "$root/docs/speed.md" "../$table"
