/** Git LFS by the person's own git-lfs, which is told the repository's server: .lfsconfig of the tree an agent can write. */
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { shellWord } from '../../core/shell.ts'
import { ifThere } from '../../lib/files.ts'
import { type GitOptions, type GitSetting, git, gitText } from '../../lib/git.ts'
import { lfsUrl, objectPath, readPointers } from '../../lib/git-lfs.ts'

/** The command that fetches the content of a working copy. */
export function pullCommand(url: string): string {
  return ['git', '-c', `lfs.url=${serverOf(url)}`, 'lfs', 'pull'].map(shellWord).join(' ')
}

/** With ssh git-lfs asks the repository's host. Source: git-lfs, docs/api/server-discovery.md. */
function serverOf(url: string): string {
  return lfsUrl(url) ?? url
}

/**
 * Sends the content of pointers that commits of the person bring, since `git push` runs none of their hooks. What is not
 * here the agent's clone may have: deliver sends that.
 *
 * @param tip what the branch was at; absent: it was not there
 * @throws GitFailed
 */
export async function pushContent(
  options: GitOptions,
  { url, head, tip }: { readonly url: string; readonly head: string; readonly tip: string | undefined },
): Promise<void> {
  const from = tip ?? (await emptyTree(options))
  const changed = await git(['diff-tree', '-r', '-z', '--raw', '--no-abbrev', from, head], options)
  const objects = [...changed.stdout.toString('latin1').matchAll(/:\d+ 100\d+ [0-9a-f]+ ([0-9a-f]+) /g)]
  const pointers = await readPointers(options, [...new Set(objects.map(([, object = '']) => object))])
  const folder = await gitText(['rev-parse', '--path-format=absolute', '--git-common-dir'], options)
  const here = new Set<string>()
  for (const pointer of pointers.values())
    if ((await ifThere(lstat(join(folder, objectPath(pointer))))) !== undefined) here.add(pointer.oid)
  if (here.size === 0) return
  const server = serverOf(url)
  // Of .lfsconfig the second would count for what is sent.
  const config: GitSetting[] = [...(options.config ?? []), ['lfs.url', server], ['lfs.pushurl', server]]
  await git(['lfs', 'push', '--object-id', url, ...here], { ...options, config })
}

function emptyTree(options: GitOptions): Promise<string> {
  return gitText(['hash-object', '-t', 'tree', '--stdin'], { ...options, input: '' })
}
