/** What a working copy remembers of its checkout, in its own git folder, where no commit can put a file. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { COMMIT_PATTERN } from '../../core/execution/patterns.ts'
import { parseJson } from '../../core/json.ts'
import { ifThere, readRegularNoFollow } from '../../lib/files.ts'
import { type GitOptions, GitFailed, gitText } from '../../lib/git.ts'
import { compileCheck } from '../../lib/validate.ts'

const CheckoutNote = Type.Object({
  task: Type.String(),
  url: Type.String(),
  branch: Type.String(),
  isShared: Type.Boolean(),
  /** Whether the checkout began with all that the branch had. */
  hasTip: Type.Boolean(),
  /** What the branch was at; absent: it was not there, or out of reach. */
  tip: Type.Optional(Type.String({ pattern: COMMIT_PATTERN })),
})

export interface CheckoutNote {
  readonly task: string
  readonly url: string
  readonly branch: string
  readonly isShared: boolean
  readonly hasTip: boolean
  readonly tip?: string
}

const check = compileCheck(CheckoutNote)
const FILE = 'slipway-checkout.json'
const MAX_BYTES = 64 * 1024

/** @param options git in the working copy */
export async function writeNote(options: GitOptions, note: CheckoutNote): Promise<void> {
  const folder = await gitText(['rev-parse', '--absolute-git-dir'], options)
  await writeFile(join(folder, FILE), `${JSON.stringify(note)}\n`)
}

/** @returns undefined where the folder is no checkout of a task */
export async function readNote(options: GitOptions): Promise<CheckoutNote | undefined> {
  try {
    const folder = await gitText(['rev-parse', '--absolute-git-dir'], options)
    const bytes = await ifThere(readRegularNoFollow(folder, FILE, MAX_BYTES))
    const checked = check(parseJson(bytes?.toString('utf8') ?? ''))
    return checked.ok ? checked.value : undefined
  } catch (error) {
    if (error instanceof GitFailed) return undefined
    throw error
  }
}
