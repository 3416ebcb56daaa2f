/** What the start of every container needs in the node's own folder. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../lib/files.ts'
import { readIfExists } from './layout.ts'
import { SECCOMP_FILE, SECCOMP_FD } from './sandbox.ts'
import { seccompFilter } from './seccomp.ts'

export interface RuntimeFiles {
  /** The node's own folder. */
  readonly dir: string
  readonly runtime: 'bwrap' | 'process'
}

/** Where the shim's text lies. */
export function shimPath(dir: string): string {
  return join(dir, 'shim.sh')
}

/**
 * Lays the shim, and for sandboxes the filter beside it, into the node's folder, which is made when missing.
 *
 * @throws the system's error
 */
export async function writeRuntimeFiles({ dir, runtime }: RuntimeFiles): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const filter = runtime === 'bwrap' ? seccompFilter(process.arch) : undefined
  if (filter !== undefined) await writeFileAtomic(join(dir, SECCOMP_FILE), filter, 0o600)
  await writeFileAtomic(shimPath(dir), SHIM, 0o600)
}

/** The same, where somebody has removed the node's folder since. */
export async function ensureRuntimeFiles(files: RuntimeFiles): Promise<void> {
  if ((await readIfExists(shimPath(files.dir))) === undefined) await writeRuntimeFiles(files)
}

/**
 * The small parent of each container, as containerd has one: it outlives the node, and writes down how the
 * container ended.
 *
 * It is bash, because bash is there and starts in 2 ms (Node takes 40). With `-p` it takes no functions and no
 * BASH_ENV from the pod's environment, which it inherits so that variables whose names no shell could export
 * reach the container too. The container gets a process group of its own within the shim's session (`set -m`),
 * so that a signal to the group never hits the shim.
 *
 * Files that the node holds open without close-on-exec, its own starter's or a library's (LMDB opens its data file
 * like that), are closed first: a container gets stdin, stdout and stderr, and nothing else of the machine. The
 * script itself is one of them, and bash must go on reading it.
 *
 * A sandbox is handed the filter that lies beside the script ({@link SECCOMP_FILE}) as the file that it asks for by
 * number; bwrap closes it when it has read it.
 *
 * Output goes through `cat` and not straight into the file: behind a regular file `echo x >/dev/stderr` would
 * truncate the log, behind a pipe it appends as it does under a kubelet. `cat` ends with the last writer. One that ends
 * before (killed, or the disk is full) is replaced, and the log lacks what that one had read: whoever holds the pipe's
 * end open keeps the container from being killed by SIGPIPE in the middle of its work.
 *
 * It exits with 0 only if it has written down how the container ended.
 *
 * Arguments: container folder, working directory, command….
 */
const SHIM = `
close_inherited() {
  local open fd
  for open in /proc/self/fd/* /dev/fd/*; do
    fd=\${open##*/}
    [[ $fd =~ ^[0-9]+$ && $fd -gt 2 && ! $open -ef $0 ]] && eval "exec $fd>&-"
  done
}
close_inherited
shim_dir=$1
cd -- "$2" || exit
shift 2
export -n PWD OLDPWD SHLVL
timestamp() {
  TZ=UTC printf -v "$1" '%(%Y-%m-%dT%H:%M:%SZ)T' -1 2>/dev/null || printf -v "$1" %s "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
}
identity() {
  local line='' fields=()
  { read -r line </proc/"$1"/stat; } 2>/dev/null
  read -ra fields <<<"\${line##*) }"
  printf '%s %s ' "$1" "\${fields[19]:--}"
}
keep_log() {
  until cat; do sleep 0.1 || return; done
}
exec </dev/null 3> >(keep_log >>"$shim_dir/log")
[[ $1 == bwrap && $2 == --seccomp ]] && exec ${SECCOMP_FD}<"\${0%/*}/${SECCOMP_FILE}"
timestamp shim_started
set -m
"$@" >&3 2>&3 3>&- &
child=$!
exec 3>&- ${SECCOMP_FD}<&-
set +m
{ read -r boot </proc/sys/kernel/random/boot_id; } 2>/dev/null
{ identity $$; identity "$child"; echo "$boot"; } >"$shim_dir/pids"
wait "$child" 2>/dev/null
code=$?
kill -KILL -- "-$child" 2>/dev/null
timestamp finished
printf '{"exitCode":%d,"startedAt":"%s","finishedAt":"%s"}\\n' "$code" "$shim_started" "$finished" >"$shim_dir/state.json.new" &&
  mv -f -- "$shim_dir/state.json.new" "$shim_dir/state.json"
`
