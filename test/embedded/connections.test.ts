import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TLSSocket, connect } from 'node:tls'
import { type ControlPlane, startControlPlane } from '../../embedded/server.ts'
import { systemClock } from '../../lib/clock.ts'
import { recordingLogger } from '../helpers/log.ts'
import { type KubeHttp, at, connectKube } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'

const CONNECTIONS = 16
const MAPS = '/api/v1/namespaces/default/configmaps'
const aMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })

describe('embedded: connections beyond the limit', () => {
  const { logger, lines } = recordingLogger()
  let folder: string
  let plane: ControlPlane
  let kube: KubeHttp
  const strangers: TLSSocket[] = []
  let startedAt = 0
  before(async () => {
    startedAt = performance.now()
    folder = mkdtempSync(join(tmpdir(), 'slipway-connections-'))
    plane = await startControlPlane({
      storeDir: folder,
      crds: [],
      host: '127.0.0.1',
      port: 0,
      connections: CONNECTIONS,
      clock: systemClock,
      logger,
      randomBytes,
    })
    kube = connectKube(plane.kubeconfig)
  })
  after(async () => {
    for (const socket of strangers) socket.destroy()
    kube.close()
    await plane.stop()
    rmSync(folder, { recursive: true })
  })

  /** Opens a connection and shakes hands, and, with a text, says that. */
  async function openStranger(text = ''): Promise<void> {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(plane.url).port), ca: plane.certificate })
    strangers.push(socket)
    socket.on('error', () => undefined)
    socket.resume()
    await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')])
    socket.write(text)
  }
  const openCount = (): number => strangers.filter(({ closed }) => !closed).length

  it('take the place of strangers’, never of a watch or of who has the token', async () => {
    const watch = await kube.watch(`${MAPS}?watch=1`)
    assert.equal((await kube.send('POST', MAPS, aMap('before'))).status, 201)
    for (let n = 0; n < 3 * CONNECTIONS; n += 1) {
      await openStranger(n % 2 === 0 ? '' : 'GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n')
      if (n % 8 === 0) assert.equal((await kube.send('GET', MAPS)).status, 200)
    }
    await until('the others were closed', () => openCount() <= CONNECTIONS)
    assert.equal((await kube.send('POST', MAPS, aMap('after'))).status, 201)
    const events = [await watch.next(), await watch.next()]
    const names = events.map((event) => at(at(at(event, 'object'), 'metadata'), 'name'))
    assert.deepEqual(names, ['before', 'after'])
    watch.close()
  })

  it('are told in the log, once a minute', () => {
    const told = lines.filter(({ msg }) => String(msg).startsWith('connections to the control plane are running out'))
    // A slow machine takes more than one.
    const minutes = Math.floor((performance.now() - startedAt) / 60_000)
    assert.ok(told.length >= 1 && told.length <= 1 + minutes, `${told.length} lines`)
  })
})
