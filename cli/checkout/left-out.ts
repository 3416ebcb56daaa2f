/** What git does not bring by itself: content of Git LFS, and submodules. Both would go by settings that an agent can write. */
import { countOf } from '../../core/sentences/amounts.ts'
import { type GitOptions, git } from '../../lib/git.ts'
import { pullCommand } from './lfs.ts'

/** @returns for people: what is not in the working copy, and the command that fetches it */
export async function findLeftOut(options: GitOptions, url: string): Promise<string[]> {
  const remarks: string[] = []
  const inLfs = await listFiles(options, [':(top,attr:filter=lfs)'])
  if (inLfs.length > 0)
    remarks.push(
      `${countOf(inLfs.length, 'file')} of Git LFS ${inLfs.length === 1 ? 'is a pointer' : 'are pointers'}: ${pullCommand(url)} fetches the content`,
    )
  const submodules = (await listFiles(options, [], ['--stage'])).filter((entry) => entry.startsWith('160000 '))
  if (submodules.length > 0)
    remarks.push(
      `${countOf(submodules.length, 'submodule')} ${submodules.length === 1 ? 'is an empty folder' : 'are empty folders'}: look at .gitmodules, which the agent can have changed, then git submodule update --init`,
    )
  return remarks
}

async function listFiles(
  options: GitOptions,
  paths: readonly string[],
  more: readonly string[] = [],
): Promise<string[]> {
  const { stdout } = await git(['ls-files', '-z', ...more, '--', ...paths], options)
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '')
}
