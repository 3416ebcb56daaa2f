import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type FileRecipe, MAX_ENVIRONMENT_FILE_BYTES, readEnvironmentFile } from '../../core/environment/file.ts'
import { ENVIRONMENT_FILE } from '../../core/execution/layout.ts'
import { formatSize } from '../../core/sentences/amounts.ts'
import { type GitOptions, git } from '../../lib/git.ts'
import { readTree } from './tree.ts'

/** Where a commit is read from: its repository, and a folder for what is read. */
export interface CommitSource {
  readonly options: GitOptions
  readonly commit: string
  readonly tmp: string
}

/**
 * What the file of a commit says, read from the objects, whatever is checked out; undefined: it has none.
 *
 * @throws GitFailed
 */
export async function readRecipeFile({ options, commit, tmp }: CommitSource): Promise<FileRecipe | undefined> {
  const entry = (await readTree(options, commit, [ENVIRONMENT_FILE])).get(ENVIRONMENT_FILE)
  if (entry === undefined) return undefined
  if (!entry.mode.startsWith('100')) return broken('it is a link or a folder: put a file there')
  const bytes = await readBlob(options, entry.id, join(tmp, 'environment.yaml'))
  if (bytes === undefined) return broken(`it has more than ${formatSize(MAX_ENVIRONMENT_FILE_BYTES)}`)
  return parseRecipe(bytes.toString('utf8'))
}

function broken(words: string): FileRecipe {
  return { problem: `${ENVIRONMENT_FILE}: ${words}`, isRequired: false }
}

/** Undefined where it is too large. */
async function readBlob(options: GitOptions, id: string, path: string): Promise<Buffer | undefined> {
  const file = await open(path, 'w+')
  try {
    const how = { ...options, output: file, maxOutputBytes: MAX_ENVIRONMENT_FILE_BYTES }
    if ((await git(['cat-file', 'blob', id], how)).isCut) return undefined
    const { size } = await file.stat()
    const { buffer } = await file.read(Buffer.alloc(size), 0, size, 0)
    return buffer
  } finally {
    await file.close()
  }
}

/** Only a commit with such a file pays for loading the library. */
async function parseRecipe(text: string): Promise<FileRecipe> {
  const { parse, YAMLError } = await import('yaml')
  try {
    return readEnvironmentFile(parse(text, { logLevel: 'error' }))
  } catch (error) {
    // ReferenceError: aliases that would grow beyond all bounds.
    if (!(error instanceof YAMLError || error instanceof ReferenceError)) throw error
    const [first = ''] = error.message.split('\n')
    return broken(`it is no YAML (${first.replace(/:$/, '')})`)
  }
}
