/** The diff of an execution: read once, and parsed without stopping the page. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ApiFailure } from '../../core/rest/client/call.ts'
import type { DiffState, LoadedDiff } from '../model/diff-state.ts'
import { type GitDiff, parseInSteps } from '../model/git-diff.ts'
import { api } from './client.ts'

/** Nobody reads more in a browser; the rest is a download away. */
const MAX_BYTES = 20 * 1024 * 1024
/** So long the page may stand still for the parser: half a frame. */
const SLICE_MS = 8
/** A parsed diff takes several times its size in memory, so one that nobody looks at goes soon. */
const KEPT_MS = 60_000

type DiffOf = 'branch' | number | undefined

/**
 * @param executionId undefined while the execution cannot have a diff, such as before its end
 * @param of `branch`: all that its story's branch adds to the default branch; a number: what the checks of that round saw
 */
export function useExecutionDiff(executionId: string | undefined, of?: 'branch' | number): DiffState {
  const { data, error, refetch } = useQuery({
    queryKey: ['diff', executionId, of],
    queryFn: ({ signal }) => readDiff(executionId ?? '', of, signal),
    enabled: executionId !== undefined,
    gcTime: KEPT_MS,
  })
  // The same object while nothing changes: what is computed of a diff is not computed at each render.
  return useMemo(() => {
    if (executionId === undefined || data === 'absent') return { kind: 'absent' }
    if (data !== undefined) return { kind: 'loaded', ...data }
    return error === null ? { kind: 'loading' } : { kind: 'failed', error, retry: () => void refetch() }
  }, [executionId, data, error, refetch])
}

async function readDiff(id: string, of: DiffOf, signal: AbortSignal): Promise<LoadedDiff | 'absent'> {
  const address = addressOf(id, of)
  let range: string | null = null
  try {
    const options = {
      signal,
      headers: { Range: `bytes=0-${MAX_BYTES - 1}` },
      onHeaders: (headers: Headers) => void (range = headers.get('Content-Range')),
    }
    const text = await (typeof of === 'number'
      ? api.getRoundDiff({ params: { id, round: String(of) } }, options)
      : api.getExecutionDiff({ params: { id }, query: of === undefined ? {} : { of } }, options))
    const sizeBytes = Number(/\/(\d+)$/.exec(range ?? '')?.[1] ?? text.length)
    return { diff: await parseInSlices(text, signal), address, sizeBytes, isPartial: sizeBytes > MAX_BYTES }
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return 'absent'
    // An empty file has no first byte (RFC 9110 §15.5.17).
    if (error instanceof ApiFailure && error.status === 416)
      return { diff: await parseInSlices('', signal), address, sizeBytes: 0, isPartial: false }
    throw error
  }
}

function addressOf(id: string, of: DiffOf): string {
  const execution = `/api/executions/${encodeURIComponent(id)}`
  if (typeof of === 'number') return `${execution}/rounds/${of}/diff`
  return `${execution}/diff${of === undefined ? '' : `?of=${of}`}`
}

async function parseInSlices(text: string, signal: AbortSignal): Promise<GitDiff> {
  const steps = parseInSteps(text)
  for (;;) {
    const until = performance.now() + SLICE_MS
    while (performance.now() < until) {
      const step = steps.next()
      if (step.done === true) return step.value
    }
    await nextTask()
    signal.throwIfAborted()
  }
}

/** Lets the page draw and take input. A timer would wait 4 ms each time. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
