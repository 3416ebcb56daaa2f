import assert from 'node:assert/strict'
import { type Rig, startRig } from '../rig.ts'
import { send } from '../http/raw-http.ts'

describe('allowedHosts with a wildcard', () => {
  let api: Rig
  before(async () => {
    api = await startRig({ allowedHosts: ['*.Example.com', '*', '*.', 'one.test'] })
  })
  after(() => api.stop())

  const cases: readonly (readonly [host: string, status: number])[] = [
    ['a.example.com', 200],
    ['A.EXAMPLE.com:8080', 200],
    ['a.b.example.com', 200],
    ['one.test', 200],
    ['example.com', 403],
    ['.example.com', 403],
    ['evilexample.com', 403],
    ['a.example.com.evil.test', 403],
    ['two.one.test', 403],
    ['anything.test', 403],
  ]
  for (const [host, status] of cases)
    it(`answers ${status} to Host ${host}`, async () => {
      assert.equal((await send(`${api.url}/api/tasks`, { Host: host })).status, status)
    })
})
