import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { once } from 'node:events'
import { type ServedHealth, serveHealth } from '../../cli/health.ts'
import { serveMetrics } from '../../cli/metrics.ts'
import { loadConfig } from '../../lib/config.ts'
import { makeLogger } from '../../lib/log.ts'
import { until } from '../helpers/until.ts'

describe('the probes of the operator', () => {
  let served: ServedHealth | undefined
  let problem: string | undefined
  let remark: string | undefined

  beforeEach(async () => {
    problem = 'the operator is starting'
    remark = undefined
    served = await serveHealth(
      '127.0.0.1:0',
      () => problem,
      () => remark,
    )
  })
  afterEach(() => served?.stop())

  const get = async (path: string): Promise<[number, string]> => {
    const response = await fetch(`${served?.url}${path}`)
    return [response.status, await response.text()]
  }

  it('say ready only while nothing keeps the operator from its work, and what does, and alive all the time', async () => {
    assert.deepEqual(await get('/readyz'), [503, 'not ready: the operator is starting\n'])
    assert.deepEqual(await get('/healthz'), [200, 'ok'])
    problem = undefined
    assert.deepEqual(await get('/readyz'), [200, 'ok'])
  })

  it('say what people should know although the operator works', async () => {
    ;[problem, remark] = [undefined, 'something is missing']
    assert.deepEqual(await get('/readyz'), [200, 'ok, but something is missing\n'])
    assert.deepEqual(await get('/healthz'), [200, 'ok'])
  })

  it('answer 404 to anything else', async () => {
    assert.equal((await get('/metrics'))[0], 404)
  })

  it('answer while somebody holds connections open, and hold 64 of them at most', async () => {
    const port = Number(new URL(served?.url ?? '').port)
    const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'))
    for (const socket of sockets) socket.on('error', () => undefined).resume()
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    assert.equal((await get('/healthz'))[0], 200)
    await until('no more are open', () => sockets.filter((socket) => !socket.closed).length <= 64)
    for (const socket of sockets) socket.destroy()
  })

  for (const value of ['off', '0'])
    it(`are not served where healthListen is ${value}`, async () => {
      assert.equal(
        await serveHealth(loadConfig({ flags: { healthListen: value }, env: {} }).healthListen, () => ''),
        undefined,
      )
    })

  it('are at port 8081 of every address unless something else is said', () => {
    assert.equal(loadConfig({ flags: {}, env: {} }).healthListen, '0.0.0.0:8081')
    assert.throws(
      () => loadConfig({ flags: {}, env: { SLIPWAY_HEALTH_LISTEN: '8081' } }),
      /healthListen: .*0\.0\.0\.0:8081, or off/,
    )
  })

  for (const [what, flag, serve] of [
    ['probes', '--health-listen', (at: string) => serveHealth(at, () => undefined)],
    ['metrics', '--metrics-listen', (at: string) => serveMetrics(at, makeLogger('silent'))],
  ] as const)
    it(`name the setting that chooses another address where that of the ${what} is taken`, async () => {
      const taken = createServer().listen(0, '127.0.0.1')
      await once(taken, 'listening')
      const address = taken.address()
      assert.ok(typeof address === 'object' && address !== null)
      const at = `127.0.0.1:${address.port}`
      await assert.rejects(serve(at), {
        message: `${at} is in use: stop what listens there, or choose another address with ${flag}`,
      })
      taken.close()
      await once(taken, 'close')
    })
})
