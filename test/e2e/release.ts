/** A release of its own for a test that installs, upgrades and uninstalls; the release of cluster.ts stays as it is. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ApiClient } from '../../core/rest/client/client.ts'
import { connectApi } from '../../core/rest/client/connect.ts'
import { until } from '../helpers/until.ts'
import { forwardPods } from './forward.ts'

const run = promisify(execFile)
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const MINUTE = 60_000

export interface Release {
  readonly namespace: string
  /** Leads to each API server in turn, whichever run. */
  readonly url: string
  readonly token: string
  readonly api: ApiClient
  kubectl(...args: string[]): Promise<string>
  /** The value at a JSONPath without braces, such as `.status.state`; empty where there is none. */
  field(object: string, path: string): Promise<string>
  untilField(object: string, path: string, value: string, deadlineMs?: number): Promise<void>
  /** Creates a task for the script agent and runs it. */
  submit(id: string, script: string, more?: object): Promise<void>
  untilState(id: string, state: string, deadlineMs?: number): Promise<void>
  /** Waits until the agent's step of a task runs in a pod. */
  untilAgentRuns(id: string): Promise<void>
  /** Lets a script go on that waits by {@link heldUntil} of cluster.ts. */
  letGo(drop: string): Promise<void>
}

/** The namespace of a test, beside that of the main release, so that several people can test on one cluster. */
export function namespaceOf(name: string): string {
  return `${process.env['SLIPWAY_E2E_NAMESPACE'] ?? 'slipway'}-${name}`
}

/** What a chart is told of its image, as test/e2e/install does. */
export function imageValues(image: string): string[] {
  const tagAt = image.lastIndexOf(':')
  return ['--set', `image.repository=${image.slice(0, tagAt)}`, '--set', `image.tag=${image.slice(tagAt + 1)}`]
}

export async function helm(...args: string[]): Promise<string> {
  return (await run('helm', args, { maxBuffer: MAX_OUTPUT_BYTES })).stdout
}

/** Runs test/e2e/install: a release of two operators and two API servers, and a git server. */
export async function install(namespace: string, args: readonly string[] = [], env: object = {}): Promise<Release> {
  await run('test/e2e/install', [namespace, ...args], { env: { ...process.env, ...env } })
  const release = await openRelease(namespace)
  await release.api.createProject({
    body: { id: 'sample', name: 'sample', remote_url: `http://git-server.${namespace}.svc/sample.git` },
  })
  return release
}

/** Removes what a test has made, in whatever state it is. */
export async function discard(namespace: string): Promise<void> {
  await run('helm', ['uninstall', 'slipway', '--namespace', namespace, '--ignore-not-found', '--timeout', '3m'])
  await kubectlIn(namespace, 'delete', 'namespace', namespace, '--ignore-not-found', '--timeout=2m')
}

/** Runs kubectl in a namespace and answers its stdout. */
export async function kubectlIn(namespace: string, ...args: string[]): Promise<string> {
  return (await run('kubectl', ['-n', namespace, ...args], { maxBuffer: MAX_OUTPUT_BYTES })).stdout
}

/** Applies manifests, which are on no command line. */
export async function applyIn(namespace: string, manifests: string): Promise<void> {
  const running = run('kubectl', ['-n', namespace, 'apply', '-f', '-'])
  running.child.stdin?.end(manifests)
  await running
}

async function openRelease(namespace: string): Promise<Release> {
  const kubectl = (...args: string[]): Promise<string> => kubectlIn(namespace, ...args)
  const field = (object: string, path: string): Promise<string> =>
    kubectl('get', object, '--ignore-not-found', '-o', `jsonpath={${path}}`)
  const untilField = async (object: string, path: string, value: string, deadlineMs = 3 * MINUTE): Promise<void> => {
    await kubectl('wait', object, `--for=jsonpath={${path}}=${value}`, `--timeout=${deadlineMs / 1000}s`)
  }
  const token = Buffer.from(await field('secret/slipway-api-token', '.data.token'), 'base64').toString()
  const url = await forwardPods(namespace, 'app.kubernetes.io/component=api-server')
  const api = connectApi({ url, token, fetch: fetchOnce })
  return {
    namespace,
    url,
    token,
    api,
    kubectl,
    field,
    untilField,
    async submit(id, script, more = {}) {
      const agent = { type: 'script', instructions: script }
      await api.createTask({ body: { id, name: id, project: 'sample', agent, ...more } })
      await api.runTask({ params: { id } })
    },
    untilState: (id, state, deadlineMs) => untilField(`tasks.slipway.dev/${id}`, '.status.state', state, deadlineMs),
    async untilAgentRuns(id) {
      const running = '.items[*].status.initContainerStatuses[?(@.name=="agent")].state.running.startedAt'
      const query = ['get', 'pods', '-l', `slipway.dev/task=${id}`, '-o', `jsonpath={${running}}`]
      await until(`the agent of ${id} runs`, async () => (await kubectl(...query)) !== '', MINUTE)
    },
    async letGo(drop) {
      const form = new FormData()
      form.append('file', new Blob(['go']), drop)
      await api.uploadDrops({ raw: form })
    },
  }
}

/** On a connection of its own: one kept from before an upgrade leads to a pod that is gone. */
async function fetchOnce(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, headers: { ...headersOf(init), Connection: 'close' } })
}

function headersOf({ headers }: RequestInit): Record<string, string> {
  return Object.fromEntries(new Headers(headers))
}
