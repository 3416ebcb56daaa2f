import assert from 'node:assert/strict'
import { complaints, dig, kubectlJson, records } from './cluster.ts'

// The last file by name: what it looks at is what all the others left behind.
describe('in all that ran before', () => {
  for (const part of ['operator', 'api-server'] as const) {
    it(`the ${part} lacked no right and warned of nothing`, async () => {
      assert.deepEqual(await complaints(part), [])
    })
  }

  it("nobody touched the Job of another namespace that carries an execution's name and labels", async () => {
    const { items } = await kubectlJson('get', 'jobs', '-n', 'default', '-l', 'slipway.dev/task=first')
    const jobs = records(items).map(({ metadata }) => [dig(metadata, 'name'), dig(metadata, 'deletionTimestamp')])
    assert.deepEqual(jobs, [['first-1-run', undefined]])
  })
})
