import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { explainHeld, noteServing } from '../../cli/serving.ts'
import { openFolder } from '../../embedded/storage/folder.ts'

describe('a second server on a data folder', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-serving-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const refusal = async (): Promise<string> => {
    const error: unknown = await openFolder(join(folder, 'store')).then(
      ({ close }) => close(),
      (reason: unknown) => explainHeld(reason, folder),
    )
    return error instanceof Error ? error.message : 'none'
  }

  it('is told where the first one serves, as long as it does', async () => {
    const first = await openFolder(join(folder, 'store'))
    const held = `the store in ${join(folder, 'store')} is in use by process ${process.pid}: stop that process, or use another folder`
    assert.equal(await refusal(), held)
    const forget = await noteServing(folder, 'http://127.0.0.1:8099')
    assert.equal(await refusal(), `Slipway already serves http://127.0.0.1:8099: ${held}`)
    await forget()
    assert.deepEqual(await readdir(folder), ['store'])
    await first.close()
    assert.equal(await refusal(), 'none')
  })
})
