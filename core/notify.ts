/**
 * Who is told what, and how loudly, when a task comes to where a person may have something to do.
 *
 * Told: BLOCKED with a question; FAILED, TIMED_OUT and BUDGET_EXCEEDED that wait for a person; READY and COMPLETED.
 * Not told: what goes on by itself (an automatic attempt is due, subtasks are awaited), what nobody can do anything about
 * (a failed task of a DONE story), and CANCELLED, which a person asked for. Source: specification §10.4.
 */
import { taskAttention } from './attention.ts'
import type { Task, TaskState } from './crd/types.ts'
import { CHECK_STATE_WORDS } from './enum-values.ts'
import { checksMark, protectedWords, waivedWords } from './sentences/checks.ts'
import { TASK_STATE_LABELS, limitLabel } from './sentences/states.ts'
import { type TaskSurroundings, actionsAllowed, NO_SURROUNDINGS, stateOf } from './task/decide.ts'
import { goesOn } from './task/going-on.ts'
import type { HumanTrigger } from './task/transitions.ts'
import { trimEndOf } from './trim.ts'
import { utf8Length } from './text.ts'

/** The contract's urgencies. */
export type NotificationUrgency = 'urgent' | 'high' | 'low'

/** How a push service is to treat a message (RFC 8030, sections 5.2 and 5.3). */
export interface PushPriority {
  /** `Urgency` header: which messages wake a device that saves power. */
  readonly header: 'high' | 'normal' | 'low' | 'very-low'
  /** `TTL` header: how long the service keeps the message for a device that is out of reach. */
  readonly ttlSeconds: number
}

const HOUR_SECONDS = 3600

/** RFC 8030 knows nothing above `high`: what is urgent beyond that, the service worker shows until it is dismissed. */
export const PUSH_PRIORITIES = {
  urgent: { header: 'high', ttlSeconds: 24 * HOUR_SECONDS },
  high: { header: 'high', ttlSeconds: 24 * HOUR_SECONDS },
  low: { header: 'low', ttlSeconds: 4 * HOUR_SECONDS },
} as const satisfies Record<NotificationUrgency, PushPriority>

/** One thing to tell. */
export interface Notification {
  /** Names this outcome of this task, and no other one, whoever observes it. */
  readonly key: string
  /** When the outcome came about, as far as the task tells (RFC 3339). */
  readonly at: string | undefined
  readonly taskId: string
  readonly state: TaskState
  readonly urgency: NotificationUrgency
  readonly title: string
  readonly body: string
  /** What a person may do now, in the order of the table. */
  readonly actions: readonly HumanTrigger[]
  /** A newer notification of the same task replaces an undelivered older one (RFC 8030, section 5.4); ≤ 32 characters. */
  readonly topic: string
}

/** Longest text of a notification, in characters: systems show a few lines. */
const MAX_TITLE_LENGTH = 120
const MAX_BODY_LENGTH = 300

interface Wording {
  readonly urgency: NotificationUrgency
  readonly text: (task: Task) => string | undefined
}

const questionText = ({ status }: Task): string | undefined => status?.question?.items[0]?.text
const errorText = (task: Task): string | undefined => questionText(task) ?? task.status?.error?.message
const FAILURE: Wording = { urgency: 'high', text: errorText }

/** Who accepted comes first: a browser may show no more than the beginning. */
function acceptedText({ status }: Task): string | undefined {
  const last = status?.decisions?.at(-1)
  if (last?.action !== 'accept' || last.by === undefined) return status?.summary
  return [`Accepted by ${last.by}.`, status?.summary].filter((part) => part !== undefined).join(' ')
}

/** How the checks went comes first: `3 checks green. Adds a login page.` */
function readyText({ status = {} }: Task): string | undefined {
  const { checks = [], checksWaived, summary } = status
  const mark = checksMark(
    checks.map(({ name, state, required = true }) => ({ name, state: CHECK_STATE_WORDS[state], required })),
  )
  const checked = checksWaived === undefined ? mark?.words : waivedWords(checksWaived)
  const changed = status.protectedChanges && protectedWords(status.protectedChanges)
  const facts = [checked, changed].filter((part) => part !== undefined).join(', ')
  if (facts === '') return summary
  return [`${facts.charAt(0).toUpperCase()}${facts.slice(1)}.`, summary].filter((part) => part !== undefined).join(' ')
}

const WORDINGS: Partial<Record<TaskState, Wording>> = {
  BLOCKED: { urgency: 'urgent', text: questionText },
  FAILED: FAILURE,
  TIMED_OUT: FAILURE,
  BUDGET_EXCEEDED: FAILURE,
  READY: { urgency: 'low', text: readyText },
  COMPLETED: { urgency: 'low', text: acceptedText },
}

/**
 * What the change of a task from `before` to `after` has to tell people, or undefined. Without `before` the task counts
 * as having come to its state just now: whoever asks so must know what was told already, by the key.
 *
 * @param surroundings of `after`; what they hold back counts as news, which the key keeps from being told twice
 */
export function findNotification(
  before: Task | undefined,
  after: Task,
  surroundings = NO_SURROUNDINGS,
): Notification | undefined {
  const wording = waitsForNobody(after, surroundings) ? undefined : WORDINGS[stateOf(after)]
  if (wording === undefined) return undefined
  const key = outcomeKey(after)
  if (before !== undefined && !waitsForNobody(before, NO_SURROUNDINGS) && outcomeKey(before) === key) return undefined
  const state = stateOf(after)
  const label = limitLabel({ state, error_category: after.status?.error?.category }) ?? TASK_STATE_LABELS[state]
  return {
    key,
    at: outcomeAt(after),
    taskId: after.metadata.name,
    state,
    urgency: wording.urgency,
    title: shorten(`${label}: ${after.spec.title}`, MAX_TITLE_LENGTH),
    body: shorten(wording.text(after) ?? '', MAX_BODY_LENGTH),
    actions: actionsAllowed(after, surroundings),
    topic: topicOf(after),
  }
}

/** What needs nobody, or is no longer anybody's to decide; that work is completed is told all the same. */
function waitsForNobody(task: Task, around: TaskSurroundings): boolean {
  if (task.metadata.deletionTimestamp !== undefined) return true
  const need = { state: stateOf(task), goesOn: goesOn(task, around), actions: actionsAllowed(task, around) }
  return need.state !== 'COMPLETED' && taskAttention(need) === undefined
}

/** One execution can have several outcomes in one state: rejected and resumed, failed again. */
function outcomeKey(task: Task): string {
  const { status = {}, metadata } = task
  const decisions = status.decisions ?? []
  const lastDecisionAt = decisions[decisions.length - 1]?.at
  const parts = [metadata.uid ?? metadata.name, stateOf(task), status.execution, outcomeAt(task), lastDecisionAt]
  return parts.map((part) => part ?? '').join('/')
}

function outcomeAt({ status = {} }: Task): string | undefined {
  const decisions = status.decisions ?? []
  if (status.state === 'BLOCKED') return status.question?.askedAt
  if (status.state === 'COMPLETED') return decisions[decisions.length - 1]?.at ?? status.finishedAt
  if (status.state !== 'READY') return status.finishedAt
  // A parent becomes READY with its last subtask, long after its own execution ended.
  const ready = status.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime
  return latest(status.finishedAt, ready)
}

function latest(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a > b ? a : b
}

/** A UUID without its dashes has exactly the 32 characters that a topic may have. */
function topicOf({ metadata }: Task): string {
  return (metadata.uid ?? metadata.name).replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 32)
}

/** One line without control characters, cut between characters. */
function shorten(text: string, maxLength: number): string {
  const characters = Array.from(text.replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim())
  return characters.length <= maxLength ? characters.join('') : `${characters.slice(0, maxLength - 1).join('')}…`
}

/** What the service worker gets, as JSON; field names are REST's. */
export interface PushPayload {
  readonly title: string
  readonly body: string
  readonly task_id: string
  readonly state: TaskState
  readonly urgency: NotificationUrgency
  /** The task's page; relative to the service worker's origin where no public URL is configured. */
  readonly url: string
  /** The same for all notifications of a task, so that a newer one takes an older one's place. */
  readonly tag: string
  readonly actions: readonly HumanTrigger[]
}

/**
 * The payload of a test that a person asked for: about no task, and it leads back to the settings.
 *
 * @param publicUrl as for {@link toPushPayload}
 */
export function toTestPayload(publicUrl?: string): string {
  const payload: Omit<PushPayload, 'task_id' | 'state'> = {
    title: 'Slipway can notify you here',
    body: 'This is the test that you asked for.',
    urgency: 'high',
    url: `${publicUrl === undefined ? '' : trimEndOf(publicUrl, '/')}/settings`,
    tag: 'slipway-test',
    actions: [],
  }
  return JSON.stringify(payload)
}

/** Largest payload in bytes: 4,096 is what push services must take (RFC 8030, section 7.2), encryption included. */
export const MAX_PAYLOAD_BYTES = 3000

/** The payload of a notification as JSON of at most {@link MAX_PAYLOAD_BYTES}; the body is what gives way. */
export function toPushPayload(notification: Notification, publicUrl?: string): string {
  const { title, taskId, state, urgency, actions } = notification
  const path = `/tasks/${encodeURIComponent(taskId)}`
  const url = publicUrl === undefined ? path : `${trimEndOf(publicUrl, '/')}${path}`
  const make = (body: string, link: string): string => {
    const payload: PushPayload = {
      title,
      body,
      task_id: taskId,
      state,
      urgency,
      url: link,
      tag: `task-${taskId}`,
      actions,
    }
    return JSON.stringify(payload)
  }
  const candidates = [make(notification.body, url), make(shorten(notification.body, 60), url), make('', path)]
  return candidates.find((text) => utf8Length(text) <= MAX_PAYLOAD_BYTES) ?? make('', path)
}
