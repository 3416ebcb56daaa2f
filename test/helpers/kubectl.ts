/** kubectl as people and tools call it, where this machine has one. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { asRecord } from '../../core/json.ts'
import { hasErrorCode } from '../../lib/files.ts'
import { leaveOut } from './leave-out.ts'

const run = promisify(execFile)
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

export interface Kubectl {
  /** Runs kubectl and gives its stdout. @throws Error with its stderr when it fails */
  (...args: string[]): Promise<string>
  /** What `kubectl diff` prints with these arguments: nothing where an apply would change nothing. */
  diff(...args: string[]): Promise<string>
  /** An object or a list, with its managed fields. */
  json(...args: string[]): Promise<Readonly<Record<string, unknown>>>
}

/** @param kubeconfig path of the file */
export function openKubectl(kubeconfig: string, namespace: string): Kubectl {
  const call = async (...args: string[]): Promise<string> =>
    (await run('kubectl', ['--kubeconfig', kubeconfig, '-n', namespace, ...args], { maxBuffer: MAX_OUTPUT_BYTES }))
      .stdout
  return Object.assign(call, {
    async diff(...args: string[]) {
      try {
        return await call('diff', ...args)
      } catch (error) {
        // 1: there are differences. More: it failed.
        if (error instanceof Error && 'code' in error && error.code === 1 && 'stdout' in error) {
          return String(error.stdout)
        }
        throw error
      }
    },
    async json(...args: string[]) {
      return asRecord(JSON.parse(await call(...args, '-o', 'json', '--show-managed-fields')))
    },
  })
}

/** Leaves out what `context` belongs to where this machine has no kubectl. */
export async function needKubectl(context: Mocha.Context): Promise<void> {
  try {
    await run('kubectl', ['version', '--client'])
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error
    leaveOut(context, 'kubectl is not on PATH')
  }
}
