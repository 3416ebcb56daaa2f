/**
 * What a repository on this machine has elsewhere: a linked worktree or a submodule has its repository in another folder, and
 * a clone with `--reference` or `--shared` borrows objects (gitrepository-layout(5)).
 */
import { readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ifThere, isIn } from './files.ts'

/** Git follows no longer chain of alternates. */
const MAX_ALTERNATES = 5

/** The folders outside of `repository` that git needs to read it; absolute, without links. */
export async function findBorrowedFolders(repository: string): Promise<string[]> {
  const gitDir = await findGitDir(repository)
  const common = (await readIfThere(join(gitDir, 'commondir')))?.trim()
  const root = common === undefined ? gitDir : resolve(gitDir, common)
  if ((await readIfThere(join(root, 'HEAD'))) === undefined) return []
  const stores = await findAlternates(join(root, 'objects'))
  const folders = await Promise.all([root, ...stores].map((path) => ifThere(realpath(path), ...ABSENT)))
  const inside = [repository]
  for (const folder of folders)
    if (folder !== undefined && !inside.some((known) => isIn(known, folder))) inside.push(folder)
  return inside.slice(1)
}

/** The `.git` of a linked worktree or a submodule is a file that names the folder. */
async function findGitDir(repository: string): Promise<string> {
  const link = join(repository, '.git')
  const text = await readIfThere(link)
  const [, target] = /^gitdir: (.+)/.exec(text ?? '') ?? []
  if (target !== undefined) return resolve(repository, target)
  return (await readIfThere(join(link, 'HEAD'))) === undefined ? repository : link
}

async function findAlternates(objects: string): Promise<string[]> {
  const found: string[] = []
  let stores = [objects]
  for (let depth = 0; depth < MAX_ALTERNATES && stores.length > 0; depth++) {
    const named = await Promise.all(stores.map(readAlternates))
    stores = named.flat().filter((store) => !found.includes(store))
    found.push(...stores)
  }
  return found
}

async function readAlternates(objects: string): Promise<string[]> {
  const text = await readIfThere(join(objects, 'info', 'alternates'))
  const lines = (text ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  // Whatever else a line names is shown to nobody.
  return lines.map((line) => resolve(objects, line)).filter((store) => store.endsWith('/objects'))
}

const ABSENT = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES']

function readIfThere(path: string): Promise<string | undefined> {
  return ifThere(readFile(path, 'utf8'), ...ABSENT)
}
