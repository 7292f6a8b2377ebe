# shellcheck shell=sh disable=SC2034,SC2154 # $status and $part are the script's
# For the scripts of this folder, which print a row for each of their checks. They set $part, what the checks are about, and
# $work, a folder of their own. $status is their exit code.
status=0

# row WHAT RESULT
row() {
    printf '%-22s %-40s %s\n' "$part" "$1" "$2"
}

# failed WHAT [LOG]
failed() {
    row "$1" FAILED
    cat "${2:-$work/log}"
    status=1
}

# succeeded WHAT: with what the command has printed that it skips.
succeeded() {
    row "$1" "ok$(sed -n "s/^skipped: /; skipped: /p" "$work/log" | tr -d '\r\n')"
}

# check WHAT COMMAND...: the command succeeds.
check() {
    what=$1
    shift
    if "$@" >"$work/log" 2>&1; then succeeded "$what"; else failed "$what"; fi
}
