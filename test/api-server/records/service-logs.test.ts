// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { logsCommand } from '../../../cli/commands/logs.ts'
import { KubeError } from '../../../kube/types.ts'
import { anExecution, aPod, aTask } from '../../helpers/build.ts'
import { PODS } from '../../../kube/resources.ts'
import { runCommand } from '../../cli/client/run-command.ts'
import { type Rig, startRig } from '../rig.ts'

describe('the logs of services over REST', () => {
  let api: Rig
  const asked: unknown[] = []
  before(async () => {
    // The kubelet is not there.
    api = await startRig({}, async ({ client }) => ({
      ...client,
      async *podLog(_, options) {
        asked.push(options)
        if (options.container === 'service-queue') throw new KubeError(500, 'InternalError', 'dial tcp: i/o timeout')
        yield Buffer.from('ready to accept ')
        yield Buffer.from('connections\n')
      },
      close: () => Promise.resolve(),
    }))
    const { namespace } = api
    const { labels, name } = aPod({ name: 'served-1-run-x' }).metadata
    const containers = ['prepare', 'service-db', 'service-queue', 'service-late', 'agent']
    const created = await api.client.create(PODS, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace, ...(labels && { labels }) },
      spec: {
        nodeName: 'worker',
        initContainers: containers.map((container) => ({ name: container, image: 'x' })),
        containers: [{ name: 'deliver', image: 'x' }],
      },
    })
    const running = { ready: true, restartCount: 0, image: 'x', imageID: '', state: { running: {} } }
    await api.client.replaceStatus(PODS, {
      ...created,
      status: {
        phase: 'Pending',
        initContainerStatuses: ['db', 'queue'].map((service) => ({ ...running, name: `service-${service}` })),
      },
    })
    const execution = anExecution({ name: 'served-1', status: { state: 'RUNNING', pod: { name } } })
    await api.givenExecution(execution)
    await api.given(aTask({ name: 'served', status: { state: 'RUNNING', execution: 'served-1' } }))
  })
  after(() => api.stop())

  it('come from the pod while it runs, in order, with what cannot be read', async () => {
    const { status, body } = await api.get('/api/executions/served-1/services')
    assert.deepEqual(
      [status, body],
      [
        200,
        {
          services: [
            { name: 'db', log: 'ready to accept connections\n' },
            { name: 'queue', log: '', problem: 'dial tcp: i/o timeout' },
            { name: 'late', log: '' },
          ],
        },
      ],
    )
    assert.deepEqual(asked[0], { container: 'service-db', tailLines: 500, limitBytes: 131_072 })
  })

  it('come from the data volume once they are kept', async () => {
    const folder = join(api.volumeRoot, 'executions', 'kept-1')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'services.json'), JSON.stringify([{ name: 'db', log: 'FATAL\n' }]))
    const status = { state: 'FAILED', pod: { name: 'served-1-run-x' } } as const
    await api.givenExecution(anExecution({ name: 'kept-1', status }))
    assert.deepEqual((await api.get('/api/executions/kept-1/services')).body, {
      services: [{ name: 'db', log: 'FATAL\n' }],
    })
  })

  it('are none where there is neither, and nothing of an execution that is not there', async () => {
    await api.givenExecution(anExecution({ name: 'plain-1', status: { state: 'RUNNING', pod: { name: 'gone' } } }))
    assert.deepEqual((await api.get('/api/executions/plain-1/services')).body, { services: [] })
    assert.equal((await api.get('/api/executions/nobody-1/services')).status, 404)
  })

  it('are printed by slipway logs --service, which names those that there are', async () => {
    const logs = (...words: string[]) => runCommand(logsCommand, words, api.url)
    assert.deepEqual(await logs('--service', 'db', 'served'), {
      code: 0,
      out: 'ready to accept connections\n',
      err: '',
    })
    const { err } = await logs('--service', 'queue', 'served')
    assert.equal(err, 'not all of the log of queue could be read: dial tcp: i/o timeout\n')
    await assert.rejects(
      logs('--service', 'cache', 'served'),
      /no service cache whose log is there: it has db, queue, late/,
    )
    await assert.rejects(logs('-f', '--service', 'db', 'served'), /--service goes with neither --follow nor --raw/)
  })
})
