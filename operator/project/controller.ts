import type { Execution, Story, Task } from '../../core/crd/types.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { isSame } from '../../core/json.ts'
import { LABELS } from '../../core/names.ts'
import { type Change, subjectOf } from '../../kube/cache.ts'
import { type Controller, createController } from '../../kube/controller.ts'
import type { Pod } from '../../kube/builtin.ts'
import type { ObjectKey } from '../../kube/types.ts'
import type { Step } from '../action.ts'
import type { OperatorContext } from '../context.ts'
import { findGitSource } from '../execution/git-source.ts'
import type { Informers, Timing } from '../informers.ts'
import { reconcileUntilStable } from '../reconcile-until-stable.ts'
import { showRefusal } from '../refused.ts'
import {
  findLockFiles,
  observeProjectEnvironments,
  projectNameOf,
  projectOfExecution,
  projectOfWaiting,
  readLockFiles,
} from './observe.ts'
import { reconcileProject } from './reconcile.ts'

/** Projects: whether their tasks could be started, and what these find prepared. */
export function createProjectController(context: OperatorContext, informers: Informers, timing: Timing): Controller {
  const controller = createController({
    ...timing,
    name: 'project',
    primary: informers.projects,
    workers: 1,
    reconcile: async (key, lost) => ({ requeueAt: await syncProject(context, key, lost) }),
  })
  controller.watchChanges(informers.executions, (change) => keysOfExecution(context, change))
  controller.watchChanges(informers.tasks, (change) => keysOfTask(context, change))
  controller.watchChanges(informers.stories, keysOfStory)
  controller.watch(informers.pods, (pod) => keysOfPod(context, pod))
  return controller
}

/** A setup that has ended or is gone, and an execution that begins to wait, or ceases to have an environment. */
function keysOfExecution(context: OperatorContext, change: Change<Execution>): ObjectKey[] {
  const seen = ({ spec, status }: Execution): unknown => [
    spec.purpose === 'Prepare' && [status?.state, status?.environment?.digest],
    status?.environment?.waitingSince,
  ]
  if (change.type === 'update' && JSON.stringify(seen(change.previous)) === JSON.stringify(seen(change.object)))
    return []
  const execution = subjectOf(change)
  const isOne = execution.spec.purpose === 'Prepare' || execution.status?.environment?.waitingSince !== undefined
  return isOne && (change.type !== 'add' || !isTerminal(execution))
    ? keyOf(execution, projectOfExecution(context, execution))
    : []
}

/** A task that waits for what nobody prepares, or one that is gone, with what was prepared for it alone. */
function keysOfTask(context: OperatorContext, change: Change<Task>): ObjectKey[] {
  const task = subjectOf(change)
  if (change.type !== 'delete') return keyOf(task, projectOfWaiting(context, task))
  return keyOf(task, projectNameOf(context, task))
}

/** One that is gone, with what was prepared for its branch. */
function keysOfStory(change: Change<Story>): ObjectKey[] {
  const story = subjectOf(change)
  return change.type === 'delete' ? keyOf(story, story.spec.projectId) : []
}

/** One that has seen what its project does not say yet: there are many pods, and few that tell anything new. */
function keysOfPod({ views, ...context }: OperatorContext, pod: Pod): ObjectKey[] {
  const report = readLockFiles(pod)
  if (report === undefined) return []
  const { namespace, labels } = pod.metadata
  const execution = views.executions.get({ namespace, name: labels?.[LABELS.execution] ?? '' })
  const name = execution && projectOfExecution({ ...context, views }, execution)
  const known = name === undefined ? undefined : views.projects.get({ namespace, name })?.status?.lockFiles
  return execution === undefined || isSame(report.lockFiles, known) ? [] : keyOf(execution, name)
}

function keyOf({ metadata: { namespace } }: Task | Story | Execution, name: string | undefined): ObjectKey[] {
  return name === undefined ? [] : [{ namespace, name }]
}

/** @throws KubeError Conflict when something was outdated: decide anew; NotStable */
export async function syncProject(
  context: OperatorContext,
  key: ObjectKey,
  lost?: AbortSignal,
): Promise<Date | undefined> {
  const find = () => {
    const object = context.views.projects.get(key)
    return object && ({ kind: 'Project', object } as const)
  }
  const reconcile = () => reconcileUntilStable(context, `project ${key.name}`, () => nextStep(context, key), lost)
  return showRefusal(context, find, reconcile, lost)
}

async function nextStep(context: OperatorContext, key: ObjectKey): Promise<Step> {
  const project = context.views.projects.get(key)
  if (project === undefined || project.metadata.deletionTimestamp !== undefined) return { actions: [] }
  const git = await findGitSource(context, { namespace: key.namespace, url: undefined, project })
  const environments = await observeProjectEnvironments(context, project)
  const lockFiles = findLockFiles(context, project)
  const { embedded: isEmbedded } = context.settings
  return reconcileProject({ now: context.clock.now(), project, git, isEmbedded, environments, lockFiles })
}
