import assert from 'node:assert/strict'
import { runCommand as command } from '../../../cli/commands/run.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { anAgent, aTask } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'
import { runCommand } from './run-command.ts'

describe('slipway run', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    await api.givenAgent(anAgent({ name: 'shell', spec: { adapter: 'script' } }))
    await api.givenAgent(anAgent({ name: 'claude', spec: { adapter: 'claude' } }))
    for (const name of ['shell', 'claude'])
      await until('the server knows the agent', async () => (await api.get(`/api/agents/${name}`)).status === 200)
  })
  after(() => api.stop())

  for (const [agent, instructions] of [
    ['shell', 'make test\nmake lint'],
    ['claude', undefined],
  ] as const)
    it(`gives the prompt to ${agent} as ${instructions === undefined ? 'its description' : 'the script'}, for its adapter`, async () => {
      const words = [
        'make test\nmake lint',
        '--repo',
        'https://git.example/a',
        '--agent',
        agent,
        '--id',
        `for-${agent}`,
      ]
      assert.equal((await runCommand(command, words, api.url)).code, 0)
      const { body } = await api.get(`/api/tasks/for-${agent}`)
      const { agent: wish, description } = body as { agent: { instructions?: string }; description?: string }
      assert.equal(wish.instructions, instructions)
      assert.equal(description, instructions === undefined ? 'make test\nmake lint' : undefined)
    })

  it('goes on from accepted work where that was done, without being told where', async () => {
    const spec = { repositoryUrl: 'https://git.example/a' }
    await api.given(aTask({ name: 'accepted', spec, status: { state: 'COMPLETED' } }))
    const words = ['And the footer', '--continues', 'accepted', '--agent', 'claude', '--id', 'more']
    assert.equal((await runCommand(command, words, api.url)).code, 0)
    const { continues, repository_url: url } = (await api.get('/api/tasks/more')).body as Record<string, unknown>
    assert.deepEqual([continues, url], ['accepted', 'https://git.example/a'])
  })
})
