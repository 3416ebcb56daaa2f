/**
 * On a person's own machine the agents log in as that person: with the keys in Slipway's environment, or with the login
 * that the CLI keeps in the person's home, and at the provider whose address is in the environment, if there is one. If
 * somebody wrote the credentials of an Agent, they stay.
 */
import { join } from 'node:path'
import { type AgentProgram, AGENT_PROGRAMS } from '../core/agent/programs.ts'
import type { Agent, AgentCredentials } from '../core/crd/types.ts'
import { isSame } from '../core/json.ts'
import { ANNOTATIONS, LABELS, MANAGED_BY } from '../core/names.ts'
import type { Secret } from '../kube/builtin.ts'
import { AGENTS, SECRETS } from '../kube/resources.ts'
import { type KubeClient, isAlreadyExists, isNotFound } from '../kube/types.ts'

export interface Owner {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute path. */
  readonly home: string
}

/** Sets the default Agents' credentials to what the owner has. Each agent's keys go into a Secret of its own. */
export async function ensureLogins(client: KubeClient, namespace: string, owner: Owner): Promise<void> {
  const programs = Object.entries(AGENT_PROGRAMS)
  await Promise.all(programs.map(([name, program]) => ensureLogin(client, { namespace, name }, program, owner)))
}

async function ensureLogin(
  client: KubeClient,
  key: { readonly namespace: string; readonly name: string },
  program: AgentProgram,
  owner: Owner,
): Promise<void> {
  const agent = await client.find(AGENTS, key)
  if (agent === undefined || !isOurs(agent)) return
  const secretName = `slipway-login-${key.name}`
  const [keys, addresses] = [findSet(owner, program.keys), findSet(owner, program.addresses)]
  const values = [...keys, ...addresses]
  await (values.length > 0
    ? storeValues(client, { ...key, name: secretName }, values)
    : client.delete(SECRETS, { ...key, name: secretName }).catch(ignoreAbsent))
  // An address alone is no login.
  const login = keys.length > 0 ? {} : fromLoginFile(program, owner)
  const credentials = { ...(values.length > 0 ? fromVariables(secretName, values) : {}), ...login }
  if (isSame(agent.spec.credentials, credentials)) return
  const annotations = { ...agent.metadata.annotations, [ANNOTATIONS.ownersLogin]: 'true' }
  await client.replace(AGENTS, {
    ...agent,
    metadata: { ...agent.metadata, annotations },
    spec: { ...agent.spec, credentials },
  })
}

function isOurs({ metadata, spec }: Agent): boolean {
  return spec.credentials === undefined || metadata.annotations?.[ANNOTATIONS.ownersLogin] === 'true'
}

/** Those of the variables that the owner has set, with their values. */
function findSet({ env }: Owner, names: readonly string[]): Named[] {
  return names.flatMap((name): Named[] => {
    const value = env[name]
    return value === undefined || value === '' ? [] : [[name, value]]
  })
}

type Named = readonly [name: string, value: string]

function fromVariables(secretName: string, values: readonly Named[]): AgentCredentials {
  return { secretName, env: values.map(([name]) => ({ name, key: name })) }
}

/** The login file need not exist yet: a missing one is reported before a container starts, and a later login counts. */
function fromLoginFile({ loginFile }: AgentProgram, { home }: Owner): AgentCredentials {
  return { files: [{ path: loginFile, hostPath: join(home, loginFile) }], writeBack: true }
}

function ignoreAbsent(error: unknown): void {
  if (!isNotFound(error)) throw error
}

async function storeValues(
  client: KubeClient,
  key: { readonly namespace: string; readonly name: string },
  values: readonly Named[],
): Promise<void> {
  const data = Object.fromEntries(values.map(([name, value]) => [name, Buffer.from(value).toString('base64')]))
  const labels = { [LABELS.usableBy]: 'agent', [LABELS.managedBy]: MANAGED_BY }
  const secret: Secret = { apiVersion: 'v1', kind: 'Secret', metadata: { ...key, labels }, type: 'Opaque', data }
  const found = await client.find(SECRETS, key)
  if (found === undefined) {
    await client.create(SECRETS, secret).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error
    })
  } else if (!isSame(found.data, data)) await client.replace(SECRETS, { ...found, data })
}
