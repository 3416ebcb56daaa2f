import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { createClientAddress } from '../../../api-server/http/client-address.ts'
import { errors } from '../../../api-server/http/middleware/errors.ts'
import type { RequestState } from '../../../api-server/http/middleware/state.ts'
import { MAX_BUCKETS, tokenBucket } from '../../../api-server/http/middleware/token-bucket.ts'
import { ROUTES } from '../../../core/rest/routes.ts'
import type { Route } from '../../../core/rest/route.ts'
import { makeLogger } from '../../../lib/log.ts'
import { type ManualClock, manualClock } from '../../helpers/clock.ts'

describe('operations that are limited per client', () => {
  let clock: ManualClock
  let server: Server
  const ask = async (client: string): Promise<Response> => {
    const port = (server.address() as AddressInfo).port
    return fetch(`http://127.0.0.1:${port}/`, { headers: { 'X-Forwarded-For': client } })
  }
  const askOften = async (client: string, times: number): Promise<number[]> => {
    const statuses: number[] = []
    for (let time = 0; time < times; time++) statuses.push((await ask(client)).status)
    return statuses
  }
  beforeEach(async () => {
    clock = manualClock()
    const app = new Koa<RequestState>()
    app.use(errors(makeLogger('silent'), clock))
    app.use(tokenBucket(createClientAddress(['127.0.0.1']), clock))
    app.use((ctx) => void (ctx.status = 204))
    server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  it('answer the sixth request in a row with 429, the seconds to wait, and go on after them', async () => {
    assert.deepEqual(await askOften('198.51.100.1', 5), [204, 204, 204, 204, 204])
    const refused = await ask('198.51.100.1')
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '12'])
    assert.deepEqual(await refused.json(), { error: 'too many requests; try again in 12 s' })
    await clock.advance(12_000)
    assert.deepEqual(await askOften('198.51.100.1', 2), [204, 429])
  })

  it('count each client by itself, and one IPv6 network as one client', async () => {
    await askOften('198.51.100.1', 5)
    assert.equal((await ask('198.51.100.2')).status, 204)
    assert.deepEqual(await askOften('2001:db8::1', 5), [204, 204, 204, 204, 204])
    assert.equal((await ask('2001:db8:0:0:ffff::2')).status, 429)
    assert.equal((await ask('2001:db8:0:1::1')).status, 204)
  })

  it('remember a bounded number of clients, whatever addresses come', async () => {
    const app = tokenBucket(({ headers }) => String(headers['x-forwarded-for']), clock)
    const take = (client: string): Promise<unknown> =>
      Promise.resolve(
        Reflect.apply(app, undefined, [{ req: { headers: { 'x-forwarded-for': client } } }, () => 'passed']),
      )
    for (let time = 0; time < 5; time++) await take('first')
    assert.throws(() => void take('first'))
    for (let client = 0; client < MAX_BUCKETS; client++) await take(`client-${client}`)
    assert.equal(await take('first'), 'passed')
  })

  it('name 429 among their errors', () => {
    const rows: readonly Route[] = ROUTES
    for (const { id, isBucketed, errors } of rows) if (isBucketed === true) assert.ok(errors.includes(429), id)
  })
})
