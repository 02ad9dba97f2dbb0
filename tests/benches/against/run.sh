#!/usr/bin/env bash
# How much less this engine takes than that of an earlier commit for the same
# decisions: the rules and the bots' scores of that commit, played by both.
#
#   tests/benches/against/run.sh EARLIER OURS [ROUNDS] [-- COMMAND…]
#
# EARLIER and OURS are the release binaries of 90f9ee2 and of this tree, each
# built with `cargo build --release --no-default-features --bin houserule`.
# The rules come out of the history; all that is changed in them for ours is
# that rules say no more that their answers are kept. Without a COMMAND it
# measures the rows of docs/performance.md. Processor time, in turns, medians.
set -euo pipefail

commit=90f9ee2
earlier=$(realpath "$1"); ours=$(realpath "$2"); rounds=${3:-7}
shift $(( $# < 3 ? $# : 3 ))
[ "${1:-}" = "--" ] && shift

root=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
mkdir "$work/earlier" "$work/ours"
for side in earlier ours; do
    git -C "$root" archive "$commit" mods/dsii | tar -x -C "$work/$side"
done
grep -rlE '^ *kept = true,$' "$work/ours/mods" | xargs sed -i -E '/^ *kept = true,$/d'

# What a run says of its outcome, without the hashes, whose forms differ.
outcome() { "$@" 2>/dev/null | grep -vE '^(state|events|mods|rules|sources) ' ; }

# The processor time of a run, in seconds.
seconds() {
    local TIMEFORMAT='%3U %3S'
    { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

compare() {
    local name=$1; shift
    local same="the same outcome"
    diff -q <(cd "$work/earlier" && outcome "$earlier" "$@" --mods mods) \
        <(cd "$work/ours" && outcome "$ours" "$@" --mods mods) >/dev/null || same="ANOTHER OUTCOME"
    : > "$work/a"; : > "$work/b"; : > "$work/ratios"
    for _ in $(seq "$rounds"); do
        a=$(cd "$work/earlier" && seconds "$earlier" "$@" --mods mods)
        b=$(cd "$work/ours" && seconds "$ours" "$@" --mods mods)
        echo "$a" >> "$work/a"; echo "$b" >> "$work/b"
        awk -v a="$a" -v b="$b" 'BEGIN { print a / b }' >> "$work/ratios"
    done
    printf '%-28s %8.3f s %8.3f s %6.2f x  %s\n' "$name" \
        "$(median < "$work/a")" "$(median < "$work/b")" "$(median < "$work/ratios")" "$same"
}

if [ $# -gt 0 ]; then
    compare "$*" "$@"
else
    compare "border-raid" run border-raid --quiet
    compare "spaceport" run spaceport --quiet
    compare "20 raids" run border-raid --games 20 --quiet
fi
