import type { Task } from '../../core/crd/types.ts'
import { mendOlderValues } from '../../core/backup/older-values.ts'
import { apiError, refusedFromState } from '../../core/errors.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { editTaskSpec } from '../../core/rest/map/task.ts'
import { ANNOTATIONS } from '../../core/names.ts'
import { type TaskRecord, TASK } from '../../core/kinds/task.ts'
import { markJoined } from '../../core/story/task-events.ts'
import { isWork } from '../../core/execution/state.ts'
import { stateOf } from '../../core/task/decide.ts'
import { toTimestamp } from '../../core/time.ts'
import { isDeletable, isEditable } from '../../core/task/transitions.ts'
import type { ArchivedTask } from '../../lib/archive/record.ts'
import { createKeyedMutex } from '../../lib/async.ts'
import { exists } from '../cache/record-cache.ts'
import type { ApiContext } from '../context.ts'
import { changedFields, createEditor, editHeaders, markEdited } from '../commands/merge-edit.ts'
import { listWorkspaces } from '../records/stored-files.ts'
import { CONVERSATION, OUTPUT } from '../streams/followed.ts'
import { findRefusedUrl } from '../commands/local-paths.ts'
import { describeKubernetes } from '../records/kubernetes.ts'
import { printManifest } from '../records/manifest.ts'
import { budgetWarning, undeliveredWarning } from '../commands/warnings.ts'
import { type CreateTaskContext, createTask } from '../commands/create-task.ts'
import { BY_PATH, NEWEST_FIRST, newestFirst } from '../records/order.ts'
import { paginate, paginateChain } from '../records/pages.ts'
import { findCircle, findRefusedContinues, findRefusedReferences, requireNone } from '../commands/references.ts'
import type { ArchivePages } from '../records/archive-pages.ts'
import { joinRepresentations, represent } from '../records/representation.ts'
import { changeRecord, createRecord, deleteUnchanged, readAny, requireFound } from '../commands/writes.ts'
import type { Preconditions } from '../records/preconditions.ts'
import type { TaskView } from '../records/task-view.ts'
import type { Streams, TaskStreamRequest } from '../streams/streams.ts'
import type { Deployments } from '../deployment/deployment.ts'
import type { Handlers } from './handler.ts'

interface TaskContext extends CreateTaskContext {
  readonly preconditions: Preconditions
  readonly tasks: TaskView
  readonly streams: Streams
  readonly archivePages: ArchivePages
  readonly deployments: Deployments
  readonly workspaceRoot: string
}

/** Tasks as records: what people write, and what is shown of them. */
export function taskHandlers(context: TaskContext) {
  const { caches, tasks } = context
  const edit = createEditor(TASK.input)
  const all = newestFirst(caches.tasks)
  // Two edits at once could each close one half of a circle that neither sees.
  const runExclusive = createKeyedMutex()
  /** Nothing can be done to it but to restore it. */
  const showArchived = ({ task, archivedAt }: ArchivedTask) =>
    represent<TaskRecord>({ ...tasks.record(task), actions: [], archived_at: archivedAt })
  return {
    async listTasks({ query, caller }) {
      const { state } = query
      const isMatch = (task: Task): boolean => state === undefined || stateOf(task) === state
      const archived = await context.archivePages.read(query, (record) =>
        isMatch(record.task) ? [{ ...record, metadata: record.task.metadata }] : [],
      )
      if (archived !== undefined) {
        const body = joinRepresentations(archived.items.map(showArchived))
        return { status: 200, body, headers: archived.headers('/api/tasks', { state }) }
      }
      const live = paginate(state === undefined ? all() : all().filter(isMatch), query, NEWEST_FIRST)
      const page = await context.archivePages.continueInto(live, query)
      return { status: 200, body: tasks.many(page.items, caller), headers: page.headers('/api/tasks', { state }) }
    },
    async createTask({ body, caller }) {
      const task = await createTask(context, body, caller.name)
      const headers = { Location: `/api/tasks/${task.metadata.name}`, ...budgetWarning(context, task) }
      return { status: 201, body: tasks.one(task, caller), headers }
    },
    async getTask({ params, caller }) {
      const task = await caches.tasks.read(params.id)
      // While it is being restored it is shown as it was, and without a button.
      const archived = task?.status?.state === undefined ? await caches.archivedTask(params.id) : undefined
      if (archived !== undefined) return { status: 200, body: showArchived(archived) }
      return { status: 200, body: tasks.one(requireFound(task, 'task'), caller) }
    },
    async updateTask({ params, body, caller, ifMatch }) {
      const key = { kind: 'task', id: params.id }
      const decide = async (task: Task) => {
        context.preconditions.task(ifMatch, task)
        if (!isEditable(stateOf(task))) throw refusedFromState('task', 'edited', stateOf(task))
        const before = TASK.toInput(task.spec)
        const input = edit(tasks.record(task, caller), before, body)
        if (input === undefined) return { result: false }
        const changed = changedFields(before, input)
        requireNone(await findRefusedReferences(caches, input, changed))
        if (changed.has('repository_url')) requireNone(findRefusedUrl(context, 'repository_url', input.repository_url))
        const now = context.clock.now()
        const edited = markEdited(task, editTaskSpec(task.spec, input), now, caller.name)
        const write = input.story_id === before.story_id ? edited : markJoined(edited, now)
        requireNone(findCircle(caches, write))
        requireNone(await findRefusedContinues(caches, write, changed))
        return { write, result: true }
      }
      const save = () => changeRecord(context.client, caches.tasks, key, decide)
      const isEdge = body.depends_on !== undefined || body.parent_task_id !== undefined
      const { object, result } = await (isEdge ? runExclusive('edges', save) : save())
      return { status: 200, body: tasks.one(object, caller), headers: editHeaders('task', object, result) }
    },
    async deleteTask({ params, ifMatch }) {
      const task = await deleteTask(context, params.id, ifMatch)
      return { status: 204, body: undefined, headers: undeliveredWarning(context, task) }
    },
    async listSubtasks({ params, query, caller }) {
      requireFound(await readAny(caches.tasks, params.id), 'task')
      const page = paginateChain(caches.taskIndex.subtasks(params.id), query)
      const headers = page.headers(`/api/tasks/${params.id}/subtasks`)
      return { status: 200, body: tasks.many(page.items, caller), headers }
    },
    async listWorkspaces({ query }) {
      const page = paginate(await listWorkspaces(context.workspaceRoot), query, BY_PATH)
      return { status: 200, body: represent([...page.items]), headers: page.headers('/api/workspaces') }
    },
  } satisfies Partial<Handlers>
}

/** Operations that archived tasks have too, and restore. */
export function archivedTaskHandlers(context: TaskContext) {
  const { caches } = context
  const openStream = async (id: string, request: TaskStreamRequest): Promise<AsyncIterable<string>> => {
    const task = await caches.tasks.read(id)
    if (task !== undefined) return context.streams.openTask(task, request)
    const { task: archived, executions } = requireFound(await caches.archivedTask(id), 'task')
    return context.streams.openArchived(archived, executions.filter(isWork), request)
  }
  const read = async (id: string): Promise<Task> => requireFound(await readAny(caches.tasks, id), 'task')
  const withPod = (object: Task) => {
    const execution = caches.executions.find(object.status?.execution)
    return { object, pod: { name: execution?.status?.pod?.name } }
  }
  return {
    async restoreTask({ params: { id } }) {
      const there = await caches.tasks.read(id)
      if ((await caches.tasks.isRestoring?.(id)) === true) throw apiError('being_restored', 'task', id)
      if (there !== undefined) throw apiError('already_exists', 'task', id)
      const archived = requireFound(await caches.tasks.archived?.(id), 'task')
      // The operator gives it the rest of what the archive has.
      const older = mendOlderValues(archived).object
      const task = await createRecord(context, caches.tasks, 'task', toRestore(older, context.clock.now()))
      // Its record is gone, but it is as it was made: the archive has forgotten it meanwhile, and it would run anew.
      const isRecordGone = (await caches.tasks.archived?.(id)) === undefined
      if (isRecordGone && (await deleteUnchanged(context.client, caches.tasks, task)))
        throw apiError('not_found', 'task')
      return { status: 202, body: represent({ message: 'task is being restored', task_id: id }) }
    },
    streamTaskLogs: async ({ params, query, lastEventId }) => ({
      status: 200,
      body: await openStream(params.id, { ...query, followed: OUTPUT, lastEventId }),
    }),
    streamTaskEvents: async ({ params, query, lastEventId }) => ({
      status: 200,
      body: await openStream(params.id, { ...query, followed: CONVERSATION, lastEventId }),
    }),
    async getTaskDeploymentStatus({ params }) {
      const task = await read(params.id)
      const { execution } = task.status ?? {}
      const latest = execution === undefined ? undefined : await readAny(caches.executions, execution)
      return { status: 200, body: represent(await context.deployments.ask(task, latest)) }
    },
    async getTaskManifest({ params }) {
      const source = withPod(await read(params.id))
      return { status: 200, body: await printManifest(context, { cache: caches.tasks, ...source }) }
    },
    async getTaskKubernetes({ params }) {
      return { status: 200, body: await describeKubernetes(context, withPod(await read(params.id))) }
    },
  } satisfies Partial<Handlers>
}

/**
 * Deletes a task that nothing else needs, unless it runs. The version that was looked at is the one that goes: should it
 * start meanwhile, the refusal is the one it would have met a moment later.
 */
async function deleteTask(context: TaskContext, id: string, ifMatch: string | undefined): Promise<Task> {
  const key = { kind: 'task', id }
  const { result } = await changeRecord(context.client, context.caches.tasks, key, (task) => {
    context.preconditions.task(ifMatch, task)
    return { write: checkDeletable(context, task), isRemoval: true, result: task }
  })
  return result
}

function checkDeletable({ caches }: ApiContext, task: Task): Task {
  const { name } = task.metadata
  if (!isDeletable(stateOf(task))) throw refusedFromState('task', 'deleted', stateOf(task))
  const label = (other: Task): string => `task ${other.metadata.name}`
  const dependents = caches.tasks.informer.byIndex('dependency', name).filter(exists).map(label)
  if (dependents.length > 0) throw apiError('in_use', 'task', name, dependents, ['depends on it', 'depend on it'])
  const subtasks = caches.taskIndex.subtasks(name).map(label)
  if (subtasks.length > 0) throw apiError('in_use', 'task', name, subtasks, ['is its subtask', 'are its subtasks'])
  return task
}

/** A task as it is made, without its status, with the mark that the archive says what it is. */
function toRestore({ apiVersion, kind, spec, metadata: { name, namespace, labels, ...old } }: Task, now: Date): Task {
  const annotations = { ...old.annotations, [ANNOTATIONS.restoring]: toTimestamp(now) }
  const metadata = { name, annotations, ...withoutAbsent({ namespace, labels }) }
  return { apiVersion, kind, metadata, spec }
}
