/**
 * Credential files of an execution that has ended: what its CLI renewed is stored again where it came from (decisions,
 * section 2: `credentials.writeBack`), and the copies in the agent's home are removed, because homes are kept.
 *
 * The file lies in a folder that the agent can write, so it is believed only as far as its form goes: an ordinary file
 * of moderate size that is JSON with the members that the stored one has. What it grants is the agent's own already.
 */
import { rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Agent } from '../core/crd/types.ts'
import { homePath } from '../core/execution/layout.ts'
import { parseJson } from '../core/json.ts'
import { SECRETS } from '../kube/resources.ts'
import { hasErrorCode, inFolderNoFollow, readRegularNoFollow, UnsafePath, writeFileAtomic } from '../lib/files.ts'
import type { OperatorContext } from './context.ts'

const MAX_BYTES = 64 * 1024

/** Files that did not change, or changed into something else than credentials, stay as they are stored. */
export async function settleCredentials(context: OperatorContext, agent: Agent, task: string): Promise<void> {
  const { files = [], secretName, writeBack = false } = agent.spec.credentials ?? {}
  const { volumeRoot } = context.settings
  for (const { path, key, hostPath } of files) {
    const copy = `${homePath(task)}/${path}`
    const renewed = writeBack ? await readRenewed(volumeRoot, copy) : undefined
    if (renewed !== undefined && hostPath !== undefined) await replaceFile(hostPath, renewed)
    if (renewed !== undefined && key !== undefined && secretName !== undefined) {
      await replaceKey(context, { namespace: agent.metadata.namespace, name: secretName }, key, renewed)
    }
    await removeCopy(volumeRoot, copy)
  }
}

async function removeCopy(root: string, path: string): Promise<void> {
  await inFolderNoFollow(root, dirname(path).split('/'), (folder) =>
    rm(`${folder}/${basename(path)}`, { recursive: true, force: true }),
  ).catch(absent)
}

async function replaceFile(path: string, renewed: string): Promise<void> {
  const stored = await readRegularNoFollow(dirname(path), basename(path), MAX_BYTES).catch(absent)
  if (stored === undefined || !isRenewal(stored.toString('utf8'), renewed)) return
  await writeFileAtomic(path, renewed, 0o600)
}

async function replaceKey(
  { client }: OperatorContext,
  name: { readonly namespace: string | undefined; readonly name: string },
  key: string,
  renewed: string,
): Promise<void> {
  const secret = await client.find(SECRETS, name)
  const stored = secret?.data?.[key]
  if (secret === undefined || stored === undefined) return
  if (!isRenewal(Buffer.from(stored, 'base64').toString('utf8'), renewed)) return
  await client.replace(SECRETS, { ...secret, data: { ...secret.data, [key]: Buffer.from(renewed).toString('base64') } })
}

/** Another content of the same form. */
export function isRenewal(stored: string, renewed: string): boolean {
  if (stored === renewed) return false
  const [before, after] = [membersOf(stored), membersOf(renewed)]
  return before !== undefined && before === after
}

function membersOf(text: string): string | undefined {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.keys(value).sort().join()
}

async function readRenewed(root: string, path: string): Promise<string | undefined> {
  return (await readRegularNoFollow(root, path, MAX_BYTES).catch(absent))?.toString('utf8')
}

function absent(error: unknown): undefined {
  if (error instanceof UnsafePath || hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined
  throw error
}
