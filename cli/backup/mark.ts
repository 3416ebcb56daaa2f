/** The mark on a data volume while an import into it has not ended; operators begin nothing before. */
import { readFile, rm } from 'node:fs/promises'
import { IMPORTING_PATH } from '../../core/execution/layout.ts'
import { parseObject } from '../../core/json.ts'
import { ifThere, safeJoin, syncFolder, writeFileAtomic } from '../../lib/files.ts'

/** The checksum of the backup that is being imported; undefined while none is. */
export async function readImportMark(volumeRoot: string): Promise<string | undefined> {
  const text = await ifThere(readFile(pathOf(volumeRoot), 'utf8'))
  return text === undefined ? undefined : String(parseObject(text)['sha256'])
}

export function writeImportMark(volumeRoot: string, sha256: string): Promise<void> {
  return writeFileAtomic(pathOf(volumeRoot), `${JSON.stringify({ sha256 })}\n`)
}

export async function removeImportMark(volumeRoot: string): Promise<void> {
  await rm(pathOf(volumeRoot))
  await syncFolder(volumeRoot)
}

function pathOf(volumeRoot: string): string {
  return safeJoin(volumeRoot, IMPORTING_PATH)
}
