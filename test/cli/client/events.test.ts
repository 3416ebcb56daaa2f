import assert from 'node:assert/strict'
import { eventsCommand } from '../../../cli/commands/events.ts'
import { toTimestamp } from '../../../core/time.ts'
import { EVENTS } from '../../../kube/resources.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { aStory, aTask, anAgent } from '../../helpers/build.ts'
import { runCommand } from './run-command.ts'

describe('events on the command line', () => {
  let api: Rig
  const at = toTimestamp(new Date())
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const events = async (...words: string[]): Promise<string> => (await runCommand(eventsCommand, words, api.url)).out

  it('of a task are those of Kubernetes', async () => {
    const { metadata } = await api.given(aTask({ name: 'fix' }))
    assert.match(await events('fix'), /^fix has no events/)
    await api.client.create(EVENTS, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'fix.1', namespace: api.namespace },
      involvedObject: {
        kind: 'Task',
        name: 'fix',
        namespace: api.namespace,
        ...(metadata.uid && { uid: metadata.uid }),
      },
      type: 'Warning',
      reason: 'Refused',
      message: 'it cannot be\nrun',
      count: 3,
      firstTimestamp: at,
      lastTimestamp: at,
    })
    assert.match(await events('fix'), /^[\dhms]+ +Warning +Refused +3 +task +it cannot be run$/m)
    assert.equal(await events('fix', '--json', 'reason,count', '--jq', '.[0].reason'), 'Refused\n')
    await assert.rejects(events('none'), { message: 'task not found' })
  })

  it('of a story are what was recorded', async () => {
    await api.givenStory(aStory({ name: 'checkout', spec: { title: 'Checkout' } }))
    assert.equal(await events('--story', 'checkout'), 'checkout has no events.\n')
    const body = { kind: 'retro_captured', payload: { text: 'good' } }
    assert.equal((await api.post('/api/stories/checkout/events', body)).status, 201)
    assert.match(await events('--story', 'checkout'), /^\d{4}-\S+ +retro_captured .*\{"text":"good"\}$/m)
  })

  it('of agents have their time, and can be those of one agent', async () => {
    await api.givenAgent(anAgent({ name: 'quiet' }))
    await api.givenAgent(anAgent({ name: 'busy', status: { events: [{ kind: 'recovered', at, message: 'again' }] } }))
    for (const all of [await events(), await events('--agent', 'busy')])
      assert.match(all, new RegExp(`^${at} +busy +recovered +again$`, 'm'))
    assert.equal(await events('-a', 'quiet'), 'No events of agent quiet in the last 24 hours.\n')
    await assert.rejects(events('-a', 'hal'), { message: /agent not found/ })
    await assert.rejects(events('fix', '-a', 'busy'), { name: 'UsageError' })
  })
})
