import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { makeRemote } from '../../helpers/repository.ts'
import { finish, makeExecution, makeFolder, removeFolder } from '../execution.ts'

describe('a program that speaks the Agent Client Protocol', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  it('that asks without end, and reads no answer, is read no further, so that its answers fill no memory', async () => {
    const asks = '{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{}}'
    const agent = { name: 'flood', adapter: 'acp', command: ['timeout', '1', 'yes', asks] }
    const execution = makeExecution(root, makeRemote(root, { a: '1' }), 'Do it', { agent, maxLogBytes: 1e9 })
    await execution.step('prepare')
    await finish(execution.start('agent'))
    assert.match(execution.outcome().error?.message ?? '', /flood exited with 124 before it gave a result/)
    const asked = statSync(join(execution.folder, 'agent/stdout.log')).size
    assert.ok(asked > 100_000 && asked < 3_000_000, `${asked} bytes were read`)
  })
})
