import assert from 'node:assert/strict'
import { parseClientArguments } from '../../../cli/client-command.ts'
import { followTask } from '../../../cli/client/follow.ts'
import { openSession } from '../../../cli/client/session.ts'
import { agentsCommand } from '../../../cli/commands/agents.ts'
import { runCommand } from '../../../cli/commands/run.ts'
import type { Terminal } from '../../../cli/command.ts'
import { systemClock } from '../../../lib/clock.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { anAgent, aTask } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'

describe('what the command line says where something waits', () => {
  let api: Rig
  let idle: string | undefined
  before(async () => {
    api = await startRig({ idleReason: () => idle })
    const drained = { since: '2026-11-21T12:00:00Z', reason: 'three failures' }
    await api.givenAgent(anAgent({ name: 'weary', status: { drained } }))
    await until('it is known', async () => (await api.get('/api/agents/weary')).status === 200)
  })
  after(() => api.stop())

  const open = () => openSession({ server: api.url, form: 'table', env: { SLIPWAY_TOKEN: 'unused-here' } })
  const writing = () => {
    const seen = { out: '', err: '' }
    const terminal: Terminal = { out: (text) => void (seen.out += text), err: (text) => void (seen.err += text) }
    return { seen, terminal }
  }

  it('says how a drained agent is undrained to who follows a task behind it', async () => {
    const status = { state: 'QUEUED', agent: { type: 'weary' }, queuedAt: '2026-11-21T12:00:00Z' } as const
    await api.given(aTask({ name: 'behind', spec: { agent: { type: 'weary' } }, status }))
    const { seen, terminal } = writing()
    const person = new AbortController()
    const followed = followTask(
      { session: await open(), terminal, signal: person.signal, clock: systemClock },
      'behind',
    )
    await until('the reason is shown', () => seen.err.includes('waits: '))
    person.abort()
    await followed
    assert.match(seen.err, /^waits: agent weary is drained: three failures; slipway undrain weary lets it work again\n/)
  })

  it('says why nothing starts to who follows a task while the operator waits for a person', async () => {
    const status = { state: 'QUEUED', agent: { type: 'script' }, queuedAt: '2026-11-21T12:00:00Z' } as const
    await api.given(aTask({ name: 'first', spec: { agent: { type: 'script' } }, status }))
    const { seen, terminal } = writing()
    const person = new AbortController()
    idle = 'an import has not ended: finish it with slipway import'
    try {
      const options = { session: await open(), terminal, signal: person.signal, clock: systemClock }
      const followed = followTask(options, 'first')
      await until('the reason is shown', () => seen.err.includes('waits: '))
      person.abort()
      await followed
    } finally {
      idle = undefined
    }
    assert.match(seen.err, /^waits: an import has not ended: finish it with slipway import\n/)
  })

  it('ends with 7 and the reason when a task has not started in the time that it was given, and leaves it queued', async () => {
    const status = { state: 'QUEUED', agent: { type: 'weary' }, queuedAt: '2026-11-21T12:00:00Z' } as const
    await api.given(aTask({ name: 'late', spec: { agent: { type: 'weary' } }, status }))
    const { seen, terminal } = writing()
    const signal = new AbortController().signal
    const options = { session: await open(), terminal, signal, clock: systemClock, startWithinMs: 0 }
    assert.equal(await followTask(options, 'late'), 7)
    assert.match(seen.err, /^late has not started in time \(.*slipway undrain weary.*slipway logs -f late\n$/)
    assert.match(seen.out, /^\nlate QUEUED\n\nNext: slipway cancel late\n$/)
    assert.match((await api.get('/api/tasks/late')).text, /"state":"QUEUED"/)
  })

  it('takes --wait-start together with -f only, and as a duration', async () => {
    const { terminal } = writing()
    const run = async (...args: string[]) => {
      const parsed = parseClientArguments(runCommand, ['x', ...args])
      assert.ok(parsed !== 'help')
      const signal = new AbortController().signal
      return runCommand.run({
        ...parsed,
        session: await open(),
        terminal,
        style: { isTerminal: false, hasColor: false },
        signal,
      })
    }
    await assert.rejects(run('--wait-start', '2m'), { name: 'UsageError', message: /--wait-start needs -f/ })
    await assert.rejects(run('-f', '--wait-start', 'soon'), {
      name: 'UsageError',
      message: /--wait-start: not a duration/,
    })
  })

  it('lists below the agents how those are freed that a person can free', async () => {
    const { seen, terminal } = writing()
    const parsed = parseClientArguments(agentsCommand, [])
    assert.ok(parsed !== 'help')
    const signal = new AbortController().signal
    await agentsCommand.run({
      ...parsed,
      session: await open(),
      terminal,
      style: { isTerminal: false, hasColor: false },
      signal,
    })
    assert.match(seen.out, /^AGENT[^]*\nweary +drained [^]*\n\nNext: slipway undrain weary\n$/)
  })
})
