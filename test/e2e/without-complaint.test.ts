import assert from 'node:assert/strict'
import { complaints, dig, kubectlJson, records } from './cluster.ts'

/**
 * The git server is in the cluster, at an address that the API server reads for deployment status only when it is told
 * to (`allowPrivateAddresses`); it says so once for each repository.
 */
function isOfPrivateAddress(line: string): boolean {
  return line.includes('"code":"PRIVATE_ADDRESS"') && line.includes('deployment status unknown')
}

// The last file by name: what it looks at is what all the others left behind.
describe('in all that ran before', () => {
  for (const part of ['operator', 'api-server'] as const) {
    it(`the ${part} lacked no right and warned of nothing`, async () => {
      const unexpected = (await complaints(part)).filter((line) => !isOfPrivateAddress(line))
      assert.deepEqual(unexpected, [])
    })
  }

  it("nobody touched the Job of another namespace that carries an execution's name and labels", async () => {
    const { items } = await kubectlJson('get', 'jobs', '-n', 'default', '-l', 'slipway.dev/task=first')
    const jobs = records(items).map(({ metadata }) => [dig(metadata, 'name'), dig(metadata, 'deletionTimestamp')])
    assert.deepEqual(jobs, [['first-1-run', undefined]])
  })
})
