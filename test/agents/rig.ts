/** The built program with the real CLIs, which talk to a scripted provider on loopback. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { parseAllDocuments } from 'yaml'
import { asRecord } from '../../core/json.ts'
import { type KnownAdapter, AGENT_PROGRAMS } from '../../core/agent/programs.ts'
import type { JsonValue } from '../../embedded/schema/json.ts'
import { type Remote, makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, makeInstallation, processesOf } from '../system/installation.ts'
import { type ModelServer, startModelServer } from './model-server.ts'

/** The folder with the pinned CLIs, which `npm run test:agents` sets. */
function programsFolder(): string {
  const folder = process.env['SLIPWAY_TEST_AGENTS'] ?? ''
  assert.notEqual(folder, '', 'SLIPWAY_TEST_AGENTS is not set: run npm run test:agents')
  return folder
}

/** Enough for a machine that does much else; what a test asserts of time are the attempts that the provider saw. */
export const DEADLINE_MS = 180_000

/** Credentials that must appear nowhere but where they belong. */
export const MARKER = 'sk-marker-4f1c9b7a'

/** Programs that speak ACP, which are added by the manifests of examples/agents. */
type Example = 'opencode' | 'gemini-acp'
export type Program = KnownAdapter | Example

export function isExample(program: Program): program is Example {
  return program === 'opencode' || program === 'gemini-acp'
}

const AGENTS_PATH = '/apis/slipway.dev/v1alpha1/namespaces/default/agents'
type Fields = Readonly<Record<string, unknown>>

export interface AgentRig {
  readonly installation: Installation
  readonly server: Server
  readonly model: ModelServer
  readonly remote: Remote
  /** Creates and runs a task of the rig's agent, unless the fields name another. */
  submit(id: string, fields?: Fields): Promise<void>
  /** Waits until the task has come to `state`, and answers it. */
  reaches(id: string, state: string): Promise<Fields>
  /** Executions of a task, the first one first. */
  executions(id: string): Promise<readonly Fields[]>
  /** POST to the task, such as `cancel`. */
  act(id: string, action: string, body?: object): Promise<void>
  /** PUT of the task. */
  edit(id: string, fields: Fields): Promise<void>
  /** One more Agent of the rig's program, with a slot, a drain and a limit of its own; it logs in as the first does. */
  addAgent(id: string, fields?: Fields): Promise<void>
  /** Makes the Secret, or gives it other values. */
  storeSecret(name: string, values: Readonly<Record<string, string>>): Promise<void>
  /** The agent's record in `/api/agents/status`, and the kinds of its events, the first one first. */
  statusOf(agent: string): Promise<{ readonly record: Fields; readonly events: readonly string[] }>
  /** Kinds of the events of an execution's conversation. */
  conversation(execution: string): readonly Fields[]
  /** Pid of the CLI that an execution runs; undefined while there is none. */
  findCli(execution: string): number | undefined
  stop(): Promise<void>
}

/** Where the CLIs find the scripted provider, and the key that they show it. */
export function loginOf(program: Program, url: string): Readonly<Record<string, string>> {
  const logins = {
    claude: { ANTHROPIC_API_KEY: MARKER, ANTHROPIC_BASE_URL: url },
    codex: { OPENAI_API_KEY: MARKER },
    gemini: { GEMINI_API_KEY: MARKER, GOOGLE_GEMINI_BASE_URL: url },
    'gemini-acp': { GEMINI_API_KEY: MARKER, GOOGLE_GEMINI_BASE_URL: url },
    opencode: { ANTHROPIC_API_KEY: MARKER },
  } as const satisfies Readonly<Record<Program, object>>
  return logins[program]
}

type Login = (url: string) => Readonly<Record<string, string>>

/**
 * @param login variables in which Slipway finds the program's login, where it is not the usual key
 * @param env further variables of Slipway
 */
export async function startAgentRig(
  program: Program,
  login?: Login,
  env: Readonly<Record<string, string>> = {},
): Promise<AgentRig> {
  const path = [programsFolder(), process.env['PATH'] ?? ''].join(delimiter)
  const model = await startModelServer()
  // Whoever runs the tests may be logged in: none of that counts here.
  const variables = Object.values(AGENT_PROGRAMS).flatMap(({ keys, addresses }) => [...keys, ...addresses])
  const nobody = Object.fromEntries(variables.map((name) => [name, '']))
  const installation = makeInstallation({
    ...nobody,
    ...(login?.(model.url) ?? loginOf(program, model.url)),
    PATH: path,
    ...env,
  })
  const remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
  // Not one of the programs that sandboxes are shown of themselves.
  const shown = isExample(program)
    ? ['--tool-folders', programsFolder(), '--tool-folders', dirname(programsFolder())]
    : []
  const server = await installation.start('--runtime', 'bwrap', ...shown)
  const rig = connectRig(program, { installation, server, model, remote })
  if (program === 'codex') await addCodex(rig)
  if (isExample(program)) await addExample(rig, program)
  return rig
}

/** Not among the default agents: a manifest and a Secret are all that it takes. */
async function addCodex(rig: AgentRig): Promise<void> {
  await rig.storeSecret('slipway-login-codex', { OPENAI_API_KEY: MARKER, config: codexConfig(rig.model.url) })
  await rig.addAgent('codex')
}

/** As examples/agents has it, but for the address of its provider. */
async function addExample(rig: AgentRig, program: Example): Promise<void> {
  const { url } = rig.model
  await rig.storeSecret(`slipway-login-${program}`, { ...loginOf(program, url), config: exampleConfig(program, url) })
  await rig.addAgent(program)
}

/** The configuration of an example; by it opencode finds the scripted provider, gemini by a variable. */
export function exampleConfig(program: Example, url: string): string {
  const [secret] = readExample(program)
  const config = asRecord(JSON.parse(String(asRecord(secret?.['stringData'])['config'])))
  const options = { baseURL: `${url}/v1` }
  return JSON.stringify(program === 'opencode' ? { ...config, provider: { anthropic: { options } } } : config)
}

/** The Secret and the Agent of an example. */
function readExample(program: Example): readonly Fields[] {
  const file = join(import.meta.dirname, '..', '..', '..', 'examples', 'agents', `${program}.yaml`)
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => asRecord(document.toJS()))
}

/** `spec` of the Agent of an example. */
export function exampleSpec(program: Example): Fields {
  const [, agent] = readExample(program)
  return asRecord(agent?.['spec'])
}

/** Another Agent as the example's, whatever it is called, with all variables of the login. */
function exampleAgent(program: Example, name: string): JsonValue {
  const [, agent] = readExample(program)
  const spec = exampleSpec(program)
  const env = Object.keys(loginOf(program, '')).map((key) => ({ name: key, key }))
  const credentials = { ...asRecord(spec['credentials']), env }
  const manifest: JsonValue = JSON.parse(
    JSON.stringify({ ...agent, metadata: { name }, spec: { ...spec, credentials } }),
  )
  return manifest
}

/** The configuration by which codex finds the scripted provider. */
export function codexConfig(url: string): string {
  const general = ['model = "gpt-x"', 'model_provider = "scripted"', '[model_providers.scripted]', 'name = "scripted"']
  const provider = [`base_url = "${url}/v1"`, 'env_key = "OPENAI_API_KEY"', 'wire_api = "responses"']
  return [...general, ...provider, ''].join('\n')
}

/** Waits until another minute of the clock has begun. */
export async function minuteIsOver(): Promise<void> {
  const minute = (): number => Math.floor(Date.now() / 60_000)
  const before = minute()
  await until('the minute is over', () => minute() > before, DEADLINE_MS)
}

type Parts = Pick<AgentRig, 'installation' | 'server' | 'model' | 'remote'>

function connectRig(program: Program, parts: Parts): AgentRig {
  const { installation, server, model, remote } = parts
  const accepted = async (method: string, path: string, body?: object): Promise<void> => {
    const reply = await server.call(method, path, body)
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
  }
  return {
    ...parts,
    async submit(id, fields = {}) {
      const task = { id, name: `Task ${id}`, description: `Do ${id}.`, repository_url: remote.path }
      await accepted('POST', '/api/tasks', { ...task, agent: { type: program }, ...fields })
      await server.run(id)
    },
    reaches: (id, state) => server.reaches(id, state, DEADLINE_MS),
    executions: async (id) => (await server.executions(id)).toReversed(),
    act: (id, action, body) => accepted('POST', `/api/tasks/${id}/${action}`, body),
    edit: (id, fields) => accepted('PUT', `/api/tasks/${id}`, fields),
    async addAgent(id, fields = {}) {
      const keys = Object.keys(loginOf(program, model.url))
      const credentials = {
        secret_name: `slipway-login-${program}`,
        env: keys.map((name) => ({ name, key: name })),
        ...(program === 'codex' ? { files: [{ path: '.codex/config.toml', key: 'config' }] } : {}),
      }
      if (!isExample(program)) return accepted('POST', '/api/agents', { id, adapter: program, credentials, ...fields })
      const made = await server.kube.send('POST', AGENTS_PATH, exampleAgent(program, id))
      assert.equal(made.status, 201, made.text)
      // A merge: what the example names beside them would stay.
      const merged =
        fields['credentials'] === undefined
          ? fields
          : { ...fields, credentials: { files: null, ...asRecord(fields['credentials']) } }
      if (Object.keys(fields).length > 0) await accepted('PUT', `/api/agents/${id}`, merged)
    },
    storeSecret: (name, values) => storeSecret(server, name, values),
    async statusOf(agent) {
      const { agents, events } = (await server.call('GET', '/api/agents/status')).body
      const records = (list: unknown): Fields[] => (Array.isArray(list) ? list.map(asRecord) : [])
      const record = records(agents).find((found) => found['agent'] === agent) ?? {}
      const own = records(events).filter((event) => event['agent'] === agent)
      return { record, events: own.map(({ kind }) => String(kind)).toReversed() }
    },
    conversation: (execution) =>
      readFileSync(installation.executionFile(execution, 'agent/events.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => asRecord(JSON.parse(line))),
    findCli: (execution) => processesOf(execution, installation.folder).find((pid) => isCli(pid, program)),
    async stop() {
      await installation.dispose()
      await model.stop()
    },
  }
}

/** The runner carries the mark as well, and names the program nowhere. */
function isCli(pid: number, program: Program): boolean {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  const file = program === 'gemini-acp' ? 'gemini' : program
  return words.slice(0, 2).some((word) => word === file || word.endsWith(`/${file}`))
}

async function storeSecret(server: Server, name: string, values: Readonly<Record<string, string>>): Promise<void> {
  const path = '/api/v1/namespaces/default/secrets'
  const metadata = { name, labels: { 'slipway.dev/usable-by': 'agent' } }
  const made = await server.kube.send('POST', path, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: values })
  if (made.status === 201) return
  const merge = { 'content-type': 'application/merge-patch+json' }
  const changed = await server.kube.send('PATCH', join(path, name), { stringData: values }, merge)
  assert.equal(changed.status, 200, changed.text)
}
