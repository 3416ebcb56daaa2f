/**
 * Clones that borrow their objects from a mirror of the repository (docs/specification.md, "Mirrors").
 *
 * The mirror is brought up to date under the lock of its folder. Who waited for the lock takes the result of another if
 * that began after the waiting did. The lock is held until the clone names its generation: a sweep under the same lock
 * sees every clone. A mirror that is damaged gets another generation, made of the remote. If there can be no mirror at all,
 * the clone gets its own objects: a task never fails for its mirror, only for its remote.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ALTERNATES_PATH, formatAlternates } from '../../core/execution/alternates.ts'
import { makingPath, mirrorsPath, repositoryLockPath, repositoryPath } from '../../core/execution/layout.ts'
import { countOf } from '../../core/sentences/amounts.ts'
import type { Clock } from '../../lib/clock.ts'
import { ifThere, isOutOfSpace, writeFileAtomic, writeFileUnsynced } from '../../lib/files.ts'
import { withFileLock } from '../../lib/file-lock.ts'
import { git, GitFailed } from '../../lib/git.ts'
import { hasKnownCause, isGitOutOfSpace } from '../../lib/git-failure-message.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import type { GitAccess } from './access.ts'
import { findDamage, hasGrown, makeGeneration, updateGeneration } from './generation.ts'

/** What a clone borrows from. */
export interface Borrowed {
  /** The generation. */
  readonly number: number
  /** How long it took until the mirror was up to date. */
  readonly seconds: number
  /** When it was. */
  readonly readyMs: number
}

interface Mirrors {
  readonly key: string
  readonly lock: string
  /** The generations. */
  readonly folder: string
  readonly making: string
  readonly fetches: string
}

interface Job {
  readonly context: StepContext
  readonly access: GitAccess
  readonly signal: AbortSignal
  readonly mirrors: Mirrors
  /** The highest generation that is known to be damaged. */
  readonly damaged: number
}

/** A job whose turn it is. */
interface Turn extends Job {
  /** No other fetch has this path: a git whose prepare was killed may live on for a moment, and tidies up when it fails. */
  readonly making: string
}

/**
 * Makes a clone that borrows its objects, with nothing checked out.
 *
 * @param damaged the generation in which objects turned out to be missing; it is not used again
 * @returns undefined where nothing is to be borrowed, or can be: that was said then, and there is no clone
 * @throws GitFailed when the remote cannot be read
 */
export async function borrowClone(
  context: StepContext,
  access: GitAccess,
  signal: AbortSignal,
  damaged = 0,
): Promise<Borrowed | undefined> {
  const { run, paths, clock, say } = context
  if (run.mirror === undefined || run.checkout?.borrow === false) return undefined
  const mirrors = findMirrors(run.volumeRoot, run.mirror)
  const job = { context, access, signal, mirrors, damaged }
  const beganMs = clock.now().getTime()
  try {
    await mkdir(mirrors.folder, { recursive: true })
    const before = await readFetches(mirrors)
    const work = async (): Promise<Borrowed> => {
      try {
        const { number, words } = await bringUpToDate(job, before)
        const [seconds, readyMs] = [secondsSince(clock, beganMs), clock.now().getTime()]
        say(`${words} (${seconds} s)`)
        await own(job, cloneShared(job, number))
        return { number, seconds, readyMs }
      } finally {
        await removeTree(mirrors.making)
      }
    }
    const onWait = (): void => say(`waiting for the mirror of ${access.url}, which another task brings up to date`)
    return await withFileLock(mirrors.lock, signal, work, onWait)
  } catch (error) {
    // A clone with objects of its own would lie on the same volume.
    if (signal.aborted || isOfRemote(error) || isFull(error)) throw error
    say(`there is no mirror to borrow from (${reasonOf(error, access)}): the clone gets all its objects itself`)
    await removeTree(paths.clone)
    return undefined
  }
}

/**
 * The objects of the latest mirror, by the path of their folder, for whoever borrows from it without a clone; undefined where
 * there is none that is whole. It may go meanwhile, once there is a later one.
 */
export async function findLatest({ run, say }: StepContext): Promise<string | undefined> {
  if (run.mirror === undefined) return undefined
  const mirrors = findMirrors(run.volumeRoot, run.mirror)
  try {
    const number = (await ifThere(findHighest(mirrors))) ?? 0
    const place = placeOf(mirrors, number)
    return number === 0 || (await findDamage(place)) !== undefined ? undefined : join(place, 'objects')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    say(`the mirror cannot be read (${error.message}): everything is fetched`)
    return undefined
  }
}

function findMirrors(root: string, key: string): Mirrors {
  const folder = join(root, repositoryPath(key))
  return {
    key,
    lock: join(root, repositoryLockPath(key)),
    folder: join(root, mirrorsPath(key)),
    making: join(root, makingPath(key)),
    fetches: join(folder, 'fetches'),
  }
}

/** With one decimal. */
export function secondsSince(clock: Clock, beganMs: number): number {
  return Math.max(0, Math.round((clock.now().getTime() - beganMs) / 100) / 10)
}

function reasonOf(error: unknown, access: GitAccess): string {
  if (!(error instanceof Error)) return String(error)
  const text = error instanceof GitFailed ? (error.stderr.trim().split('\n').at(-1) ?? '') : error.message
  return access.redact(text)
}

/** Fetches of a repository are counted, because clocks can be set. */
interface Fetches {
  readonly started: number
  /** The last one that succeeded. */
  readonly finished: number
}

async function readFetches({ fetches }: Mirrors): Promise<Fetches> {
  const [started = 0, finished = 0] = ((await ifThere(readFile(fetches, 'utf8'))) ?? '').split(' ').map(Number)
  return { started: started || 0, finished: finished || 0 }
}

function writeFetches({ fetches }: Mirrors, { started, finished }: Fetches): Promise<void> {
  return writeFileUnsynced(fetches, `${started} ${finished}\n`)
}

interface Current {
  /** The generation to borrow from. */
  readonly number: number
  readonly words: string
}

async function bringUpToDate(job: Job, before: Fetches): Promise<Current> {
  const { mirrors, damaged } = job
  const number = await findHighest(mirrors)
  const { started, finished } = await readFetches(mirrors)
  if (finished > before.started && number > damaged)
    return { number, words: 'another task has just brought the mirror up to date' }
  const fetch = started + 1
  await writeFetches(mirrors, { started: fetch, finished })
  // Somebody may have been killed there.
  await removeTree(mirrors.making)
  const turn = { ...job, making: join(mirrors.making, String(fetch)) }
  const current = (number > damaged && (await update(turn, number))) || (await makeFromRemote(turn, number + 1))
  await writeFetches(mirrors, { started: fetch, finished: fetch })
  return current
}

/** 0: there is none. */
async function findHighest({ folder }: Mirrors): Promise<number> {
  const names = await readdir(folder)
  return Math.max(0, ...names.filter((name) => /^[1-9][0-9]{0,8}$/.test(name)).map(Number))
}

function placeOf({ folder }: Mirrors, number: number): string {
  return join(folder, String(number))
}

async function makeFromRemote({ mirrors, making, access, signal }: Turn, number: number): Promise<Current> {
  await makeGeneration(access, making, placeOf(mirrors, number), signal)
  return { number, words: `made mirror ${number} of ${access.url}` }
}

/** Undefined where the generation is damaged, which was said then. */
async function update(turn: Turn, number: number): Promise<Current | undefined> {
  const { context, mirrors, making, access, signal } = turn
  const place = placeOf(mirrors, number)
  try {
    const damage = await findDamage(place)
    if (damage !== undefined) throw new Error(damage)
    const count = await updateGeneration(access, making, place, signal)
    const words = count === 0 ? 'the mirror is up to date' : `fetched ${countOf(count, 'new commit')} into the mirror`
    return (await hasGrown(place)) ? await makeAnewIfThereIsRoom(turn, { number, words }) : { number, words }
  } catch (error) {
    if (signal.aborted || isOfRemote(error) || isFull(error)) throw error
    context.say(`mirror ${number} cannot be used (${reasonOf(error, access)}): another one takes its place`)
    return undefined
  }
}

/** What has grown can still be borrowed from. */
async function makeAnewIfThereIsRoom(turn: Turn, current: Current): Promise<Current> {
  try {
    return await makeAnew(turn, current.number)
  } catch (error) {
    if (turn.signal.aborted || !isFull(error)) throw error
    await removeTree(turn.making)
    turn.context.say(`the data volume has no room for another mirror: mirror ${current.number} stays in use`)
    return current
  }
}

/** Without what the remote has no more, in one pack. The generation before stays for the clones that it has. */
async function makeAnew(turn: Turn, number: number): Promise<Current> {
  const { mirrors, making, access, signal } = turn
  const options = { env: { GIT_ALLOW_PROTOCOL: 'file' } }
  const source = { url: placeOf(mirrors, number), isLocal: true, options }
  await own(turn, makeGeneration(source, making, placeOf(mirrors, number + 1), signal))
  return { number: number + 1, words: `mirror ${number} of ${access.url} has grown: made mirror ${number + 1} from it` }
}

/** What git leaves is what it leaves after a clone of the remote, but for the objects. */
async function cloneShared({ context, access, signal, mirrors }: Job, number: number): Promise<void> {
  const { clone } = context.paths
  const place = placeOf(mirrors, number)
  const args = ['--quiet', '--no-checkout', '--template=', '--shared', '--', place, clone]
  await git(['clone', ...args], { env: { GIT_ALLOW_PROTOCOL: 'file' }, signal })
  await writeFileAtomic(join(clone, ALTERNATES_PATH), formatAlternates({ key: mirrors.key, number }))
  await git(['config', 'remote.origin.url', access.url], { gitDir: join(clone, '.git'), signal })
  await nameInLogs(join(clone, '.git', 'logs'), place, access.url)
}

/** A failure among our own repositories says nothing about the remote, whatever git's words remind of. */
async function own<T>({ signal, access }: Job, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw signal.aborted || isFull(error) ? error : new Error(reasonOf(error, access), { cause: error })
  }
}

function isOfRemote(error: unknown): boolean {
  return hasKnownCause(error) || error instanceof StepFailed
}

function isFull(error: unknown): boolean {
  return isOutOfSpace(error) || isGitOutOfSpace(error)
}

/** Puts the remote in the place of the mirror, from which git says that it cloned. */
async function nameInLogs(logs: string, place: string, url: string): Promise<void> {
  const [from, to] = [place, url].map((text) => Buffer.from(`clone: from ${text}\n`).toString('latin1'))
  // An empty repository has none.
  for (const entry of (await ifThere(readdir(logs, { recursive: true, withFileTypes: true }))) ?? []) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const text = await readFile(path, 'latin1')
    await writeFile(
      path,
      text.replace(from ?? '', () => to ?? ''),
      'latin1',
    )
  }
}
