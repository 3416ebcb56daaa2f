/** What the tests on real pods share: the release that test/e2e/run has installed, through kubectl and our API. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { asRecord } from '../../core/json.ts'
import { connectApi } from '../../core/rest/client/connect.ts'
import { until } from '../helpers/until.ts'
import { forwardPods } from './forward.ts'

const run = promisify(execFile)

export const MINUTE = 60_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** A variable that test/e2e/run sets. */
export function required(name: string): string {
  const value = process.env[name]
  assert.ok(value, `${name} is set by test/e2e/run`)
  return value
}

export const NAMESPACE = required('SLIPWAY_E2E_NAMESPACE')
export const IMAGE = required('SLIPWAY_E2E_IMAGE')
/** Has neither Node nor Slipway. */
export const AGENT_IMAGE = required('SLIPWAY_E2E_AGENT_IMAGE')
export const GIT_SERVER = `git-server.${NAMESPACE}.svc`

/** For what looks at the node itself, its processes and its files. test/e2e/run says whether this machine is the node. */
export const describeOnThisNode = process.env['SLIPWAY_E2E_THIS_NODE'] === '1' ? describe : describe.skip

/** Runs kubectl in our namespace and answers its stdout. */
export async function kubectl(...args: string[]): Promise<string> {
  return (await run('kubectl', ['-n', NAMESPACE, ...args], { maxBuffer: MAX_OUTPUT_BYTES })).stdout
}

/** Runs kubectl with something to read, which is on no command line. */
export async function kubectlWith(input: string, ...args: string[]): Promise<void> {
  const running = run('kubectl', ['-n', NAMESPACE, ...args])
  running.child.stdin?.end(input)
  await running
}

/** A key of a Secret of the release. */
export async function readSecret(name: string, key: string): Promise<string> {
  const { data } = await kubectlJson('get', 'secret', name)
  return Buffer.from(String(dig(data, key)), 'base64').toString()
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

/** Selects the pods of the API server. */
export const API_SERVERS = 'app.kubernetes.io/component=api-server'

/** The API server, over connections that go to each of its pods in turn. */
export const SERVER_URL = await forwardPods(NAMESPACE, API_SERVERS)
export const TOKEN = await readSecret('slipway-api-token', 'token')
export const api = connectApi({ url: SERVER_URL, token: TOKEN, fetch })

/** The pods of the API server that are ready, by name. */
export async function apiServers(): Promise<string[]> {
  const isReady = (pod: Record<string, unknown>): boolean =>
    records(dig(pod, 'status', 'conditions')).some(({ type, status }) => type === 'Ready' && status === 'True')
  const pods = (await labelled('pods', API_SERVERS)).filter(
    (pod) => isReady(pod) && dig(pod, 'metadata', 'deletionTimestamp') === undefined,
  )
  return pods.map((pod) => String(dig(pod, 'metadata', 'name'))).toSorted()
}

/** One pod of the API server, and nothing once that has gone. */
export async function connectTo(pod: string): Promise<{ readonly url: string; readonly api: typeof api }> {
  const url = await forwardPods(NAMESPACE, API_SERVERS, pod)
  return { url, api: connectApi({ url, token: TOKEN, fetch }) }
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
export async function untilField(object: string, path: string, value: string, deadlineMs = 3 * MINUTE): Promise<void> {
  await kubectl('wait', object, `--for=jsonpath={${path}}=${value}`, `--timeout=${deadlineMs / 1000}s`)
}

/** The record too: each API server has a cache of its own, which may hear later than kubectl. */
export async function untilState(id: string, state: string, deadlineMs = 3 * MINUTE): Promise<Record<string, unknown>> {
  await untilField(`tasks.slipway.dev/${id}`, '.status.state', state, deadlineMs)
  let record = await task(id)
  await until(
    () => `the API says that ${id} is ${state}, and not ${String(record['state'])}`,
    async () => record['state'] === state || (record = await task(id))['state'] === state,
    MINUTE,
  )
  return record
}

/** Its record once it has ended; an API server may hear later of that than of its task, which it watches apart. */
export async function endedExecution(id: string): ReturnType<typeof api.getExecution> {
  let record = await api.getExecution({ params: { id } })
  await until(
    () => `the API says that ${id} has ended, and not ${record.state}`,
    async () =>
      record.finished_at !== undefined ||
      (record = await api.getExecution({ params: { id } })).finished_at !== undefined,
    MINUTE,
  )
  return record
}

/** Objects of a kind with a label, such as `slipway.dev/task=first`. */
export async function labelled(kind: string, label: string): Promise<Record<string, unknown>[]> {
  return records((await kubectlJson('get', kind, '-l', label))['items'])
}

/** A line of a script that waits for {@link letGo}, however slow the test is. */
export function heldUntil(drop: string): string {
  return `until [ -e "$SERVICE_DROP_DIR/${drop}" ]; do sleep 0.2; done`
}

export async function letGo(drop: string, through = api): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob(['go']), drop)
  await through.uploadDrops({ raw: form })
}

/** The pods of a task's executions. */
export async function podsOf(id: string): Promise<Record<string, unknown>[]> {
  return labelled('pods', `slipway.dev/task=${id}`)
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

/** Runs a script in the pod of the git server, with its arguments as $1 and so on. */
export async function onGitServer(script: string, ...args: string[]): Promise<string> {
  return kubectl('exec', 'git-server', '--', 'bash', '-euc', script, 'script', ...args)
}

/** Commits one file to a branch of a bare repository, as somebody else would; the branch may be new. */
export async function commitOnServer(repository: string, branch: string, file: string, text: string): Promise<void> {
  const script = `cd "/repositories/$1.git" && export GIT_INDEX_FILE="$(mktemp -u)"
    tip=$(git rev-parse --verify -q "$2" || git rev-parse main) && git read-tree "$tip"
    blob=$(printf '%s\\n' "$4" | git hash-object -w --stdin)
    git update-index --add --cacheinfo "100644,$blob,$3"
    commit=$(git -c user.name=Somebody -c user.email=s@localhost commit-tree "$(git write-tree)" -p "$tip" -m "$3")
    git update-ref "refs/heads/$2" "$commit"`
  await onGitServer(script, repository, branch, file, text)
}

/** Log lines of a part that tell of a failure; a line that is no JSON is one, but for the line that says `ready`. */
export async function complaints(part: 'operator' | 'api-server'): Promise<string[]> {
  const log = await kubectl('logs', '-l', `app.kubernetes.io/component=${part}`, '--tail=-1')
  return log.split('\n').filter((line) => line !== '' && !line.startsWith('ready') && !isQuiet(line))
}

const WARN = 40

function isQuiet(line: string): boolean {
  if (!line.startsWith('{')) return false
  return Number(asRecord(JSON.parse(line))['level']) < WARN
}
