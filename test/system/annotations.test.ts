import assert from 'node:assert/strict'
import type { JsonObject } from '../../embedded/schema/json.ts'
import { at, each, textAt } from '../helpers/kube-http.ts'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, kindPath, makeInstallation, taskManifest } from './installation.ts'

const MERGE = { 'content-type': 'application/merge-patch+json' }

/** Everything here is what kubectl sends; nothing goes over REST. */
describe('a task used with kubectl alone', function () {
  let installation: Installation
  let server: Server
  let repositoryUrl: string

  before(async () => {
    installation = makeInstallation()
    repositoryUrl = makeRemote(installation.folder, { 'README.md': '# Sample\n' }).path
    server = await installation.start()
  })

  after(() => installation.dispose())

  async function apply(name: string, instructions: string, spec: JsonObject = {}): Promise<void> {
    const manifest = taskManifest(name, { repositoryUrl, agent: { type: 'script', instructions }, ...spec })
    const answer = await server.kube.send('POST', kindPath('tasks'), manifest)
    assert.equal(answer.status, 201, answer.text)
  }

  async function annotate(name: string, action: string, more: JsonObject = {}): Promise<void> {
    const annotations = { 'slipway.dev/action': action, ...more }
    const answer = await server.kube.send('PATCH', kindPath('tasks', name), { metadata: { annotations } }, MERGE)
    assert.equal(answer.status, 200, answer.text)
  }

  const get = async (name: string): Promise<JsonObject> => (await server.kube.send('GET', kindPath('tasks', name))).body

  const becomes = (name: string, state: string): Promise<void> =>
    until(`${name} is ${state}`, async () => textAt(await get(name), 'status.state') === state)

  const isTaken = (name: string): Promise<void> =>
    until(`the action on ${name} is taken`, async () => {
      const annotations = at(await get(name), 'metadata.annotations') ?? {}
      return !Object.keys(annotations).includes('slipway.dev/action')
    })

  async function events(name: string, reason: string): Promise<string[]> {
    const { body } = await server.kube.send(
      'GET',
      `/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=${name},reason=${reason}`,
    )
    return each(body['items'], 'message').map(String)
  }

  const isTold = (name: string, reason: string, text: RegExp): Promise<void> =>
    until(`an Event ${reason} tells ${text}`, async () => (await events(name, reason)).some((one) => text.test(one)))

  it('starts by the action run, and is COMPLETED by accept', async () => {
    await apply('good', 'echo good > good.txt')
    await annotate('good', 'run')
    await becomes('good', 'READY')
    await annotate('good', 'accept')
    await becomes('good', 'COMPLETED')
    await isTaken('good')
    await isTold('good', 'Accept', /accepted/)
    assert.equal(textAt(await get('good'), 'status.decisions.1.by'), 'kubectl (annotation)')
  })

  it('goes back to PENDING by reject and keeps the comment', async () => {
    await apply('poor', 'echo poor > poor.txt', { runPolicy: 'Auto' })
    await becomes('poor', 'READY')
    await annotate('poor', 'reject', { 'slipway.dev/comment': 'not like this' })
    await becomes('poor', 'PENDING')
    assert.equal(textAt(await get('poor'), 'status.rejectionComment'), 'not like this')
  })

  it('is ended by cancel while it runs', async () => {
    await apply('long', 'sleep 60', { runPolicy: 'Auto' })
    await becomes('long', 'RUNNING')
    await annotate('long', 'cancel')
    await becomes('long', 'CANCELLED')
  })

  it('goes on by answer to the question that it asked', async () => {
    const ask = `if [ -n "\${SERVICE_ANSWER:-}" ]; then echo "$SERVICE_ANSWER" > answer.txt; exit 0; fi
      echo '{"text":"Tabs or spaces?","options":["tabs","spaces"]}' > "$SERVICE_QUESTION_FILE"`
    await apply('asker', ask, { runPolicy: 'Auto' })
    await becomes('asker', 'BLOCKED')
    await annotate('asker', 'answer', { 'slipway.dev/answer': 'spaces' })
    await becomes('asker', 'READY')
  })

  for (const { action, because } of [
    { action: 'accept', because: /task cannot be accepted from state PENDING/ },
    { action: 'answer', because: /task cannot be answered from state PENDING/ },
    { action: 'resume', because: /task cannot be resumed from state PENDING/ },
    { action: 'merge', because: /unknown action merge: use .*accept/ },
  ]) {
    it(`tells in an Event why ${action} is refused, and forgets the action`, async () => {
      const name = `refuses-${action}`
      await apply(name, 'true')
      await annotate(name, action)
      await isTold(name, 'ActionRefused', because)
      await isTaken(name)
      assert.ok(['', 'PENDING'].includes(textAt(await get(name), 'status.state')))
    })
  }

  it('takes an action with an id once, however often it comes back', async () => {
    await apply('synced', 'true')
    await annotate('synced', 'run', { 'slipway.dev/action-id': 'commit-1' })
    await becomes('synced', 'READY')
    await annotate('synced', 'reject', { 'slipway.dev/action-id': 'commit-2' })
    await becomes('synced', 'PENDING')
    await annotate('synced', 'run', { 'slipway.dev/action-id': 'commit-1' })
    await annotate('synced', 'cancel', { 'slipway.dev/action-id': 'commit-3' })
    await becomes('synced', 'CANCELLED')
    assert.deepEqual(await events('synced', 'ActionRefused'), [])
    const synced = await get('synced')
    assert.equal(at(synced, 'status.executions'), 1)
    assert.equal(textAt(synced, ['metadata', 'annotations', 'slipway.dev/action']), 'cancel')
  })
})
