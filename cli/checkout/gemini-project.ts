/**
 * Finds the folder in which gemini keeps the sessions of a working folder, as gemini does (0.61): by `projects.json`, else by
 * the `.project_root` of the folders below `tmp`.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asRecord, parseObject } from '../../core/json.ts'
import { hasErrorCode, ifThere } from '../../lib/files.ts'

const MARK = '.project_root'

/**
 * @param home gemini's own, `~/.gemini`
 * @param fresh name of a new folder, for a working folder that gemini does not know. Gemini finds it by its mark, so its list
 *   of projects is not written.
 */
export async function findGeminiProject(home: string, folder: string, fresh: string): Promise<string> {
  const tmp = join(home, 'tmp')
  const listed = await findListed(home, folder)
  const names = (await ifThere(readdir(tmp))) ?? []
  for (const name of listed === undefined ? names : [listed, ...names]) {
    const owner = (await ifThere(readFile(join(tmp, name, MARK), 'utf8'), 'ENOENT', 'ENOTDIR'))?.trim()
    if (owner === folder || (owner === undefined && name === listed)) return join(tmp, name)
  }
  return claim(tmp, fresh, folder)
}

/** The same session may be in another working folder already. */
async function claim(tmp: string, fresh: string, folder: string): Promise<string> {
  await mkdir(tmp, { recursive: true, mode: 0o700 })
  for (let n = 1; ; n++) {
    const project = join(tmp, n === 1 ? fresh : `${fresh}-${n}`)
    try {
      await mkdir(project, { mode: 0o700 })
    } catch (error) {
      if (hasErrorCode(error, 'EEXIST')) continue
      throw error
    }
    await writeFile(join(project, MARK), folder, { flag: 'wx', mode: 0o600 })
    return project
  }
}

async function findListed(home: string, folder: string): Promise<string | undefined> {
  const text = await ifThere(readFile(join(home, 'projects.json'), 'utf8'))
  const name = asRecord(parseObject(text ?? '')['projects'])[folder]
  return typeof name === 'string' && /^[a-z0-9][a-z0-9-]*$/.test(name) ? name : undefined
}
