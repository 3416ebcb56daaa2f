import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import type { Project } from '../../core/crd/types.ts'
import { needBwrap } from '../helpers/bwrap.ts'
import { type Remote, makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, kindPath, makeInstallation } from './installation.ts'

/** The setups that have begun and may not end yet: each has a connection of its own. */
async function openGate() {
  const waiting = new Set<Socket>()
  let begun = 0
  const gate = createServer((socket) => {
    begun += 1
    waiting.add(socket)
    socket.on('error', () => undefined).on('close', () => waiting.delete(socket))
  }).listen(0, '127.0.0.1')
  await once(gate, 'listening')
  return {
    port: (gate.address() as AddressInfo).port,
    waiting: () => waiting.size,
    begun: () => begun,
    open: () => waiting.forEach((socket) => socket.end('go\n')),
    async close() {
      for (const socket of waiting) socket.destroy()
      gate.close()
      await once(gate, 'close')
    },
  }
}

describe('tasks whose project has a long setup', function () {
  this.timeout(240_000)
  let installation: Installation
  let server: Server
  let remote: Remote
  let gate: Awaited<ReturnType<typeof openGate>>

  before(async function () {
    await needBwrap(this)
    installation = makeInstallation()
    remote = makeRemote(installation.folder, { 'package-lock.json': 'v1' })
    gate = await openGate()
    server = await installation.start('--runtime', 'bwrap')
    const wait = `exec 3<>/dev/tcp/127.0.0.1/${gate.port}; read -r line <&3; mkdir c; echo "$line" > c/line`
    const environment = { setup: `exec bash -c '${wait}'`, cache: [{ path: 'c' }] }
    const spec = { title: 'Shop', remoteUrl: remote.path, environment }
    const project = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Project', metadata: { name: 'shop' }, spec }
    assert.equal((await server.kube.send('POST', kindPath('projects'), project)).status, 201)
  })
  after(async () => {
    await installation?.dispose()
    await gate?.close()
  })

  const TASKS = ['one', 'two', 'three', 'four', 'five']
  const stateOf = async (id: string): Promise<unknown> => (await server.task(id))['state']
  const waitOf = async (id: string): Promise<string> => JSON.stringify((await server.task(id))['waiting_for'])
  const environments = async () => {
    const { body } = await server.kube.send('GET', kindPath('projects', 'shop'))
    return (body as unknown as Project).status?.environments ?? []
  }

  it('wait for it without a slot, and say so', async () => {
    for (const id of TASKS) {
      await server.create(id, 'cat c/line > line.txt', { project: 'shop' })
      await server.run(id)
    }
    await until('the setup runs', () => gate.waiting() === 1)
    for (const id of TASKS) {
      await until(`${id} says what it waits for`, async () => /being prepared/.test(await waitOf(id)))
      assert.equal(await stateOf(id), 'QUEUED')
      assert.deepEqual(await server.executions(id), [])
    }
    // Somebody else's task of the same agent is not held up.
    await server.create('other', 'echo > other.txt', { repository_url: remote.path })
    await server.run('other')
    await server.reaches('other', 'READY')
    assert.equal(gate.begun(), 1)
  })

  it('can be cancelled meanwhile, which ends neither the setup nor the others', async () => {
    assert.equal((await server.call('POST', '/api/tasks/five/cancel')).status, 200)
    await server.reaches('five', 'CANCELLED')
    for (const id of TASKS.slice(0, 4)) assert.equal(await stateOf(id), 'QUEUED')
    assert.equal(gate.waiting(), 1)
  })

  it('still wait for it after the program was killed, and all begin with what it leaves', async () => {
    await server.program.kill()
    server = await installation.start('--runtime', 'bwrap')
    await until('a setup runs', () => gate.waiting() === 1)
    for (const id of TASKS.slice(0, 4)) assert.equal(await stateOf(id), 'QUEUED', await waitOf(id))
    gate.open()
    for (const id of TASKS.slice(0, 4)) {
      await server.reaches(id, 'READY')
      assert.equal(remote.git('show', `slipway/${id}:line.txt`), 'go')
    }
    assert.deepEqual(
      (await environments()).map(({ state }) => state),
      ['Ready'],
    )
  })
})
