/** What a working copy remembers of its checkout, in its own git folder, where no commit can put a file. */
import { realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '../../core/json.ts'
import { ifThere, readRegularNoFollow, writeFileAtomic } from '../../lib/files.ts'
import { type GitOptions, GitFailed, gitText } from '../../lib/git.ts'
import type { CheckoutNote } from './note-schema.ts'

const FILE = 'slipway-checkout.json'
const MAX_BYTES = 64 * 1024
/** There from the first moment of a checkout until its note is written. */
const UNFINISHED = 'slipway-checkout-unfinished'

/** Marks a working copy that is being made. */
export async function markUnfinished(options: GitOptions): Promise<void> {
  await writeFile(join(await gitFolder(options), UNFINISHED), '')
}

/** @param options git in the working copy, which is finished by this */
export async function writeNote(options: GitOptions, note: CheckoutNote): Promise<void> {
  const folder = await gitFolder(options)
  await writeFileAtomic(join(folder, FILE), `${JSON.stringify(note)}\n`)
  await rm(join(folder, UNFINISHED))
}

/** @returns undefined where the folder is no checkout of a task */
export async function readNote(options: GitOptions): Promise<CheckoutNote | undefined> {
  try {
    const bytes = await ifThere(readRegularNoFollow(await gitFolder(options), FILE, MAX_BYTES))
    const { checkNote } = await import('./note-schema.ts')
    const checked = checkNote(parseJson(bytes?.toString('utf8') ?? ''))
    return checked.ok ? checked.value : undefined
  } catch (error) {
    if (error instanceof GitFailed) return undefined
    throw error
  }
}

/** What became of a checkout into a folder, of which it is the top; undefined: it is none. */
export async function findCheckout(
  options: GitOptions,
  folder: string,
): Promise<{ readonly note?: CheckoutNote } | undefined> {
  const there = { ...options, cwd: folder }
  try {
    if ((await gitText(['rev-parse', '--show-toplevel'], there)) !== (await realpath(folder))) return undefined
    if ((await ifThere(readRegularNoFollow(await gitFolder(there), UNFINISHED, 0))) !== undefined) return {}
    const note = await readNote(there)
    return note && { note }
  } catch (error) {
    if (error instanceof GitFailed) return undefined
    throw error
  }
}

function gitFolder(options: GitOptions): Promise<string> {
  return gitText(['rev-parse', '--absolute-git-dir'], options)
}
