/**
 * Puts a prepared environment into the sandbox of a task: copies of its Copy caches, and folders that the agent's container mounts
 * its ReadOnly caches on. What a repository or an agent has put in the way leads nothing out of the sandbox.
 */
import { join } from 'node:path'
import type { Seal } from '../../core/environment/seal.ts'
import type { Prepared } from '../../core/execution/prepared.ts'
import { countOf, listOf } from '../../core/sentences/amounts.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { clip } from '../../core/text.ts'
import { CopyFailed, copyTree } from '../../lib/copy-tree.ts'
import { hasErrorCode, ifPlain, ifThere, isOutOfSpace, UnsafePath } from '../../lib/files.ts'
import type { GitOptions } from '../../lib/git.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import { toText, updateIndex } from '../git/clone-git.ts'
import { secondsSince } from '../git/mirror.ts'
import { without } from './decide.ts'
import { excludeCaches } from './exclude.ts'
import type { EnvironmentPlan } from './plan.ts'
import { relocateFile } from './relocate.ts'
import { type MountedEnvironment, findMounted } from './seal-file.ts'
import { listTracked } from './tree.ts'
import { makeEmptyEnd, makeWay, type Way, wayTo } from './way.ts'

type Cache = Seal['caches'][number]

type HandedOut = Pick<Prepared, 'environmentSeconds' | 'environmentProblem'>

/**
 * Carries out a plan in a fresh clone that is checked out.
 *
 * @throws StepFailed where the environment is required and cannot be used; the system's error on a full disk
 */
export async function handOut(
  context: StepContext,
  { recipe, decision }: EnvironmentPlan,
  signal: AbortSignal,
): Promise<HandedOut> {
  const { paths, clock, say } = context
  const options = { cwd: paths.clone, gitDir: join(paths.clone, '.git'), signal }
  if (recipe === undefined) return {}
  await excludeCaches(
    paths.clone,
    recipe.cache.map(({ path }) => path),
  )
  const mounted = await findMounted(context)
  if (mounted === undefined || decision.kind !== 'hand_out') {
    if (mounted !== undefined) await makeAllMountPoints(context, mounted, options)
    return decision.kind === 'hand_out' ? fallBack(context, recipe.required) : {}
  }
  const beganMs = clock.now().getTime()
  const problems = await handOutCaches(context, mounted, options)
  const environmentSeconds = secondsSince(clock, beganMs)
  say(
    `handed out ${countOf(mounted.seal.caches.length - problems.length, 'cache')} of the environment (${environmentSeconds} s)`,
  )
  const environmentProblem = problems.length === 0 ? undefined : clip(problems.join('; '), 1024)
  return { environmentSeconds, ...withoutAbsent({ environmentProblem }) }
}

/** Hands out what the Job mounts to a checkout of ours, whatever environment its commit wants. @throws as {@link handOut} does */
export async function handOutMounted(context: StepContext, signal: AbortSignal): Promise<void> {
  const { paths } = context
  const mounted = await findMounted(context)
  if (mounted === undefined) return
  await excludeCaches(
    paths.clone,
    mounted.seal.caches.map(({ path }) => path),
  )
  await handOutCaches(context, mounted, { cwd: paths.clone, gitDir: join(paths.clone, '.git'), signal })
}

function fallBack({ say }: StepContext, isRequired: boolean): HandedOut {
  const decision = without(isRequired, 'what was prepared cannot be read: slipway env build <project> prepares it anew')
  if (decision.kind === 'fail') throw new StepFailed('unavailable', decision.message)
  const environmentProblem = decision.kind === 'bare' ? decision.problem : undefined
  if (environmentProblem !== undefined) say(environmentProblem)
  return withoutAbsent({ environmentProblem })
}

/** Makes the folders for the mounts of a kept clone, or of one whose agent starts without its environment. */
export async function makeMountPoints(context: StepContext): Promise<void> {
  const mounted = await findMounted(context)
  if (mounted !== undefined) await makeAllMountPoints(context, mounted)
}

async function makeAllMountPoints(
  context: StepContext,
  { seal }: MountedEnvironment,
  options?: GitOptions,
): Promise<void> {
  const tracked = options === undefined ? [] : await findTracked(context, seal, options)
  for (const [place, cache] of seal.caches.entries()) {
    if (cache.mode !== 'ReadOnly') continue
    await orProblem(context, cache, () => makeMountPoint(context, { cache, place, tracked, options }))
  }
}

/** What was left out, in words. */
async function handOutCaches(
  context: StepContext,
  mounted: MountedEnvironment,
  options: GitOptions,
): Promise<string[]> {
  const { seal } = mounted
  const tracked = await findTracked(context, seal, options)
  const problems: string[] = []
  for (const [place, cache] of seal.caches.entries()) {
    const work = (): Promise<string | undefined> =>
      cache.mode === 'ReadOnly'
        ? makeMountPoint(context, { cache, place, tracked, options })
        : copyCache(context, mounted, { cache, place, tracked, options })
    const problem = await orProblem(context, cache, work)
    if (problem === undefined) continue
    context.say(problem)
    problems.push(problem)
  }
  return problems
}

/** A cache that the sandbox has no place for is left out. */
async function orProblem(
  { paths, signal }: StepContext,
  { path, mode }: Cache,
  work: () => Promise<string | undefined>,
): Promise<string | undefined> {
  try {
    return await work()
  } catch (error) {
    const isKnown = error instanceof UnsafePath || error instanceof CopyFailed || hasErrorCode(error, ...IN_THE_WAY)
    if (signal.aborted || isOutOfSpace(error) || !isKnown || !(error instanceof Error)) throw error
    // The Job mounts it whatever is there, and a link in its place would lead the mount elsewhere.
    if (mode === 'ReadOnly') throw new StepFailed('unavailable', `cache ${path} has no place: ${error.message}`)
    // Half of a cache is worse than none.
    if (error instanceof CopyFailed) await makeEmptyEnd(wayTo(paths, path))
    return `cache ${path} is left out: ${error.message}`
  }
}

const IN_THE_WAY = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'ENAMETOOLONG']

interface Order {
  readonly cache: Cache
  /** In the list of the seal. */
  readonly place: number
  /** What the repository tracks below the caches, in bytes. */
  readonly tracked: readonly string[]
  /** Absent: no git may run in the clone. */
  readonly options: GitOptions | undefined
}

async function copyCache(
  { run, paths, signal }: StepContext,
  { folder, seal }: MountedEnvironment,
  { cache, place, tracked }: Order,
): Promise<string | undefined> {
  const files = trackedIn(cache, tracked)
  if (files.length > 0) {
    const names = listOf(files.map(toText), { most: 3 })
    return `cache ${cache.path} is left out: the repository tracks files there (${names}); name a folder without any in the environment`
  }
  const way = wayTo(paths, cache.path)
  await makeEmptyEnd(way, way.isInHome ? asideOf(run.execution, place) : undefined)
  const { sandbox: root, segments } = way
  await copyTree({ root: folder, segments: [String(place)] }, { root, segments }, signal)
  const moves = [
    { from: seal.clone, to: paths.clone },
    { from: seal.home, to: paths.home },
  ]
  for (const file of cache.relocated) {
    signal.throwIfAborted()
    await relocate(way, file, moves)
  }
  return undefined
}

async function relocate(
  { sandbox, segments }: Way,
  file: string,
  moves: Parameters<typeof relocateFile>[2],
): Promise<void> {
  const names = file.split('/')
  if (names.some((name) => ['', '.', '..'].includes(name) || name.includes('\0'))) return
  // Not where what the seal names is not there, or leads elsewhere.
  const relocating = relocateFile(sandbox, [...segments, ...names], moves)
  await ifPlain(ifThere(relocating, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG'))
}

/**
 * Makes the folder that a cache is mounted on. What the repository tracks there is hidden by the mount; git is told that it is not
 * in the working tree, so that nobody commits its removal.
 */
async function makeMountPoint(
  { run, paths, say }: StepContext,
  { cache, place, tracked, options }: Order,
): Promise<undefined> {
  const way = wayTo(paths, cache.path)
  const files = trackedIn(cache, tracked)
  if (files.length > 0)
    say(`cache ${cache.path} hides ${countOf(files.length, 'file')} of the repository: git leaves them as they are`)
  const moved = await makeWay(way, way.segments.length, asideOf(run.execution, place))
  if (options === undefined || way.isInHome) return undefined
  // The link that gave way may be one of the repository's.
  const link = moved === undefined ? [] : [way.segments.slice(1, moved).join('/')]
  const hidden = [...new Set([...files, ...link.map((path) => Buffer.from(path).toString('latin1'))])]
  await updateIndex(options, ['--skip-worktree', '--stdin'], hidden)
  return undefined
}

function asideOf(execution: string, place: number): string {
  return `aside.${execution}.${place}`
}

async function findTracked({ paths }: StepContext, { caches }: Seal, options: GitOptions): Promise<string[]> {
  const inClone = caches.map(({ path }) => path).filter((path) => !wayTo(paths, path).isInHome)
  return listTracked(options, inClone)
}

function trackedIn({ path }: Cache, tracked: readonly string[]): string[] {
  const bytes = Buffer.from(path).toString('latin1')
  return tracked.filter((one) => one === bytes || one.startsWith(`${bytes}/`))
}
