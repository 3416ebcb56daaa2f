import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

  it('starts from what V8 made of it in the build', async () => {
    const look = `const { readFileSync } = require('node:fs'), [source, code] = process.argv.slice(1)
      const made = { filename: source, cachedData: readFileSync(code) }
      console.log(new (require('node:vm').Script)(readFileSync(source, 'latin1'), made).cachedDataRejected)`
    const files = ['program.js', 'program.cache'].map((name) => join(dirname(RUNNER), name))
    // In a process of its own: flags of V8 that another test has set would have it refused.
    assert.equal((await finish(spawn(process.execPath, ['--eval', look, ...files]))).stdout.trim(), 'false')
  })

  describe('copied for images that have neither Node nor it', () => {
    let folder: string

    beforeEach(async () => {
      folder = makeFolder()
      assert.equal((await run(['copy-runner', folder])).exitCode, 0)
    })

    afterEach(() => removeFolder(folder))

    const start = () => finish(spawn(join(folder, 'node'), [join(folder, 'runner.js')], { env: {}, cwd: '/' }))

    it('starts with that Node', async () => {
      assert.match((await start()).stderr, /^usage: runner prepare/)
      const version = await finish(spawn(join(folder, 'node'), ['--version']))
      assert.equal(version.stdout.trim(), process.version)
    })

    const spoilt = {
      'is gone': undefined,
      'is of another version of V8': 'of another version',
      'was cut off': readFileSync(join(dirname(RUNNER), 'program.cache')).subarray(0, 10_000),
    }
    for (const [what, content] of Object.entries(spoilt))
      it(`starts as well where what V8 made of it ${what}`, async () => {
        const cache = join(folder, 'program.cache')
        if (content === undefined) rmSync(cache)
        else writeFileSync(cache, content)
        assert.match((await start()).stderr, /^usage: runner prepare/)
      })
  })
})
