import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addProjectCommand } from '../../../cli/commands/projects.ts'
import { gitText } from '../../../lib/git.ts'
import type { Rig } from '../../api-server/rig.ts'
import { startRig } from '../../api-server/rig.ts'
import { runCommand } from './run-command.ts'

describe('a project that is registered on the command line', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const add = async (...words: string[]): Promise<string> => (await runCommand(addProjectCommand, words, api.url)).out

  it('is named like its repository, unless a name comes first', async () => {
    const remote = 'https://git.example.com/acme/Web_Shop.git'
    assert.equal(await add(remote), `registered project web-shop: ${remote}\n`)
    assert.equal(await add('shop', remote), `registered project shop: ${remote}\n`)
    assert.match(await add('git@git.example.com:tools.git'), /^registered project tools:/)
    await assert.rejects(add('https://git.example.com/acme/___.git'), {
      message: /gives no name .*: slipway add-project <name> https:/,
    })
  })

  it('can be that of a folder, by its path alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'Own.Project-'))
    try {
      await gitText(['init', '--quiet', folder], { home: folder, signal: AbortSignal.timeout(20_000) })
      assert.match(await add(folder), /^registered project own-project-[a-z0-9-]+: \//)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
