import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { RUNNER } from '../helpers/slipway.ts'
import { finish, makeFolder, removeFolder } from './execution.ts'

describe('the runner', () => {
  const run = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
    finish(spawn(process.execPath, [RUNNER, ...args], { env: { PATH: process.env['PATH'], ...variables } }))

  for (const args of [[], ['unknown'], ['copy-runner']]) {
    it(`says how it is used when started with [${args.join()}]`, async () => {
      const { exitCode, stderr } = await run(args)
      assert.equal(exitCode, 2)
      assert.match(stderr, /^usage: runner prepare\|agent\|stage\|check\|deliver,/)
    })
  }

  it('names the variable that is missing or wrong, without showing its secrets', async () => {
    assert.match((await run(['prepare'])).stderr, /SLIPWAY_RUN is not set/)
    const { exitCode, stderr } = await run(['prepare'], {
      SLIPWAY_RUN: '{"schemaVersion":1,"x":"https://u:s3cret@h/"}',
    })
    assert.equal(exitCode, 2)
    assert.ok(stderr.includes('SLIPWAY_RUN.') && !stderr.includes('s3cret'))
  })

  it('starts without the tables of languages, which would take each step 10 ms to load', async () => {
    const refusing = `Intl.NumberFormat = class { constructor() { throw new Error('made at the start') } }`
    const hook = `data:text/javascript,${encodeURIComponent(refusing)}`
    const child = spawn(process.execPath, ['--import', hook, RUNNER, 'prepare'], { env: { PATH: process.env['PATH'] } })
    assert.match((await finish(child)).stderr, /SLIPWAY_RUN is not set/)
  })

  it('copies Node and itself for images that have neither', async () => {
    const folder = makeFolder()
    try {
      assert.equal((await run(['copy-runner', folder])).exitCode, 0)
      assert.equal(statSync(join(folder, 'node')).mode & 0o111, 0o111)
      assert.ok(readFileSync(join(folder, 'runner.js')).equals(readFileSync(RUNNER)))
      const version = await finish(spawn(join(folder, 'node'), ['--version']))
      assert.equal(version.stdout.trim(), process.version)
    } finally {
      removeFolder(folder)
    }
  })
})
