import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { leaveOut } from '../helpers/leave-out.ts'
import { until } from '../helpers/until.ts'
import { makeInstallation } from './installation.ts'

const SOURCE = fileURLToPath(new URL('../../../test/fixtures/faults/eio.c', import.meta.url))

describe('a disk that fails under the store', function () {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-eio-'))
  const [library, broken] = [join(folder, 'eio.so'), join(folder, 'broken')]
  after(() => rmSync(folder, { recursive: true }))
  before(function () {
    const { error } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, SOURCE, '-ldl'])
    if (error !== undefined) leaveOut(this, 'no C compiler (cc) is on PATH')
  })

  it('is named by requests and /readyz while it fails, in reads and writes, and then the server goes on', async () => {
    const dataDir = join(folder, 'installation', 'data')
    const EIO = { EIO_FILE: join(dataDir, 'store', 'objects.mdb'), EIO_WHILE: broken, LD_PRELOAD: library }
    const installation = makeInstallation(EIO, join(folder, 'installation'))
    try {
      const server = await installation.start('--runtime', 'process')
      await server.create('before', 'true')
      writeFileSync(broken, '')
      const refused = await server.call('POST', '/api/tasks', { id: 'meanwhile', name: 'Meanwhile' })
      assert.ok(refused.status >= 500, refused.text)
      assert.match(refused.text, /takes no writes: its disk fails \(EIO\)/)
      const ready = await server.call('GET', '/readyz')
      assert.deepEqual([ready.status, /its disk fails \(EIO\)/.test(ready.text)], [503, true])
      rmSync(broken)
      await until('it is ready again', async () => (await server.call('GET', '/readyz')).status === 200)
      await server.create('after', 'true')
      assert.equal((await server.task('before'))['state'], 'PENDING')
    } finally {
      await installation.dispose()
    }
  })
})
