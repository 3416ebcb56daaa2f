/** The output of an execution by lines: its end, the pages in sight, and the lines that contain a text. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Answer, Execution } from '../../core/rest/client/client.ts'
import { MAX_LOG_MATCHES } from '../../core/rest/limits.ts'
import type { CheckStateWord } from '../../core/enum-values.ts'
import { isRedCheck } from '../../core/sentences/checks.ts'
import type { CheckLogState } from '../model/check-signs.ts'
import { hasFailed } from '../model/failed-run.ts'
import { api } from './client.ts'

type Window = Awaited<Answer<'readExecutionLog'>>
export type LogLine = Window['lines'][number]
export type LogMatches = Awaited<Answer<'searchExecutionLog'>>

/** A check of one round. */
export interface CheckOfRound {
  readonly name: string
  readonly round: number
}

export interface LogOf {
  readonly id: string
  readonly stream: Window['stream']
  /** What it printed, in place of the stream. */
  readonly check?: CheckOfRound | undefined
  /** It may still grow. */
  readonly isLive: boolean
}

export interface LogState {
  /** Undefined until it is known. */
  readonly total: number | undefined
  readonly error: Error | undefined
  readonly retry: () => void
  /** Undefined while the line is being read. */
  readonly lineAt: (number: number) => LogLine | undefined
}

/** Lines that are read at a time. */
const PAGE = 500
const POLL_MS = 1_000
/** Pages that nobody looks at go soon: a log may have thousands. */
const KEPT_MS = 20_000

/** The lines in sight. */
export interface LogRange {
  readonly first: number
  readonly count: number
}

export function useLog(log: LogOf, range: LogRange): LogState {
  const { id, isLive } = log
  const stream = nameOf(log)
  const end = useQuery({
    // Read once more after the end: what was written last.
    queryKey: ['log', id, stream, 'end', isLive],
    queryFn: ({ signal }) => readEnd(log, signal),
    refetchInterval: isLive ? POLL_MS : false,
    staleTime: 0,
    gcTime: KEPT_MS,
    placeholderData: (previous, query) =>
      query?.queryKey[1] === id && query.queryKey[2] === stream ? previous : undefined,
  })
  const pages = useLogPages(log, range, (end.data?.lines[0]?.number ?? 1) - 1)
  const lineAt = useCallback(
    (number: number) => {
      const first = end.data?.lines[0]?.number
      if (first !== undefined && number >= first) return end.data?.lines[number - first]
      return pages.get(Math.floor((number - 1) / PAGE))?.[(number - 1) % PAGE]
    },
    [end.data, pages],
  )
  return {
    total: end.data?.total_lines,
    error: end.data === undefined ? (end.error ?? undefined) : undefined,
    retry: () => void end.refetch(),
    lineAt,
  }
}

type Pages = ReadonlyMap<number, readonly LogLine[]>

/** @param before the number of lines in front of those that are known as the end */
function useLogPages(log: LogOf, { first, count }: LogRange, before: number): Pages {
  const firstPage = Math.floor((first - 1) / PAGE)
  const lastPage = Math.floor((Math.min(first + count - 1, before) - 1) / PAGE)
  const wanted = Array.from({ length: Math.max(0, lastPage - firstPage + 1) }, (_, i) => firstPage + i)
  return useQueries({
    queries: wanted.map((page) => ({
      queryKey: ['log', log.id, nameOf(log), page],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => ({
        page,
        lines: await readUpTo(log, page * PAGE + 1, (page + 1) * PAGE, signal),
      }),
      gcTime: KEPT_MS,
    })),
    combine: combinePages,
  })
}

interface PageResult {
  readonly data: { readonly page: number; readonly lines: readonly LogLine[] } | undefined
}

function combinePages(results: readonly PageResult[]): Pages {
  return new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.page, data.lines]])))
}

type LogName = Pick<LogOf, 'id' | 'stream' | 'check'>

/** Tells the logs of one execution apart; no stream has a slash. */
function nameOf({ stream, check }: LogName): string {
  return check === undefined ? stream : `${check.round}/${check.name}`
}

/** What a request for lines asks for. */
function queryOf({ stream, check }: LogName) {
  return check === undefined ? { stream } : { check: check.name, round: check.round }
}

/** An answer has fewer lines than were asked for where they are long. */
async function readUpTo(log: LogName, first: number, last: number, signal: AbortSignal): Promise<LogLine[]> {
  const lines: LogLine[] = []
  while (first + lines.length <= last) {
    const query = { ...queryOf(log), from: first + lines.length, count: last - first - lines.length + 1 }
    const more = await api.readExecutionLog({ params: { id: log.id }, query }, { signal })
    if (more.lines.length === 0) break
    lines.push(...more.lines)
  }
  return lines
}

async function readEnd(log: LogName, signal: AbortSignal): Promise<Window> {
  const query = { ...queryOf(log), count: PAGE }
  const end = await api.readExecutionLog({ params: { id: log.id }, query }, { signal })
  const next = (end.lines.at(-1)?.number ?? 0) + 1
  if (next > end.total_lines) return end
  return { ...end, lines: [...end.lines, ...(await readUpTo(log, next, end.total_lines, signal))] }
}

/** How many lines there are, where only that is asked. */
function useLogTotal({ id, stream }: LogName, isWanted: boolean) {
  const { data, error } = useQuery({
    queryKey: ['log', id, stream, 'total'],
    queryFn: ({ signal }) => api.readExecutionLog({ params: { id }, query: { stream, count: 1 } }, { signal }),
    enabled: isWanted,
    gcTime: KEPT_MS,
  })
  return { total: data?.total_lines, error: error ?? undefined }
}

export interface LogSearch {
  readonly matches: LogMatches | undefined
  readonly isSearching: boolean
  readonly error: Error | undefined
  readonly again: () => void
}

const SEARCH_AGAIN_MS = 5_000

/** The lines that contain a text; none is searched for while it is empty. */
export function useLogSearch(log: LogOf, wanted: string): LogSearch {
  const { id, isLive } = log
  const stream = nameOf(log)
  const { data, isFetching, error, refetch } = useQuery({
    queryKey: ['log-search', id, stream, wanted, isLive],
    queryFn: async ({ signal, client, queryKey }) => {
      const search = (from = 1) =>
        api.searchExecutionLog({ params: { id }, query: { ...queryOf(log), q: wanted, from } }, { signal })
      let found = await search()
      while (found.next_line !== undefined) {
        client.setQueryData(queryKey, found)
        const more = await search(found.next_line)
        const lines = [...found.lines, ...more.lines].slice(0, MAX_LOG_MATCHES)
        found = { ...more, count: found.count + more.count, lines }
      }
      return found
    },
    enabled: wanted !== '',
    staleTime: 0,
    gcTime: KEPT_MS,
    // A search costs the server work, and a refusal says so: whether to search again is for the person to say.
    retry: false,
    refetchInterval: isLive ? SEARCH_AGAIN_MS : false,
    placeholderData: (previous, query) =>
      query?.queryKey[1] === id && query.queryKey[2] === stream ? previous : undefined,
  })
  const again = (): void => void refetch()
  return wanted === ''
    ? { matches: undefined, isSearching: false, error: undefined, again }
    : { matches: data, isSearching: isFetching && data === undefined, error: error ?? undefined, again }
}

interface FirstError {
  readonly isPending: boolean
  /** Where a failed run is read first; undefined where the person has chosen, and where there is no more to say. */
  readonly stream?: LogOf['stream']
  readonly line?: number
}

/** The log of a failed run opens at the first line with an error: on stderr, where something stands there. */
export function useFirstError(execution: Execution, chosen?: LogOf['stream']): FirstError {
  const { id } = execution
  const isWanted = hasFailed(execution) && chosen === undefined
  const { total, error } = useLogTotal({ id, stream: 'stderr' }, isWanted)
  const stream = total !== undefined && total > 0 ? 'stderr' : 'stdout'
  const isKnown = isWanted && total !== undefined
  const { matches, error: searchError } = useLogSearch({ id, stream, isLive: false }, isKnown ? 'error' : '')
  if (!isWanted || error !== undefined || searchError !== undefined) return { isPending: false }
  if (total === undefined || matches === undefined) return { isPending: true }
  const line = matches.lines[0]
  return { isPending: false, stream, ...(line === undefined ? {} : { line }) }
}

/** What a check printed; one that is red is read first at its first line with an error, else with a failure. */
export function useCheckLog(id: string, check: CheckOfRound & { readonly state: CheckStateWord }): CheckLogState {
  const { name, round, state } = check
  const log: LogOf = { id, stream: 'stdout', check: { name, round }, isLive: state === 'running' }
  const isRed = isRedCheck(check)
  const errors = useLogSearch(log, isRed ? 'error' : '')
  const isNone = errors.matches?.count === 0
  const failures = useLogSearch(log, isNone ? 'fail' : '')
  const { matches, error: searchError } = isNone ? failures : errors
  const [range, setRange] = useState({ first: 1, count: 0 })
  const onRange = useCallback((first: number, count: number) => setRange({ first, count }), [])
  return {
    ...useLog(log, range),
    isPending: isRed && searchError === undefined && matches === undefined,
    line: matches?.lines[0],
    address: logAddress(log),
    onRange,
  }
}

/** Address of the whole of it, to download. */
export function logAddress({ id, stream, check }: LogName): string {
  const execution = `/api/executions/${encodeURIComponent(id)}`
  if (check === undefined) return `${execution}/${stream}`
  return `${execution}/checks/${check.round}/${encodeURIComponent(check.name)}/log`
}
