/** A store on a file system of its own that is filled; needs root, who alone can mount one. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFolder } from '../../embedded/storage/folder.ts'
import { leaveOut } from '../helpers/leave-out.ts'
import { makeRemote } from '../helpers/repository.ts'
import { runSlipway } from '../helpers/slipway.ts'
import { type SmallDisk, DISK_KINDS, findMountProblem, mountSmallDisk } from '../helpers/small-disk.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, makeInstallation } from '../system/installation.ts'

const REASON =
  /the store \S+ takes no writes: (its disk has \S+ MiB left .* wanted|no space is left on its disk .*); free some space, and it goes on by itself/
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

for (const kind of DISK_KINDS) {
  describe(`a store on a full disk (${kind})`, function () {
    let installation: Installation
    let disk: SmallDisk
    let server: Server

    before(function () {
      const folder = mkdtempSync(join(tmpdir(), 'slipway-mount-'))
      const problem = findMountProblem(kind, folder)
      rmSync(folder, { recursive: true })
      if (problem !== undefined) leaveOut(this, `${kind} cannot be mounted: ${problem}`)
    })
    beforeEach(async () => {
      installation = makeInstallation()
      disk = mountSmallDisk(kind, join(installation.dataDir, 'store'))
      server = await installation.start()
    })
    afterEach(async () => {
      disk.unmount()
      await installation.dispose()
    })

    /** While there is no room: none of them waits for it. */
    async function assertRefused(): Promise<void> {
      const create = await server.call('POST', '/api/tasks', { id: 'refused', name: 'refused' })
      assert.ok([500, 507].includes(create.status), create.text)
      assert.match(String(create.body['error']), REASON)
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'refused' } }
      const put = await server.kube.send('POST', CONFIG_MAPS, map)
      assert.deepEqual([put.status, put.body['reason']], [507, 'InsufficientStorage'])
      assert.match(put.text, REASON)
      const ready = await server.call('GET', '/readyz')
      assert.equal(ready.status, 503)
      assert.match(ready.text, REASON)
      const embedded = await server.kube.send('GET', '/readyz')
      assert.equal(embedded.status, 503)
      assert.match(embedded.text, REASON)
      assert.deepEqual(
        [(await server.call('GET', '/healthz')).status, (await server.call('GET', '/api/tasks')).status],
        [200, 200],
      )
    }

    const isReady = async (): Promise<boolean> => (await server.call('GET', '/readyz')).status === 200

    it('refuses writes at once with the reason, says so in /readyz, and goes on by itself when there is room', async () => {
      const remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
      const drops = join(installation.dataDir, 'volume', 'drops')
      const script =
        'touch "$SERVICE_DROP_DIR/begun"; while [ ! -e "$SERVICE_DROP_DIR/go" ]; do sleep 0.05; done; touch "$SERVICE_DROP_DIR/gone"'
      await server.create('running', script, { repository_url: remote.path })
      await server.run('running')
      await until('the script runs', () => existsSync(join(drops, 'begun')))
      disk.fill()
      await assertRefused()
      writeFileSync(join(drops, 'go'), '')
      await until('the script ends with nowhere to note it', () => existsSync(join(drops, 'gone')))
      await assertRefused()
      disk.free()
      await until('the server is ready', isReady)
      await server.create('after', 'true')
      await server.reaches('running', 'READY')
    })

    it('loses nothing that was acknowledged when it is killed full, and tells why it cannot start', async () => {
      await server.create('before', 'true')
      disk.fill()
      await assertRefused()
      await server.program.kill()
      const { code, output } = await runSlipway([
        'serve',
        '--listen',
        '127.0.0.1:0',
        '--data-dir',
        installation.dataDir,
      ])
      assert.equal(code, 1, output)
      assert.match(output, /^slipway: .*\/store.*no space.*free some space\n$/)
      disk.free()
      server = await installation.start()
      assert.equal((await server.task('before'))['id'], 'before')
      await server.create('after', 'true')
    })

    it('holds all that was acknowledged while the disk fills and empties under 16 writers', async () => {
      const { store, close } = await openFolder(join(installation.dataDir, 'store', 'other'))
      const acknowledged = new Map<string, string>()
      let writes = 0
      let refusals = 0
      const over = new AbortController()
      const write = async (writer: number): Promise<void> => {
        for (let n = 0; !over.signal.aborted; n += 1) {
          const key = `k/${writer}-${n % 40}`
          const value = `${writer} ${n} `.repeat(1 + (n % 500))
          try {
            await store.write([{ type: 'put', key, expected: store.latest(key)?.revision ?? 0, render: () => value }])
            acknowledged.set(key, value)
            writes += 1
          } catch (error) {
            assert.match(String(error), REASON)
            refusals += 1
            await until('there may be room', async () => over.signal.aborted || (await store.problem()) === undefined)
          }
        }
      }
      const writers = Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)))
      try {
        for (let round = 1; round <= 5; round += 1) {
          const before = refusals
          disk.fill()
          await Promise.race([writers, until('a write was refused', () => refusals > before)])
          const written = writes
          disk.free()
          // Not merely until there is room: before all writers have asked for it, it would be gone again, and none would be refused.
          await Promise.race([writers, until('writes go on', () => writes > written)])
        }
      } finally {
        over.abort()
      }
      await writers
      await close()
      const again = await openFolder(join(installation.dataDir, 'store', 'other'))
      const held = again.store.range({ prefix: 'k/' }).map(({ key, value }): [string, string] => [key, value])
      assert.deepEqual(new Map(held), acknowledged)
      await again.close()
    })
  })
}
