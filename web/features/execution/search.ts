/** What the URL of an execution says: the tab, the stream of its log and what is searched for in it. Pure. */
const EXECUTION_TABS = ['conversation', 'log', 'services', 'checks', 'changes', 'artifacts', 'details'] as const
export type ExecutionTab = (typeof EXECUTION_TABS)[number]
export type LogStreamName = 'stdout' | 'stderr'

export interface ExecutionSearch {
  readonly tab?: ExecutionTab
  readonly stream?: LogStreamName
  readonly q?: string
  /** Round and name of a check: `2/test`. */
  readonly check?: string
}

const CHECK = /^[1-9]\d{0,8}\/[a-z0-9-]{1,40}$/
const MAX_QUERY = 200

/** What does not fit is left out, as if it had not been given. */
export function parseExecutionSearch(search: Readonly<Record<string, unknown>>): ExecutionSearch {
  const tab = EXECUTION_TABS.find((known) => known === search['tab'])
  const stream = (['stdout', 'stderr'] as const).find((known) => known === search['stream'])
  // The router reads `?q=404` as a number.
  const given = typeof search['q'] === 'number' ? String(search['q']) : search['q']
  const check = typeof search['check'] === 'string' && CHECK.test(search['check']) ? search['check'] : ''
  const q = typeof given === 'string' ? given.replace(/[\r\n]/g, ' ').slice(0, MAX_QUERY) : ''
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(stream === undefined ? {} : { stream }),
    ...(q === '' ? {} : { q }),
    ...(check === '' ? {} : { check }),
  }
}
