/** A real API server over the control plane that SLIPWAY_TEST_CONTROL_PLANE names, spoken to by HTTP. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiServer, type ApiServerOptions, startApiServer } from '../../api-server/main.ts'
import { versionOf } from '../../api-server/cache/versions.ts'
import type { Agent, Execution, Project, Story, Task } from '../../core/crd/types.ts'
import type { JsonValue } from '../../embedded/schema/json.ts'
import { AGENTS, EXECUTIONS, PROJECTS, STORIES, TASKS } from '../../kube/resources.ts'
import type { ApiClient } from '../../kube/client.ts'
import type { KubeObject, Resource } from '../../kube/types.ts'
import { systemClock } from '../../lib/clock.ts'
import { makeLogger } from '../../lib/log.ts'
import { anAgent } from '../helpers/build.ts'
import { type TestControlPlane, startTestControlPlane } from '../helpers/control-plane.ts'
import { at } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; undefined where it is none. */
  readonly body: JsonValue | undefined
}

export interface Rig {
  readonly client: ApiClient
  readonly namespace: string
  readonly url: string
  readonly volumeRoot: string
  readonly workspaceRoot: string
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(path: string): Promise<Answer>
  /** Stores an object as somebody else would, status included, and waits until the server has heard of it. */
  given(object: Task): Promise<Task>
  givenAgent(object: Agent): Promise<Agent>
  givenExecution(object: Execution): Promise<Execution>
  givenProject(object: Project): Promise<Project>
  givenStory(object: Story): Promise<Story>
  /** The status of a stored object, written as the operator would. */
  setStatus<T extends KubeObject & { readonly status?: unknown }>(
    resource: Resource<T>,
    name: string,
    status: T['status'],
  ): Promise<T>
  stopControlPlane(): Promise<void>
  /** After stopControlPlane: on the same port and data. */
  startControlPlane(): Promise<void>
  readonly server: ApiServer
  /** What the server was given, to start another one beside it. */
  readonly options: ApiServerOptions
  stop(): Promise<void>
}

/** The items of a list; an answer that is no list fails the test. */
export function itemsOf(list: JsonValue | undefined): JsonValue[] {
  assert.ok(Array.isArray(list), `not a list: ${JSON.stringify(list)}`)
  return list
}

/** The ids of a list of records, in its order. */
export function idsOf(list: JsonValue | undefined): (JsonValue | undefined)[] {
  return itemsOf(list).map((record) => at(record, 'id'))
}

/** Makes the client of the API server, where it is not the one of the tests. */
type Connect = (controlPlane: TestControlPlane, namespace: string) => Promise<ApiClient>

/** Starts everything in a namespace of its own, with the `script` agent in it; leaves nothing running if a part fails. */
export async function startRig(
  options: Partial<ApiServerOptions> = {},
  connect?: Connect,
  startOver = startTestControlPlane,
): Promise<Rig> {
  const ends: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end()
  }
  try {
    const rig = { ...(await startParts(ends, options, startOver, connect)), stop }
    await rig.givenAgent(anAgent())
    return rig
  } catch (error) {
    await stop()
    throw error
  }
}

/** Starts the parts of a rig, and puts how each is ended on `ends`. */
async function startParts(
  ends: (() => Promise<void>)[],
  options: Partial<ApiServerOptions>,
  startOver: () => Promise<TestControlPlane>,
  connect?: Connect,
): Promise<Omit<Rig, 'stop'>> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-api-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const [volumeRoot, workspaceRoot] = [join(folder, 'volume'), join(folder, 'workspace')]
  await Promise.all([mkdir(volumeRoot), mkdir(workspaceRoot)])
  const controlPlane = await startOver()
  ends.push(() => controlPlane.stop())
  const { client } = controlPlane
  const namespace = await controlPlane.makeNamespace()
  const apiClient = await connect?.(controlPlane, namespace)
  ends.push(async () => apiClient?.close())
  const all: ApiServerOptions = {
    client,
    namespace,
    volumeRoot,
    workspaceRoot,
    host: '127.0.0.1',
    port: 0,
    insecure: false,
    path: process.env['PATH'] ?? '/usr/bin:/bin',
    apiDocsFolder: join(import.meta.dirname, '..', '..', 'api-docs'),
    uiFolder: join(import.meta.dirname, '..', '..', 'ui'),
    version: { version: '0.0.0-test', commit: '', built_at: '' },
    embedded: true,
    clock: systemClock,
    logger: makeLogger('silent'),
    randomBytes,
    checkResponses: true,
    ...(apiClient && { client: apiClient }),
    ...options,
  }
  const server = await startApiServer(all)
  ends.push(() => server.stop())

  const request: Rig['request'] = async (method, path, body, headers = {}) => {
    const isText = typeof body === 'string'
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
  }
  const setStatus: Rig['setStatus'] = async (resource, name, status) => {
    const current = await client.get(resource, { namespace, name })
    return client.replaceStatus(resource, { ...current, status })
  }
  const store = async <T extends KubeObject & { readonly status?: unknown }>(
    resource: Resource<T>,
    object: T,
  ): Promise<T> => {
    const { uid: _, ...metadata } = object.metadata
    const created = await client.create(resource, { ...object, metadata: { ...metadata, namespace } })
    return object.status === undefined ? created : setStatus(resource, object.metadata.name, object.status)
  }
  const visible = async <T extends KubeObject>(stored: Promise<T>, path: string): Promise<T> => {
    const object = await stored
    const version = versionOf(object)
    await until(`${path} is at version ${version}`, async () => {
      const { status, headers } = await request('GET', path)
      assert.equal(status, 200)
      return (headers.get('etag') ?? '').startsWith(`"${version}`)
    })
    return object
  }
  return {
    client,
    namespace,
    url: server.url,
    volumeRoot,
    workspaceRoot,
    options: all,
    server,
    request,
    get: (path, headers) => request('GET', path, undefined, headers),
    post: (path, body, headers) => request('POST', path, body, headers),
    put: (path, body, headers) => request('PUT', path, body, headers),
    delete: (path) => request('DELETE', path),
    given: (task) => visible(store(TASKS, task), `/api/tasks/${task.metadata.name}`),
    givenAgent: (agent) => store(AGENTS, agent),
    givenExecution: (execution) => visible(store(EXECUTIONS, execution), `/api/executions/${execution.metadata.name}`),
    givenProject: (project) => visible(store(PROJECTS, project), `/api/projects/${project.metadata.name}`),
    givenStory: (story) => visible(store(STORIES, story), `/api/stories/${story.metadata.name}`),
    setStatus,
    stopControlPlane: () => controlPlane.stopServer(),
    startControlPlane: () => controlPlane.startServer(),
  }
}
