import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPrograms, linkPrograms, programRoot } from '../../cli/agent-programs.ts'

describe('the agents’ programs on this machine', () => {
  let root: string

  beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-programs-')))))
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  function install(path: string): string {
    const file = join(root, path)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, '#!/bin/sh\n')
    chmodSync(file, 0o755)
    return file
  }

  it('are the first on PATH that can be executed, without links', async () => {
    const real = install('lib/node_modules/@anthropic-ai/claude-code/cli.js')
    mkdirSync(join(root, 'bin'))
    symlinkSync(real, join(root, 'bin', 'claude'))
    install('other/claude')
    mkdirSync(join(root, 'first'))
    writeFileSync(join(root, 'first', 'claude'), 'not executable', { mode: 0o644 })
    const path = ['relative', join(root, 'nowhere'), join(root, 'bin'), join(root, 'other')].join(':')
    assert.deepEqual(await findPrograms(path), [{ command: 'claude', path: real }])
  })

  it('need of an npm package the whole tree of modules, and of a single binary that file', () => {
    const found = { command: 'claude', path: '/home/a/.nvm/lib/node_modules/@x/claude/node_modules/y/cli.js' }
    assert.equal(programRoot(found), '/home/a/.nvm/lib/node_modules')
    assert.equal(programRoot({ command: 'claude', path: '/home/a/.local/share/claude' }), '/home/a/.local/share/claude')
  })

  it('are linked anew at each start, so that one that was removed is gone', async () => {
    const folder = join(root, 'programs')
    await linkPrograms(folder, [{ command: 'gemini', path: '/opt/gemini' }])
    await linkPrograms(folder, [{ command: 'claude', path: '/opt/claude' }])
    assert.equal(readlinkSync(join(folder, 'claude')), '/opt/claude')
    assert.throws(() => readlinkSync(join(folder, 'gemini')), /ENOENT/)
  })
})
