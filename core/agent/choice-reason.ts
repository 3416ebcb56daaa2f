import { countOf } from '../sentences/amounts.ts'
import { type Text, clip } from '../text.ts'
import { type Fitness, handicapOf } from './fitness.ts'

/** As long as the CRD has room for. */
export const MAX_REASON = 1024
const MAX_WORDS = 5

/** An agent that was passed over, and why, in words. */
export interface PassedOver {
  readonly name: string
  readonly reason: string
}

/**
 * Why the rules chose an agent: what speaks for it, then who was passed over and for what.
 *
 * @param others the open agents that came after it, the best first
 * @param closed the agents that take no work now
 */
export function formatChoiceReason(
  best: Fitness,
  others: readonly Fitness[],
  closed: readonly PassedOver[],
): Text<typeof MAX_REASON> {
  const reasons = [formatTurn(best), ...formatMerits(best)]
  const passed = [...others.map((other) => ({ name: other.name, reason: comparedTo(best, other) })), ...closed]
  const over = passed.map(({ name, reason }) => `${name} (${reason})`).join(', ')
  const text = `${best.name} ${reasons.join('; ')}${over === '' ? '' : `. Passed over: ${over}`}`
  return clip(text, MAX_REASON)
}

function formatTurn({ ahead }: Fitness): string {
  return ahead === 0 ? 'can start at once' : `has ${formatAhead(ahead)}`
}

function formatMerits({ isWished, hinted, record }: Fitness): string[] {
  return [
    ...(isWished ? ['the task asks for it'] : []),
    ...(hinted.length === 0 ? [] : [`its hint fits the task: ${hinted.slice(0, MAX_WORDS).join(', ')}`]),
    ...formatRecord(record),
  ]
}

function formatRecord({ succeeded, failed }: Fitness['record']): string[] {
  const all = succeeded + failed
  return all === 0 ? [] : [`${succeeded} of its ${countOf(all, 'execution')} on this project succeeded`]
}

/** The first thing that decides between the two, in the order of the rules. */
function comparedTo(best: Fitness, other: Fitness): string {
  const isBehind = other.ahead + handicapOf(other.record) > best.ahead + handicapOf(best.record)
  if (isBehind && other.ahead > best.ahead) return formatAhead(other.ahead)
  if (isBehind) return formatRecord(other.record).join('')
  if (best.isWished) return 'the task asks for another'
  if (best.hinted.length > other.hinted.length) return 'its hint fits less'
  const [record] = formatRecord(other.record)
  return record ?? 'as good'
}

function formatAhead(ahead: number): string {
  return `${countOf(ahead, 'task')} ahead`
}
