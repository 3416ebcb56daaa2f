/** How this person reads diffs, and which files they have viewed; kept in this browser. */
import { asRecord, parseJson } from '../../../core/json.ts'
import type { Layout } from './rows.ts'

export interface DiffPreferences {
  /** Left out: by the width of the view. */
  readonly layout?: Layout
  readonly wraps: boolean
  readonly ignoresWhitespace: boolean
  readonly showsTree: boolean
}

const PREFERENCES = 'slipway.diff'
const VIEWED = 'slipway.diff.viewed'
/** Executions whose ticks are kept; the oldest go first. */
const MAX_EXECUTIONS = 30

export function readPreferences(): DiffPreferences {
  const stored = asRecord(parseJson(localStorage.getItem(PREFERENCES) ?? ''))
  const layout = (['unified', 'split'] as const).find((name) => name === stored['layout'])
  return {
    ...(layout === undefined ? {} : { layout }),
    wraps: stored['wraps'] !== false,
    ignoresWhitespace: stored['ignoresWhitespace'] === true,
    showsTree: stored['showsTree'] !== false,
  }
}

export function storePreferences(preferences: DiffPreferences): void {
  localStorage.setItem(PREFERENCES, JSON.stringify(preferences))
}

export function readViewed(executionId: string): ReadonlySet<string> {
  const paths = asRecord(parseJson(localStorage.getItem(VIEWED) ?? ''))[executionId]
  return new Set(Array.isArray(paths) ? paths.filter((path): path is string => typeof path === 'string') : [])
}

export function storeViewed(executionId: string, paths: ReadonlySet<string>): void {
  const { [executionId]: _own, ...others } = asRecord(parseJson(localStorage.getItem(VIEWED) ?? ''))
  const kept = Object.entries(others).slice(1 - MAX_EXECUTIONS)
  localStorage.setItem(VIEWED, JSON.stringify(Object.fromEntries([...kept, [executionId, [...paths]]])))
}
