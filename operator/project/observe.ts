import type { Execution, Project, Task } from '../../core/crd/types.ts'
import {
  type BranchOwner,
  environmentImage,
  findNewestShared,
  imageFor,
  sourceOf,
} from '../../core/environment/choose.ts'
import { agentOf } from '../../core/agent/waiting.ts'
import { environmentPath } from '../../core/execution/layout.ts'
import { isWork } from '../../core/execution/state.ts'
import { readPrepareMessage } from '../../core/execution/termination.ts'
import { LABELS } from '../../core/names.ts'
import { storyBranch } from '../../core/story/branch.ts'
import { projectOf } from '../../core/task/project.ts'
import { branchOf } from '../../core/task/start.ts'
import type { Pod } from '../../kube/builtin.ts'
import { EXECUTIONS } from '../../kube/resources.ts'
import { digestRecipe } from '../../lib/environment-digest.ts'
import { type OperatorContext, indexKey } from '../context.ts'
import { findLost, observeEnvironments } from '../execution/environments.ts'
import { withStory } from '../sessions.ts'
import { isMounted } from '../sweep.ts'
import type { ObservedEnvironments, WaitingExecution } from './environments.ts'

/** @returns undefined where there are no environments */
export async function observeProjectEnvironments(
  context: OperatorContext,
  project: Project,
): Promise<ObservedEnvironments | undefined> {
  const { views, installation, settings } = context
  const usualImage = environmentImage(installation, settings.image)
  if (usualImage === undefined) return undefined
  const { namespace, uid = '' } = project.metadata
  const waiting = findWaiting(context, project)
  return {
    usualImage,
    digest: digestRecipe,
    prepares: await findPrepares(context, project),
    waiting,
    queuedImages: findQueuedImages(context, project, usualImage),
    ownImages: new Set(
      [undefined, ...views.agents.list(namespace)].map((agent) => imageFor(usualImage, undefined, project, agent)),
    ),
    isInUse: (execution) =>
      views.executions.byIndex('openWith', indexKey(namespace, execution)).length > 0 ||
      isMounted(context, environmentPath(uid, execution)),
    isThere: ({ task, story }) =>
      (task !== undefined && views.tasks.get({ namespace, name: task }) !== undefined) ||
      (story !== undefined && isStoryThere(views, namespace, story)),
    branchOf: (owner) => findBranch(context, project, owner),
    lost: waiting.length === 0 ? new Set() : await findLost(context, project),
  }
}

/** A task may name a story that is gone, and work on its branch. */
function isStoryThere(
  { stories, tasks }: OperatorContext['views'],
  namespace: string | undefined,
  name: string,
): boolean {
  return (
    stories.get({ namespace, name }) !== undefined || tasks.byIndex('ofStory', indexKey(namespace, name)).length > 0
  )
}

/** That one is gone is believed only when the server says so: a cache that lags behind would have it made again. */
async function findPrepares(
  { client, views }: OperatorContext,
  { metadata: { namespace }, status }: Project,
): Promise<ReadonlyMap<string, Execution>> {
  const found = new Map<string, Execution>()
  for (const { execution: name, state } of status?.environments ?? []) {
    if (state !== 'Building') continue
    const key = { namespace, name }
    const execution = views.executions.get(key) ?? (await client.find(EXECUTIONS, key))
    if (execution !== undefined) found.set(name, execution)
  }
  return found
}

function findWaiting(context: OperatorContext, project: Project): WaitingExecution[] {
  const { views } = context
  const { namespace, name } = project.metadata
  return views.executions.byIndex('awaiting', indexKey(namespace, '')).flatMap((execution) => {
    const task = findTask(context, execution)
    if (task === undefined || projectNameOf(context, task) !== name) return []
    const agent = views.agents.get({ namespace, name: execution.spec.agent ?? '' })
    const wish = observeEnvironments(context, { execution, task, project, ...(agent && { agent }) })?.wish
    const { digest, isShared = false, waitingSince: since } = execution.status?.environment ?? {}
    // An evaluation goes on without what is not there.
    if (wish === undefined || digest === undefined || since === undefined || !isWork(execution)) return []
    return [{ wish, awaited: { digest, isShared, since } }]
  })
}

function findTask({ views }: OperatorContext, { metadata, spec }: Execution): Task | undefined {
  return views.tasks.get({ namespace: metadata.namespace, name: spec.taskRef?.name ?? '' })
}

/** The project that a task belongs to, by itself or by its story. */
export function projectNameOf({ views }: OperatorContext, task: Task): string | undefined {
  return projectOf(task, withStory(views, task).story)
}

function findQueuedImages(
  { views, scheduling, clock }: OperatorContext,
  project: Project,
  usualImage: string,
): readonly string[] {
  const { namespace, name } = project.metadata
  if (project.spec.environment === undefined) return []
  const images = scheduling.queuedOf(name).flatMap((task) => {
    const { wait } = scheduling.scheduleOf(task, clock.now())
    if (wait?.reason !== 'WaitingForEnvironment') return []
    const agent = views.agents.get({ namespace, name: agentOf(task) ?? '' })
    return [imageFor(usualImage, task, project, agent)]
  })
  return [...new Set(images)]
}

function findBranch({ views, settings }: OperatorContext, project: Project, { task, story }: BranchOwner): string {
  const { namespace } = project.metadata
  const found = task === undefined ? undefined : views.tasks.get({ namespace, name: task })
  if (found !== undefined) {
    const isStorys = views.stories.byIndex('ofBranch', indexKey(namespace, found.status?.branch ?? '')).length > 0
    // Until it has pushed there is no branch of its own to prepare.
    const hasPushed = found.status?.branch !== undefined
    if (!hasPushed && found.spec.baseBranch !== undefined) return found.spec.baseBranch
    return branchOf(found, undefined, settings.branchPrefix, isStorys)
  }
  return storyBranch(story ?? '', views.stories.get({ namespace, name: story ?? '' })?.spec.branchName)
}

/** The projects that a change of a task or an execution may concern. */
export function projectOfExecution(context: OperatorContext, execution: Execution): string | undefined {
  const { spec, metadata } = execution
  if (spec.projectRef !== undefined) return spec.projectRef.name
  const task = findTask(context, execution)
  return task === undefined ? metadata.labels?.[LABELS.project] : projectNameOf(context, task)
}

/** Whether a task waits for an environment that nobody prepares yet. */
export function projectOfWaiting(context: OperatorContext, task: Task): string | undefined {
  const { views, scheduling, clock, installation, settings } = context
  const usualImage = environmentImage(installation, settings.image)
  if (task.status?.state !== 'QUEUED' || usualImage === undefined) return undefined
  const name = projectNameOf(context, task)
  const project = name === undefined ? undefined : views.projects.get({ namespace: task.metadata.namespace, name })
  if (project?.spec.environment === undefined) return undefined
  if (scheduling.scheduleOf(task, clock.now()).wait?.reason !== 'WaitingForEnvironment') return undefined
  const agent = views.agents.get({ namespace: task.metadata.namespace, name: agentOf(task) ?? '' })
  const source = sourceOf(project, imageFor(usualImage, task, project, agent), digestRecipe)
  return findNewestShared(project.status?.environments ?? [], source) === undefined ? name : undefined
}

/** What the latest execution of a project has seen at the top of the default branch; undefined where none has told. */
export function findLockFiles(context: OperatorContext, project: Project): readonly string[] | undefined {
  const { views } = context
  const { namespace, name } = project.metadata
  const told = views.pods.list(namespace).flatMap((pod) => {
    const report = readLockFiles(pod)
    if (report === undefined) return []
    const execution = views.executions.get({ namespace, name: pod.metadata.labels?.[LABELS.execution] ?? '' })
    return execution !== undefined && projectOfExecution(context, execution) === name ? [report] : []
  })
  return told.toSorted((a, b) => (a.at < b.at ? -1 : 1)).at(-1)?.lockFiles
}

/** Where its prepare has told them, of a commit of the default branch. */
export function readLockFiles({
  status,
}: Pod): { readonly lockFiles: readonly string[]; readonly at: string } | undefined {
  const prepare = status?.initContainerStatuses?.find(({ name }) => name === 'prepare')?.state?.terminated
  const { lockFiles, environment } = readPrepareMessage(prepare?.message)
  if (lockFiles === undefined || environment?.isShared === false) return undefined
  return { lockFiles: [...new Set(lockFiles)].slice(0, 20), at: prepare?.finishedAt ?? '' }
}
