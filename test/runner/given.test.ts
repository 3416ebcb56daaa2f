import assert from 'node:assert/strict'
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT_NOT_GIVEN } from '../../core/execution/steps.ts'
import { makeRemote } from '../helpers/repository.ts'
import { type TestExecution, makeExecution, makeFolder, removeFolder } from './execution.ts'

describe('what the operator gives an agent', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  const execution = (script = 'echo did it > b'): TestExecution =>
    makeExecution(root, makeRemote(root, { a: '1' }), script)

  const spoil: Readonly<Record<string, (path: string) => void>> = {
    missing: (path) => rmSync(path),
    'cut off, as by a power loss': (path) => writeFileSync(path, ''),
    different: (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('did', 'hid')),
    'a folder': (path) => (rmSync(path), mkdirSync(path)),
    'a link to the same': (path) => {
      writeFileSync(join(root, 'elsewhere'), readFileSync(path))
      rmSync(path)
      symlinkSync(join(root, 'elsewhere'), path)
    },
    'a file of two names': (path) => linkSync(path, join(root, 'second')),
  }
  for (const [what, change] of Object.entries(spoil)) {
    for (const step of what === 'missing' ? (['prepare', 'agent'] as const) : (['prepare'] as const)) {
      it(`ends ${step} with a code of its own, and does nothing, where it is ${what}`, async () => {
        const run = execution()
        const path = run.give({})
        if (step === 'agent') await run.step('prepare')
        change(path)
        const { exitCode, stderr } = await run.step(step)
        assert.equal(exitCode, EXIT_NOT_GIVEN)
        assert.match(
          stderr,
          /^slipway \w+: given-[0-9a-f]{64}\.json (is missing|was changed or is torn): the operator writes it again$/m,
        )
        assert.deepEqual(['result.json', 'agent/outcome.json', 'agent/stdout.log'].map(run.exists), [
          false,
          false,
          false,
        ])
      })
    }
  }

  it('is taken once it is written again', async () => {
    const run = execution()
    rmSync(run.give({}))
    assert.equal((await run.all()).exitCode, EXIT_NOT_GIVEN)
    run.give({})
    assert.equal((await run.all({ jobNumber: 2 })).exitCode, 0)
  })

  it('is no other file, whatever its specification names', async () => {
    const run = execution()
    const secret = join(run.folder, 'given-secret.json')
    writeFileSync(secret, readFileSync(run.give({})))
    for (const given of ['secret', '../../x', '0'.repeat(63)]) {
      const { exitCode, stderr } = await run.step('prepare', { given })
      assert.equal(exitCode, 2)
      assert.match(stderr, /SLIPWAY_RUN\.given must be a SHA-256 in hex/)
    }
  })

  it('holds the answer, which a script finds in a variable and in a file, or in the file alone where it is too long', async () => {
    const script = 'echo "${SERVICE_ANSWER-none} $(wc -c < "$SERVICE_ANSWER_FILE")"'
    for (const [answer, expected] of [
      ['blue "$HOME"', 'blue "$HOME" 12'],
      ['漢'.repeat(65_000), 'none 195000'],
      ['$'.repeat(25_000), `${'$'.repeat(25_000)} 25000`],
    ] as const) {
      const run = execution(script)
      run.give({ answer })
      await run.all()
      assert.equal(run.read('agent/stdout.log').trim(), expected)
      removeFolder(root)
      root = makeFolder()
    }
  })

  it('leaves the prompt of a query to the file that its maker wrote', async () => {
    const run = execution()
    run.give({}, { resume: '' })
    writeFileSync(join(run.folder, 'prompt.md'), 'echo asked')
    await run.all()
    assert.equal(run.read('agent/stdout.log').trim(), 'asked')
  })

  it('comes with folders to write into, that other users cannot read', async () => {
    const run = execution()
    rmSync(join(run.folder, 'agent'), { recursive: true })
    assert.equal((await run.all()).exitCode, 0)
    for (const folder of ['agent', 'agent/artifacts']) assert.equal(statSync(join(run.folder, folder)).mode & 0o007, 0)
  })
})
