import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Runs tsc beside whatever else the build does. @param memory name of the file in dist/ that makes the next run short */
export async function tsc(project, memory) {
  const program = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = ['-p', project, '--incremental', '--tsBuildInfoFile', join(root, 'dist', memory)]
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 2, 2] })
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve))
  if (code !== 0) throw new Error(`tsc found errors in ${project}`)
}
