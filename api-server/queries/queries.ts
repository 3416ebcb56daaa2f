/**
 * Queries to agents, made while a caller waits (specification §6.14).
 *
 * A query is an Execution: this server writes its prompt and creates it, the operator runs it, and its end and its
 * answer are read here. Nothing is kept in this process but who waits: every change of an execution or an agent rings
 * the event of each wait, which then looks at the status of its query (core/query/status.ts). A wait that ends without an answer, because
 * the caller has gone, its time is over or the server stops, asks the operator to cancel. When even that is lost, with
 * this process or with the control plane, the execution ends by its own timeout.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Query, makeQueryExecution } from '../../core/query/execution.ts'
import { formatDelayMessage, queryStatus } from '../../core/query/status.ts'
import { type ApiError, apiError } from '../../core/errors.ts'
import { executionPath } from '../../core/execution/layout.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { addMs, toTimestamp } from '../../core/time.ts'
import type { KubeClient } from '../../kube/types.ts'
import { type AutoResetEvent, createAutoResetEvent } from '../../lib/async.ts'
import { findAnswer, writePrompt } from '../../lib/query-files.ts'
import { type Clock, delay } from '../../lib/clock.ts'
import type { Logger } from '../../lib/log.ts'
import type { Check } from '../../lib/validate.ts'
import type { Caches } from '../cache/caches.ts'
import { changeRecord, createRecord } from '../commands/writes.ts'

/** A query, and how long and for whom its answer is waited for. */
export interface QueryRequest<T> extends Query {
  readonly prompt: string
  /** Checks the answer: an agent wrote the file. */
  readonly check: Check<T>
  /** How long the caller waits in all. */
  readonly limitMs: number
  /** Aborts when the caller is no longer there. */
  readonly gone: AbortSignal
}

export interface Queries {
  /**
   * Asks, and waits for the answer.
   *
   * @throws ApiError `agent_unavailable`, `agent_failed`, `agent_timed_out`, `unprocessable` for an answer that cannot be used; `caller_gone`;
   *   `unavailable` while the server stops
   */
  ask<T>(request: QueryRequest<T>): Promise<T>
  /** Ends all waits and cancels what they wait for; a control plane that does not answer keeps no server from stopping. */
  close(): Promise<void>
}

export interface QueryOptions {
  readonly client: KubeClient
  readonly namespace: string
  readonly volumeRoot: string
  readonly caches: Caches
  readonly clock: Clock
  readonly logger: Logger
  readonly makeId: (kind: string) => string
}

const STOP_TIMEOUT_MS = 5000

export function createQueries(options: QueryOptions): Queries {
  const { caches, clock } = options
  const waits = new Set<{ readonly changed: AutoResetEvent; readonly over: Promise<unknown> }>()
  let isClosed = false
  const setAll = (): void => waits.forEach(({ changed }) => changed.set())
  caches.executions.informer.onChange(setAll)
  caches.agents.informer.onChange(setAll)

  const perform = async <T>(request: QueryRequest<T>, changed: AutoResetEvent): Promise<T> => {
    const name = options.makeId(request.purpose.toLowerCase())
    const deadline = addMs(clock.now(), request.limitMs)
    await start(options, name, request)
    try {
      await untilAnswered({ ...options, isClosed: () => isClosed, deadline }, name, request, changed)
    } catch (error) {
      await cancel(options, name)
      throw error
    }
    return readAnswer(options, name, request)
  }
  return {
    async ask(request) {
      if (isClosed) throw stopping()
      if (request.gone.aborted) throw apiError('caller_gone')
      const changed = createAutoResetEvent(clock)
      const over = perform(request, changed)
      const wait = { changed, over: over.catch(() => undefined) }
      waits.add(wait)
      request.gone.addEventListener('abort', changed.set, { once: true })
      try {
        return await over
      } finally {
        request.gone.removeEventListener('abort', changed.set)
        waits.delete(wait)
      }
    },
    async close() {
      isClosed = true
      const open = [...waits]
      setAll()
      await Promise.race([Promise.all(open.map(({ over }) => over)), delay(clock, STOP_TIMEOUT_MS)])
    },
  }
}

function stopping(): ApiError {
  return apiError('unavailable', 'the server is stopping; ask again')
}

/** The prompt is there before the execution is: who sees one may run it at once. */
async function start(
  { client, clock, caches, namespace, volumeRoot }: QueryOptions,
  name: string,
  request: QueryRequest<unknown>,
): Promise<void> {
  try {
    await writePrompt(volumeRoot, name, request.prompt)
    await createRecord({ client, clock }, caches.executions, 'execution', makeQueryExecution(name, namespace, request))
  } catch (error) {
    await rm(join(volumeRoot, executionPath(name)), { recursive: true, force: true })
    throw error
  }
}

async function untilAnswered(
  { caches, clock, isClosed, deadline }: QueryOptions & { readonly isClosed: () => boolean; readonly deadline: Date },
  name: string,
  { agent, limitMs, gone }: QueryRequest<unknown>,
  changed: AutoResetEvent,
): Promise<void> {
  for (;;) {
    if (gone.aborted) throw apiError('caller_gone')
    if (isClosed()) throw stopping()
    const now = clock.now()
    const execution = caches.executions.find(name)
    const status = queryStatus({ execution, agent: caches.agents.find(agent.type), now })
    if (status.kind === 'answered') return
    if (status.kind === 'refused') throw status.error
    if (now >= deadline) throw apiError('agent_timed_out', formatDelayMessage(execution, limitMs))
    await changed.wait(deadline.getTime() - now.getTime())
  }
}

/** Asks the operator to end what nobody waits for any more; what has ended stays as it is. */
async function cancel({ client, caches, clock, logger }: QueryOptions, id: string): Promise<void> {
  if (caches.executions.find(id) === undefined) return
  try {
    await changeRecord(client, caches.executions, { kind: 'execution', id }, (execution) => {
      if (isTerminal(execution) || execution.status?.cancelRequestedAt !== undefined) return { result: undefined }
      const status = { ...execution.status, cancelRequestedAt: toTimestamp(clock.now()) }
      return { write: { ...execution, status }, subresource: 'status', result: undefined }
    })
  } catch (error) {
    // The refusal that led here matters more; the execution ends by its own timeout.
    logger.warn({ error, execution: id }, 'execution not cancelled')
  }
}

/** @throws ApiError `unprocessable` when the file, which the agent could write, is not what the operator found there */
async function readAnswer<T>({ volumeRoot }: QueryOptions, name: string, { check }: QueryRequest<T>): Promise<T> {
  const answer = await findAnswer(volumeRoot, name, check)
  if (answer !== undefined) return answer
  throw apiError('unprocessable', `the answer of execution ${name} is not what it was: it was changed after its end`)
}
