/**
 * Git as a child process, in an environment built from nothing.
 *
 * Every call asks for no terminal, runs no hook, follows no submodule, reads no system configuration, and (unless
 * the caller names a home) no user's either; configuration of ours travels in GIT_CONFIG_* variables, so that it
 * ends with the call and nothing secret stands in arguments. Programs are found in absolute folders of PATH alone, since a
 * relative one would lie in the working tree. What git still reads is the configuration of the
 * repository it works in: never point it at one that an agent could write (see git-untrusted.ts).
 */
import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import { delimiter, isAbsolute } from 'node:path'
import type { Readable } from 'node:stream'
import { formatSize } from '../core/sentences/amounts.ts'
import { formatDuration } from '../core/time.ts'
import { type Clock, systemClock } from './clock.ts'
import { endGroup, startGroup } from './process.ts'

export interface GitOptions {
  readonly cwd?: string
  /** GIT_DIR; absent for commands that need no repository. */
  readonly gitDir?: string
  /** Home whose git configuration is read as well; absent: nobody's. */
  readonly home?: string
  /** More variables, such as credentials for a helper in `config`. */
  readonly env?: Readonly<Record<string, string>>
  /** Configuration of this call, after our own. */
  readonly config?: readonly GitSetting[]
  readonly input?: string | Uint8Array
  /** Where stdout goes instead of into the result. */
  readonly output?: FileHandle
  /** Largest stdout that `output` takes; git is ended then, which is no failure but `isCut`. */
  readonly maxOutputBytes?: number
  /** Memory of the process, apart from the files that it maps, where that is to be less than usual. */
  readonly maxMemoryBytes?: number
  /** Ends the call: SIGTERM, then SIGKILL, to git and its helpers. */
  readonly signal?: AbortSignal
  readonly clock?: Clock
  /** Exit codes besides 0 that are an answer, not a failure. */
  readonly answers?: readonly number[]
}

export type GitSetting = readonly [key: string, value: string]

export interface GitOutput {
  readonly exitCode: number
  readonly stdout: Buffer
  readonly stderr: string
  /** More than `maxOutputBytes` was to come. */
  readonly isCut: boolean
}

/** Git ended with an error of its own. `stderr` is as git wrote it: redact it before it is stored or printed. */
export class GitFailed extends Error {
  readonly code = 'GIT_FAILED'
  override readonly name = 'GitFailed'
  readonly command: string
  readonly exitCode: number
  readonly stderr: string

  /** @param how it ended, where that is not by itself */
  constructor(command: string, exitCode: number, stderr: string, how = `ended with exit code ${exitCode}`) {
    super(`git ${command} ${how}`)
    this.command = command
    this.exitCode = exitCode
    this.stderr = stderr
  }
}

/** Largest output kept in memory; a command that prints more is ended. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const MAX_STDERR_LENGTH = 64 * 1024
/** Memory of one process of git, apart from the files that it maps; git says "Out of memory" and ends beyond it. */
const MAX_MEMORY_BYTES = 4 * 1024 ** 3
/** RLIMIT_DATA, which its helpers inherit. Where the system knows none, or allows less, git runs as it may. */
const LIMITED = 'ulimit -d "$0" 2>/dev/null; exec git "$@"'
const KILL_GRACE_MS = 2000

const SAFE_SETTINGS: readonly GitSetting[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['advice.detachedHead', 'false'],
  // Caches beside the objects, which an agent could have written: never believed.
  ['core.commitGraph', 'false'],
  ['core.multiPackIndex', 'false'],
  ['pack.useBitmaps', 'false'],
  // A server that prepares a pack sends no more than a few bytes now and then, so this must be patient.
  ['http.lowSpeedLimit', '100'],
  ['http.lowSpeedTime', '120'],
]

/**
 * Runs git to its end.
 *
 * @throws GitFailed when it exits with another code than 0 and those in `answers`.
 * @throws the signal's reason when it is aborted meanwhile.
 */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
  options.signal?.throwIfAborted()
  const { output, maxOutputBytes } = options
  const stdout = maxOutputBytes === undefined ? (output?.fd ?? 'pipe') : 'pipe'
  const stdio = [options.input === undefined ? 'ignore' : 'pipe', stdout, 'pipe'] as const
  const memoryKiB = Math.floor((options.maxMemoryBytes ?? MAX_MEMORY_BYTES) / 1024)
  const child = startGroup('/bin/sh', ['-c', LIMITED, String(memoryKiB), ...args], {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: gitEnvironment(options),
    stdio: [...stdio],
  })
  const stop = stopper(child.pid, options.clock ?? systemClock)
  options.signal?.addEventListener('abort', stop.now)
  const isLimited = output !== undefined && maxOutputBytes !== undefined
  const copied = isLimited && child.stdout !== null ? copyLimited(child.stdout, output, maxOutputBytes) : undefined
  let cut: string | undefined
  const cutOff = (): void => {
    cut = `printed more than ${formatSize(MAX_OUTPUT_BYTES)}: there are too many files or commits`
    stop.now()
  }
  const collected = collect(copied === undefined ? child.stdout : null, MAX_OUTPUT_BYTES, cutOff)
  const stderr = collect(child.stderr, Number.POSITIVE_INFINITY, stop.now, MAX_STDERR_LENGTH)
  // Git may end without reading all its input; its exit code says why, not our EPIPE.
  child.stdin?.on('error', () => child.stdin?.destroy())
  child.stdin?.end(options.input)
  try {
    const [[code, killedBy], isCut] = await Promise.all([once(child, 'close'), copied ?? false])
    if (options.signal?.reason instanceof GitTimedOut) throw options.signal.reason.during(args[0])
    options.signal?.throwIfAborted()
    const exitCode = Number(code ?? -1)
    const result = { exitCode, stdout: collected(), stderr: stderr().toString('utf8'), isCut }
    if (exitCode === 127 && /exec: git: not found/.test(result.stderr))
      throw Object.assign(new Error('spawn git ENOENT'), { code: 'ENOENT' })
    const isAnswer = isCut || result.exitCode === 0 || options.answers?.includes(result.exitCode) === true
    const why = killedBy === 'SIGKILL' ? ', as where memory runs out' : ''
    const killed = killedBy === null ? undefined : `was ended by ${killedBy}${why}`
    if (!isAnswer) throw new GitFailed(args[0] ?? '', result.exitCode, result.stderr, cut ?? killed)
    return result
  } finally {
    options.signal?.removeEventListener('abort', stop.now)
    await stop.ended()
  }
}

/** The same, answering stdout as text without its last line feed. */
export async function gitText(args: readonly string[], options: GitOptions = {}): Promise<string> {
  return (await git(args, options)).stdout.toString('utf8').replace(/\n$/, '')
}

/** Whether the repository has `commit`, and it is `head` or an ancestor of `head`. */
export async function isAncestor(options: GitOptions, commit: string, head: string): Promise<boolean> {
  // 128: the repository does not have the commit, so it cannot be part of what it has.
  const { exitCode } = await git(['merge-base', '--is-ancestor', commit, head], { ...options, answers: [1, 128] })
  return exitCode === 0
}

interface Stopper {
  readonly now: () => void
  readonly ended: () => Promise<void>
}

function stopper(pid: number | undefined, clock: Clock): Stopper {
  let ending: Promise<void> | undefined
  const now = (): void => {
    if (pid === undefined || ending !== undefined) return
    ending = endGroup(pid, { graceMs: KILL_GRACE_MS, clock })
    // Git must be gone before anybody waits for `ended`, which throws this failure.
    ending.catch(() => undefined)
  }
  return { now, ended: async () => ending }
}

/** Says whether there was more; leaving the loop closes the pipe, on which git ends. */
async function copyLimited(stream: Readable, file: FileHandle, maxBytes: number): Promise<boolean> {
  const chunks: AsyncIterable<Buffer> = stream
  let left = maxBytes
  for await (const chunk of chunks) {
    await file.writeFile(chunk.subarray(0, left))
    if (chunk.length > left) return true
    left -= chunk.length
  }
  return false
}

function collect(
  stream: NodeJS.ReadableStream | null,
  limitBytes: number,
  onOverflow: () => void,
  keepLast = Number.POSITIVE_INFINITY,
): () => Buffer {
  let chunks: Buffer[] = []
  let size = 0
  stream?.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limitBytes) {
      chunks = []
      onOverflow()
      return
    }
    chunks.push(chunk)
    if (size > 2 * keepLast) {
      chunks = [Buffer.concat(chunks).subarray(-keepLast)]
      size = chunks[0]?.length ?? 0
    }
  })
  return () => Buffer.concat(chunks)
}

function gitEnvironment(options: GitOptions): Record<string, string> {
  return {
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    // Without a home: libcurl would read its .netrc.
    ...(options.home === undefined ? { HOME: '/dev/null', GIT_CONFIG_GLOBAL: '/dev/null' } : { HOME: options.home }),
    GIT_TERMINAL_PROMPT: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_ALLOW_PROTOCOL: '',
    ...(options.gitDir === undefined ? {} : { GIT_DIR: options.gitDir }),
    ...options.env,
    PATH: withoutRelative(options.env?.['PATH'] ?? process.env['PATH']),
    ...configVariables([...SAFE_SETTINGS, ...(options.config ?? [])]),
  }
}

/** An empty entry of PATH is the working folder too. */
function withoutRelative(path = ''): string {
  return path.split(delimiter).filter(isAbsolute).join(delimiter) || '/usr/local/bin:/usr/bin:/bin'
}

function configVariables(settings: readonly GitSetting[]): Record<string, string> {
  const pairs = settings.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ])
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) }
}

/** What ends git, and how many milliseconds it has until then. */
export interface GitLimit {
  readonly signal: AbortSignal
  readonly leftMs: () => number
}

/** Runs `work` with a signal that aborts after `limitMs` as well; the reason is then a {@link GitTimedOut}. */
export async function withGitLimit<T>(
  limitMs: number,
  outer: AbortSignal,
  clock: Clock,
  work: (signal: AbortSignal, limit: GitLimit) => Promise<T>,
): Promise<T> {
  const endsMs = clock.now().getTime() + limitMs
  const timer = new AbortController()
  const cancel = clock.schedule(limitMs, () => timer.abort(new GitTimedOut(limitMs)))
  try {
    const signal = AbortSignal.any([outer, timer.signal])
    return await work(signal, { signal, leftMs: () => Math.max(0, endsMs - clock.now().getTime()) })
  } finally {
    cancel()
  }
}

/** Git did not finish in the time that a step has. */
export class GitTimedOut extends Error {
  readonly code = 'GIT_TIMED_OUT'
  override readonly name = 'GitTimedOut'

  /** Empty: several. */
  readonly command: string
  readonly #limitMs: number

  constructor(limitMs: number, command = '') {
    super(`git ${command}${command && ' '}did not finish within ${formatDuration(limitMs)}`)
    this.command = command
    this.#limitMs = limitMs
  }

  /** The same, naming the command that was under way. */
  during(command: string | undefined): GitTimedOut {
    return new GitTimedOut(this.#limitMs, command)
  }
}
