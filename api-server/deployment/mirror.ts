/**
 * A bare repository of our own for one remote, and what was asked of it.
 *
 * Guarantees: one git works in a mirror at a time; questions that come together are answered together; nobody waits for
 * git to read what is known. Between two commits that the mirror has, both yes and no hold for ever, whatever is pushed
 * later, because a commit's ancestors never change. What it does not have is asked for again after a while that doubles,
 * from a minute to half an hour, and each time the remote is fetched first.
 *
 * Only commits are fetched where the remote can leave out the rest (partial clone, git-rev-list(1) `tree:0`); branches
 * and tags only, which is where deployed and delivered work lies. Objects are never pruned: history that was pushed
 * away by force is still known.
 */
import { lstat, mkdir, mkdtemp, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Clock, delay } from '../../lib/clock.ts'
import { hasErrorCode } from '../../lib/files.ts'
import { GitFailed } from '../../lib/git.ts'
import { removeStaleLocks } from '../../lib/git-locks.ts'
import { initBare } from '../../lib/git-untrusted.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import { findPresent, isAncestor } from './ancestry.ts'
import { type FetchOptions, fetchFirst, forgetRemote } from './fetch.ts'
import { MAKING } from './sweep.ts'
import { messageOf } from '../../lib/error-message.ts'

/** Whether `deployed` contains `commit`. Both are hashes, in lower case, possibly abbreviated. */
export interface Question {
  readonly commit: string
  readonly deployed: string
}

export interface Mirror {
  /** The answer; undefined while it is not known. Starts finding it out in the background if it is time to. */
  known(question: Question): boolean | undefined
  /** Waits for git, for ten seconds at most; false for what is not known by then. */
  ask(question: Question): Promise<boolean>
  /** Whether git works in it, or is about to. */
  isWorking(): boolean
  /** Waits until no git works any more; `stop` must have aborted. */
  ended(): Promise<void>
}

export interface MirrorOptions extends FetchOptions {
  /** Called after answers came that were not known before. */
  readonly onAnswers: () => void
  /** Resolves when nobody takes the repository away; waited for before git works in it. */
  readonly untouched: () => Promise<void>
}

const ASK_TIMEOUT_MS = 10_000
const FIRST_RETRY_MS = 60_000
const MAX_RETRY_MS = 30 * 60_000
/** Kept of each kind; the oldest goes first. */
const MAX_ANSWERS = 20_000

interface Pending extends Question {
  readonly resolve: (answer: boolean) => void
  readonly answer: Promise<boolean>
}

export function createMirror(options: MirrorOptions): Mirror {
  const { clock, logger, stop } = options
  const answers = new Map<string, boolean>()
  const missing = new Map<string, { readonly waitMs: number; readonly retryAt: number }>()
  const pending = new Map<string, Pending>()
  let working: Promise<void> | undefined
  let complaint = ''

  const complain = (error: unknown): void => {
    const text = messageOf(error)
    // Once for each reason: whoever looks at a board asks every few seconds.
    if (text !== complaint && !stop.aborted) logger.warn({ error, gitDir: options.gitDir }, 'deployment status unknown')
    complaint = text
  }
  const learn = (question: Pending, answer: boolean | undefined): void => {
    const key = keyOf(question)
    if (answer === undefined) {
      const waitMs = Math.min((missing.get(key)?.waitMs ?? FIRST_RETRY_MS / 2) * 2, MAX_RETRY_MS)
      put(missing, key, { waitMs, retryAt: clock.now().getTime() + waitMs })
    } else {
      missing.delete(key)
      put(answers, key, answer)
    }
    question.resolve(answer ?? false)
  }
  /** Whoever asked has the answer; one listener's mistake ends no work. */
  const tell = (): void => {
    try {
      options.onAnswers()
    } catch (error) {
      complain(error)
    }
  }
  /** Never rejects. */
  const work = async (): Promise<void> => {
    for (let batch = takeAll(pending); batch.length > 0; batch = takeAll(pending)) {
      const found = await answerBatch(options, batch).catch((error: unknown) => {
        complain(error)
        return new Map<Question, boolean>()
      })
      for (const question of batch) learn(question, found.get(question))
      if (found.size > 0) tell()
    }
    working = undefined
  }
  const want = (question: Question): Promise<boolean> => {
    const key = keyOf(question)
    const asked = pending.get(key)
    if (asked !== undefined) return asked.answer
    let resolve: (answer: boolean) => void = () => undefined
    const answer = new Promise<boolean>((done) => (resolve = done))
    pending.set(key, { ...question, resolve, answer })
    // Later in this turn: a list asks a thousand times, and all of it becomes one batch.
    working ??= Promise.resolve().then(work)
    return answer
  }
  const isDue = (key: string): boolean => clock.now().getTime() >= (missing.get(key)?.retryAt ?? 0)

  return {
    known(question) {
      if (isSame(question)) return true
      const key = keyOf(question)
      const answer = answers.get(key)
      if (answer === undefined && isDue(key) && !stop.aborted) void want(question)
      return answer
    },
    async ask(question) {
      if (isSame(question)) return true
      const known = answers.get(keyOf(question))
      if (known !== undefined || stop.aborted) return known ?? false
      if (!isDue(keyOf(question))) return false
      return withTimeout(clock, want(question))
    },
    isWorking: () => working !== undefined,
    ended: async () => working,
  }
}

async function withTimeout(clock: Clock, answer: Promise<boolean>): Promise<boolean> {
  const ended = new AbortController()
  const answered = answer.finally(() => ended.abort())
  await Promise.race([answered, delay(clock, ASK_TIMEOUT_MS, ended.signal)])
  return ended.signal.aborted && answered
}

/** A commit contains itself: no repository has to be asked, nor to be there. */
function isSame({ commit, deployed }: Question): boolean {
  return commit === deployed
}

function keyOf({ commit, deployed }: Question): string {
  return `${commit} ${deployed}`
}

function put<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > MAX_ANSWERS && oldest !== undefined) map.delete(oldest)
}

function takeAll(pending: Map<string, Pending>): Pending[] {
  const batch = [...pending.values()]
  pending.clear()
  return batch
}

/** Git holds a lock for as long as it writes one small file. */
const STALE_LOCK_MS = 60_000
/** For the git of another API server on the same data volume to be done with that file. */
const LOCK_PAUSE_MS = 1000
const LOCKED = /(?:could not|cannot|unable to) (?:lock|create) |\.lock': File exists/i

/**
 * The answers to those questions whose commits the mirror has; tried again where a lock stood in the way, without the
 * locks of a git that was killed.
 */
async function answerBatch(options: MirrorOptions, batch: readonly Pending[]): Promise<Map<Question, boolean>> {
  await options.untouched()
  try {
    return await answerFrom(options, batch)
  } catch (error) {
    const nowMs = options.clock.now().getTime()
    const isStale = (madeAt: Date): boolean => nowMs - madeAt.getTime() > STALE_LOCK_MS
    if (!(error instanceof GitFailed)) throw error
    if ((await removeStaleLocks(options.gitDir, isStale)) === 0) {
      if (!LOCKED.test(error.stderr)) throw error
      await delay(options.clock, LOCK_PAUSE_MS, options.stop)
    }
    return answerFrom(options, batch)
  }
}

/** Fetches first when the mirror lacks a commit. */
async function answerFrom(options: MirrorOptions, batch: readonly Pending[]): Promise<Map<Question, boolean>> {
  const { gitDir, stop } = options
  await makeMirror(gitDir, batch[0]?.deployed ?? '', stop)
  const commits = [...new Set(batch.flatMap(({ commit, deployed }) => [commit, deployed]))]
  let present = await findPresent(gitDir, commits, stop)
  if (present.size < commits.length) {
    await fetchFirst(options)
    present = await findPresent(gitDir, commits, stop)
  }
  const found = new Map<Question, boolean>()
  for (const question of batch) {
    if (!present.has(question.commit) || !present.has(question.deployed)) continue
    found.set(question, await isAncestor(gitDir, question.commit, question.deployed, stop))
  }
  return found
}

/**
 * In one step, because git makes folders and locks that must not be there yet: of two API servers on one data volume the
 * slower one would fail.
 */
async function makeMirror(gitDir: string, hash: string, signal: AbortSignal): Promise<void> {
  if (!(await isMirror(gitDir))) {
    const folder = dirname(gitDir)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const made = await mkdtemp(join(folder, MAKING))
    await initBare(made, hash, signal)
    if (!(await renameIfFree(made, gitDir))) await removeTree(made)
    // Something is there that is no repository: git makes it one.
    if (!(await isMirror(gitDir))) await initBare(gitDir, hash, signal)
  }
  await forgetRemote(gitDir, signal)
}

async function isMirror(gitDir: string): Promise<boolean> {
  try {
    return (await lstat(join(gitDir, 'HEAD'))).isFile()
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}

async function renameIfFree(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST', 'ENOTEMPTY')) return false
    throw error
  }
}
