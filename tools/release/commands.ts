/** The programs that make a release: git, npm, helm, buildah, tar. */
import { spawnSync } from 'node:child_process'

/** A release cannot be made; the message says why, and what to do. */
export class ReleaseError extends Error {}

/** Where a program runs, and the variables that it gets beside our own. */
export interface Place {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a program whose output goes to stderr. @throws ReleaseError if it fails */
export function run(place: Place, command: string, ...args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { ...inPlace(place), stdio: ['ignore', 2, 2] })
  if (error !== undefined || status !== 0) throw failure(command, args, error?.message ?? `exit code ${status}`)
}

/** What a program prints, without the last line end. @throws ReleaseError if it fails */
export function capture(place: Place, command: string, ...args: readonly string[]): string {
  const limits = { encoding: 'utf8', maxBuffer: 1 << 26 } as const
  const { status, error, stdout, stderr } = spawnSync(command, args, { ...inPlace(place), ...limits })
  if (error !== undefined || status !== 0) throw failure(command, args, error?.message ?? stderr.trim())
  return stdout.trimEnd()
}

/** @throws ReleaseError with the way out if there is no such program on `PATH` */
export function requireProgram(name: string, wayOut: string): void {
  const { error } = spawnSync(name, ['version'], { stdio: 'ignore' })
  if (error !== undefined) throw new ReleaseError(`there is no ${name} on PATH: ${wayOut}`)
}

function inPlace({ cwd, env }: Place): { cwd: string; env: NodeJS.ProcessEnv } {
  return { cwd, env: { ...process.env, ...env } }
}

function failure(command: string, args: readonly string[], why: string): ReleaseError {
  return new ReleaseError(`${command} ${args.join(' ')} failed: ${why}`)
}
