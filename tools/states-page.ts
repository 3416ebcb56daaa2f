import { STORY_MOVES, STORY_SYSTEM_MOVES } from '../core/story/transitions.ts'
import {
  type TaskTrigger,
  findNextState,
  HUMAN_TRIGGERS,
  TASK_TRANSITIONS,
  TASK_TRIGGERS,
  triggersFrom,
} from '../core/task/transitions.ts'
import { TASK_STATE_VALUES } from '../core/crd/enums.ts'

/** What each trigger means, for readers; the moves themselves come from the table. */
const MEANING: Readonly<Record<TaskTrigger, string>> = {
  run: 'run the task, from a fresh clone',
  accept: 'accept the work',
  reject: 'send the work back with a comment',
  cancel: 'cancel the task; a RUNNING one moves when its execution has ended',
  resume: 'continue in the kept clone and session',
  answer: "answer the agent's question",
  start: 'a slot is free and the dependencies are satisfied',
  waive: 'have the work delivered although checks are red',
  revise: 'ask for changes: the agent goes on in the same session',
  succeed: 'the execution succeeded',
  fail: 'the execution failed',
  timeOut: 'the execution took too long',
  exceedBudget: 'a quota or the budget is used up',
  ask: 'the agent asked a question',
  waitForSubtasks: 'the execution succeeded and subtasks are unfinished',
  subtasksDone: 'all subtasks are READY or COMPLETED',
  queue: 'queued by the system: by runPolicy Auto, by a parent, or because a dependent task was run',
  retry: 'the time of an automatic attempt has come',
  reopen:
    'accepted work could not be delivered: it conflicts, its branch has moved since the review, or it was refused repeatedly',
}

/** docs/states.md: both tables, each as a diagram and as rows. */
export function renderStatesPage(): string {
  return `${[
    '<!-- Generated from core/task/transitions.ts and core/story/transitions.ts by tools/generate.ts; do not edit. -->',
    '# States',
    'A move that is not listed here is refused everywhere: by the API server (409), by the operator, by the CLI, and by a CEL rule in the CRD. A resource without a state reads as PENDING (tasks) or DISCOVERY (stories).',
    '## Tasks',
    taskDiagram(),
    '### Moves',
    taskTable(),
    '### What moves a task',
    triggerTable(),
    '## Stories',
    storyDiagram(),
    storyTable(),
    'A DONE story never moves. People move a story with `PUT /api/stories/{id}/status`; REVIEW_READY to DONE is the accept. The system moves it when work begins (IN_PROGRESS), when all its tasks are done (SHIPPABLE), and at a reject, a revise, a run or a new task (IN_PROGRESS).',
  ].join('\n\n')}\n`
}

function taskDiagram(): string {
  const moves = TASK_STATE_VALUES.flatMap((from) => {
    const targets = new Set(Object.values<string>(TASK_TRANSITIONS[from]))
    return [...targets].map((to) => `  ${from} --> ${to}: ${triggersBetween(from, to).join(', ')}`)
  })
  return mermaid(['  [*] --> PENDING', ...moves])
}

function triggersBetween(from: (typeof TASK_STATE_VALUES)[number], to: string): TaskTrigger[] {
  return triggersFrom(from).filter((trigger) => findNextState(from, trigger) === to)
}

function taskTable(): string {
  const rows = TASK_STATE_VALUES.flatMap((from) => {
    const triggers = triggersFrom(from)
    if (triggers.length === 0) return [[from, '–', '–', '–']]
    return triggers.map((trigger) => [
      from,
      trigger,
      isHuman(trigger) ? 'person' : 'system',
      findNextState(from, trigger) ?? '',
    ])
  })
  return table(['From', 'Trigger', 'Who', 'To'], rows)
}

function triggerTable(): string {
  return table(
    ['Trigger', 'Who', 'Meaning'],
    TASK_TRIGGERS.map((trigger) => [trigger, isHuman(trigger) ? 'person' : 'system', MEANING[trigger]]),
  )
}

function isHuman(trigger: TaskTrigger): boolean {
  return HUMAN_TRIGGERS.some((human) => human === trigger)
}

function storyDiagram(): string {
  const moves = Object.entries<readonly string[]>(STORY_MOVES).flatMap(([from, targets]) =>
    targets.map((to) => `  ${from} --> ${to}`),
  )
  return mermaid(['  [*] --> DISCOVERY', ...moves])
}

function storyTable(): string {
  const system: Readonly<Record<string, readonly string[]>> = STORY_SYSTEM_MOVES
  const rows = Object.entries<readonly string[]>(STORY_MOVES).map(([from, targets]) => [
    from,
    targets.join(', ') || '–',
    system[from]?.join(', ') || '–',
  ])
  return table(['From', 'By a person to', 'By the system to'], rows)
}

function mermaid(lines: readonly string[]): string {
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```'].join('\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
