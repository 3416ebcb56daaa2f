import { Type } from 'typebox'
import { closed, maybe, RecordId } from '../../schema/fields.ts'
import { ArtifactRecord, ExecutionRecord, ServiceLogsRecord } from '../records/execution.ts'
import { KubernetesRecord } from '../records/kubernetes.ts'
import { LOG_STREAMS, LogMatchesRecord, LogWindowRecord, MAX_LOG_LINES } from '../records/log.ts'
import { MAX_SEARCHED_TEXT } from '../limits.ts'
import { CONVERSATION_EVENTS } from '../messages.ts'
import { PAGE, PageQuery, Reference } from '../requests/shapes.ts'
import { BYTES, eventStream, file, json, manifest, route } from '../route.ts'

const ExecutionListQuery = closed({
  /** RFC 3339, or a span back from now such as 24h or 7d. */
  since: maybe(Type.String()),
  task_id: maybe(Reference),
  /** Of those made for the project itself, such as its setups. */
  project_id: maybe(Reference),
  ...PAGE,
})

/** Text within one line, so without line ends. */
const SearchedText = Type.String({ minLength: 1, maxLength: MAX_SEARCHED_TEXT, pattern: '^[^\\r\\n]*$' })
/** Of checks, from 1. */
const Round = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const stream = maybe(Type.Enum(LOG_STREAMS))

/** In place of what the agent's program printed: what a check of the project did, in that round. */
const ofCheck = { check: maybe(Type.String()), round: maybe(Round) }

const LogWindowQuery = closed({
  /** Default: stdout. */
  stream,
  ...ofCheck,
  /** Number of the first line, from 1; left out: the last lines. */
  from: maybe(Type.Integer({ minimum: 1 })),
  /** Default: 500. */
  count: maybe(Type.Integer({ minimum: 1, maximum: MAX_LOG_LINES })),
})

const LogSearchQuery = closed({
  stream,
  ...ofCheck,
  q: SearchedText,
  /** Number of the first line that is searched, from 1; default: 1. */
  from: maybe(Type.Integer({ minimum: 1 })),
})

/** `branch`: all that the branch of the task's story would add to the default branch. */
const DiffQuery = closed({ of: maybe(Type.Literal('branch')) })

const execution = json(ExecutionRecord)
const executions = json(Type.Array(ExecutionRecord))
const plainText = file('text/plain; charset=utf-8')
const lines = file('application/x-ndjson')

/** Rows of the route table about executions. */
export const EXECUTION_ROUTES = [
  route({
    id: 'listExecutions',
    method: 'GET',
    path: '/api/executions',
    summary: 'List recent executions, newest first; 50 unless limit says otherwise',
    query: ExecutionListQuery,
    responses: { 200: executions },
    errors: [400],
  }),
  route({
    id: 'getExecution',
    method: 'GET',
    path: '/api/executions/{id}',
    summary: 'Read an execution',
    responses: { 200: execution },
    errors: [404],
  }),
  route({
    id: 'getExecutionStdout',
    method: 'GET',
    path: '/api/executions/{id}/stdout',
    summary: 'Standard output of an execution',
    responses: { 200: plainText, 206: plainText },
    errors: [404, 416],
  }),
  route({
    id: 'getExecutionStderr',
    method: 'GET',
    path: '/api/executions/{id}/stderr',
    summary: 'Standard error of an execution',
    responses: { 200: plainText, 206: plainText },
    errors: [404, 416],
  }),
  route({
    id: 'readExecutionLog',
    method: 'GET',
    path: '/api/executions/{id}/log',
    summary: 'Lines of what an execution printed, with their numbers: the last 500 unless from and count say otherwise',
    query: LogWindowQuery,
    responses: { 200: json(LogWindowRecord) },
    errors: [400, 404],
  }),
  route({
    id: 'searchExecutionLog',
    method: 'GET',
    path: '/api/executions/{id}/log/search',
    summary: 'Lines of what an execution printed that contain a text, in capitals or not; bounded in time and number',
    query: LogSearchQuery,
    responses: { 200: json(LogMatchesRecord) },
    errors: [400, 404, 503],
  }),
  route({
    id: 'getServiceLogs',
    method: 'GET',
    path: '/api/executions/{id}/services',
    summary:
      "The last 500 lines of what each service of the project printed beside an execution's agent; empty without services",
    responses: { 200: json(ServiceLogsRecord) },
    errors: [404],
  }),
  route({
    id: 'getExecutionDiff',
    method: 'GET',
    path: '/api/executions/{id}/diff',
    summary: 'What accepting the work adds, as a git diff; of=branch: what accepting its story adds',
    query: DiffQuery,
    responses: { 200: plainText, 206: plainText },
    errors: [400, 404, 416],
  }),
  route({
    id: 'getRoundDiff',
    method: 'GET',
    path: '/api/executions/{id}/rounds/{round}/diff',
    summary: 'What the work added as the checks of a round saw it, as a git diff',
    params: closed({ id: RecordId, round: RecordId }),
    responses: { 200: plainText, 206: plainText },
    errors: [404, 416],
  }),
  route({
    id: 'getCheckLog',
    method: 'GET',
    path: '/api/executions/{id}/checks/{round}/{name}/log',
    summary: 'What a check of a round printed; at most 16 MiB are kept',
    params: closed({ id: RecordId, round: RecordId, name: Type.String() }),
    responses: { 200: plainText, 206: plainText },
    errors: [404, 416],
  }),
  route({
    id: 'getExecutionEvents',
    method: 'GET',
    path: '/api/executions/{id}/events',
    summary: 'The conversation of an execution, one JSON object per line; see docs/conversation.md',
    hasStream: true,
    responses: { 200: lines, 206: lines },
    errors: [404, 416],
  }),
  route({
    id: 'streamExecutionEvents',
    method: 'GET',
    path: '/api/executions/{id}/events/stream',
    summary: 'Follow the conversation of an execution as server-sent events; see docs/conversation.md',
    responses: { 200: eventStream(CONVERSATION_EVENTS) },
    errors: [404, 503],
  }),
  route({
    id: 'listArtifacts',
    method: 'GET',
    path: '/api/executions/{id}/artifacts',
    summary: 'List the files that an execution left as artifacts',
    query: PageQuery,
    responses: { 200: json(Type.Array(ArtifactRecord)) },
    errors: [400, 404],
  }),
  route({
    id: 'getArtifact',
    method: 'GET',
    path: '/api/executions/{id}/artifacts/{name}',
    summary: 'Download an artifact',
    params: closed({ id: RecordId, name: Type.String() }),
    responses: { 200: file(BYTES), 206: file(BYTES) },
    errors: [404, 416],
  }),
  route({
    id: 'getExecutionManifest',
    method: 'GET',
    path: '/api/executions/{id}/manifest',
    summary: 'The Execution resource as YAML, with its events and pod as comments',
    responses: { 200: manifest },
    errors: [404],
  }),
  route({
    id: 'getExecutionKubernetes',
    method: 'GET',
    path: '/api/executions/{id}/kubernetes',
    summary: 'The Kubernetes events of an execution, and its pod',
    responses: { 200: json(KubernetesRecord) },
    errors: [404],
  }),
] as const
