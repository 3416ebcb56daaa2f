import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { formatCount } from '../../../core/sentences/amounts.ts'
import type { Execution } from '../../../core/rest/client/client.ts'
import { type LogSearch, logAddress, useFirstError, useLog, useLogSearch } from '../../api/execution-log.ts'
import { LogToolbar } from '../../components/log/log-toolbar.tsx'
import { LogView } from '../../components/log/log-view.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import css from './execution.module.css'
import type { LogStreamName } from './search.ts'

interface LogTabProps {
  readonly execution: Execution
  readonly isLive: boolean
  /** From the address; scrolled into view. */
  readonly line: number | undefined
}

/** What the program printed, line by line. The stream, what is searched for and a line are in the URL. */
export function LogTab({ execution, isLive, line }: LogTabProps) {
  const { id } = execution
  const search = useSearch({ from: '/executions/$executionId' })
  const navigate = useNavigate({ from: '/executions/$executionId' })
  const firstError = useFirstError(execution, search.stream)
  const stream = search.stream ?? firstError.stream ?? 'stdout'
  const log = { id, stream, isLive }
  const [range, setRange] = useState({ first: 1, count: 0 })
  const onRange = useCallback((first: number, count: number) => setRange({ first, count }), [])
  const { total, error, retry, lineAt } = useLog(log, range)
  const wanted = search.q ?? ''
  const found = useLogSearch(log, wanted)
  const [isWrapped, setWrapped] = useState(() => localStorage.getItem(WRAP) === 'true')
  const go = (to: { readonly line?: number; readonly search?: Partial<typeof search> }): void =>
    void navigate({
      search: (now) => ({ ...now, tab: 'log', ...to.search }),
      hash: to.line === undefined ? '' : `L${to.line}`,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    })
  const target = line ?? firstError.line
  const matches = found.matches?.lines ?? []
  const step = (by: 1 | -1): void => {
    const next = nextMatch(matches, target, by)
    if (next !== undefined) go({ line: next })
  }
  return (
    <>
      <LogToolbar
        key={stream}
        stream={stream}
        onStream={(chosen) => go({ search: { stream: chosen } })}
        wanted={wanted}
        onWanted={(q) => go({ search: { q } })}
        found={wordsOf(found, target)}
        onAgain={found.error === undefined ? undefined : found.again}
        canStep={matches.length > 0}
        onStep={step}
        isWrapped={isWrapped}
        onWrap={(next) => {
          localStorage.setItem(WRAP, String(next))
          setWrapped(next)
        }}
        address={logAddress(log)}
        total={total}
      />
      {error !== undefined && <ErrorState title="The log could not be read" error={error} onRetry={retry} />}
      {error === undefined && (total === undefined || firstError.isPending) && (
        <Skeleton rows={8} label="The log is being read" />
      )}
      {total === 0 && <NoLines isLive={isLive} stream={stream} />}
      {total !== undefined && total > 0 && !firstError.isPending && (
        <div className={css['log']}>
          <LogView
            key={stream}
            label={stream}
            marked={wanted}
            {...{ total, lineAt, onRange, target, isWrapped, isLive }}
          />
        </div>
      )}
    </>
  )
}

/** Remembered for this person: it is about their screen, and not about a log. */
const WRAP = 'slipway.log.wrap'

function NoLines({ isLive, stream }: { readonly isLive: boolean; readonly stream: LogStreamName }) {
  if (isLive) return <EmptyState title={`Nothing on ${stream} yet`}>Lines appear here as they are printed.</EmptyState>
  const other = stream === 'stdout' ? 'stderr' : 'stdout'
  const link = { from: '/executions/$executionId', to: '.', replace: true } as const
  return (
    <EmptyState title={`Nothing was printed on ${stream}`}>
      Look at{' '}
      <Link {...link} search={(now) => ({ ...now, tab: 'log', stream: other })}>
        {other}
      </Link>
      , or at{' '}
      <Link {...link} search={(now) => ({ ...now, tab: 'details' })}>
        the details
      </Link>
      .
    </EmptyState>
  )
}

/** The match after or before a line, around the ends. */
function nextMatch(matches: readonly number[], line: number | undefined, by: 1 | -1): number | undefined {
  if (line === undefined) return by === 1 ? matches[0] : matches.at(-1)
  return by === 1
    ? (matches.find((match) => match > line) ?? matches[0])
    : (matches.findLast((match) => match < line) ?? matches.at(-1))
}

function wordsOf({ matches, isSearching, error }: LogSearch, line: number | undefined): string {
  if (error !== undefined) return error.message
  if (isSearching) return 'searching …'
  if (matches === undefined) return ''
  const count = `${formatCount(matches.count)}${matches.is_complete ? '' : ' or more'}`
  if (matches.count === 0) return matches.is_complete ? 'no match' : 'no match so far'
  const place = line === undefined ? -1 : matches.lines.indexOf(line)
  return place === -1 ? `${count} ${matches.count === 1 ? 'line' : 'lines'}` : `${place + 1} of ${count}`
}
