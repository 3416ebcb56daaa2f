import { readdir } from 'node:fs/promises'
import { ifPlain, inFolderNoFollow } from './files.ts'

/** In a folder with more folders and files than this nothing may be found: an agent can make as many as it likes. */
const MAX_ENTRIES = 20_000
const MAX_DEPTH = 4

/** The first file below a folder that is wanted, by its path below `root`; links are not followed. */
export async function findFileNoFollow(
  root: string,
  folder: string,
  isWanted: (path: string) => boolean,
): Promise<string | undefined> {
  let left = MAX_ENTRIES
  const look = async (path: string, depth: number): Promise<string | undefined> => {
    const entries = await listFolder(root, path)
    left -= entries.length
    const file = entries.find((entry) => entry.isFile() && isWanted(`${path}/${entry.name}`))
    if (file !== undefined) return `${path}/${file.name}`
    if (depth === MAX_DEPTH) return undefined
    for (const entry of entries.filter((one) => one.isDirectory())) {
      const found = left > 0 ? await look(`${path}/${entry.name}`, depth + 1) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }
  return look(folder, 0)
}

async function listFolder(root: string, path: string) {
  const list = (folder: string) => readdir(folder, { withFileTypes: true })
  return (await ifPlain(inFolderNoFollow(root, path.split('/'), list))) ?? []
}
