import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readOptions } from '../../../tools/release/options.ts'

const PROGRAM = join(import.meta.dirname, '..', '..', '..', 'tools', 'release', 'main.js')

/** Runs it with nothing on PATH but what lies in a folder. */
function release(path: string, ...args: string[]) {
  const env = { PATH: path }
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8', env })
  return { status, stdout, stderr }
}

describe('npm run release', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-release-test-'))
    path = join(folder, 'bin')
    mkdirSync(path)
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('takes one folder and its flags', () => {
    const args = ['out', '--tag', 'v1.2.3', '--source=https://git.example.com/a/b/', '--without-images']
    assert.deepEqual(readOptions([...args, '--build-option=--pull-never', '--build-option=--no-cache']), {
      folder: 'out',
      withImages: false,
      withCharts: true,
      images: [],
      nodeImage: '',
      buildOptions: ['--pull-never', '--no-cache'],
      source: 'https://git.example.com/a/b',
      tag: 'v1.2.3',
    })
  })

  for (const { args, says } of [
    { args: [], says: /^name one folder\n\nUsage: npm run release -- FOLDER/ },
    { args: ['a', 'b'], says: /^name one folder/ },
    { args: ['a', '--without-image'], says: /^Unknown option '--without-image'[^]*\n {2}--without-images/ },
    { args: ['a', '--tag'], says: /^Option '--tag <value>' argument missing/ },
  ])
    it(`refuses "${args.join(' ')}" and shows how it is used`, () => {
      assert.throws(() => readOptions(args), { message: says })
    })

  it('names the way out where there is no buildah, before it does anything', () => {
    const { status, stdout, stderr } = release(path, join(folder, 'out'))
    assert.deepEqual([status, stdout], [1, ''])
    assert.equal(
      stderr,
      'release: there is no buildah on PATH: install it (apt-get install buildah; Linux only), or leave the images out with --without-images\n',
    )
  })

  it('names the way out where there is no helm', () => {
    symlinkSync('/bin/true', join(path, 'buildah'))
    const { status, stderr } = release(path, join(folder, 'out'))
    assert.equal(status, 1)
    assert.match(stderr, /^release: there is no helm on PATH: .*--without-charts\n$/)
  })

  it('refuses a folder that holds something', () => {
    writeFileSync(join(folder, 'file'), '')
    const { status, stderr } = release(path, folder, '--without-images', '--without-charts')
    assert.deepEqual(
      [status, stderr],
      [1, `release: ${folder} is not empty: name another folder, or remove what is in it\n`],
    )
  })
})
