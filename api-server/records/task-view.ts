/**
 * Tasks as JSON, made once per version.
 *
 * Resources from the cache are frozen and replaced as a whole when they change, so the text of one is kept beside the
 * object itself and goes with it. What depends on other resources or on time is worked out for each answer, only for
 * the tasks that have such parts, and appended to the kept text: `waiting_for` while a task waits, `goes_on` while it rests,
 * `deployment_status` while it is READY, what was said to its agent, the checks of its run.
 */
import type { Project, Task } from '../../core/crd/types.ts'
import { findOwnTaskRefusal } from '../../core/four-eyes.ts'
import { toToldFields } from '../../core/rest/map/told.ts'
import { toTaskRecord } from '../../core/rest/map/task.ts'
import type { TaskRecord } from '../../core/kinds/task.ts'
import type { DeploymentStatus } from '../../core/rest/records/task.ts'
import { type TaskSurroundings, actionsAllowed, isClosed, stateOf } from '../../core/task/decide.ts'
import { findDoneRefusal } from '../../core/story/done.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { findGoingOn } from '../../core/task/going-on.ts'
import type { Scheduling } from '../../kube/scheduling.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Readership, type Viewer, audienceOf } from '../auth/audience.ts'
import type { Caches } from '../cache/caches.ts'
import { followChecks } from './running-checks.ts'
import { createKeptLists, joinTagged } from './kept-lists.ts'
import { type Representation, entityTag } from './representation.ts'
import { versionOf } from '../cache/versions.ts'

export interface TaskView {
  one(task: Task, viewer?: Viewer): Representation<TaskRecord>
  /** What was said to its agent is left out of lists and live messages: it may be as long as all the rest of them. */
  brief(task: Task): Pick<Representation<TaskRecord>, 'json'>
  /** In the given order, each as `brief`; the entity tag covers every version and derived part in it. */
  many(tasks: readonly Task[], viewer?: Viewer): Representation<TaskRecord[]>
  record(task: Task, viewer?: Viewer): TaskRecord
  /** What a brief record shows beside the resource, as of now; undefined for nothing. */
  derived(task: Task): DerivedParts | undefined
}

/** What a record shows beside the resource. */
export interface DerivedParts {
  readonly waiting_for?: string
  readonly goes_on?: NonNullable<TaskRecord['goes_on']>
  readonly deployment_status?: DeploymentStatus
  readonly message_modes?: NonNullable<TaskRecord['message_modes']>
  readonly messages?: NonNullable<TaskRecord['messages']>
  readonly checks?: NonNullable<TaskRecord['checks']>
}

interface KeptText {
  readonly project: Project | undefined
  readonly closed: string
  readonly json: string
  readonly version: string
}

export interface TaskViewOptions {
  readonly caches: Caches
  readonly scheduling: Pick<Scheduling, 'formatWaitMessage'>
  readonly deployments: {
    known(task: Task): DeploymentStatus
    /** Counts what becomes known. */
    revision(): number
  }
  readonly clock: Clock
  /** Why no task starts, whatever stands in the queues. */
  readonly idleReason?: (() => string | undefined) | undefined
}

export function createTaskView({ caches, scheduling, deployments, clock, idleReason }: TaskViewOptions): TaskView {
  const newMap = (): WeakMap<Task, KeptText> => new WeakMap()
  const kept = { deciders: newMap(), readers: newMap(), authors: newMap() }

  const readershipOf = (task: Task, viewer: Viewer | undefined): Readership => {
    const audience = audienceOf(viewer)
    const isAsked = caches.fourEyes && audience === 'deciders' && viewer?.name !== undefined
    if (!isAsked) return audience
    const { story } = caches.surroundingsOf(task)
    return findOwnTaskRefusal(task, viewer.name, story) === undefined ? audience : 'authors'
  }
  const storedText = (task: Task, viewer: Viewer | undefined): KeptText => {
    const audience = readershipOf(task, viewer)
    const [project, surroundings] = [caches.projects.find(task.spec.project), caches.surroundingsOf(task)]
    const closed = closedParts(surroundings)
    const known = kept[audience].get(task)
    if (known !== undefined && known.project === project && known.closed === closed) return known
    const json = JSON.stringify({ ...toTaskRecord(task, project), actions: actionsFor(task, viewer, surroundings) })
    const versions = [versionOf(task), project?.metadata.resourceVersion]
    const parts = [...versions, TAGS[audience], closed].filter(Boolean)
    const text = { project, closed, json, version: parts.join('.') }
    kept[audience].set(task, text)
    return text
  }
  const reasonOf = (task: Task): string | undefined => {
    if (stateOf(task) === 'RUNNING') return task.status?.waitingFor
    const idle = stateOf(task) === 'QUEUED' ? idleReason?.() : undefined
    return idle ?? scheduling.formatWaitMessage(task, clock.now())
  }
  const checks = followChecks(caches)
  const derive = (task: Task): DerivedParts | undefined => {
    const execution = task.status?.execution
    const told = execution === undefined ? {} : { ...modesOf(caches, task), ...checks.runningOf(task, execution) }
    const reason = reasonOf(task)
    if (stateOf(task) === 'READY')
      return { ...withoutAbsent({ waiting_for: reason }), deployment_status: deployments.known(task), ...told }
    const found = findGoingOn(task, {}) && findGoingOn(task, caches.surroundingsOf(task))
    const going = found === undefined || found.held !== undefined ? undefined : withoutAbsent({ at: found.at })
    const parts = { ...withoutAbsent({ waiting_for: reason, goes_on: going }), ...told }
    return Object.keys(parts).length === 0 ? undefined : parts
  }
  const deriveAll = (task: Task): DerivedParts | undefined => {
    const { messages } = toldOf(caches, task)
    return messages === undefined ? derive(task) : { ...derive(task), messages }
  }
  const represent = (
    task: Task,
    viewer: Viewer | undefined,
    parts: DerivedParts | undefined,
  ): Required<Omit<Representation<TaskRecord>, 'record'>> => {
    const { json, version } = storedText(task, viewer)
    if (parts === undefined) return { json, etag: entityTag(version) }
    const more = JSON.stringify(parts).slice(1)
    return { json: `${json.slice(0, -1)},${more}`, etag: entityTag(version, more) }
  }
  const keepList = createKeptLists<TaskRecord>()
  return {
    derived: derive,
    one: (task, viewer) => represent(task, viewer, deriveAll(task)),
    brief: (task) => represent(task, undefined, derive(task)),
    many(tasks, viewer) {
      const make = () => joinTagged<TaskRecord>(tasks.map((task) => represent(task, viewer, derive(task))))
      if (caches.fourEyes) return make()
      return keepList(audienceOf(viewer), tasks, momentOf({ caches, deployments, clock }), make)
    },
    record: (task, viewer) => ({
      ...toTaskRecord(task, caches.projects.find(task.spec.project)),
      actions: actionsFor(task, viewer, caches.surroundingsOf(task)),
      ...deriveAll(task),
    }),
  }
}

/** Changes whenever a list could: with every change of a cache or an answer of git, and every second, for limits end by time. */
function momentOf({ caches, deployments, clock }: Omit<TaskViewOptions, 'scheduling'>): string {
  const { tasks, executions, projects, stories, agents, leases, jobs, pods } = caches
  const all = [tasks, executions, projects, stories, agents, leases, jobs, pods]
  const revisions = all.map((cache) => cache.revision())
  return [...revisions, deployments.revision(), Math.floor(clock.now().getTime() / 1000)].join('.')
}

/** What its record says of messages to its agent. */
function toldOf({ executions, agents }: Pick<Caches, 'executions' | 'agents'>, task: Task) {
  const name = task.status?.execution
  if (name === undefined) return {}
  const execution = executions.find(name)
  return toToldFields({ task, execution, agent: agents.find(execution?.spec.agent) })
}

function modesOf(caches: Pick<Caches, 'executions' | 'agents'>, task: Task): Pick<DerivedParts, 'message_modes'> {
  return withoutAbsent({ message_modes: toldOf(caches, task).message_modes })
}

/** A browser may keep an answer and ask with another token: these texts must not pass for one. */
const TAGS: Readonly<Record<Readership, string>> = { deciders: '', readers: 'r', authors: 'a' }

function actionsFor(task: Task, viewer: Viewer | undefined, surroundings: TaskSurroundings): TaskRecord['actions'] {
  return audienceOf(viewer) === 'readers' ? [] : [...actionsAllowed(task, surroundings, viewer?.name)]
}

/** What surroundings take from the actions that the task's state alone allows: the same text, the same actions. */
function closedParts({ story, failedDependencies }: TaskSurroundings): string {
  return `${findDoneRefusal(story) === undefined ? '' : 'd'}${failedDependencies.some(isClosed) ? 'f' : ''}`
}
