/** Clones that tasks can be resumed in. Agents can write all that lies in them. */
import { type Generation, ALTERNATES_PATH, parseAlternates } from '../core/execution/alternates.ts'
import { clonePath } from '../core/execution/layout.ts'
import {
  hasErrorCode,
  ifPlain,
  ifThere,
  inFolderNoFollow,
  readRegularNoFollow,
  safeJoin,
  UnsafePath,
} from '../lib/files.ts'
import { readSandboxOwner } from './volume.ts'

/** A clone that its owner can resume. */
export interface KeptClone {
  /** Key of the repository whose mirrors it may borrow from, as nobody but the operator says. */
  readonly mirror?: string | undefined
}

/**
 * The clone that is there to be resumed by an owner; what a deleted task of the same name has left is none of its, nor is
 * what a fresh start was to replace, which borrows from elsewhere.
 */
export async function findKeptClone(
  root: string,
  sandbox: string,
  owner: string | undefined,
): Promise<KeptClone | undefined> {
  const [mark, isThere] = await Promise.all([readSandboxOwner(root, sandbox), isCloneThere(root, sandbox)])
  if (!isThere || (mark !== undefined && mark.uid !== owner)) return undefined
  const borrowed = await readBorrowed(root, clonePath(sandbox))
  const isReplaced = typeof borrowed === 'object' && borrowed.key !== mark?.mirror
  return isReplaced ? undefined : { mirror: mark?.mirror }
}

/** More than the line of a mirror takes. */
const MAX_ALTERNATES_BYTES = 256

/**
 * The mirror that a clone borrows from, as the clone says, which an agent can change.
 *
 * @returns undefined where it says nothing, `unknown` for what is none of ours or cannot be read
 */
export async function readBorrowed(root: string, clone: string): Promise<Generation | 'unknown' | undefined> {
  try {
    const reading = readRegularNoFollow(root, `${clone}/${ALTERNATES_PATH}`, MAX_ALTERNATES_BYTES)
    const text = await ifThere(reading.then(String))
    return text === undefined ? undefined : (parseAlternates(text) ?? 'unknown')
  } catch (error) {
    if (error instanceof UnsafePath || hasErrorCode(error, 'ENOTDIR', 'EISDIR', 'EACCES')) return 'unknown'
    throw error
  }
}

/** The agent can write the folder that the clone lies in: a link in its place is no clone. */
async function isCloneThere(root: string, sandbox: string): Promise<boolean> {
  const [top = '', ...inside] = `${clonePath(sandbox)}/.git`.split('/')
  const look = inFolderNoFollow(safeJoin(root, top), inside, () => Promise.resolve(true))
  return (await ifPlain(look)) === true
}
