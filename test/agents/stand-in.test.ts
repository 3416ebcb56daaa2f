import assert from 'node:assert/strict'
import { type ModelServer, startModelServer } from './model-server.ts'
import { standIn } from './stand-in.ts'

describe('the stand-in of a model', () => {
  let model: ModelServer
  before(async () => standIn((model = await startModelServer())))
  after(() => model.stop())

  const ask = async (path: string, body: object): Promise<string> => {
    const headers = { 'content-type': 'application/json' }
    const tools = [{ name: 'any' }]
    return (
      await fetch(`${model.url}${path}`, { method: 'POST', headers, body: JSON.stringify({ tools, ...body }) })
    ).text()
  }

  it('has claude add a line, and ends when it is told that the line is there, however often', async () => {
    const asked = { role: 'user', content: 'Add a CHANGELOG entry' }
    const done = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: '' }] }
    for (let n = 0; n < 2; n++) {
      assert.match(await ask('/v1/messages', { messages: [asked] }), /"name":"Bash"/)
      assert.match(saidIn(await ask('/v1/messages', { messages: [asked, done] })), /I am a stand-in/)
    }
    assert.match(await ask('/v1/messages', { messages: [asked, done, asked] }), /"name":"Bash"/)
    assert.deepEqual(model.asked, [])
  })

  it('has gemini do the same with its own tool', async () => {
    const path = '/v1beta/models/gemini-2.5-flash:streamGenerateContent'
    const asked = { role: 'user', parts: [{ text: 'Add a CHANGELOG entry' }] }
    const done = { role: 'user', parts: [{ functionResponse: { name: 'run_shell_command', response: {} } }] }
    assert.match(await ask(path, { contents: [asked] }), /run_shell_command/)
    assert.match(saidIn(await ask(path, { contents: [asked, done] })), /I am a stand-in/)
  })
})

/** The text of an answer, which comes in pieces. */
function saidIn(stream: string): string {
  const pieces = stream.matchAll(/"text":("(?:[^"\\]|\\.)*")/g)
  return [...pieces].map(([, piece = '""']) => String(JSON.parse(piece))).join('')
}
