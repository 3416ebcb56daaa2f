import type { Execution } from '../../../core/rest/client/client.ts'
import { useLogSearch, useLogTotal } from '../../api/execution-log.ts'
import type { LogStreamName } from './search.ts'

export interface FirstError {
  readonly isPending: boolean
  /** Where a failed run is read first; undefined where the person has chosen, and where there is no more to say. */
  readonly stream?: LogStreamName
  readonly line?: number
}

/** The log of a failed run opens at the first line with an error: on stderr, where something stands there. */
export function useFirstError({ id, state }: Execution, chosen: LogStreamName | undefined): FirstError {
  const isWanted = state === 'FAILED' && chosen === undefined
  const { total, error } = useLogTotal({ id, stream: 'stderr' }, isWanted)
  const stream = total !== undefined && total > 0 ? 'stderr' : 'stdout'
  const isKnown = isWanted && total !== undefined
  const { matches, error: searchError } = useLogSearch({ id, stream, isLive: false }, isKnown ? 'error' : '')
  if (!isWanted || error !== undefined || searchError !== undefined) return { isPending: false }
  if (total === undefined || matches === undefined) return { isPending: true }
  const line = matches.lines[0]
  return { isPending: false, stream, ...(line === undefined ? {} : { line }) }
}
