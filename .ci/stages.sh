# shellcheck shell=bash
# What .ci/run and .ci/nightly have in common: they name stages in a table and write a function for each, this runs them.
#
# A line of the table is `name | lane | stages that it needs | what it runs and proves`. The stages of a lane run one after
# another, in the order of the table but for those that wait for another stage; lanes run side by side. What a stage prints
# comes in one piece when it has ended. A stage that cannot run has failed.

shared=${SLIPWAY_SHARED:-../shared}
work=$(mktemp -d)
lanes=()

finish() {
  for lane in "${lanes[@]+"${lanes[@]}"}"; do kill "$lane" 2>/dev/null; done
  stop_apiserver
  ! mountpoint -q "$work/memory" || umount -l "$work/memory"
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

# column STAGE NUMBER: of its line.
column() { awk -F ' *[|] *' -v name="$1" -v n="$2" '{ gsub(/^ +/, "") } $1 == name { print $n }' <<<"$TABLE"; }
names() { awk -F ' *[|] *' '{ gsub(/^ +/, "") } NF { print $1 }' <<<"$TABLE"; }
names_of_lane() { for name in $(names); do [ "$(column "$name" 2)" != "$1" ] || echo "$name"; done; }
has_ended() { [ -f "$work/$1.end" ]; }
is_wanted() { [ -f "$work/$1.wanted" ]; }
needs_of() { column "$1" 3; }

# want STAGE…: these and, of what they need, what is a stage too.
want() {
  local name
  for name; do
    is_wanted "$name" || { touch "$work/$name.wanted" && want $(needs_of "$name"); }
  done
}

# in_memory COMMAND…: with its temporary files in memory, where that can be mounted. A server that tests start gives up a
# write after five seconds, which a disk takes when builds of images fill it.
in_memory() {
  (
    flock 8
    mountpoint -q "$work/memory" || { mkdir "$work/memory" && mount -t tmpfs -o mode=1777 slipway-ci "$work/memory"; }
  ) 8>"$work/memory.lock" || { echo 'temporary files stay on the disk: no tmpfs can be mounted'; "$@"; return; }
  TMPDIR=$work/memory "$@"
}

# within MINUTES COMMAND…: a bound for what hangs; it says nothing of how long it should take.
within() { timeout --kill-after 30 "$(($1 * 60))" "${@:2}"; }

is_ready() {
  for need in $(needs_of "$1"); do has_ended "$need" || return 1; done
}

# Of those that STAGE needs, what has failed.
missing_for() {
  for need in $(needs_of "$1"); do [ "$(cut -d' ' -f1 "$work/$need.end")" = 0 ] || echo "$need"; done
}

run_lane() {
  local left=("$@") later name
  while [ ${#left[@]} -gt 0 ]; do
    later=()
    for name in "${left[@]}"; do
      if [ ${#later[@]} -eq 0 ] || [ -z "${ran:-}" ]; then
        if is_ready "$name"; then run_stage "$name"; ran=1; continue; fi
      fi
      later+=("$name")
    done
    [ -n "${ran:-}" ] || sleep 1
    ran=''
    left=("${later[@]+"${later[@]}"}")
  done
}

run_stage() {
  local name=$1 began=$SECONDS code missing
  missing=$(missing_for "$name" | xargs)
  printf '[%5s s] %s begins\n' "$SECONDS" "$name"
  touch "$work/$name.now"
  TIMEFORMAT='%U %S'
  if [ -n "$missing" ]; then
    echo "cannot run: $missing failed" >"$work/$name.log"
    code=1
    echo 0 0 >"$work/$name.times"
  else
    { time ("stage_$name" >"$work/$name.log" 2>&1 </dev/null); } 2>"$work/$name.times"
    code=$?
  fi
  rm "$work/$name.now"
  echo "$code $((SECONDS - began)) $(tail -1 "$work/$name.times")" >"$work/$name.ending"
  (
    flock 9
    printf '\n=== %s: %s\n' "$name" "$(column "$name" 4)"
    cat "$work/$name.log"
    printf '=== %s ended with code %s after %s s (%s s since start)\n\n' "$name" "$code" "$((SECONDS - began))" "$SECONDS"
  ) 9>"$work/lock"
  mv "$work/$name.ending" "$work/$name.end"
}

# Shows once a minute how far each stage is, for whoever watches.
watch_stages() {
  # Without its output, which a pipe would wait for.
  while sleep 60 >/dev/null 2>&1; do
    for now in "$work"/*.now; do
      [ -f "$now" ] || continue
      (flock 9 && printf '[%5s s] %s: %s\n' "$SECONDS" "$(basename "$now" .now)" "$(tail -1 "${now%.now}.log" | cut -c1-160)") 9>"$work/lock"
    done
  done
}

plain() { sed 's/\x1b\[[0-9;]*m//g' "$work/$1.log"; }
# counted STAGE passing|failing: what mocha counted.
counted() { plain "$1" | awk -v word="$2" '$1 ~ /^[0-9]+$/ && $2 == word { n += $1 } END { print n + 0 }'; }

# The failures that mocha lists, to where the stage itself says something again; else the last lines of what failed.
failure_of() {
  plain "$1" | awk '/^ *[0-9]+ failing/ { found = 1 } /^\[ *[0-9]+s\]/ { found = 0 } { lines[NR] = $0; if (found) kept[++n] = $0 }
    END { if (n) for (i = 1; i <= n && i <= 120; i++) print kept[i]; else for (i = NR > 40 ? NR - 39 : 1; i <= NR; i++) print lines[i] }'
}

# Runs what is wanted, then sums it up. The last line counts: a stage without a test runner of its own counts as one.
run_stages() {
  local lane name wanted passed=0 failed=0 p f code seconds user system
  for lane in $(for name in $(names); do column "$name" 2; done | awk '!seen[$0]++'); do
    wanted=$(for name in $(names_of_lane "$lane"); do ! is_wanted "$name" || echo "$name"; done)
    [ -z "$wanted" ] || { run_lane $wanted & lanes+=($!); }
  done
  watch_stages &
  local watcher=$!
  wait "${lanes[@]+"${lanes[@]}"}"
  kill "$watcher"
  printf '%-12s %8s %10s %8s %8s\n' stage seconds processor passed failed
  for name in $(names); do
    is_wanted "$name" || continue
    read -r code seconds user system <"$work/$name.end" || code=1
    p=$(counted "$name" passing)
    f=$(counted "$name" failing)
    if [ "$code" -ne 0 ]; then
      [ "$f" -gt 0 ] || f=1
      { printf -- '--- %s\n' "$name" && failure_of "$name"; } >>"$work/failures"
    elif [ "$p" -eq 0 ]; then p=1; fi
    passed=$((passed + p))
    failed=$((failed + f))
    printf '%-12s %8s %10s %8s %8s\n' "$name" "$seconds" "$(awk "BEGIN { printf \"%d\", ${user:-0} + ${system:-0} }")" "$p" "$f"
    plain "$name" | grep '^  left out: ' || true
  done
  [ ! -f "$work/failures" ] || cat "$work/failures"
  say_targets
  printf '%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
}

# begin ARGUMENT…: of the command line.
begin() {
  case ${1:-} in
    --list)
      for name in $(names); do printf '%-12s %s\n' "$name" "$(column "$name" 4)"; done
      exit
      ;;
    '') want $(names) ;;
    *)
      for name; do
        [ -n "$(column "$name" 1)" ] || { echo "no stage $name: --list names them" >&2; exit 2; }
      done
      want "$@"
      ;;
  esac
  run_stages
}

# The real kube-apiserver for the calling stage: the one of KUBECONFIG, else a rig of our own, which the end takes down.
given_cluster=${KUBECONFIG:-}
unset KUBECONFIG
use_apiserver() {
  if [ -n "$given_cluster" ]; then
    export KUBECONFIG=$given_cluster
    return 0
  fi
  if [ ! -f "$work/exports" ]; then
    # As docs/operate/tenancy.md configures one.
    sed "s#<base64 of 32 random bytes>#$(head -c 32 /dev/urandom | base64)#" examples/tenancy/encryption.yaml >"$work/encryption.yaml"
    KUBE_RUN=$work/rig KUBE_APISERVER_ARGS="--audit-policy-file=$PWD/examples/tenancy/audit-policy.yaml
      --audit-log-path=$work/audit.log --encryption-provider-config=$work/encryption.yaml" \
      "$shared/kube/cluster" apiserver-up --controllers >"$work/exports" || { rm "$work/exports"; stop_apiserver; return 1; }
    echo "export SLIPWAY_TENANCY_AUDIT_LOG=$work/audit.log" >>"$work/exports"
  fi
  # shellcheck disable=SC1091
  . "$work/exports"
}

stop_apiserver() {
  if [ -d "$work/rig" ]; then KUBE_RUN=$work/rig "$shared/kube/cluster" down >/dev/null 2>&1; fi
}
