import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findAnswer } from '../../lib/aside-files.ts'
import type { Check } from '../../lib/validate.ts'
import { readOutcome } from '../../operator/volume.ts'

describe('files that an agent forged', () => {
  let root: string
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'slipway-forged-'))
  })
  after(() => rm(root, { recursive: true }))
  const forge = async (file: string, text: string): Promise<void> => {
    const path = join(root, 'executions/x-1/agent', file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  const outcome = (rest: string): string =>
    `{"schemaVersion":1,"execution":"x-1","jobNumber":1,"outcome":"failed","startedAt":"","finishedAt":""${rest}}`

  it('count as missing with more values than could be judged, though their schema knows none of them', async () => {
    await forge('outcome.json', outcome(`,"more":[${'0,'.repeat(90_000)}0]`))
    assert.equal((await readOutcome(root, 'x-1'))?.outcome, 'failed')
    await forge('outcome.json', outcome(`,"more":[${'0,'.repeat(1_000_000)}0]`))
    assert.equal(await readOutcome(root, 'x-1'), undefined)
  })

  it('are not shown to a schema at all then', async () => {
    let judged = 0
    const check: Check<unknown> = (value) => {
      judged += value === undefined ? 0 : 1
      return { ok: false, problems: [] }
    }
    await forge('answer.json', `{"tasks":[${'0,'.repeat(1_000_000)}0]}`)
    assert.equal(await findAnswer(root, 'x-1', check), undefined)
    await forge('answer.json', '['.repeat(40) + ']'.repeat(40))
    assert.equal(await findAnswer(root, 'x-1', check), undefined)
    assert.equal(judged, 0)
  })
})
