import assert from 'node:assert/strict'
import { until } from '../helpers/until.ts'
import {
  api,
  dig,
  endedExecution,
  GIT_SERVER,
  IMAGE,
  makeProject,
  MINUTE,
  podsOf,
  records,
  submit,
  untilState,
} from './cluster.ts'

/** Answers each connection with a word, as a database would; ends once when it is told to. */
const SERVER = `
const net = require('net');
net.createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (data) => { if (String(data).startsWith('die')) process.exit(3) });
  socket.write('pong ' + (process.env.WORD ?? '') + '\\n');
}).listen(7000, () => console.log('listens'));`

const ASK = (words: string) =>
  `node -e "const s = require('net').connect(process.env.SERVICE_TEST_DB_PORT, process.env.SERVICE_TEST_DB_HOST);
s.on('data', (d) => { process.stdout.write(String(d)); ${words} }); s.on('close', () => process.exit(0))"`

describe('a project with a service', () => {
  before(() =>
    makeProject('serviced', {
      remote_url: `http://${GIT_SERVER}/sample.git`,
      services: [
        {
          name: 'test-db',
          image: IMAGE,
          command: ['node', '-e', SERVER],
          env: [{ name: 'WORD', value: 'ready' }],
          ports: [7000],
        },
      ],
    }),
  )

  it('has it beside the agent, which finds it by its variables, and both end with the pod', async () => {
    await submit('asks', 'serviced', ASK('s.end()'))
    await untilState('asks', 'READY', 3 * MINUTE)
    assert.equal(await api.getExecutionStdout({ params: { id: 'asks-1' } }), 'pong ready\n')
    const { phases, services } = await endedExecution('asks-1')
    assert.deepEqual(
      phases.map(({ name }) => name),
      ['mirror', 'prepare', 'services', 'agent', 'deliver'],
    )
    assert.equal(services, undefined)
    const kept = await api.getServiceLogs({ params: { id: 'asks-1' } })
    assert.deepEqual(kept.services, [{ name: 'test-db', log: 'listens\n' }])
    const [pod] = await podsOf('asks')
    const service = records(dig(pod, 'spec', 'initContainers')).find(({ name }) => name === 'service-test-db')
    const mounted = records(service?.['volumeMounts'] ?? [])
    assert.deepEqual([mounted, JSON.stringify(service).includes('secretKeyRef')], [[], false])
  })

  it('says so when it dies under the agent, and has it started again', async () => {
    const again =
      "until node -e \"require('net').connect(7000).on('data', () => process.exit(0)).on('error', () => process.exit(1))\"; do sleep 0.2; done"
    await submit('kills', 'serviced', `${ASK("s.write('die')")}\n${again}\necho back\nsleep 5`)
    await untilState('kills', 'RUNNING', MINUTE)
    const readLogs = () => api.getServiceLogs({ params: { id: 'kills-1' } })
    const isThere = async () => (await readLogs()).services.some(({ log }) => log.startsWith('listens'))
    await until('the log of a service that runs is there', isThere)
    await untilState('kills', 'READY', 3 * MINUTE)
    assert.match(await api.getExecutionStdout({ params: { id: 'kills-1' } }), /pong ready\nback\n$/)
    const { services } = await endedExecution('kills-1')
    assert.deepEqual(services, [{ name: 'test-db', restarts: 1, reason: 'Error' }])
  })
})
