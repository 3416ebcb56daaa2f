import assert from 'node:assert/strict'
import { sayCommand } from '../../../cli/commands/say.ts'
import { showCommand } from '../../../cli/commands/show.ts'
import { EXECUTIONS } from '../../../kube/resources.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { anAgent, anExecution, aTask } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'
import { runCommand } from './run-command.ts'

describe('speaking to an agent on the command line', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    await api.givenAgent(anAgent({ name: 'claude', spec: { adapter: 'claude' } }))
    await api.givenExecution(
      anExecution({ name: 'add-login-1', spec: { agent: 'claude' }, status: { state: 'RUNNING' } }),
    )
    const status = { state: 'RUNNING', execution: 'add-login-1', agent: { type: 'claude' } } as const
    await api.given(aTask({ name: 'add-login', status }))
    await api.given(aTask({ name: 'done', status: { state: 'READY' } }))
    await until('somebody listens', async () => (await api.get('/api/tasks/add-login')).text.includes('message_modes'))
  })
  after(() => api.stop())

  const stored = async () =>
    (await api.client.get(EXECUTIONS, { namespace: api.namespace, name: 'add-login-1' })).status?.messages ?? []

  it('sends what is said, and shows it until the agent was given it', async () => {
    const said = await runCommand(sayCommand, ['add-l', 'Use tabs\u001b[2J.', '--mode', 'queue'], api.url)
    assert.deepEqual(said, { code: 0, out: 'add-login: message sent to the agent\n', err: '' })
    const shown = async () => (await runCommand(showCommand, ['add-login'], api.url)).out
    assert.match(
      await shown(),
      /Said to the agent:\n {2}anonymous, .* ago, waits for the end of its turn: Use tabs.*\n$/,
    )
    assert.ok(!(await shown()).includes('\u001b'))
    const messages = (await stored()).map((one) => ({ ...one, deliveredAt: '2099-01-01T00:00:00Z' }))
    await api.setStatus(EXECUTIONS, 'add-login-1', { state: 'RUNNING', messages })
    await until('it is shown no more', async () => !(await shown()).includes('Use tabs'))
  })

  it('says why an agent cannot be told anything', async () => {
    await assert.rejects(
      runCommand(sayCommand, ['done', 'Use tabs.'], api.url),
      /cannot be told anything from state READY/,
    )
  })

  for (const [title, words, message] of [
    ['without a text', ['add-login', ' '], /the text is empty/],
    [
      'in a mode that there is not',
      ['add-login', 'a', '--mode', 'loud'],
      /--mode is one of queue, steer, interrupt, not loud/,
    ],
  ] as const)
    it(`refuses a message ${title}`, async () => {
      await assert.rejects(runCommand(sayCommand, words, api.url), { name: 'UsageError', message })
    })
})
