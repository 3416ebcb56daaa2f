import type { ChosenAgent, Task } from '../crd/types.ts'
import { API_VERSION } from '../names.ts'
import { SCRIPT_AGENT } from '../task/agent-spec.ts'
import { parseTimestamp } from '../time.ts'
import { findImageProblem } from './allowed-images.ts'
import type { Candidate } from './fitness.ts'
import { classify } from './classify.ts'
import { limitedUntil, closedReason } from './schedule.ts'
import { clip } from '../text.ts'
import { MAX_REASON } from './choice-reason.ts'

/** An agent that might answer a query. */
export interface QueryCandidate extends Candidate {
  /** Queries that it has not answered yet; it answers one at a time. */
  readonly unanswered: number
}

/** The agent that answers, or why none of them can. */
export type QueryChoice =
  | { readonly kind: 'chosen'; readonly agent: ChosenAgent & { readonly type: string } }
  | {
      readonly kind: 'none'
      /** One sentence for each agent that might have answered. */
      readonly reasons: readonly string[]
      /** Whole seconds after which one of them is no longer limited, where that is all that stands against it. */
      readonly retryAfterSeconds?: number
    }

/**
 * The agent that answers a query, by the rules that choose one for a task, among those with the fewest queries before
 * this one: the open one that is least busy, with the hints that fit the words of what is
 * asked. A script answers nothing, so it is never chosen.
 *
 * @param named the one agent that is asked for; it may be one that the rules never offer
 */
export function chooseForQuery(words: string, candidates: readonly QueryCandidate[], named?: string): QueryChoice {
  const able = candidates.filter(({ agent }) => agent.spec.adapter !== SCRIPT_AGENT)
  const offered = named === undefined ? able : able.filter(({ agent }) => agent.metadata.name === named)
  const chosen = named === undefined ? chooseFreest(words, able) : chooseOnly(words, offered)
  if (chosen?.type !== undefined) return { kind: 'chosen', agent: { ...chosen, type: chosen.type } }
  const reasons = offered.map(formatReason)
  const waits = offered.flatMap(secondsLimited)
  return {
    kind: 'none',
    reasons: reasons.length === 0 ? ['there is no agent but scripts, and a script answers nothing'] : reasons,
    ...(waits.length === 0 ? {} : { retryAfterSeconds: Math.min(...waits) }),
  }
}

function chooseFreest(words: string, candidates: readonly QueryCandidate[]): ChosenAgent | undefined {
  const counts = [...new Set(candidates.map(({ unanswered }) => unanswered))].sort((a, b) => a - b)
  for (const count of counts) {
    const freest = candidates.filter(({ unanswered }) => unanswered === count)
    const chosen = classify(toTask(words), freest)
    if (chosen !== undefined) return chosen
  }
  return undefined
}

function chooseOnly(words: string, [only]: readonly Candidate[]): ChosenAgent | undefined {
  if (only === undefined || cannotAnswerReason(only) !== undefined) return undefined
  const { name } = only.agent.metadata
  const chosen = classify({ ...toTask(words), spec: { title: words, agent: { type: name } } }, [only])
  return chosen && { ...chosen, chosenBy: 'Request', reason: clip('named in the request', MAX_REASON) }
}

/** The question, as the rules for tasks read it. */
function toTask(words: string): Task {
  return { apiVersion: API_VERSION, kind: 'Task', metadata: { name: '' }, spec: { title: words } }
}

function cannotAnswerReason({ agent, now, unavailable, projectImage }: Candidate): string | undefined {
  return unavailable ?? closedReason(agent, now) ?? findImageProblem(agent, projectImage)
}

function formatReason(candidate: Candidate): string {
  const { name } = candidate.agent.metadata
  const reason = cannotAnswerReason(candidate) ?? `agent ${name} is used only when it is named: ?agent=${name}`
  return reason.startsWith(`agent ${name}`) ? reason : `agent ${name}: ${reason}`
}

function secondsLimited({ agent, now, unavailable }: Candidate): number[] {
  const until = limitedUntil(agent, now)
  const isOnlyLimited = unavailable === undefined && agent.status?.drained === undefined
  if (until === undefined || !isOnlyLimited) return []
  return [Math.ceil((parseTimestamp(until).getTime() - now.getTime()) / 1000)]
}
