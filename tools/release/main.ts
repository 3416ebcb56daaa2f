/** `npm run release`. */
import { join } from 'node:path'
import { ReleaseError } from './commands.ts'
import { readOptions, USAGE } from './options.ts'
import { makeRelease } from './release.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const say = (line: string): void => void process.stderr.write(`release: ${line}\n`)
const args = process.argv.slice(2)

try {
  if (args.includes('--help')) process.stdout.write(USAGE)
  else for (const name of makeRelease(root, readOptions(args), say)) process.stdout.write(`${name}\n`)
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  say(error.message)
  process.exitCode = 1
}
