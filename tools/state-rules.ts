import { STORY_MOVES, STORY_SYSTEM_MOVES } from '../core/story/transitions.ts'
import { TASK_TRANSITIONS } from '../core/task/transitions.ts'

/** From each state the states that it may move to, each once, in the order of the table. */
export type Moves = Readonly<Record<string, readonly string[]>>

/** What one rule says: whose field, by which moves. */
export interface StateRule {
  /** Kind whose CRD carries the rule. */
  readonly kind: string
  /** Field below `.status`. */
  readonly field: string
  readonly moves: Moves
}

export const STATE_RULES: readonly StateRule[] = [
  { kind: 'Task', field: 'state', moves: taskMoves() },
  { kind: 'Story', field: 'status', moves: storyMoves() },
]

/** Moves of a task, whoever makes them. */
function taskMoves(): Moves {
  return mapValues(TASK_TRANSITIONS, (row) => [...new Set(Object.values(row))])
}

/** Moves of a story, by people and by the system. */
function storyMoves(): Moves {
  const system: Moves = STORY_SYSTEM_MOVES
  return mapValues(STORY_MOVES, (targets, from) => [...new Set([...targets, ...(system[from] ?? [])])])
}

function mapValues<T>(record: Readonly<Record<string, T>>, map: (value: T, key: string) => readonly string[]): Moves {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]))
}

const INDENT = ' '.repeat(12)
const BEGIN = `${INDENT}# BEGIN GENERATED state moves`
const END = `${INDENT}# END GENERATED state moves`

/**
 * The YAML of a CRD with the rule between its two marks written anew; the rest stays as it is, byte for byte.
 *
 * @throws Error when the marks are missing
 */
export function writeStateRule(yaml: string, rule: StateRule): string {
  const begin = yaml.indexOf(BEGIN)
  const end = yaml.indexOf(END)
  if (begin === -1 || end < begin) throw new Error(`the CRD of ${rule.kind} lacks the marks of its generated rule`)
  const lines = renderRule(rule).map((line) => `${INDENT}${line}\n`)
  return `${yaml.slice(0, begin)}${BEGIN} (source: core/${rule.kind.toLowerCase()}/transitions.ts)\n${lines.join('')}${yaml.slice(end)}`
}

/**
 * A CEL transition rule: an object without a state may get any (an archived task takes its state back), the same
 * state passes, a state is never taken away, and anything else must be in the table.
 */
function renderRule({ kind, field, moves }: StateRule): string[] {
  const before = `oldSelf.status.${field}`
  const after = `self.status.${field}`
  const allowed = Object.entries(moves).filter(([, targets]) => targets.length > 0)
  const rows = allowed.map(([from, to]) => `|| (${before} == '${from}' && ${after} in [${to.map(quote).join(', ')}])`)
  const name = kind.toLowerCase()
  return [
    '- rule: >-',
    `    !has(oldSelf.status) || !has(${before}) || (has(self.status) && has(${after}) && (`,
    `    ${after} == ${before}`,
    ...rows.map((row) => `    ${row}`),
    '    ))',
    `  message: status.${field} cannot move this way; docs/states.md lists the moves that are allowed`,
    '  messageExpression: >-',
    `    '${name} cannot move from ' + ${before} + ' to '`,
    `    + (has(self.status) && has(${after}) ? ${after} : 'none')`,
    `  fieldPath: .status.${field}`,
  ]
}

function quote(state: string): string {
  return `'${state}'`
}
