import type { EvaluationRole, Story } from '../crd/types.ts'

/**
 * Names of what an evaluation makes: from story, round, role and criterion alone, so that making it again after a crash
 * is AlreadyExists and harmless. From the story's uid and not its name: it is short enough for names of 50 characters,
 * and a story made anew under the same name does not meet what the earlier one left on the volume.
 */

/** Execution of the `<attempt>`-th run of a role, such as `evaluate-0f8f…-1-first2`. */
export function evaluationName(story: Story, round: number, role: EvaluationRole, attempt: number): string {
  return `${roundPrefix(story, round)}${role.toLowerCase()}${attempt}`
}

/** Whether an Execution is one of a round, by its name alone. */
export function isOfRound(execution: string, story: Story, round: number): boolean {
  return execution.startsWith(roundPrefix(story, round))
}

/** Event about one criterion: the verdict of the first (a) or second (b) agent, or the arbiter's decision (c). */
export function criterionEventName(story: Story, round: number, role: EvaluationRole, criterion: string): string {
  return `ev-${uidOf(story)}-${round}${LETTERS[role]}${criterion.slice(1)}`
}

/** Event that a story has once, such as `retro-0f8f…`. */
export function onceEventName(story: Story, what: 'retro' | 'epic'): string {
  return `${what}-${uidOf(story)}`
}

const LETTERS = { First: 'a', Second: 'b', Arbiter: 'c' } as const satisfies Record<EvaluationRole, string>

function roundPrefix(story: Story, round: number): string {
  return `evaluate-${uidOf(story)}-${round}-`
}

function uidOf({ metadata }: Story): string {
  return (metadata.uid ?? metadata.name).replaceAll('-', '')
}
