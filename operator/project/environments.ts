/**
 * What the setups of a project have prepared, what is to be prepared next, and what goes (docs/adr/0013-environments.md).
 *
 * Pure and level-triggered: the same observation gives the same step. An entry of the status is written before the Execution
 * that it names, and is the only proof that this was asked for: a crash between the two writes finds the entry, and makes the
 * Execution then.
 */
import type { Execution, PreparedEnvironment, Project, ProjectStatus } from '../../core/crd/types.ts'
import {
  type AwaitedEnvironment,
  type BranchOwner,
  type DigestRecipe,
  type EnvironmentSource,
  type EnvironmentWish,
  decideWait,
  findNewestShared,
  imageFor,
  isFromSource,
  isSameOwner,
  sourceOf,
} from '../../core/environment/choose.ts'
import { makePrepare, notPreparedReason, prepareName } from '../../core/environment/prepare.ts'
import { environmentPath } from '../../core/execution/layout.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { clip } from '../../core/text.ts'
import { inWholeSeconds, parseTimestamp, toTimestamp } from '../../core/time.ts'
import type { Action } from '../action.ts'

/** An execution that waits, without a pod. */
export interface WaitingExecution {
  readonly wish: EnvironmentWish
  readonly awaited: AwaitedEnvironment
}

/** Everything that the environments of one project depend on. */
export interface ObservedEnvironments {
  /** Image of the agents that name none; '' on one machine. */
  readonly usualImage: string
  readonly digest: DigestRecipe
  /** The executions that its entries name, as far as they exist, whoever made them. */
  readonly prepares: ReadonlyMap<string, Execution>
  readonly waiting: readonly WaitingExecution[]
  /** Images of the agents whose tasks are QUEUED until the first environment is there. */
  readonly queuedImages: readonly string[]
  /** Those of the project and of agents. */
  readonly ownImages: ReadonlySet<string>
  /** Whether a Job that may still run, or an execution that may begin another one, has an environment. */
  readonly isInUse: (execution: string) => boolean
  /** Whether the task or story is there whose branch it is for. */
  readonly isThere: (owner: BranchOwner) => boolean
  /** The branch of a task or story. */
  readonly branchOf: (owner: BranchOwner) => string
  /** Those that are ready by the record alone: their folders are gone. Looked up while somebody waits. */
  readonly lost: ReadonlySet<string>
}

/** Most entries of a status. */
const MAX_ENTRIES = 50
/** Most setups of a project that run at once: they hold no slot. */
const MAX_BUILDING = 10
/** So many of them are left to the images that no task names: whoever creates tasks can name any number of others. */
const LEFT_TO_OWN = 2
/** One that was replaced stays for a while, for tasks of commits that are not the latest. */
const REPLACED_MS = 24 * 3_600_000

export interface EnvironmentsStep {
  /** The fields of the project's status. */
  readonly status: Pick<ProjectStatus, 'environments' | 'environmentBuilds'>
  /** After the status is written. */
  readonly actions: readonly Action[]
}

export function reconcileEnvironments(project: Project, seen: ObservedEnvironments, now: Date): EnvironmentsStep {
  const { environments: before = [], environmentBuilds = 0 } = project.status ?? {}
  const ended = before.flatMap((entry) => readEnd(project, entry, seen, now))
  const kept = ended.filter((entry, n) => !isSpent(entry, ended.slice(0, n), seen, now))
  const begun = begin(project, kept, seen, now, environmentBuilds)
  const environments = cut([...begun, ...kept], seen)
  const removed = before.filter(({ execution }) => !environments.some((entry) => entry.execution === execution))
  return {
    status: withoutAbsent({
      environments: environments.length === 0 && before.length === 0 ? undefined : environments,
      environmentBuilds: environmentBuilds + begun.length || undefined,
    }),
    actions: [...makeMissing(project, environments, seen), ...remove(project, removed, seen, now)],
  }
}

/** Those whose status is written first can be made again and again: only their Executions have names. */
function makeMissing(
  project: Project,
  environments: readonly PreparedEnvironment[],
  { prepares, branchOf }: ObservedEnvironments,
): Action[] {
  return environments
    .filter(({ state, execution }) => state === 'Building' && !prepares.has(execution))
    .map((entry) => {
      const execution = makePrepare(project, entry, entry.onlyFor && branchOf(entry.onlyFor))
      return { kind: 'createExecution', execution }
    })
}

/** The folder of one that is still being prepared goes later (operator/environments.ts). */
function remove(
  project: Project,
  removed: readonly PreparedEnvironment[],
  { prepares }: ObservedEnvironments,
  now: Date,
): Action[] {
  return removed.flatMap((entry): Action[] => {
    const execution = prepares.get(entry.execution)
    const isOurs = execution !== undefined && notPreparedReason(execution, project) === undefined
    if (isOurs && !isTerminal(execution)) {
      const status = { ...execution.status, cancelRequestedAt: toTimestamp(now) }
      return execution.status?.cancelRequestedAt === undefined ? [{ kind: 'writeExecution', execution, status }] : []
    }
    return [{ kind: 'removeFolders', paths: [environmentPath(project.metadata.uid ?? '', entry.execution)] }]
  })
}

/** What has become of an entry; none where its name was taken by an execution that nobody here has made. */
function readEnd(
  project: Project,
  entry: PreparedEnvironment,
  { prepares, waiting }: ObservedEnvironments,
  now: Date,
): PreparedEnvironment[] {
  const execution = prepares.get(entry.execution)
  if (entry.state !== 'Building' || execution === undefined) return [entry]
  if (notPreparedReason(execution, project) !== undefined) return []
  if (!isTerminal(execution)) return [withDigest(entry, execution)]
  const { state, sealed, error, startedAt, finishedAt = toTimestamp(now) } = execution.status ?? {}
  const seconds = secondsBetween(startedAt ?? finishedAt, finishedAt)
  const end = { ...withDigest(entry, execution), builtAt: finishedAt, seconds }
  const fail = (message: string): PreparedEnvironment[] => {
    // One that came to no clone failed whoever waited for it; it is not begun again for each of them.
    const { digest = waiting.find((one) => isFor(entry, one))?.awaited.digest } = end
    return [{ ...end, ...withoutAbsent({ digest }), state: 'Failed', message: clip(message, 4096) }]
  }
  if (state !== 'COMPLETED') return fail(error?.message ?? `its setup ended as ${state}`)
  if (sealed?.digest === undefined) return fail('its setup left nothing that could be kept')
  if (entry.onlyFor === undefined && sealed.isShared !== true)
    return fail(`commit ${sealed.commit ?? ''} is none of the default branch, so what was prepared at it is for nobody`)
  const { digest, commit, cache, bytes } = sealed
  return [{ ...end, state: 'Ready', digest, usedAt: toHour(now), ...withoutAbsent({ commit, cache, bytes }) }]
}

function isFor(entry: PreparedEnvironment, { wish, awaited }: WaitingExecution): boolean {
  return isFromSource(entry, wish) && isSameOwner(entry.onlyFor, awaited.isShared ? undefined : wish.owner)
}

function withDigest(entry: PreparedEnvironment, { status }: Execution): PreparedEnvironment {
  const { digest = entry.digest, commit = entry.commit } = status?.environment ?? {}
  return { ...entry, ...withoutAbsent({ digest, commit }) }
}

/** @param newer the entries before it */
function isSpent(
  entry: PreparedEnvironment,
  newer: readonly PreparedEnvironment[],
  { isInUse, isThere, lost }: ObservedEnvironments,
  now: Date,
): boolean {
  const { state, execution, onlyFor, builtAt } = entry
  if (state === 'Building') return onlyFor !== undefined && !isThere(onlyFor)
  if (isInUse(execution)) return false
  if (lost.has(execution) || (onlyFor !== undefined && !isThere(onlyFor))) return true
  const source = { recipe: entry.recipe, image: entry.image ?? '' }
  const isReplaced = newer.some(
    (other) => other.state === 'Ready' && isFromSource(other, source) && isSameOwner(other.onlyFor, onlyFor),
  )
  return isReplaced && builtAt !== undefined && now.getTime() - parseTimestamp(builtAt).getTime() > REPLACED_MS
}

/** What is to be prepared: from what, and for whom alone. */
interface Wanted extends EnvironmentSource {
  readonly onlyFor?: BranchOwner
  /** When somebody asked for it or began to wait (RFC 3339). */
  readonly since?: string
}

/** The entries of what is wanted and is not being prepared yet, newest first. */
function begin(
  project: Project,
  kept: readonly PreparedEnvironment[],
  seen: ObservedEnvironments,
  now: Date,
  builds: number,
): PreparedEnvironment[] {
  const begun: PreparedEnvironment[] = []
  // What is wanted beyond that is begun when another one has ended or is used no more.
  const building = kept.filter(({ state }) => state === 'Building')
  const staying = kept.filter((entry) => entry.state !== 'Building' && seen.isInUse(entry.execution))
  const room = Math.min(MAX_BUILDING, MAX_ENTRIES - staying.length) - building.length
  const isOther = ({ image = '' }: { readonly image?: string }): boolean => !seen.ownImages.has(image)
  const roomForOthers = MAX_BUILDING - LEFT_TO_OWN - building.filter(isOther).length
  for (const { recipe, image, onlyFor, since = '' } of findWanted(project, kept, seen, now)) {
    const isBegun = [...begun, ...kept].some(
      (entry) =>
        entry.state === 'Building' && isFromSource(entry, { recipe, image }) && isSameOwner(entry.onlyFor, onlyFor),
    )
    if (isBegun || begun.length >= room) continue
    if (isOther({ image }) && begun.filter(isOther).length >= roomForOthers) continue
    const execution = prepareName(project.metadata.name, builds + begun.length + 1)
    const given = withoutAbsent({ image: image === '' ? undefined : image, onlyFor })
    // A clock that is behind must not make it look older than the wish: it would be begun again and again.
    const startedAt = [toTimestamp(now), since].sort().at(-1) ?? ''
    begun.unshift({ execution, state: 'Building', recipe, startedAt, ...given })
  }
  return begun
}

function findWanted(
  project: Project,
  kept: readonly PreparedEnvironment[],
  { waiting, queuedImages, digest, usualImage, isThere, lost }: ObservedEnvironments,
  now: Date,
): Wanted[] {
  const there = kept.filter(({ execution }) => !lost.has(execution))
  const awaited = waiting.flatMap(({ wish: { owner, ...source }, awaited }): Wanted[] => {
    const end = decideWait(there, { ...source, owner }, awaited, now)
    if (end.kind !== 'waits' || end.building !== undefined) return []
    const { isShared, since } = awaited
    if (isShared) return [{ ...source, since }]
    return isThere(owner) ? [{ ...source, since, onlyFor: owner }] : []
  })
  const first = queuedImages
    .map((image) => sourceOf(project, image, digest))
    .filter((source) => findNewestShared(kept, source) === undefined)
  return [...findRequested(project, kept, { digest, usualImage }), ...first, ...awaited]
}

/** Somebody asked for it after the newest one had begun: in the image of that, if its recipe still counts. */
function findRequested(
  project: Project,
  kept: readonly PreparedEnvironment[],
  { digest, usualImage }: Pick<ObservedEnvironments, 'digest' | 'usualImage'>,
): Wanted[] {
  const { environmentRequestedAt: asked } = project.status ?? {}
  if (asked === undefined) return []
  const newest = kept.find(({ onlyFor }) => onlyFor === undefined)
  if (newest?.startedAt !== undefined && parseTimestamp(newest.startedAt) >= parseTimestamp(asked)) return []
  const image = newest === undefined ? imageFor(usualImage, undefined, project, undefined) : (newest.image ?? '')
  return [{ ...sourceOf(project, image, digest), since: inWholeSeconds(asked) }]
}

/** The oldest go that nobody has, and that are not being prepared. */
function cut(environments: readonly PreparedEnvironment[], { isInUse }: ObservedEnvironments): PreparedEnvironment[] {
  const kept = [...environments]
  for (let n = kept.length - 1; n >= 0 && kept.length > MAX_ENTRIES; n--) {
    const entry = kept[n]
    if (entry !== undefined && entry.state !== 'Building' && !isInUse(entry.execution)) kept.splice(n, 1)
  }
  return kept
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, (parseTimestamp(to).getTime() - parseTimestamp(from).getTime()) / 1000)
}

/** RFC 3339, to the hour. */
export function toHour(at: Date): string {
  return `${toTimestamp(at).slice(0, 13)}:00:00Z`
}
