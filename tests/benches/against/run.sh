#!/usr/bin/env bash
# How much less this engine takes than that of an earlier commit for the same
# decisions.
#
#   tests/benches/against/run.sh EARLIER BETWEEN OURS [ROUNDS] [-- COMMAND…]
#
# The three are release binaries, of 90f9ee2, of 12bd86a and of this tree, each
# built with `cargo build --release --no-default-features --bin houserule`.
# 12bd86a is the last commit that plays rules of both forms: the rules and the
# bots' scores of 90f9ee2 are played by EARLIER and by BETWEEN, those of 12bd86a
# by BETWEEN and by OURS, and the two ratios are multiplied.
# All rules come out of the history; all that is changed in the first ones for
# BETWEEN is that rules say no more that their answers are kept.
# Without a COMMAND it measures the rows of docs/performance.md. Processor time,
# in turns, medians.
# Rows of `own rules` are each commit by its own: not the same games, and not the
# same cases.
# The last row is tic-tac-toe (xo/, in the form of each commit) with all mods of
# the commit in the path and a process for each game. Where the two binaries were
# built with all features, it counts what components of other mods cost a start.
set -euo pipefail

first=90f9ee2 last=12bd86a
earlier=$(realpath "$1"); between=$(realpath "$2"); ours=$(realpath "$3"); rounds=${4:-7}
shift $(( $# < 4 ? $# : 4 ))
[ "${1:-}" = "--" ] && shift

root=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
rules() { mkdir "$work/$1"; git -C "$root" archive "$2" mods/dsii | tar -x -C "$work/$1"; }
rules first "$first"; rules converted "$first"; rules last "$last"
grep -rlE '^ *kept = true,$' "$work/converted/mods" | xargs sed -i -E '/^ *kept = true,$/d'

# What a run says of its outcome, without the hashes, whose forms differ.
outcome() { "$@" 2>/dev/null | grep -vE '^(state|events|mods|rules|sources) ' ; }

# How many decisions a run takes: of a tally, those of a game in the middle.
decisions() {
    "$@" 2>/dev/null | awk '
        $1 == "decisions" { n = $NF }
        END { print n ? n : 1 }'
}

# The processor time of a run, in seconds.
seconds() {
    local TIMEFORMAT='%3U %3S'
    { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# The median ratio of two binaries, each in its folder, and whether they agree.
# Where they do not, what is divided is the time for a decision.
ratio() {
    local one=$1 here=$2 other=$3 there=$4; shift 4
    local same="the same outcome" n=1 m=1
    if ! diff -q <(cd "$work/$here" && outcome "$one" "$@" --mods mods) \
        <(cd "$work/$there" && outcome "$other" "$@" --mods mods) >/dev/null; then
        n=$(cd "$work/$here" && decisions "$one" "$@" --mods mods)
        m=$(cd "$work/$there" && decisions "$other" "$@" --mods mods)
        same="another outcome: for a decision, $n and $m of them"
    fi
    for _ in $(seq "$rounds"); do
        a=$(cd "$work/$here" && seconds "$one" "$@" --mods mods)
        b=$(cd "$work/$there" && seconds "$other" "$@" --mods mods)
        awk -v a="$a" -v b="$b" -v n="$n" -v m="$m" 'BEGIN { print (a / n) / (b / m) }'
    done | median | tr '\n' ' '
    echo "$same"
}

compare() {
    local name=$1; shift
    local old new
    old=$(ratio "$earlier" first "$between" converted "$@")
    new=$(ratio "$between" last "$ours" last "$@")
    awk -v name="$name" -v old="${old%% *}" -v new="${new%% *}" -v a="${old#* }" -v b="${new#* }" \
        'BEGIN { printf "%-28s %6.2f x  = %.2f (%s) * %.2f (%s)\n", name, old * new, old, a, new, b }'
}

# The line of a row whose rounds come in as the ratio and both times.
middle() {
    sort -n | awk -v name="$1" '{ v[NR] = $0 } END { split(v[int((NR + 1) / 2)], m)
        printf "%-28s %6.2f x  (%.3f s and %.3f s)\n", name, m[1], m[2], m[3] }'
}

# Both by the rules of their own commit, which are not the same games; ours with
# a word more, where it has one.
by_own_rules() {
    local name=$1 more=$2; shift 2
    (cd "$work/ours" && "$ours" "$@" $more --mods mods >/dev/null)
    for _ in $(seq "$rounds"); do
        a=$(cd "$work/first" && seconds "$earlier" "$@" --mods mods)
        b=$(cd "$work/ours" && seconds "$ours" "$@" $more --mods mods)
        awk -v a="$a" -v b="$b" 'BEGIN { print a / b, a, b }'
    done | middle "$name"
}

# Twenty games of tic-tac-toe, each in a process of its own.
games_of_xo() { for _ in $(seq 20); do "$@" --mods mods --mods xo run board --quiet; done; }

# How much less a start takes of the smallest game, with all mods in the path.
starts() {
    git -C "$root" archive "$first" mods | tar -x -C "$work/first"
    for here in first ours; do
        mkdir "$work/$here/xo"; cp -r "$root/tests/benches/against/xo/$here" "$work/$here/xo/xo"
    done
    # What is kept between processes is kept before anything is counted.
    (cd "$work/ours" && games_of_xo "$ours" >/dev/null)
    for _ in $(seq "$rounds"); do
        a=$(cd "$work/first" && seconds games_of_xo "$earlier")
        b=$(cd "$work/ours" && seconds games_of_xo "$ours")
        awk -v a="$a" -v b="$b" 'BEGIN { print a / b, a / 20, b / 20 }'
    done | middle "a start of tic-tac-toe"
}

if [ $# -gt 0 ]; then
    compare "$*" "$@"
else
    compare "border-raid" run border-raid --quiet
    compare "spaceport" run spaceport --quiet
    compare "20 raids" run border-raid --games 20 --tally
    mkdir "$work/ours"; git -C "$root" archive HEAD mods | tar -x -C "$work/ours"
    by_own_rules "border-raid, own rules" "" run border-raid --quiet
    by_own_rules "spaceport, own rules" "" run spaceport --quiet
    by_own_rules "10 raids, own rules" "" run border-raid --games 10 --tally
    by_own_rules "test dsii, own rules" --again test dsii
    starts
fi
