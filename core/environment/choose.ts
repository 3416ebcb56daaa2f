/**
 * Which prepared environment a fresh clone begins with, and who waits for one. Pure: the time and the digest of a recipe
 * are passed in.
 *
 * Source: docs/adr/0013-environments.md.
 */
import type { Installation } from '../agent/availability.ts'
import type { Agent, PreparedEnvironment, Project, ProjectEnvironment, Task } from '../crd/types.ts'
import { withoutAbsent } from '../omit.ts'
import { type EnvironmentBuild, WAITING } from '../sentences/waiting.ts'
import { parseDuration, parseTimestamp } from '../time.ts'
import { type Recipe, DEFAULT_SETUP_SECONDS } from './recipe.ts'

/** The digest of a recipe that is followed in an image (lib/environment-digest.ts). */
export type DigestRecipe = (recipe: Recipe, image: string) => string

/** What a project says, in the runner's terms. */
export function toRecipe({ setup, env, cache, keys, timeout, required }: ProjectEnvironment): Recipe {
  return {
    setup,
    env: (env ?? []).map(({ name, value, secretKey }) => ({
      name,
      ...withoutAbsent({ value, secretKey: secretKey && `${secretKey.name}/${secretKey.key}` }),
    })),
    cache: (cache ?? []).map(({ path, mode = 'Copy' }) => ({ path, mode })),
    keys: [...(keys ?? [])],
    timeoutSeconds: timeout === undefined ? DEFAULT_SETUP_SECONDS : Math.max(1, parseDuration(timeout) / 1000),
    required: required ?? false,
  }
}

/**
 * Image of the agents that name none, '' where they run in no image; undefined where there are no environments, since
 * plain processes could write what they are to read alone.
 */
export function environmentImage({ isolation, embedded }: Installation, image: string): string | undefined {
  if (isolation === 'none') return undefined
  return embedded ? '' : image
}

/** The image of a task's agent. @param usual as {@link environmentImage} gives it */
export function imageFor(usual: string, task: Task | undefined, project: Project, agent: Agent | undefined): string {
  if (usual === '') return ''
  return task?.spec.containerImage ?? project.spec.containerImage ?? agent?.spec.image ?? usual
}

/** Whether a task clones the repository that its project prepares. */
export function isPreparedFor({ spec }: Task, project: Project): boolean {
  return spec.repositoryUrl === undefined || spec.repositoryUrl === project.spec.remoteUrl
}

/** From what an environment is made, as far as that is known before the clone. */
export interface EnvironmentSource {
  /** Digest of the project's recipe; '' where the repository says how it is prepared. */
  readonly recipe: string
  readonly image: string
}

/** Whose branch is worked on: a story's tasks share one. */
export type BranchOwner = NonNullable<PreparedEnvironment['onlyFor']>

/** What one execution may begin with. */
export interface EnvironmentWish extends EnvironmentSource {
  readonly owner: BranchOwner
}

export function sourceOf(project: Project, image: string, digest: DigestRecipe): EnvironmentSource {
  const { environment } = project.spec
  return { recipe: environment === undefined ? '' : digest(toRecipe(environment), image), image }
}

export function branchOwner(task: Task): BranchOwner {
  const { storyId } = task.spec
  return storyId === undefined ? { task: task.metadata.name } : { story: storyId }
}

export function isSameOwner(a: BranchOwner | undefined, b: BranchOwner | undefined): boolean {
  return a?.task === b?.task && a?.story === b?.story
}

export function isFromSource({ recipe, image = '' }: PreparedEnvironment, source: EnvironmentSource): boolean {
  return recipe === source.recipe && image === source.image
}

function isUsable(entry: PreparedEnvironment, { owner, ...source }: EnvironmentWish): boolean {
  return isFromSource(entry, source) && (entry.onlyFor === undefined || isSameOwner(entry.onlyFor, owner))
}

/** The one that a fresh start mounts: the newest that was prepared for its own branch, else the newest shared one. */
export function chooseEnvironment(
  environments: readonly PreparedEnvironment[],
  wish: EnvironmentWish,
): PreparedEnvironment | undefined {
  const ready = environments.filter((entry) => entry.state === 'Ready' && isUsable(entry, wish))
  return ready.find(({ onlyFor }) => onlyFor !== undefined) ?? ready[0]
}

/** The one that an execution wants whose clone was looked at. */
export function findPrepared(
  environments: readonly PreparedEnvironment[],
  wish: EnvironmentWish,
  digest: string,
): PreparedEnvironment | undefined {
  return environments.find((entry) => entry.state === 'Ready' && entry.digest === digest && isUsable(entry, wish))
}

/** So long nobody waits for a setup that has failed. */
const FAILED_MS = 3_600_000

/** Digests whose setup has failed a short while ago. */
export function failedDigests(
  environments: readonly PreparedEnvironment[],
  wish: EnvironmentWish,
  now: Date,
): readonly string[] {
  const failed = environments.filter(
    (entry) => entry.state === 'Failed' && isUsable(entry, wish) && isRecent(entry.builtAt, now),
  )
  return [...new Set(failed.flatMap(({ digest }) => digest ?? []))]
}

function isRecent(at: string | undefined, now: Date): boolean {
  return at !== undefined && now.getTime() - parseTimestamp(at).getTime() < FAILED_MS
}

/** The newest for all tasks of a project. */
export function findNewestShared(
  environments: readonly PreparedEnvironment[],
  source: EnvironmentSource,
): PreparedEnvironment | undefined {
  return environments.find((entry) => entry.onlyFor === undefined && isFromSource(entry, source))
}

/** How an execution goes on that waits for an environment. */
export type WaitEnd =
  | { readonly kind: 'ready'; readonly environment: PreparedEnvironment }
  /** What it waited for has failed, or has become another one: it does without. */
  | { readonly kind: 'inVain' }
  | { readonly kind: 'waits'; readonly building: PreparedEnvironment | undefined }

/** What an execution waits for, and since when (RFC 3339). */
export interface AwaitedEnvironment {
  readonly digest: string
  readonly isShared: boolean
  readonly since: string
}

/** Whoever waits goes on when it is ready, or when a setup that began after it has ended. */
export function decideWait(
  environments: readonly PreparedEnvironment[],
  wish: EnvironmentWish,
  { digest, isShared, since }: AwaitedEnvironment,
  now: Date,
): WaitEnd {
  const environment = findPrepared(environments, wish, digest)
  if (environment !== undefined) return { kind: 'ready', environment }
  if (failedDigests(environments, wish, now).includes(digest)) return { kind: 'inVain' }
  const builds = environments.filter(
    (entry) => isFromSource(entry, wish) && isSameOwner(entry.onlyFor, isShared ? undefined : wish.owner),
  )
  const building = builds.find(({ state }) => state === 'Building')
  if (building !== undefined) return { kind: 'waits', building }
  const hasEnded = builds.some(({ startedAt = '' }) => startedAt >= since)
  return hasEnded ? { kind: 'inVain' } : { kind: 'waits', building: undefined }
}

/** Why a QUEUED task does not start yet, in words; undefined where it waits for no environment. */
export type FindEnvironmentWait = (task: Task, project: Project, agent: Agent) => string | undefined

/**
 * Tasks wait without a slot while a newer environment is being prepared, and until the first one has been. A task that is
 * resumed has what its clone was given.
 *
 * @param usual as {@link environmentImage} gives it
 */
export function makeFindEnvironmentWait(digest: DigestRecipe, usual: string): FindEnvironmentWait {
  // A project is looked at for each of its tasks.
  const sources = new WeakMap<Project, Map<string, EnvironmentSource>>()
  const findSource = (project: Project, image: string): EnvironmentSource => {
    const known = sources.get(project) ?? new Map<string, EnvironmentSource>()
    const source = known.get(image) ?? sourceOf(project, image, digest)
    sources.set(project, known.set(image, source))
    return source
  }
  return (task, project, agent) => {
    if (task.status?.resume === true || !isPreparedFor(task, project)) return undefined
    const { environments = [] } = project.status ?? {}
    if (project.spec.environment === undefined && environments.length === 0) return undefined
    const newest = findNewestShared(environments, findSource(project, imageFor(usual, task, project, agent)))
    if (newest === undefined) {
      return project.spec.environment && WAITING.environment(describeBuild(project, undefined))
    }
    return newest.state === 'Building' ? WAITING.environment(describeBuild(project, newest)) : undefined
  }
}

/** What people are told of a build: for which project, and how long it took the last time. */
export function describeBuild(project: Project, building: PreparedEnvironment | undefined): EnvironmentBuild {
  const lastSeconds = project.status?.environments?.find(({ state }) => state === 'Ready')?.seconds
  return { project: project.metadata.name, isBegun: building !== undefined, ...withoutAbsent({ lastSeconds }) }
}

/** Whether two versions of a project can make a difference to who waits. */
export function isOtherEnvironment(a: Project | undefined, b: Project | undefined): boolean {
  const seen = (project: Project | undefined): string =>
    JSON.stringify([
      project?.spec.environment,
      project?.spec.containerImage,
      project?.status?.environments?.map(({ state, recipe, image, onlyFor, seconds }) => [
        state,
        recipe,
        image,
        onlyFor,
        seconds,
      ]),
    ])
  return a !== b && seen(a) !== seen(b)
}
