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

  it('runs its three tasks, and leaves the last one to be accepted', async () => {
    const { url } = live.program
    const api = connectApi({ url, token: undefined, fetch })
    let text = ''
    await runDemo({
      api,
      url,
      program: 'slipway',
      repository: join(live.folder, 'repository.git'),
      hasToken: false,
      terminal: { out: (more) => void (text += more), err: (more) => void (text += more) },
      signal: new AbortController().signal,
    })
    const tasks = await api.listTasks({})
    assert.deepEqual(tasks.map(({ state }) => state).toSorted(), ['COMPLETED', 'COMPLETED', 'READY'], text)
  })
})
