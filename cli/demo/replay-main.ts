import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { replay } from './replay.ts'

const PAUSE_MS = 250

process.exitCode = await replay(process.argv.slice(2), {
  recordings: join(import.meta.dirname, 'recordings'),
  clone: process.cwd(),
  env: process.env,
  now: () => new Date(),
  pause: () => sleep(PAUSE_MS),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
