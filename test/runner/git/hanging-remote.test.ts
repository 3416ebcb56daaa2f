import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { systemClock } from '../../../lib/clock.ts'
import type { Clock } from '../../../lib/clock.ts'
import { runPaths } from '../../../runner/context.ts'
import { remoteLimitMs } from '../../../runner/limits.ts'
import { deliver } from '../../../runner/steps/deliver.ts'
import { prepare } from '../../../runner/steps/prepare.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

describe('a remote that takes connections and never answers', () => {
  let root = ''
  let url = ''
  const silent = createServer()
  before(async () => {
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/a.git`
  })
  after(() => silent.close())
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  /** Whose limits of a minute and more are over as soon as the remote has been asked. */
  const fast: Clock = {
    now: systemClock.now,
    schedule(ms, run) {
      if (ms < 60_000) return systemClock.schedule(ms, run)
      silent.once('connection', run)
      return () => void silent.off('connection', run)
    },
  }

  it('ends prepare and deliver as FAILED git, naming command, host and what to do, in no more time than the agent has', async () => {
    const execution = makeExecution(root, makeRemote(root, { a: '1' }), 'echo x > b')
    assert.equal((await execution.step('prepare')).exitCode, 0)
    assert.equal((await execution.step('agent')).exitCode, 0)
    const run = { ...execution.spec, repositoryUrl: url, timeoutSeconds: 90 }
    const context = { run, paths: runPaths(run), clock: fast, tmp: root, env: {}, say: () => undefined }
    const stalled = { ...context, signal: new AbortController().signal }
    const message = (command: string, next: string) =>
      new RegExp(
        `^git ${command} did not finish within 1m30s at ${url}: check the network and the server; then ${next}`,
      )
    assert.equal(await deliver(stalled), 1)
    assert.match(execution.result().error?.message ?? '', message('ls-remote', 'resume the task'))
    const again = { ...run, execution: 'demo-2' }
    const second = makeExecution(root, { path: url }, '', again)
    assert.equal(await prepare({ ...stalled, run: again, paths: runPaths(again) }), 1)
    assert.deepEqual(second.result().error?.category, 'git')
    assert.match(second.result().error?.message ?? '', message('clone', 'run the task again'))
  })

  it('has at least a minute, and ten at most', () => {
    const limits = [1, 90, 3600].map((timeoutSeconds) => remoteLimitMs({ timeoutSeconds }))
    assert.deepEqual(limits, [60_000, 90_000, 600_000])
  })
})
