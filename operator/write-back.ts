/**
 * Credential files at the end of an execution: what a CLI renewed is stored again where it came from (decisions,
 * section 2: `credentials.writeBack`), and no copy stays in the task's home, where an agent of another kind, or a
 * person who looks into the workspace, would find it.
 *
 * The file lies in a folder that the agent can write, so it is believed only as far as its form goes: an ordinary file
 * of moderate size that is JSON of the very form that the stored one has. What it grants is the agent's own already.
 * Whatever the agent did to it, the execution ends: nothing here may keep it from that.
 */
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Agent } from '../core/crd/types.ts'
import { homePath } from '../core/execution/layout.ts'
import { isJsonObject, measureJson, parseJson } from '../core/json.ts'
import { parseTimestamp } from '../core/time.ts'
import { SECRETS } from '../kube/resources.ts'
import { isForbidden, KubeError } from '../kube/types.ts'
import { ifPlain, ifThere, inFolderNoFollow, readRegularNoFollow, writeFileAtomic } from '../lib/files.ts'
import { removeTree } from '../lib/remove-tree.ts'
import type { OperatorContext } from './context.ts'

const MAX_BYTES = 64 * 1024
const MAX_DEPTH = 16

export interface UsedCredentials {
  readonly agent: Agent
  /** Whose home holds the files. */
  readonly sandbox: string
  /** When the files were put into the home (RFC 3339): what somebody else stored after that is newer. */
  readonly since: string
}

/**
 * Files that did not change, or changed into something else than credentials, stay as they are stored.
 *
 * @throws KubeError when a Secret cannot be read, or written for want of more than a right; the reason of `lost`; what the
 * disk refuses is logged
 */
export async function takeBackCredentials(
  context: OperatorContext,
  used: UsedCredentials,
  lost?: AbortSignal,
): Promise<void> {
  const { agent, sandbox } = used
  for (const { path, key, hostPath } of agent.spec.credentials?.files ?? []) {
    try {
      if (agent.spec.credentials?.writeBack === true) await storeRenewed(context, used, { path, key, hostPath })
      // Whoever leads by now may have given the file to the next execution.
      lost?.throwIfAborted()
      await removeCopy(context.settings.volumeRoot, homePath(sandbox), path)
    } catch (error) {
      if (error instanceof KubeError || lost?.aborted === true) throw error
      context.logger.warn({ error, agent: agent.metadata.name, sandbox }, 'a credential file cannot be taken back')
    }
  }
}

interface CredentialFile {
  readonly path: string
  readonly key: string | undefined
  readonly hostPath: string | undefined
}

async function storeRenewed(
  context: OperatorContext,
  { agent, sandbox, since }: UsedCredentials,
  { path, key, hostPath }: CredentialFile,
): Promise<void> {
  const renewed = await readIfPlain(context.settings.volumeRoot, `${homePath(sandbox)}/${path}`)
  if (renewed === undefined) return
  const name = agent.spec.credentials?.secretName
  if (hostPath !== undefined) await replaceFile(hostPath, renewed, parseTimestamp(since))
  else if (key !== undefined && name !== undefined) {
    await replaceKey(context, { agent, secretName: name, key }, renewed)
  }
}

/** A person who logged in anew meanwhile must not get the older login back, which may be worth nothing any more. */
async function replaceFile(path: string, renewed: string, since: Date): Promise<void> {
  const stored = await readIfPlain(dirname(path), basename(path))
  if (stored === undefined || !isRenewal(stored, renewed)) return
  if ((await stat(path)).mtime >= since) return
  await writeFileAtomic(path, renewed, 0o600)
}

/** Where a Secret keeps a file of an agent. */
interface Place {
  readonly agent: Agent
  readonly secretName: string
  readonly key: string
}

/**
 * Without the right to write that Secret, which an administrator gives by name, the execution ends as it would: it has
 * done its work, and holds a slot. An Event says that the next one begins with the old login.
 */
async function replaceKey({ client, events }: OperatorContext, place: Place, renewed: string): Promise<void> {
  const { agent, secretName, key } = place
  const secret = await client.find(SECRETS, { namespace: agent.metadata.namespace, name: secretName })
  const stored = secret?.data?.[key]
  if (secret === undefined || stored === undefined) return
  if (!isRenewal(Buffer.from(stored, 'base64').toString('utf8'), renewed)) return
  const content = { ...secret.data, [key]: Buffer.from(renewed).toString('base64') }
  try {
    await client.replace(SECRETS, { ...secret, data: content })
  } catch (error) {
    if (!isForbidden(error)) throw error
    const message = `the renewed ${key} was not stored: ${error.message}`
    events.record(agent, { type: 'Warning', reason: 'CredentialsNotStored', message })
  }
}

/** Another content of the same form; a newer CLI may have added plain values below the first level. */
export function isRenewal(stored: string, renewed: string): boolean {
  if (stored === renewed || measureJson(renewed).depth > MAX_DEPTH) return false
  const [before, after] = [parseJson(stored), parseJson(renewed)]
  if (!isJsonObject(before) || !isJsonObject(after)) return false
  return Object.keys(after).every((name) => Object.hasOwn(before, name)) && hasForm(after, before)
}

/** Whether `after` has what `before` has, with values of the same kinds, and no object more. */
function hasForm(after: unknown, before: unknown): boolean {
  if (!isJsonObject(before)) return kindOf(after) === kindOf(before) || (before === null && !isJsonObject(after))
  if (!isJsonObject(after)) return false
  const isKept = ([name, value]: readonly [string, unknown]): boolean =>
    Object.hasOwn(after, name) && hasForm(after[name], value)
  return (
    Object.entries(before).every(isKept) &&
    Object.entries(after).every(([name, value]) => Object.hasOwn(before, name) || !isJsonObject(value))
  )
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value
}

async function removeCopy(root: string, home: string, path: string): Promise<void> {
  const segments = `${home}/${path}`.split('/')
  const name = segments.pop() ?? ''
  await unlessAbsent(inFolderNoFollow(root, segments, (folder) => removeTree(join(folder, name))))
}

async function readIfPlain(root: string, path: string): Promise<string | undefined> {
  return (await unlessAbsent(readRegularNoFollow(root, path, MAX_BYTES)))?.toString('utf8')
}

function unlessAbsent<T>(look: Promise<T>): Promise<T | undefined> {
  return ifPlain(ifThere(look, 'ENOENT', 'ENOTDIR'))
}
