import { apiError } from '../../core/errors.ts'
import type { CheckRun, Execution } from '../../core/crd/types.ts'
import { checkOutputPath, executionPath, roundDiffPath } from '../../core/execution/layout.ts'
import { toExecutionRecord } from '../../core/rest/map/execution.ts'
import type { ExecutionRecord } from '../../core/rest/records/execution.ts'
import { addMs, parseSpan, parseTimestamp, toTimestamp } from '../../core/time.ts'
import type { Caches } from '../cache/caches.ts'
import type { ApiContext } from '../context.ts'
import { findServiceLogs } from '../records/service-logs.ts'
import { executionFile, listArtifacts, openArtifact, openStoredFile } from '../records/stored-files.ts'
import type { Logs } from '../logs/logs.ts'
import { CONVERSATION } from '../streams/followed.ts'
import type { ArchivePages } from '../records/archive-pages.ts'
import { isWork } from '../../core/execution/state.ts'
import { describeKubernetes } from '../records/kubernetes.ts'
import { printManifest } from '../records/manifest.ts'
import { BY_NAME, NEWEST_FIRST, newestFirst, sortNewestFirst } from '../records/order.ts'
import { type PageQuery, paginate } from '../records/pages.ts'
import { type Representation, entityTag, joinRepresentations, represent } from '../records/representation.ts'
import { readAny, requireFound } from '../commands/writes.ts'
import type { Streams } from '../streams/streams.ts'
import type { Handlers } from './handler.ts'

const DEFAULT_LIMIT = 50
const DEFAULT_LOG_LINES = 500

interface ExecutionParts {
  readonly volumeRoot: string
  readonly streams: Streams
  readonly logs: Logs
  readonly archivePages: ArchivePages
}

/** Executions and what they left on the data volume; read-only over REST. */
export function executionHandlers(context: ApiContext & ExecutionParts) {
  const { caches, volumeRoot, logs } = context
  const read = async (id: string): Promise<Execution> => requireFound(await readAny(caches.executions, id), 'execution')
  const all = newestFirst(caches.executions)
  const file = async (id: string, name: 'stdout' | 'stderr' | 'diff' | 'branchDiff' | 'events') => {
    await read(id)
    return {
      status: 200 as const,
      body: await openStoredFile(volumeRoot, executionFile(id, name), name === 'branchDiff' ? 'diff' : name),
    }
  }
  return {
    listExecutions: async ({ query }) => {
      const { items, headers } = await findExecutions(context, all, query)
      return { status: 200, body: joinRepresentations(items.map(toJson)), headers }
    },
    async listTaskExecutions({ params, query }) {
      const isLive = (await caches.tasks.read(params.id)) !== undefined
      const executions = isLive
        ? caches.executionsOf(params.id)
        : requireFound(await caches.archivedTask(params.id), 'task').executions.filter(isWork)
      const page = paginate(sortNewestFirst(executions), query, NEWEST_FIRST)
      const headers = page.headers(`/api/tasks/${params.id}/executions`)
      return { status: 200, body: joinRepresentations(page.items.map(toJson)), headers }
    },
    getExecution: async ({ params }) => ({ status: 200, body: toJson(await read(params.id)) }),
    getExecutionStdout: ({ params }) => file(params.id, 'stdout'),
    getExecutionStderr: ({ params }) => file(params.id, 'stderr'),
    async readExecutionLog({
      params,
      query: { stream = 'stdout', from, count = DEFAULT_LOG_LINES, ...of },
      untilGone,
    }) {
      const check = findCheck(await read(params.id), of)
      const request = { execution: params.id, stream, check, from, count }
      const window = await logs.readWindow(request, untilGone())
      return { status: 200, body: represent(window) }
    },
    async searchExecutionLog({ params, query: { stream = 'stdout', q, from, ...of }, untilGone }) {
      const check = findCheck(await read(params.id), of)
      const request = { execution: params.id, stream, check, wanted: q, from }
      return { status: 200, body: represent(await logs.search(request, untilGone())) }
    },
    async getExecutionDiff({ params, query }) {
      const { status } = await read(params.id)
      // The delivery of a story compares its branch in any case.
      return file(params.id, query.of === 'branch' && status?.branchReview !== undefined ? 'branchDiff' : 'diff')
    },
    async getRoundDiff({ params }) {
      const { status } = await read(params.id)
      const round = Number(params.round)
      if (status?.checks?.some((check) => check.round === round) !== true) throw apiError('not_found', 'round')
      const path = `${executionPath(params.id)}/${roundDiffPath(round)}`
      return { status: 200, body: await openStoredFile(volumeRoot, path, 'diff') }
    },
    async getCheckLog({ params }) {
      const check = findCheck(await read(params.id), { check: params.name, round: Number(params.round) })
      const path = checkOutputPath(params.id, requireFound(check, 'check'))
      return { status: 200, body: await openStoredFile(volumeRoot, path, 'log') }
    },
    getExecutionEvents: ({ params }) => file(params.id, 'events'),
    streamExecutionEvents: async ({ params, lastEventId }) => ({
      status: 200,
      body: context.streams.openExecution(await read(params.id), { followed: CONVERSATION, lastEventId }),
    }),
    async listArtifacts({ params, query }) {
      await read(params.id)
      const page = paginate(await listArtifacts(volumeRoot, params.id), query, BY_NAME)
      const headers = page.headers(`/api/executions/${params.id}/artifacts`)
      return { status: 200, body: represent([...page.items]), headers }
    },
    async getArtifact({ params }) {
      await read(params.id)
      return { status: 200, body: await openArtifact(volumeRoot, params.id, params.name) }
    },
    ...podHandlers(context, read),
  } satisfies Partial<Handlers>
}

/** What the control plane knows of an execution beside its record. */
function podHandlers(context: ApiContext & ExecutionParts, read: (id: string) => Promise<Execution>) {
  return {
    async getServiceLogs({ params, untilGone }) {
      const services = await findServiceLogs(context, await read(params.id), untilGone())
      return { status: 200, body: represent({ services }) }
    },
    async getExecutionManifest({ params }) {
      const source = withPod(await read(params.id))
      return { status: 200, body: await printManifest(context, { cache: context.caches.executions, ...source }) }
    },
    async getExecutionKubernetes({ params }) {
      return { status: 200, body: await describeKubernetes(context, withPod(await read(params.id))) }
    },
  } satisfies Partial<Handlers>
}

/**
 * The check of a record that a request names, in its last round unless it names one; undefined where it names none.
 *
 * @throws ApiError `not_found` where the record has none of that name, so that no name leads anywhere else on the volume
 */
function findCheck(
  { status }: Execution,
  { check, round }: { readonly check?: string; readonly round?: number },
): CheckRun | undefined {
  if (check === undefined) return undefined
  const found = status?.checks?.findLast((one) => one.name === check && (round === undefined || one.round === round))
  return requireFound(found, 'check')
}

interface Listed extends PageQuery {
  readonly since?: string
  readonly task_id?: string
  readonly project_id?: string
}

/** A page of the executions that are asked for, newest first, and its headers. */
async function findExecutions(
  { caches, clock, archivePages }: ApiContext & ExecutionParts,
  all: () => readonly Execution[],
  query: Listed,
) {
  const { task_id, project_id } = query
  const since = query.since === undefined ? undefined : parseSince(query.since, clock.now())
  const isMatch = (execution: Execution): boolean => since === undefined || createdBy(execution) >= since
  const limited = { ...query, limit: query.limit ?? DEFAULT_LIMIT }
  const archived = await archivePages.read(limited, ({ executions }) =>
    sortNewestFirst(executions.filter(isWork)).filter(isMatch),
  )
  if (archived !== undefined)
    return { items: archived.items, headers: archived.headers('/api/executions', { since: query.since }) }
  const isAny = task_id === undefined && project_id === undefined
  const found = isAny ? all() : sortNewestFirst(ofTaskOrProject(caches, query))
  const live = paginate(since === undefined ? found : found.filter(isMatch), limited, NEWEST_FIRST)
  const page = isAny ? await archivePages.continueInto(live, limited) : live
  return { items: page.items, headers: page.headers('/api/executions', { since: query.since, task_id, project_id }) }
}

function ofTaskOrProject({ executionsOf, executionsOfProject }: Caches, { task_id, project_id }: Listed) {
  if (task_id === undefined) return project_id === undefined ? [] : executionsOfProject(project_id)
  const found = executionsOf(task_id)
  return project_id === undefined ? found : found.filter(({ spec }) => spec.projectRef?.name === project_id)
}

function withPod(object: Execution) {
  return { object, pod: { name: object.status?.pod?.name } }
}

function toJson(execution: Execution): Representation<ExecutionRecord> {
  const { json } = represent(toExecutionRecord(execution))
  return { json, etag: entityTag(execution.metadata.resourceVersion ?? '') }
}

/** @throws ApiError `invalid_request` for anything but an RFC 3339 instant or a duration back from now */
function parseSince(text: string, now: Date): Date {
  try {
    return parseTimestamp(/^\d{4}-/.test(text) ? text : toTimestamp(addMs(now, -parseSpan(text))))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw apiError(
      'invalid_request',
      `since: neither a time such as ${toTimestamp(now)} nor a span such as 24h or 7d: ${text}`,
    ).causedBy(error)
  }
}

/** Kubernetes tells the second in which it was made: what may have been made since an instant within it is listed. */
function createdBy({ metadata }: Execution): Date {
  return addMs(parseTimestamp(metadata.creationTimestamp ?? ''), 999)
}
