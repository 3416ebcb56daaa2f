/**
 * Credential files that a CLI renewed while it ran (decisions, section 2: `credentials.writeBack`), stored again where
 * they came from.
 *
 * The file lies in a folder that the agent can write, so it is believed only as far as its form goes: an ordinary file
 * of moderate size that is JSON with the members that the stored one has. What it grants is the agent's own already.
 */
import { dirname, basename } from 'node:path'
import type { Agent } from '../core/crd/types.ts'
import { homePath } from '../core/execution/layout.ts'
import { parseJson } from '../core/json.ts'
import { SECRETS } from '../kube/resources.ts'
import { hasErrorCode, readRegularNoFollow, UnsafePath, writeFileAtomic } from '../lib/files.ts'
import type { OperatorContext } from './context.ts'

const MAX_BYTES = 64 * 1024

/** Files that did not change, or changed into something else than credentials, stay as they are stored. */
export async function storeCredentials(context: OperatorContext, agent: Agent, task: string): Promise<void> {
  const { files = [], secretName } = agent.spec.credentials ?? {}
  for (const { path, key, hostPath } of files) {
    const renewed = await readRenewed(context.settings.volumeRoot, `${homePath(task)}/${path}`)
    if (renewed === undefined) continue
    if (hostPath !== undefined) await replaceFile(hostPath, renewed)
    else if (key !== undefined && secretName !== undefined) {
      await replaceKey(context, { namespace: agent.metadata.namespace, name: secretName }, key, renewed)
    }
  }
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
