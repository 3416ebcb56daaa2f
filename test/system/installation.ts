/** A data folder and the built program serving it, for tests through the whole program. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asRecord, parseObject } from '../../core/json.ts'
import type { JsonObject } from '../../embedded/schema/json.ts'
import { CONTAINER_OFFSPRING_VARIABLE, CONTAINER_VARIABLE } from '../../lib/process.ts'
import { podsDir } from '../../node/layout.ts'
import { type KubeHttp, connectKube } from '../helpers/kube-http.ts'
import { type StartedSlipway, startSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'

const KINDS = '/apis/slipway.dev/v1alpha1/namespaces/default'
const SETTLED = ['READY', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED', 'BUDGET_EXCEEDED', 'BLOCKED']

export interface Reply {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Fields of a task on create besides id, name and agent. */
export type TaskFields = Readonly<Record<string, unknown>>

export interface Server {
  readonly program: StartedSlipway
  readonly kube: KubeHttp
  /** REST; never throws for a status. */
  call(method: string, path: string, body?: unknown): Promise<Reply>
  /** Creates a task of the script agent over REST. */
  create(id: string, script: string, fields?: TaskFields): Promise<void>
  run(id: string): Promise<void>
  task(id: string): Promise<Readonly<Record<string, unknown>>>
  /** Waits until the task is in `state`; throws at once, with its error, when it ends in another. */
  reaches(id: string, state: string, deadlineMs?: number): Promise<Readonly<Record<string, unknown>>>
  executions(id: string): Promise<Readonly<Record<string, unknown>>[]>
}

export interface Installation {
  /** For what a test makes beside the data folder, such as repositories. */
  readonly folder: string
  readonly dataDir: string
  /** Starts the program, at most one at a time. */
  start(...args: string[]): Promise<Server>
  /** A file of an execution on the data volume. */
  executionFile(execution: string, name: string): string
  /** Ends what runs and removes the folder. */
  dispose(): Promise<void>
}

/** Path in the Kubernetes API of a kind's list, or of one object. */
export function kindPath(plural: string, name?: string): string {
  return name === undefined ? `${KINDS}/${plural}` : `${KINDS}/${plural}/${name}`
}

/** Stores the Secret `git`, with a login for the git host of that address. */
export async function storeGitSecret(
  { kube }: Server,
  host: string,
  stringData: { readonly username: string; readonly password: string },
): Promise<void> {
  const metadata = {
    name: 'git',
    labels: { 'slipway.dev/usable-by': 'git' },
    annotations: { 'slipway.dev/git-host': host },
  }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata, stringData }
  const answer = await kube.send('POST', '/api/v1/namespaces/default/secrets', secret)
  assert.equal(answer.status, 201, answer.text)
}

/** A Task manifest with a title and what is given. */
export function taskManifest(name: string, spec: JsonObject): JsonObject {
  return { apiVersion: 'slipway.dev/v1alpha1', kind: 'Task', metadata: { name }, spec: { title: name, ...spec } }
}

/**
 * Pids of the processes that carry the execution's id in their environment: the product's own mark.
 *
 * @param folder of the installation, where another one on this machine may have an execution of the same name
 */
export function processesOf(execution: string, folder = ''): number[] {
  const mark = `SERVICE_EXECUTION_ID=${execution}`
  return processesWhere(
    (environment) => environment.includes(mark) && environment.some((variable) => variable.includes(folder)),
  )
}

function processesWhere(isMeant: (environment: readonly string[]) => boolean): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => isMeant(readEnvironment(pid)))
    .map(Number)
}

function readEnvironment(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    // Ended meanwhile, or another user's.
    return []
  }
}

/**
 * @param env variables of the program, beside those of the tests
 * @param folder default: a new one; its end removes it either way
 */
export function makeInstallation(
  env: Readonly<Record<string, string>> = {},
  folder = mkdtempSync(join(tmpdir(), 'slipway-system-')),
): Installation {
  const dataDir = join(folder, 'data')
  let current: Server | undefined
  const end = async (): Promise<void> => {
    current?.kube.close()
    await current?.program.kill()
    current = undefined
  }
  return {
    folder,
    dataDir,
    async start(...args) {
      await end()
      const program = await startSlipway(['serve', '--listen', '127.0.0.1:0', '--data-dir', dataDir, ...args], env)
      current = connect(program, connectKube(readFileSync(join(dataDir, 'kubeconfig'), 'utf8')), env['SLIPWAY_TOKEN'])
      return current
    },
    executionFile: (execution, name) => join(dataDir, 'volume', 'executions', execution, name),
    async dispose() {
      await end()
      await endLeftovers(dataDir)
      // Unlike rmSync, it tries the whole folder again where something that was just being started has written into it.
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/**
 * Kills what containers of a data folder run, and git in its mirrors, once the program has ended, and waits for their end:
 * what goes on, also of a step before or after the agent's, writes into the folder while that is removed.
 */
export async function endLeftovers(dataDir: string): Promise<void> {
  const pods = podsDir(join(dataDir, 'node'))
  const marks = (existsSync(pods) ? readdirSync(pods) : []).flatMap((uid) =>
    [CONTAINER_VARIABLE, CONTAINER_OFFSPRING_VARIABLE].map((name) => `${name}=${uid}/`),
  )
  marks.push(`GIT_DIR=${dataDir}/`)
  const isOfThem = (variable: string): boolean => marks.some((mark) => variable.startsWith(mark))
  await until('nothing of the program runs', () => {
    const left = processesWhere((environment) => environment.some(isOfThem))
    left.forEach(kill)
    return left.length === 0
  })
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function connect(program: StartedSlipway, kube: KubeHttp, token?: string): Server {
  const login = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const call: Server['call'] = async (method, path, body) => {
    const json = { body: JSON.stringify(body), headers: { ...login, 'Content-Type': 'application/json' } }
    const request = { method, ...(body === undefined ? { headers: login } : json) }
    const response = await fetch(new URL(path, program.url), request)
    const text = await response.text()
    return { status: response.status, text, body: parseObject(text) }
  }
  const task: Server['task'] = async (id) => (await call('GET', `/api/tasks/${id}`)).body
  return {
    program,
    kube,
    call,
    task,
    async create(id, script, fields = {}) {
      const agent = { type: 'script', instructions: script }
      const reply = await call('POST', '/api/tasks', { id, name: id, agent, ...fields })
      assert.equal(reply.status, 201, reply.text)
    },
    async run(id) {
      const reply = await call('POST', `/api/tasks/${id}/run`)
      assert.equal(reply.status, 202, reply.text)
    },
    async reaches(id, state, deadlineMs) {
      let record = await task(id)
      await until(
        () => `task ${id} is ${state}; it is ${JSON.stringify(record)}`,
        async () => {
          record = await task(id)
          const now = String(record['state'])
          if (now !== state && SETTLED.includes(now))
            throw new Error(`task ${id} is ${now}: ${String(record['error'])}`)
          return now === state
        },
        deadlineMs,
      )
      return record
    },
    async executions(id) {
      const { text } = await call('GET', `/api/tasks/${id}/executions`)
      const list: unknown = JSON.parse(text)
      return Array.isArray(list) ? list.map(asRecord) : []
    },
  }
}
