/** Colour and icon of checks. Pure. */
import { type ChecksMark, isRedCheck } from '../../core/sentences/checks.ts'
import type { Task } from '../../core/rest/client/client.ts'
import type { StateWords } from './state-words.ts'

type Sign = Pick<StateWords, 'tone' | 'icon'>
type Check = NonNullable<Task['checks']>[number]

const SIGNS: Readonly<Record<ChecksMark['kind'], Sign>> = {
  running: { tone: 'run', icon: 'play' },
  green: { tone: 'done', icon: 'done' },
  red: { tone: 'fail', icon: 'failed' },
}

export function marksSign(kind: ChecksMark['kind']): Sign {
  return SIGNS[kind]
}

/** One that is red and holds nothing back is to be looked at. */
export function checkSign(check: Pick<Check, 'state' | 'required'>): Sign {
  if (check.state === 'running') return SIGNS.running
  if (isRedCheck(check)) return check.required ? SIGNS.red : { tone: 'ask', icon: 'failed' }
  return check.state === 'passed' ? SIGNS.green : { tone: 'wait', icon: 'stopped' }
}

/** The check that is read first; undefined where there is none. */
export function firstToRead<C extends Pick<Check, 'state' | 'required'>>(checks: readonly C[]): C | undefined {
  return worstFirst(checks)[0]
}

/** Those that hold the work back, then the red ones that do not, then what runs, then the others. */
export function worstFirst<C extends Pick<Check, 'state' | 'required'>>(checks: readonly C[]): readonly C[] {
  const rank = (check: C): number => (isRedCheck(check) ? (check.required ? 0 : 1) : check.state === 'running' ? 2 : 3)
  return checks.toSorted((a, b) => rank(a) - rank(b))
}

/** What a check printed, as far as the page has it, and where it is read first. */
export interface CheckLogState {
  /** Lines; undefined until it is known. */
  readonly total: number | undefined
  readonly error: Error | undefined
  readonly retry: () => void
  /** Where it is read first is being looked for. */
  readonly isPending: boolean
  readonly line: number | undefined
  /** Of the whole of it. */
  readonly address: string
  readonly lineAt: (number: number) => LogLine | undefined
  readonly onRange: (first: number, count: number) => void
}

interface LogLine {
  readonly number: number
  readonly text: string
  readonly cut_bytes?: number
}
