/** The real CLIs of agents in pods, and the scripted model in another one that they talk to; in the namespace of any release. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { asRecord } from '../../core/json.ts'
import type { Scripts } from './model.ts'
import { applyIn, kubectlIn } from './release.ts'

/** What the programs log in with at the model. */
export const KEY = 'sk-of-e2e-4f1c9b7a55d2'

/** By its title, which stands in its prompt, the model knows a task. */
export const titleOf = (id: string): string => `Title of ${id}.`

/** Where the programs of a namespace find the model. */
export const modelIn = (namespace: string): string => `http://model-server.${namespace}.svc`

/** Starts the model as one file, with what it does. */
export async function startModel(namespace: string, image: string, scripts: Scripts): Promise<void> {
  const entry = fileURLToPath(new URL('model.js', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  })
  const data = { 'model.mjs': outputFiles[0]?.text, 'scripts.json': JSON.stringify(scripts) }
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'model-server' }, data }
  await applyIn(namespace, JSON.stringify(configMap))
  const pod = readFileSync('test/e2e/files/model-server.yaml', 'utf8').replace('SLIPWAY_E2E_IMAGE', image)
  await applyIn(namespace, pod)
  await kubectlIn(namespace, 'wait', '--for=condition=Ready', 'pod/model-server', '--timeout=60s')
}

export interface PodAgent {
  readonly adapter: 'claude' | 'codex' | 'gemini' | 'acp'
  readonly image: string
  /** Variables of its login. */
  readonly login: Readonly<Record<string, string>>
  /** Files of its home, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Further fields of its spec. */
  readonly more?: object
}

/** As docs/agents.md has it: a Secret, and an Agent with an image that names it. */
export async function addAgent(namespace: string, name: string, agent: PodAgent): Promise<void> {
  const { adapter, image, login, files = {}, more } = agent
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, labels: { 'slipway.dev/usable-by': 'agent' } },
    stringData: { ...login, ...Object.fromEntries(Object.values(files).map((text, index) => [`file${index}`, text])) },
  }
  const credentials = {
    secretName: name,
    env: Object.keys(login).map((variable) => ({ name: variable, key: variable })),
    files: Object.keys(files).map((path, index) => ({ path, key: `file${index}` })),
  }
  const manifest = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Agent',
    metadata: { name },
    // Nobody else's task comes here.
    spec: { adapter, image, classifier: { enabled: false }, credentials, ...more },
  }
  await applyIn(namespace, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [secret, manifest] }))
}

/** What the model was told in a task, one text per request. */
export async function toldIn(namespace: string, id: string): Promise<string[]> {
  const lines = (await kubectlIn(namespace, 'logs', 'model-server')).split('\n').filter((line) => line.startsWith('{'))
  return lines
    .map((line) => asRecord(JSON.parse(line)))
    .filter(({ title }) => title === titleOf(id))
    .map(({ authorization, told }) => `${String(authorization)} ${String(told)}`)
}
