/** The mark on a data volume that says whose its folders are (core/execution/belonging.ts). */
import { dirname, join } from 'node:path'
import {
  type Belonging,
  type HeldVolume,
  belongingPath,
  BELONGINGS_PATH,
  formatBelonging,
  parseBelonging,
} from '../core/execution/belonging.ts'
import { ifThere, makeFolder, readNames, readRegularNoFollow, safeJoin, writeFileAtomic } from './files.ts'

const MAX_BYTES = 65_536

/** @param root the data volume, absolute @returns an empty one where there is no mark, as on volumes of earlier versions */
export async function readBelonging(root: string, namespace: string): Promise<Belonging> {
  const bytes = await ifThere(readRegularNoFollow(root, belongingPath(namespace), MAX_BYTES))
  return bytes === undefined ? {} : parseBelonging(bytes.toString('utf8'))
}

/** Durable when it resolves. */
export async function writeBelonging(root: string, namespace: string, belonging: Belonging): Promise<void> {
  const path = safeJoin(root, belongingPath(namespace))
  await makeFolder(dirname(path), 0o770)
  await writeFileAtomic(path, formatBelonging(belonging))
}

/**
 * Returns what waits for a person, as last read from the volume. Each call starts another read but does not wait for it, so
 * that a volume that hangs fails no probe.
 */
export function followHeld(root: string, namespace: string): () => string | undefined {
  let known: string | undefined
  let looking: Promise<void> | undefined
  const look = async (): Promise<void> => {
    try {
      known = (await readBelonging(root, namespace)).held?.text
    } catch {
      // The last answer stays; whoever needs the volume says why it cannot be read.
    } finally {
      looking = undefined
    }
  }
  return () => {
    looking ??= look()
    return known
  }
}

/** Namespaces whose operator waits for a person, with what it found. */
export async function findHeld(
  root: string,
): Promise<{ namespace: string; uid: string | undefined; held: HeldVolume }[]> {
  const found = []
  const files = (await ifThere(readNames(join(root, BELONGINGS_PATH)))) ?? []
  for (const file of files.toSorted()) {
    const namespace = file.replace(/\.json$/, '')
    if (namespace === file || file.startsWith('.')) continue
    const { uid, held } = await readBelonging(root, namespace)
    if (held !== undefined) found.push({ namespace, uid, held })
  }
  return found
}
