/**
 * The name of this machine's node: its host's name for people, and a random part, because the world is full of hosts
 * that are called the same. Made once and kept in the node's folder, so that pods find their node again after a restart,
 * also under a new host name.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../lib/files.ts'
import { readIfExists } from './layout.ts'

export interface NodeNaming {
  /** Begins every name. */
  readonly prefix: string
  /** As the machine calls itself. */
  readonly host: string
  /** The node of a control plane that serves this machine alone: so it is called when its folder was removed. */
  readonly registered?: string | undefined
  readonly randomBytes: (size: number) => Uint8Array
}

const FILE = 'name.json'
/** Leaves room in a label value, 63, for a prefix and the random part. */
const MAX_HOST_LENGTH = 32
const RANDOM_BYTES = 4
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/**
 * Reads the name that is kept in a node's folder, or makes and keeps one.
 *
 * @throws Error when the file is not what this version writes
 */
export async function openNodeName(dir: string, naming: NodeNaming): Promise<string> {
  const path = join(dir, FILE)
  const kept = await readIfExists(path)
  if (kept !== undefined) return parseName(path, kept.toString('utf8'))
  const random = Buffer.from(naming.randomBytes(RANDOM_BYTES)).toString('hex')
  const newName = [naming.prefix, toDnsPart(naming.host), random].filter((part) => part !== '').join('-')
  const name = naming.registered ?? newName
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await writeFileAtomic(path, `${JSON.stringify({ name })}\n`, 0o600)
  return name
}

/** The first part of a host's name as one of a DNS-1123 label; empty when nothing of it can stand there. */
function toDnsPart(host: string): string {
  const [first = ''] = host.toLowerCase().split('.')
  return first
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_HOST_LENGTH)
    .replaceAll(/^-|-$/g, '')
}

function parseName(path: string, text: string): string {
  const { name } = readObject(text)
  if (!isDnsLabel(name)) throw new Error(`${path} does not hold the name of a node: remove it to get a new one`)
  return name
}

function isDnsLabel(value: unknown): value is string {
  return typeof value === 'string' && DNS_LABEL.test(value)
}

function readObject(text: string): { readonly name?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
