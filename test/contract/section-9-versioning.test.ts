/** Section 9, versioning, as far as no row of section 4 shows it. */
import assert from 'node:assert/strict'
import { type Rig, itemsOf, startRig } from '../api-server/rig.ts'
import { aTask } from '../helpers/build.ts'
import { at } from '../helpers/kube-http.ts'
import { row } from './contract.ts'

describe('the contract, section 9: versioning', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  row('9.paths', 'no path that the document lists has a version in it', async () => {
    const { body } = await api.get('/api/openapi.json')
    const paths = Object.keys(Object(at(body, 'paths')))
    assert.ok(paths.includes('/api/tasks'))
    assert.deepEqual(
      paths.filter((path) => /\/v\d/.test(path)),
      [],
    )
    assert.equal((await api.get('/api/v1/tasks')).status, 404)
  })

  row(
    '9.older-records',
    'a task stored with the key claude is read as one of the agent claude, alone and in lists',
    async () => {
      const { agent: _, ...spec } = aTask().spec
      await api.given({ ...aTask({ name: 'older' }), spec: { ...spec, claude: { model: 'opus' } } })
      const agent = { type: 'claude', model: 'opus' }
      assert.deepEqual(at((await api.get('/api/tasks/older')).body, 'agent'), agent)
      const listed = itemsOf((await api.get('/api/tasks')).body).find((task) => at(task, 'id') === 'older')
      assert.deepEqual(at(listed, 'agent'), agent)
    },
  )
})
