import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { EXECUTION_FILES, executionPath, MAX_FILE_BYTES } from '../../core/execution/layout.ts'
import { readMessages } from '../../operator/inbox.ts'

describe('the receipts of messages', () => {
  let root: string
  before(async () => (root = await mkdtemp(join(tmpdir(), 'slipway-receipts-'))))
  after(() => rm(root, { recursive: true }))

  it('keep the operator from nothing else, whatever an agent has filled them with', async () => {
    const path = join(root, executionPath('a-1'), EXECUTION_FILES.receipts)
    await mkdir(join(path, '..'), { recursive: true })
    const receipt = `${JSON.stringify({ id: 'message1', state: 'given', at: '2026-01-01T00:00:00Z' })}\n`
    for (const line of ['\n', '[\n', '{\n', '{"id":\n']) {
      const lines = line.repeat((MAX_FILE_BYTES.receipts - receipt.length) / line.length)
      await writeFile(path, lines + receipt)
      const before = process.cpuUsage()
      for (let look = 0; look < 10; look += 1)
        assert.deepEqual([...(await readMessages(root, 'a-1')).receipts.keys()], ['message1'])
      const { user, system } = process.cpuUsage(before)
      assert.ok(user + system < 800_000, `ten looks took ${user + system} µs with ${JSON.stringify(line)}`)
    }
  })
})
