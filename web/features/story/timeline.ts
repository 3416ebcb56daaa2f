/** Everything that happened with a story, from its decisions, its events and its executions: pure. */
import { countOf, formatCost, formatSpan, formatTook } from '../../../core/sentences/amounts.ts'
import type { Execution, Story, StoryEvent, Task } from '../../../core/rest/client/client.ts'
import { EXECUTION_PHRASES, STORY_STATUS_LABELS } from '../../../core/sentences/states.ts'
import { failureLine } from '../../model/failure-words.ts'
import { executionStateWords } from '../../model/state-words.ts'
import { type TimelineEntry, DECISION_WORDS } from '../../model/timeline.ts'

/** The kinds by which the timeline is filtered, each with its word. */
export const TIMELINE_KINDS = {
  decision: 'Decisions',
  execution: 'Executions',
  evaluation: 'Evaluation',
  note: 'Notes',
} as const
export type TimelineKind = keyof typeof TIMELINE_KINDS

export type StoryEntry = TimelineEntry<TimelineKind>

interface TimelineSources {
  readonly story: Story
  readonly tasks: readonly Task[]
  readonly events: readonly StoryEvent[]
  readonly executions: readonly Execution[]
}

/** The tasks that have been worked on and changed last, at most so many: those whose executions are read. */
export function latestWorkedOn(tasks: readonly Task[], most: number): readonly Task[] {
  return tasks
    .filter(({ attempts, execution_id }) => attempts > 0 || execution_id !== undefined)
    .sort((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at))
    .slice(0, most)
}

/** All entries from that instant on, newest first. @param since RFC 3339; left out: from the beginning */
export function timelineOf(
  { story, tasks, events, executions }: TimelineSources,
  since?: string,
): readonly StoryEntry[] {
  const names = new Map(tasks.map(({ id, name }) => [id, name]))
  const isAccepted = story.decisions.some(({ action, status }) => action === 'accept' || status === 'DONE')
  const told = events.filter(({ kind }) => kind !== 'human_accepted' || !isAccepted)
  const entries = [
    { ...START, id: 'created', at: story.created_at },
    ...story.decisions.map(ofStoryDecision),
    ...tasks.flatMap((task) => task.decisions.map((decision, index) => ofTaskDecision(task, decision, index))),
    ...told.map(ofEvent),
    ...executions.map((execution) => ofExecution(execution, names.get(execution.task_id ?? '') ?? story.name)),
  ]
  const known = since === undefined ? entries : entries.filter(({ at }) => Date.parse(at) >= Date.parse(since))
  return known.sort((a, b) => Date.parse(b.at) - Date.parse(a.at) || (a.id < b.id ? 1 : -1))
}

const START = { kind: 'note', tone: 'wait', icon: 'clock', title: 'The story was created', detail: '' } as const

function ofStoryDecision({ action, status, by, at }: Story['decisions'][number], index: number): StoryEntry {
  const title = {
    accept: 'The story was accepted',
    approve: 'The plan was approved',
    move: `Moved to ${status === undefined ? 'another status' : STORY_STATUS_LABELS[status]}`,
  }[action]
  const isEnd = action === 'accept' || status === 'DONE'
  const sign = isEnd ? ({ tone: 'done', icon: 'done' } as const) : ({ tone: 'wait', icon: 'play' } as const)
  return { id: `story-decision-${index}`, at, kind: 'decision', ...sign, title, detail: byWords(by) }
}

function ofTaskDecision(task: Task, decision: Task['decisions'][number], index: number): StoryEntry {
  const { was, tone, icon } = DECISION_WORDS[decision.action]
  const said = decision.comment === undefined || decision.comment === '' ? '' : `“${decision.comment}”`
  return {
    id: `${task.id}-decision-${index}`,
    at: decision.at,
    kind: 'decision',
    tone,
    icon,
    title: `${task.name} ${was}`,
    detail: join(byWords(decision.by), said),
    taskId: task.id,
  }
}

type Sign = Pick<StoryEntry, 'tone' | 'icon'>

function ofEvent({ id, kind, payload, at, by }: StoryEvent): StoryEntry {
  const entry = { id, at, detail: byWords(by) }
  const criterion = textOf(payload['criterion'])
  switch (kind) {
    case 'eval_verdict': {
      const verdict = textOf(payload['verdict'])
      const judge = textOf(payload['agent'])
      const detail = join(judge === '' ? byWords(by) : `by ${judge}`, criterion, textOf(payload['evidence']))
      const title = `A criterion ${VERDICTS.get(verdict)?.words ?? 'was judged'}`
      return { ...entry, kind: 'evaluation', ...signOf(verdict), title, detail, ...executionOf(payload) }
    }
    case 'arbitration_decided': {
      const verdict = textOf(payload['decided'])
      const detail = join(`by ${textOf(payload['by'])}`, criterion, textOf(payload['reason']))
      const title = `The arbiter decided: it ${VERDICTS.get(verdict)?.words ?? 'is open'}`
      return { ...entry, kind: 'evaluation', ...signOf(verdict), title, detail, ...executionOf(payload) }
    }
    case 'human_accepted':
      return { ...entry, kind: 'decision', tone: 'done', icon: 'done', title: 'The story was accepted' }
    case 'retro_captured':
      return { ...entry, kind: 'note', tone: 'wait', icon: 'eye', title: 'What it took', detail: retroWords(payload) }
    case 'epic_proposed': {
      const proposal = { title: textOf(payload['title']), description: textOf(payload['description']) }
      const title = `Later work was proposed: ${proposal.title}`
      return { ...entry, kind: 'note', tone: 'ask', icon: 'eye', title, detail: proposal.description, proposal }
    }
    default:
      return kind satisfies never
  }
}

const VERDICTS: ReadonlyMap<string, Sign & { readonly words: string }> = new Map([
  ['pass', { words: 'holds', tone: 'done', icon: 'done' }],
  ['passed', { words: 'holds', tone: 'done', icon: 'done' }],
  ['fail', { words: 'does not hold', tone: 'fail', icon: 'failed' }],
  ['failed', { words: 'does not hold', tone: 'fail', icon: 'failed' }],
  ['unknown', { words: 'could not be judged', tone: 'wait', icon: 'question' }],
])

function signOf(verdict: string): Sign {
  const { tone, icon } = VERDICTS.get(verdict) ?? { tone: 'wait', icon: 'eye' }
  return { tone, icon }
}

function executionOf({ execution }: StoryEvent['payload']): Pick<StoryEntry, 'executionId'> {
  const id = textOf(execution)
  return id === '' ? {} : { executionId: id }
}

function retroWords(payload: StoryEvent['payload']): string {
  const { attempts, failed_attempts: failed, rejections, cost_usd: cost, duration_seconds: seconds } = payload
  return join(
    typeof attempts === 'number' ? countOf(attempts, 'attempt') : '',
    typeof failed === 'number' && failed > 0 ? `${failed} failed` : '',
    typeof rejections === 'number' && rejections > 0 ? `${rejections} sent back` : '',
    typeof seconds === 'number' ? formatSpan(seconds * 1_000) : '',
    (typeof cost === 'number' ? formatCost(cost) : undefined) ?? '',
  )
}

function ofExecution(execution: Execution, name: string): StoryEntry {
  const { id, task_id, purpose, agent, started_at, finished_at, created_at, cost_usd, error } = execution
  const { tone, icon } = executionStateWords(execution)
  const words = EXECUTION_PHRASES[execution.state]
  return {
    id,
    at: finished_at ?? started_at ?? created_at,
    kind: 'execution',
    tone,
    icon,
    title: purpose === 'deliver' ? `Delivery of ${name} ${words}` : `${name} ${words}`,
    detail: join(
      agent ?? '',
      formatTook({ started_at, finished_at }) ?? '',
      formatCost(cost_usd) ?? '',
      error === undefined ? '' : failureLine(error),
    ),
    taskId: task_id,
    executionId: id,
  }
}

function byWords(by: string | undefined): string {
  return by === undefined ? '' : `by ${by}`
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ')
}

/** Payloads are free: what is no text says nothing. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
