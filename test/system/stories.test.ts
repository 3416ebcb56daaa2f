import assert from 'node:assert/strict'
import { at, each, textAt } from '../helpers/kube-http.ts'
import { gitIn, makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, kindPath, makeInstallation, taskManifest } from './installation.ts'

const MERGE = { 'content-type': 'application/merge-patch+json' }
describe('a story from its first task to acceptance', function () {
  let installation: Installation
  let server: Server
  let remote: string

  before(async () => {
    installation = makeInstallation()
    remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' }).path
    server = await installation.start()
    await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: remote })
  })
  after(() => installation.dispose())

  const addTask = async (story: string, id: string, instructions: string): Promise<void> => {
    const task = { id, name: id, agent: { type: 'script', instructions } }
    const { status, text } = await server.call('POST', `/api/stories/${story}/tasks`, task)
    assert.equal(status, 201, text)
  }
  const filesAt = (branch: string): string[] =>
    gitIn(remote, 'ls-tree', '--name-only', branch).trim().split('\n').sort()
  const statusOf = async (id: string): Promise<unknown> =>
    (await server.call('GET', `/api/stories/${id}`)).body['status']
  const becomes = (id: string, status: string): Promise<void> =>
    until(`${id} is ${status}`, async () => (await statusOf(id)) === status)
  const move = async (id: string, status: string): Promise<void> => {
    const answer = await server.call('PUT', `/api/stories/${id}/status`, { status })
    assert.deepEqual([answer.status, answer.body['status']], [200, status], answer.text)
  }

  it('runs its chain on one branch, becomes SHIPPABLE, and stays where people move it at once', async () => {
    await server.call('POST', '/api/stories', { id: 'checkout', name: 'Checkout', project_id: 'shop' })
    await addTask('checkout', 'ch-1', 'echo one > one.txt')
    await addTask('checkout', 'ch-2', 'cat one.txt && echo two > two.txt')
    const run = await server.call('POST', '/api/stories/checkout/run')
    assert.deepEqual([run.status, run.body['task_ids']], [202, ['ch-1', 'ch-2']])
    await becomes('checkout', 'SHIPPABLE')
    assert.deepEqual(filesAt('story/checkout'), ['README.md', 'one.txt', 'two.txt'])
    // In the very second in which the last task ended: the system must not take these moves back.
    await move('checkout', 'VALIDATING')
    await move('checkout', 'REVIEW_READY')
    const accepted = await server.call('POST', '/api/stories/checkout/accept')
    assert.deepEqual([accepted.status, accepted.body['status']], [200, 'DONE'], accepted.text)
    const late = await server.call('POST', '/api/stories/checkout/tasks', { name: 'Late' })
    assert.deepEqual([late.status, late.body['error']], [409, 'story is DONE'])
  })

  it('is opened again by a reject, a run and a new task, and finished again by the next success', async () => {
    await server.call('POST', '/api/stories', { id: 'again', name: 'Again', project_id: 'shop' })
    await addTask('again', 'ag-1', 'echo "$RANDOM" > again.txt')
    await server.call('POST', '/api/stories/again/run')
    await becomes('again', 'SHIPPABLE')
    await move('again', 'VALIDATING')
    await server.call('POST', '/api/tasks/ag-1/reject', { comment: 'once more' })
    await becomes('again', 'IN_PROGRESS')
    await server.call('POST', '/api/tasks/ag-1/run')
    await becomes('again', 'SHIPPABLE')
    await move('again', 'REVIEW_READY')
    await addTask('again', 'ag-2', 'echo two > again-2.txt')
    await becomes('again', 'IN_PROGRESS')
    await server.call('POST', '/api/stories/again/run')
    await becomes('again', 'SHIPPABLE')
  })

  it('is not held up by a CANCELLED task', async () => {
    await server.call('POST', '/api/stories', { id: 'partly', name: 'Partly', project_id: 'shop' })
    await addTask('partly', 'pa-1', 'echo one > partly.txt')
    await addTask('partly', 'pa-2', 'true')
    await server.call('POST', '/api/tasks/pa-2/cancel')
    await server.call('POST', '/api/tasks/pa-1/run')
    await becomes('partly', 'SHIPPABLE')
    assert.deepEqual((await server.call('GET', '/api/stories/partly')).body['tasks'], { total: 1, done: 1 })
  })

  it('is moved and accepted with kubectl alone', async () => {
    const { kube } = server
    const story = {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Story',
      metadata: { name: 'plain' },
      spec: { title: 'P' },
    }
    assert.equal((await kube.send('POST', kindPath('stories'), story)).status, 201)
    const spec = { repositoryUrl: remote, storyId: 'plain', runPolicy: 'Auto' }
    const script = { agent: { type: 'script', instructions: 'echo plain > plain.txt' } }
    await kube.send('POST', kindPath('tasks'), taskManifest('plain-1', { ...spec, ...script }))
    await becomes('plain', 'SHIPPABLE')
    const annotate = async (action: string, more: Record<string, string> = {}): Promise<void> => {
      const annotations = { 'slipway.dev/action': action, ...more }
      await kube.send('PATCH', kindPath('stories', 'plain'), { metadata: { annotations } }, MERGE)
    }
    await annotate('move', { 'slipway.dev/status': 'REVIEW_READY' })
    await becomes('plain', 'REVIEW_READY')
    await annotate('accept')
    await becomes('plain', 'DONE')
    await until('the acceptance is recorded', async () => {
      const { body } = await kube.send('GET', kindPath('storyevents'))
      return each(body['items'], 'spec').some(
        (event) => textAt(event, 'storyId') === 'plain' && at(event, 'by') === 'kubectl (annotation)',
      )
    })
  })
})
