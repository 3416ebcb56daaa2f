import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runWithoutRoot } from '../../helpers/without-root.ts'

const PROGRAM = new URL('drops-without-permission.js', import.meta.url)

describe('the drop directory, when an agent took permissions', () => {
  let root: string
  let folder: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'slipway-drops-'))
    folder = join(root, 'drops')
    mkdirSync(folder)
    writeFileSync(join(folder, 'kept.txt'), 'kept')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  /** What the API server gets that does this with the folder, in a process to which permissions mean something. */
  function get(context: Mocha.Context, what: string): unknown {
    const printed = runWithoutRoot(PROGRAM, [root, what])
    if (printed === undefined) context.skip()
    return JSON.parse(printed ?? '')
  }
  const namesOf = (records: unknown): string[] => (records as { name: string }[]).map(({ name }) => name).sort()

  for (const mode of [0o000, 0o400, 0o200, 0o100]) {
    const shown = mode.toString(8).padStart(3, '0')
    it(`is listed, served and written as before when its mode became ${shown}`, function () {
      for (const [what, expected] of [
        ['start', null],
        ['list', ['kept.txt']],
        ['open', 'kept'],
        ['upload', ['new.txt']],
      ] as const) {
        chmodSync(folder, mode)
        const got = get(this, what)
        assert.deepEqual(Array.isArray(got) ? namesOf(got) : got, expected, what)
      }
    })
  }

  it('keeps no server from starting where there is no volume yet, or a link in its place', function () {
    rmSync(folder, { recursive: true })
    symlinkSync(tmpdir(), folder)
    assert.equal(get(this, 'start'), null)
    rmSync(root, { recursive: true })
    assert.equal(get(this, 'start'), null)
  })

  it('lists a file that may not be read with its size, beside the others, and does not serve it', function () {
    writeFileSync(join(folder, 'secret'), '12345', { mode: 0o000 })
    const listed = get(this, 'list') as { name: string; size: number }[]
    assert.deepEqual(listed.map(({ name, size }) => `${name} ${size}`).sort(), ['kept.txt 4', 'secret 5'])
  })

  it('removes a folder with the name of an abandoned upload at the next one, also when it may not be read', function () {
    const trap = join(folder, `.upload-${'a'.repeat(24)}`)
    mkdirSync(join(trap, 'inner'), { recursive: true })
    chmodSync(trap, 0o000)
    utimesSync(trap, 1, 1)
    assert.deepEqual(namesOf(get(this, 'upload')), ['new.txt'])
    assert.deepEqual(readdirSync(folder).sort(), ['kept.txt', 'new.txt'])
  })
})
