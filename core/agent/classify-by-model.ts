import type { Classification } from '../answer/classification.ts'
import type { Agent, ChosenAgent, Execution, Task } from '../crd/types.ts'
import { isTerminal } from '../execution/state.ts'
import { SCRIPT_AGENT } from '../task/agent-spec.ts'
import { addMs, parseTimestamp } from '../time.ts'
import { clip, compareTexts } from '../text.ts'
import { MAX_REASON } from './choice-reason.ts'
import type { Candidate } from './fitness.ts'
import { chooseModel, classify } from './classify.ts'
import { closedReason } from './schedule.ts'

/** How long the rules wait for a model. */
export const CLASSIFICATION_LIMIT_MS = 10_000

/** Whether a model chooses the agent of a task. */
export type ModelChoice =
  /** The rules choose; `why` says what came of the question, where one was put. */
  | { readonly kind: 'rules'; readonly reason?: string }
  | {
      readonly kind: 'ask'
      readonly classifier: Agent
      readonly execution: string
      readonly open: readonly Candidate[]
    }
  | { readonly kind: 'wait'; readonly until: Date }
  | { readonly kind: 'chosen'; readonly agent: ChosenAgent }

/** Everything that it depends on. */
export interface ModelChoiceFacts {
  readonly now: Date
  /** QUEUED, lacking nothing but an agent and its slot. */
  readonly task: Task
  readonly candidates: readonly Candidate[]
  /** The Execution that asks, where the task says that one does and it exists. */
  readonly asked: Execution | undefined
  /** Its answer, where that has the form. */
  readonly answer: Classification | undefined
}

/**
 * A classifier (an agent whose `classifier.judges` is set) is asked when more than one could take the task; its word counts when it names one of those
 * within the time, and the rules choose otherwise. One question for each time that the task is queued.
 */
export function classifyByModel(facts: ModelChoiceFacts): ModelChoice {
  const { task, candidates, now } = facts
  const { classification } = task.status ?? {}
  const execution = classificationName(task)
  // One at a time: only so the rules tell of each agent whether they would give the task to it.
  const open = candidates.filter((candidate) => classify(task, [candidate]) !== undefined)
  if (classification?.execution === execution) return readAnswer(facts, open, classification)
  const classifier = candidates
    .filter((candidate) => canClassify(candidate, now))
    .map(({ agent }) => agent)
    .sort((a, b) => compareTexts(a.metadata.name, b.metadata.name))[0]
  return classifier === undefined || open.length < 2 ? { kind: 'rules' } : { kind: 'ask', classifier, execution, open }
}

/** Execution that asks about a task: one for each time that it is queued, so that no older answer counts. */
export function classificationName({ metadata, status }: Task): string {
  const queuedAt = status?.queuedAt === undefined ? 0 : parseTimestamp(status.queuedAt).getTime()
  return `classify-${(metadata.uid ?? metadata.name).replaceAll('-', '')}-q${queuedAt.toString(36)}`
}

/** Whether an agent is one that may be asked at all; says nothing about whether it can be asked now. */
export function isClassifier({ spec }: Agent): boolean {
  return spec.classifier?.judges === true && spec.adapter !== SCRIPT_AGENT
}

function canClassify({ agent, unavailable }: Candidate, now: Date): boolean {
  return isClassifier(agent) && unavailable === undefined && closedReason(agent, now) === undefined
}

type Question = NonNullable<NonNullable<Task['status']>['classification']>

function readAnswer(
  { now, task, asked, answer }: ModelChoiceFacts,
  open: readonly Candidate[],
  question: Question,
): ModelChoice {
  const until = addMs(parseTimestamp(question.askedAt), CLASSIFICATION_LIMIT_MS)
  const classifier = question.agent
  if (asked !== undefined && !isTerminal(asked)) {
    return now < until
      ? { kind: 'wait', until }
      : { kind: 'rules', reason: `agent ${classifier} gave no answer within 10 s` }
  }
  if (answer === undefined) return { kind: 'rules', reason: `agent ${classifier} gave no usable answer` }
  const named = open.find(({ agent }) => agent.metadata.name === answer.agent)?.agent
  if (named === undefined) {
    return {
      kind: 'rules',
      reason: `agent ${classifier} named ${clip(answer.agent, 60)}, which cannot take the task`,
    }
  }
  const model = chooseModel(task, named)
  const reason = clip(`agent ${classifier} chose ${named.metadata.name}: ${answer.reason}`, MAX_REASON)
  const chosen = { type: named.metadata.name, chosenBy: 'Model', reason } as const
  return { kind: 'chosen', agent: model === undefined ? chosen : { ...chosen, model } }
}
