/** The mark on a data volume that says whose its folders are (core/execution/belonging.ts). */
import { dirname, join } from 'node:path'
import type { Belonging, HeldVolume } from '../core/execution/belonging.ts'
import { belongingPath, BELONGINGS_PATH, formatBelonging, parseBelonging } from '../core/execution/belonging.ts'
import { hasErrorCode, makeFolder, readNames, readRegularNoFollow, safeJoin, writeFileAtomic } from './files.ts'

const MAX_BYTES = 65_536

/** @param root the data volume, absolute @returns an empty one where there is no mark, as on volumes of earlier versions */
export async function readBelonging(root: string, namespace: string): Promise<Belonging> {
  try {
    return parseBelonging((await readRegularNoFollow(root, belongingPath(namespace), MAX_BYTES)).toString('utf8'))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return {}
    throw error
  }
}

/** Durable when it resolves. */
export async function writeBelonging(root: string, namespace: string, belonging: Belonging): Promise<void> {
  const path = safeJoin(root, belongingPath(namespace))
  await makeFolder(dirname(path), 0o770)
  await writeFileAtomic(path, formatBelonging(belonging))
}

/** Namespaces whose operator waits for a person, with what it found. */
export async function findHeld(
  root: string,
): Promise<{ namespace: string; uid: string | undefined; held: HeldVolume }[]> {
  const found = []
  for (const file of (await readFolderNames(join(root, BELONGINGS_PATH))).toSorted()) {
    const namespace = file.replace(/\.json$/, '')
    if (namespace === file || file.startsWith('.')) continue
    const { uid, held } = await readBelonging(root, namespace)
    if (held !== undefined) found.push({ namespace, uid, held })
  }
  return found
}

async function readFolderNames(folder: string): Promise<string[]> {
  try {
    return await readNames(folder)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return []
    throw error
  }
}
