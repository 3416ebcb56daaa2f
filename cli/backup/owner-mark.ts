/** Marks that say whose a folder of the volume is: of the backup, and those that are there already. */
import { isDeepStrictEqual } from 'node:util'
import { type Uids, replaceUids } from '../../core/backup/objects.ts'
import { formatOwner, parseOwner } from '../../core/execution/owner.ts'
import type { Found } from '../../lib/backup/restore.ts'
import { ifThere, readRegularNoFollow } from '../../lib/files.ts'
import type { Content } from './visit.ts'

const MAX_MARK_BYTES = 4096

/** Where the uids and the namespace of a backup become those of here. */
export interface Translation {
  readonly uids: Uids
  readonly from: string
  readonly to: string
}

/**
 * A mark names its owner's uid and namespace as they are here. A uid that is not known is of a task in the archive.
 *
 * @returns undefined for what is longer than any mark
 */
export async function translateMark(content: Content, { uids, from, to }: Translation): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of content) {
    length += piece.length
    if (length > MAX_MARK_BYTES) return undefined
    pieces.push(piece)
  }
  const text = Buffer.concat(pieces).toString('utf8')
  const owner = parseOwner(replaceUids(text, uids))
  if (owner === undefined) return Buffer.from(text)
  return Buffer.from(formatOwner({ ...owner, ...(owner.namespace === from && { namespace: to }) }))
}

/** How the mark that is there is to the one of the backup; undefined for a folder of which the backup has no mark. */
export async function inspectMark(root: string, path: string, mark: Buffer | undefined): Promise<Found> {
  const found = await ifThere(readRegularNoFollow(root, path, MAX_MARK_BYTES))
  if (found === undefined) return 'nothing'
  if (mark === undefined) return 'different'
  if (found.equals(mark)) return 'equal'
  const owner = parseOwner(found.toString('utf8'))
  return owner !== undefined && isDeepStrictEqual(owner, parseOwner(mark.toString('utf8'))) ? 'equal' : 'different'
}
