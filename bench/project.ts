/** A repository of some size: the project's own, with its history. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { packageFolder } from '../cli/installation.ts'

const run = promisify(execFile)

/** Clones the checkout into a bare repository whose `main` is what is checked out. */
export async function cloneProject(target: string): Promise<void> {
  const source = packageFolder()
  const head = await run('git', ['-C', source, 'rev-parse', 'HEAD'])
  await run('git', ['clone', '--quiet', '--bare', '--no-hardlinks', '--', source, target])
  await run('git', ['-C', target, 'update-ref', 'refs/heads/main', head.stdout.trim()])
  await run('git', ['-C', target, 'symbolic-ref', 'HEAD', 'refs/heads/main'])
}
