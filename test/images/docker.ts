/** What the tests of the release share: the files and the images that test/images/run has made. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { imageNames } from '../../tools/release/images.ts'

const run = promisify(execFile)

export const ROOT = join(import.meta.dirname, '..', '..', '..')

/** The images that the release has: those that test/images/run was to make, else all. */
export function releasedImages(): readonly string[] {
  const { SLIPWAY_RELEASE_IMAGES: names = '' } = process.env
  return names === '' ? imageNames(ROOT) : names.split(' ')
}

/** As a careful installation runs any image: no root, nothing to write to, no rights. */
export const HARDENED = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges']

/** The folder with the files of the release. */
export function releaseFolder(): string {
  const folder = process.env['SLIPWAY_RELEASE']
  assert.ok(folder, 'SLIPWAY_RELEASE is set by test/images/run')
  return folder
}

/** As test/images/run has loaded it. */
export function imageOf(name: string): string {
  return `localhost/${name}:images-test`
}

/** What docker prints, without the last line end. */
export async function docker(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('docker', [...args])
  return stdout.trimEnd()
}

/** What a command prints in a container of its own that is removed afterwards and has no network. */
export function inContainer(image: string, ...command: readonly string[]): Promise<string> {
  const [program = '', ...args] = command
  const limits = [...HARDENED, '--network=none', '--tmpfs=/tmp', '--env=HOME=/tmp/home']
  return docker('run', '--rm', ...limits, `--entrypoint=${program}`, image, ...args)
}
