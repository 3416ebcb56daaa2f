/** What the tests on real pods share: the cluster that test/e2e/smoke/run brought up, through kubectl and our API. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { asRecord } from '../../core/json.ts'
import { connectApi } from '../../core/rest/client/connect.ts'

const run = promisify(execFile)

export const MINUTE = 60_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
export const NAMESPACE = 'slipway'
export const GIT_SERVER = 'git-server.slipway.svc'

/** A variable that test/e2e/smoke/run sets. */
export function required(name: string): string {
  const value = process.env[name]
  assert.ok(value, `${name} is set by test/e2e/smoke/run`)
  return value
}

export const api = connectApi({
  url: required('SLIPWAY_SMOKE_URL'),
  token: required('SLIPWAY_SMOKE_TOKEN'),
  fetch,
})

/** Runs kubectl in our namespace and answers its stdout. */
export async function kubectl(...args: string[]): Promise<string> {
  return (await run('kubectl', ['-n', NAMESPACE, ...args], { maxBuffer: MAX_OUTPUT_BYTES })).stdout
}

export async function kubectlJson(...args: string[]): Promise<Record<string, unknown>> {
  return asRecord(JSON.parse(await kubectl(...args, '-o', 'json')))
}

/** Objects of a list, or of a field that holds one. */
export function records(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.map(asRecord) : []
}

/** Follows a path of fields; undefined where one is missing. */
export function dig(value: unknown, ...path: string[]): unknown {
  return path.reduce((found, name) => asRecord(found)[name], value)
}

export async function makeProject(id: string, more: object = {}): Promise<void> {
  await api.createProject({ body: { id, name: id, remote_url: `http://${GIT_SERVER}/${id}.git`, ...more } })
}

/** Creates a task for the script agent and runs it. */
export async function submit(id: string, project: string, script: string, more: object = {}): Promise<void> {
  const agent = { type: 'script', instructions: script }
  await api.createTask({ body: { id, name: id, project, agent, ...more } })
  await api.runTask({ params: { id } })
}

export async function task(id: string): Promise<Record<string, unknown>> {
  return asRecord(await api.getTask({ params: { id } }))
}

/** Waits on a watch, not by asking again and again: our own log would be full of it. */
export async function untilState(id: string, state: string, deadlineMs = MINUTE): Promise<Record<string, unknown>> {
  const condition = `--for=jsonpath={.status.state}=${state}`
  await kubectl('wait', `tasks.slipway.dev/${id}`, condition, `--timeout=${deadlineMs / 1000}s`)
  return task(id)
}

/** The pods of a task's executions. */
export async function podsOf(id: string): Promise<Record<string, unknown>[]> {
  return records((await kubectlJson('get', 'pods', '-l', `slipway.dev/task=${id}`))['items'])
}

/** Whether a step of a task's pod is running now. */
export async function isStepRunning(id: string, step: string): Promise<boolean> {
  const statuses = (await podsOf(id)).flatMap((pod) => [
    ...records(dig(pod, 'status', 'initContainerStatuses')),
    ...records(dig(pod, 'status', 'containerStatuses')),
  ])
  return statuses.some((status) => status['name'] === step && dig(status, 'state', 'running') !== undefined)
}

/** What git says in a bare repository of the git server. */
export async function gitOnServer(repository: string, ...args: string[]): Promise<string> {
  return kubectl('exec', 'git-server', '--', 'git', '-C', `/repositories/${repository}.git`, ...args)
}

/** Log lines of a part that tell of a failure; a line that is no JSON is one, but for the line that says `ready`. */
export async function complaints(part: 'operator' | 'api-server'): Promise<string[]> {
  const log = await kubectl('logs', `deployment/slipway-${part}`, '--tail=-1')
  return log.split('\n').filter((line) => line !== '' && !line.startsWith('ready') && !isQuiet(line))
}

const WARN = 40

function isQuiet(line: string): boolean {
  if (!line.startsWith('{')) return false
  return Number(asRecord(JSON.parse(line))['level']) < WARN
}
