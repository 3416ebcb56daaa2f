/** Real pods: run by test/e2e/smoke/run, which brings up the cluster and says where the API is. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createRestClient, asRecord } from '../../cli/client.ts'
import { until } from '../helpers/until.ts'

const run = promisify(execFile)
const MINUTE = 60_000

function required(name: string): string {
  const value = process.env[name]
  assert.ok(value, `${name} is set by test/e2e/smoke/run`)
  return value
}

async function kubectl(...args: string[]): Promise<string> {
  return (await run('kubectl', ['-n', 'slipway', ...args])).stdout
}

describe('on a cluster with nodes', () => {
  const api = createRestClient(required('SLIPWAY_SMOKE_URL'), required('SLIPWAY_SMOKE_TOKEN'))

  async function task(id: string): Promise<Record<string, unknown>> {
    return asRecord(await api.get(`/api/tasks/${id}`))
  }

  async function submit(id: string, instructions: string, more: object = {}): Promise<void> {
    await api.post('/api/tasks', { id, name: id, project: 'sample', agent: { type: 'script', instructions }, ...more })
    await api.post(`/api/tasks/${id}/run`)
  }

  const inState = (id: string, state: string) => async () => (await task(id))['state'] === state

  before(async () => {
    await api.post('/api/projects', {
      id: 'sample',
      name: 'Sample',
      remote_url: 'http://git-server.slipway.svc/sample.git',
    })
  })

  it('runs a task and the one that depends on it as pods of three steps, and both end READY', async () => {
    await submit('first', 'echo first line; echo one > one.txt')
    await submit('second', 'echo two > two.txt', { depends_on: ['first'] })
    const lines: unknown[] = []
    for await (const { event, data } of api.stream('/api/tasks/first/logs/stream', AbortSignal.timeout(2 * MINUTE))) {
      if (event === 'log') lines.push(data['line'])
    }
    assert.ok(lines.includes('first line'), `the log stream showed ${JSON.stringify(lines)}`)
    await until('second is READY', inState('second', 'READY'), 2 * MINUTE)
    assert.equal((await task('first'))['state'], 'READY')
    const pods = asRecord(JSON.parse(await kubectl('get', 'pods', '-l', 'slipway.dev/task=first', '-o', 'json')))
    const [pod] = Array.isArray(pods['items']) ? pods['items'] : []
    const spec = asRecord(asRecord(pod)['spec'])
    assert.equal(spec['automountServiceAccountToken'], false)
    assert.deepEqual(
      [spec['initContainers'], spec['containers']].flatMap((steps) =>
        Array.isArray(steps) ? steps.map((step) => asRecord(step)['name']) : [],
      ),
      ['prepare', 'agent', 'deliver'],
    )
  })

  it('accepts a READY task', async () => {
    assert.deepEqual(await api.post('/api/tasks/first/accept'), { message: 'task accepted', task_id: 'first' })
    assert.equal((await task('first'))['state'], 'COMPLETED')
  })

  it('finishes a task although the operator pod is deleted in the middle', async () => {
    await submit('survivor', 'echo started; for i in 1 2 3 4 5 6 7 8; do sleep 1; done; echo done > survivor.txt')
    await until('survivor is RUNNING', inState('survivor', 'RUNNING'), MINUTE)
    await kubectl('delete', 'pod', '-l', 'app.kubernetes.io/component=operator', '--wait=false')
    await until('survivor is READY', inState('survivor', 'READY'), 2 * MINUTE)
    assert.equal(
      Number(
        await kubectl(
          'get',
          'jobs',
          '-l',
          'slipway.dev/task=survivor',
          '-o',
          'jsonpath={.items[*].metadata.name}',
        ).then((names) => names.split(' ').length),
      ),
      1,
    )
  })

  it('cancels a running task, and its pod ends', async () => {
    await submit('endless', 'echo started; while true; do sleep 1; done')
    const containers = () =>
      kubectl(
        'get',
        'pods',
        '-l',
        'slipway.dev/task=endless',
        '-o',
        'jsonpath={.items[*].status.initContainerStatuses[?(@.name=="agent")].state.running.startedAt}',
      )
    await until('the agent step of endless runs', async () => (await containers()) !== '', MINUTE)
    await api.post('/api/tasks/endless/cancel')
    await until('endless is CANCELLED', inState('endless', 'CANCELLED'), 2 * MINUTE)
    await until('no container of endless runs', async () => (await containers()) === '', MINUTE)
  })
})
