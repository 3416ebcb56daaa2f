import { access, constants } from 'node:fs/promises'
import type { SecretVariable } from '../../core/agent/agent-config.ts'
import { programOf, noLoginReason } from '../../core/agent/programs.ts'
import type { Agent, Execution, Project } from '../../core/crd/types.ts'
import { ANNOTATIONS, LABELS } from '../../core/names.ts'
import { SECRETS } from '../../kube/resources.ts'
import type { ObjectKey } from '../../kube/types.ts'
import { ifThere } from '../../lib/files.ts'
import type { OperatorContext } from '../context.ts'
import type { SecretSetupVariable } from './setup.ts'

/**
 * What an agent's credentials lack, in words, or undefined when all is there: checked before a container starts, so
 * that nothing runs for want of a key (specification §6.12).
 *
 * @param secrets the keys that it is given beside its credentials
 */
export async function findMissingCredentials(
  { client }: Pick<OperatorContext, 'client'>,
  agent: Agent,
  secrets: readonly SecretVariable[],
): Promise<string | undefined> {
  const none = noLoginReason(agent)
  if (none !== undefined) return none
  const { credentials = {} } = agent.spec
  const onHost = (credentials.files ?? []).flatMap(({ hostPath }) => hostPath ?? [])
  const lost = await findUnreadable(onHost)
  if (lost.length > 0) return `agent ${agent.metadata.name}: file ${lost.join(', ')} cannot be read${howToLogIn(agent)}`
  const keys = [
    ...(credentials.files ?? []).flatMap(({ key }) => key ?? []),
    ...[...(credentials.env ?? []), ...secrets].map(({ key }) => key),
  ]
  if (keys.length === 0) return undefined
  const name = credentials.secretName
  if (name === undefined) return `agent ${agent.metadata.name}: credentials.secretName is missing`
  return findSecretProblem(client, { namespace: agent.metadata.namespace, name }, 'agent', keys)
}

/** Why a Secret cannot be used for that, or what it lacks, in words; undefined when it will do. */
async function findSecretProblem(
  client: OperatorContext['client'],
  key: ObjectKey,
  usableBy: 'agent' | 'setup',
  keys: readonly string[],
): Promise<string | undefined> {
  const { name } = key
  const secret = await client.find(SECRETS, key)
  if (secret === undefined) return `Secret ${name} does not exist: create it with the keys ${keys.join(', ')}`
  if (secret.metadata.labels?.[LABELS.usableBy] !== usableBy)
    return `Secret ${name} is not for ${usableBy}s: label it ${LABELS.usableBy}=${usableBy}`
  const missing = keys.filter((one) => (secret.data?.[one] ?? '') === '')
  return missing.length === 0 ? undefined : `Secret ${name} lacks ${missing.join(', ')}`
}

/** Read by Node, by the loader or by the runner itself: the step that seals must not be led elsewhere. */
const RESERVED = /^(SLIPWAY_.*|LD_.*|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|PATH|HOME|BASH_ENV)$/

/** What the variables of a setup lack, in words, or undefined when all is there; checked before anything starts. */
export async function findMissingSetupSecrets(
  { client }: Pick<OperatorContext, 'client'>,
  { metadata: { namespace } }: Execution,
  project: Project | undefined,
  wanted: readonly SecretSetupVariable[],
): Promise<string | undefined> {
  const reserved = wanted.find(({ name }) => RESERVED.test(name))
  if (reserved !== undefined)
    return `environment.env of project ${project?.metadata.name ?? ''}: ${reserved.name} cannot hold a secret, since Slipway's own programs read it: choose another name`
  for (const name of new Set(wanted.map(({ secretKey }) => secretKey.name))) {
    const keys = wanted.flatMap(({ secretKey }) => (secretKey.name === name ? [secretKey.key] : []))
    const problem = await findSecretProblem(client, { namespace, name }, 'setup', keys)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** For the owner of a machine whose agents log in as they do. */
function howToLogIn({ metadata, spec: { adapter } }: Agent): string {
  const program = programOf(adapter)
  return program === undefined || metadata.annotations?.[ANNOTATIONS.ownersLogin] !== 'true' ? '' : `: ${program.login}`
}

async function findUnreadable(paths: readonly string[]): Promise<string[]> {
  const results = await Promise.all(paths.map(async (path) => ((await isReadable(path)) ? [] : [path])))
  return results.flat()
}

async function isReadable(path: string): Promise<boolean> {
  const reading = access(path, constants.R_OK).then(() => true)
  return (await ifThere(reading, 'ENOENT', 'EACCES', 'EPERM', 'ENOTDIR')) === true
}
