import assert from 'node:assert/strict'
import { shellCommand } from '../../cli/commands/shell.ts'

describe('slipway shell with a server on another machine', () => {
  it('opens nothing, whatever folder of this machine the server names', async () => {
    const asked: string[] = []
    const api = new Proxy({}, { get: (_, name) => () => void asked.push(String(name)) })
    const session = { isLocal: false, server: 'https://slipway.example', api }
    const run = shellCommand.run({ session, words: ['add-login'], style: {}, signal: AbortSignal.any([]) } as never)
    await assert.rejects(run, /https:\/\/slipway\.example is not on this machine; run slipway shell where it is/)
    assert.deepEqual(asked, [])
  })
})
