import assert from 'node:assert/strict'
import { join } from 'node:path'
import { runDemo } from '../../cli/demo/run.ts'
import { connectApi } from '../../core/rest/client/connect.ts'
import { type LiveProgram, startLiveProgram } from '../operator/live/program.ts'

describe('the demonstration on a real kube-apiserver, its pods as processes of this machine', () => {
  let live: LiveProgram
  before(async () => {
    live = await startLiveProgram(true)
  })
  after(() => live.end())

  it('comes to rest with a question, a diff to review, and work that has survived a limit', async () => {
    const { url } = live.program
    const api = connectApi({ url, token: undefined, fetch })
    let text = ''
    await runDemo({
      api,
      url,
      program: 'slipway',
      repository: join(live.folder, 'shop.git'),
      hasToken: false,
      isWatchedHere: true,
      terminal: { out: (more) => void (text += more), err: (more) => void (text += more) },
      signal: new AbortController().signal,
    })
    const tasks = await api.listTasks({})
    const states = tasks.map(({ id, state }) => `${id} ${state}`).toSorted()
    assert.deepEqual(
      states,
      ['demo-limit READY', 'demo-prices COMPLETED', 'demo-question BLOCKED', 'demo-review READY'],
      text,
    )
  })
})
