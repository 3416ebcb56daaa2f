import assert from 'node:assert/strict'
import {
  api,
  dig,
  gitOnServer,
  kubectl,
  makeProject,
  MINUTE,
  podsOf,
  records,
  submit,
  task,
  untilState,
} from './cluster.ts'

describe('two tasks on a cluster with nodes', () => {
  before(async () => {
    await makeProject('sample')
    await submit('first', 'sample', 'echo first line; echo one > one.txt')
    await submit('second', 'sample', 'echo two > two.txt', { depends_on: ['first'] })
  })

  it('follows the log of a task through our API to its end', async () => {
    const lines: unknown[] = []
    let end: unknown
    const log = api.streamTaskLogs({ params: { id: 'first' } })
    for await (const { event, data } of log) {
      if (event === 'log') lines.push(data['line'])
      if (event === 'end') end = data['state']
    }
    assert.ok(lines.includes('first line'), `the log stream showed ${JSON.stringify(lines)}`)
    assert.equal(end, 'READY')
  })

  it('starts the second when the first is READY, and both push their work to a branch of their own', async () => {
    const second = await untilState('second', 'READY', 2 * MINUTE)
    const first = await task('first')
    assert.ok(String(first['finished_at']) <= String(second['started_at']))
    assert.match(await gitOnServer('sample', 'show', '--stat', 'slipway/first'), /one\.txt/)
    assert.match(await gitOnServer('sample', 'show', '--stat', 'slipway/second'), /two\.txt/)
    assert.equal((await gitOnServer('sample', 'rev-list', '--count', 'main')).trim(), '1')
  })

  it('ran each as one pod of three steps that Pod Security accepts as restricted', async () => {
    const [pod, ...others] = await podsOf('first')
    assert.deepEqual(others, [])
    const steps = [...records(dig(pod, 'spec', 'initContainers')), ...records(dig(pod, 'spec', 'containers'))]
    assert.deepEqual(
      steps.map(({ name }) => name),
      ['prepare', 'agent', 'deliver'],
    )
    assert.equal(dig(pod, 'spec', 'automountServiceAccountToken'), false)
    assert.equal(dig(pod, 'status', 'phase'), 'Succeeded')
    for (const step of steps) assert.equal(dig(step, 'securityContext', 'readOnlyRootFilesystem'), true)
  })

  it("shows the agent's output and nothing else at kubectl logs of the Job", async () => {
    const log = await kubectl('logs', 'job/first-1-run')
    assert.deepEqual(
      log.split('\n').filter((line) => !line.startsWith('slipway agent: ')),
      ['first line', ''],
    )
  })

  it('tells the story of a task at kubectl describe', async () => {
    const text = await kubectl('describe', 'tasks.slipway.dev', 'first')
    assert.match(text, /State: +READY/)
    for (const event of [/Started .* execution first-1 starts with agent script/, /Ready .* the task is READY/]) {
      assert.match(text, event)
    }
  })

  it("prints a task's manifest with its events and the status of its pod", async () => {
    const manifest = await api.getTaskManifest({ params: { id: 'first' } })
    assert.match(manifest, /^# +.*Started {2}execution first-1 starts with agent script$/m)
    assert.match(manifest, /^# +phase: Succeeded$/m)
  })

  it('accepts a READY task over REST, and another by annotation', async () => {
    assert.deepEqual(await api.acceptTask({ params: { id: 'first' } }), { message: 'task accepted', task_id: 'first' })
    await untilState('first', 'COMPLETED')
    await kubectl('annotate', 'tasks.slipway.dev', 'second', 'slipway.dev/action=accept')
    await untilState('second', 'COMPLETED')
  })

  it('removes a task with its executions, Jobs and pods when it is deleted', async () => {
    await kubectl('delete', 'tasks.slipway.dev', 'second', '--wait', '--timeout=60s')
    await kubectl('wait', '--for=delete', 'executions,jobs,pods', '-l', 'slipway.dev/task=second', '--timeout=60s')
    assert.deepEqual(await podsOf('second'), [])
  })
})
