import { MAX_REASON } from '../../core/agent/choice-reason.ts'
import { CLASSIFICATION_LIMIT_MS, classifyByModel } from '../../core/agent/classify-by-model.ts'
import { makeQueryExecution } from '../../core/query/execution.ts'
import type { ChosenAgent, Execution } from '../../core/crd/types.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { omit } from '../../core/omit.ts'
import { makeClassifyPromptData } from '../../core/prompts/evaluation-data.ts'
import { toMicroTimestamp, toTimestamp } from '../../core/time.ts'
import { clip } from '../../core/text.ts'
import { renderPrompt } from '../../lib/prompts.ts'
import type { Action, Step } from '../action.ts'
import type { ObservedTask } from './observe.ts'
import { refreshWaiting } from './waiting.ts'

/**
 * What comes before the rules' choice counts: a model is asked, waited for, or heard.
 *
 * @param byRules what the rules choose now
 * @returns undefined when that stands
 */
export function letModelChoose(seen: ObservedTask, byRules: ChosenAgent): Step | undefined {
  const { task, question, now } = seen
  if (question === undefined || byRules.chosenBy !== 'Rules') return undefined
  const choice = classifyByModel({ now, task, candidates: seen.candidates, ...question })
  switch (choice.kind) {
    case 'ask': {
      const { execution, classifier } = choice
      const classification = { execution, agent: classifier.metadata.name, askedAt: toMicroTimestamp(now) }
      const status = { ...task.status, classification }
      return { actions: [ask(seen, choice), { kind: 'writeTask', task, status }] }
    }
    case 'wait':
      return { ...refreshWaiting(seen), requeueAt: choice.until }
    case 'chosen':
      return note(seen, choice.agent)
    case 'rules':
      return task.status?.classification === undefined ? undefined : note(seen, withReason(byRules, choice.reason))
    default:
      return choice satisfies never
  }
}

function ask(
  { task }: ObservedTask,
  { execution, classifier, open }: Extract<ReturnType<typeof classifyByModel>, { kind: 'ask' }>,
): Action {
  const question = {
    purpose: 'Classify',
    answerSchema: 'Classification',
    agent: {
      type: classifier.metadata.name,
      model: classifier.spec.classifier?.judgeModel ?? classifier.spec.defaultModel,
    },
    about: { task },
    timeoutMs: CLASSIFICATION_LIMIT_MS,
  } as const
  const prompt = renderPrompt('classify', makeClassifyPromptData(task, open), classifier.spec.prompts)
  return { kind: 'askAgent', execution: makeQueryExecution(execution, task.metadata.namespace, question), prompt }
}

function withReason(byRules: ChosenAgent, reason: string | undefined): ChosenAgent {
  if (reason === undefined) return byRules
  return { ...byRules, reason: clip(`${byRules.reason ?? ''}; ${reason}`, MAX_REASON) }
}

/** The choice, in the place of the question; whoever still thinks about that is stopped. */
function note({ task, question, now }: ObservedTask, agent: ChosenAgent): Step {
  const asked = question?.asked
  const isOpen = asked !== undefined && !isTerminal(asked) && asked.status?.cancelRequestedAt === undefined
  const status = { ...omit(task.status ?? {}, ['classification']), agent }
  return {
    actions: [...(isOpen ? [cancel(asked, now)] : []), { kind: 'writeTask', task, status }],
  }
}

function cancel(execution: Execution, now: Date): Action {
  const status = { ...execution.status, cancelRequestedAt: toTimestamp(now) }
  return { kind: 'writeExecution', execution, status }
}
