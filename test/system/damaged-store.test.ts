import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { oldStore } from '../helpers/old-store.ts'
import { runSlipway } from '../helpers/slipway.ts'
import { type Installation, makeInstallation } from './installation.ts'

describe('a store that is not as it was written', function () {
  let installation: Installation
  let file: string

  beforeEach(() => {
    installation = makeInstallation()
    file = join(installation.dataDir, 'store', 'objects.mdb')
  })
  afterEach(() => installation.dispose())

  const slipway = (command: string, ...args: string[]) =>
    runSlipway([command, '--data-dir', installation.dataDir, ...args])

  /** Ends the server without any chance to tidy up, with a task in its store. */
  async function killWithTask(): Promise<void> {
    const server = await installation.start()
    await server.create('kept', 'echo kept')
    await server.program.kill()
  }

  const DAMAGES: Readonly<Record<string, () => void>> = {
    'a few bytes of a record flipped': () => {
      const content = readFileSync(file)
      for (let at = content.indexOf('echo kept'); at !== -1; at = content.indexOf('echo kept', at))
        content.write('echo kill', at)
      writeFileSync(file, content)
    },
    'all pages behind the first ones zeroed': () => {
      const content = readFileSync(file)
      writeFileSync(file, content.fill(0, 8192))
    },
    'its end cut off, so that reading it is a SIGBUS': () => truncateSync(file, 8192),
    'all of it cut off': () => truncateSync(file, 0),
    'the file gone': () => rmSync(file),
  }
  for (const [damage, inflict] of Object.entries(DAMAGES)) {
    it(`after kill -9 with ${damage} ends the start with one line that names the file and the way out`, async () => {
      await killWithTask()
      inflict()
      for (const command of ['check', 'serve']) {
        const { code, output } = await slipway(command, '--listen', '127.0.0.1:0')
        assert.equal(code, 1, output)
        const lines = output.split('\n').filter((line) => line.startsWith('slipway: '))
        assert.equal(lines.length, 1, output)
        assert.match(lines[0] ?? '', /^slipway: the store \S+\/store\/objects\.mdb is damaged: .*; put back a copy/)
        if (command === 'serve') assert.equal(output, `${lines[0]}\n`)
      }
    })
  }

  it('is told from a whole one, which `slipway check` counts, also while it is served', async () => {
    const server = await installation.start()
    await server.create('kept', 'echo kept')
    const whole = /^the store \S+\/objects\.mdb is whole: \d+ objects at revision \d+\n$/
    const beside = await slipway('check')
    assert.equal(beside.code, 0)
    assert.match(beside.output, whole)
    await server.program.kill()
    const killed = await slipway('check')
    assert.equal(killed.code, 0)
    assert.match(killed.output, whole)
    assert.equal((await (await installation.start()).task('kept'))['id'], 'kept')
  })

  it('is not mistaken for one that was never there', async () => {
    const { code, output } = await slipway('check')
    assert.deepEqual([code, /there is no store in .*--data-dir/.test(output)], [1, true], output)
  })

  it('of an older version without checksums opens with its tasks and goes on', async () => {
    mkdirSync(join(installation.dataDir, 'store'), { recursive: true })
    writeFileSync(file, oldStore())
    writeFileSync(join(installation.dataDir, 'store', 'format'), '1\n')
    const server = await installation.start()
    assert.equal((await server.task('kept-1'))['state'], 'FAILED')
    assert.equal((await server.task('kept-3'))['state'], 'PENDING')
    await server.create('new', 'true')
    await server.program.kill()
    const again = await installation.start()
    assert.deepEqual([(await again.task('kept-2'))['id'], (await again.task('new'))['id']], ['kept-2', 'new'])
    assert.equal((await slipway('check')).code, 0)
  })
})
