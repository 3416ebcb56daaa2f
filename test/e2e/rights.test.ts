import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

async function mayDo(account: string, verb: string, resource: string, namespace: string): Promise<boolean> {
  const as = `--as=system:serviceaccount:slipway:${account}`
  // `no` is exit code 1; anything that is not an answer has neither word on stdout.
  const answer = await run('kubectl', ['auth', 'can-i', verb, resource, as, '-n', namespace]).catch(
    (error: unknown) => error as { stdout: string },
  )
  assert.match(answer.stdout, /^(yes|no)/)
  return answer.stdout.startsWith('yes')
}

const REFUSED: readonly (readonly [account: string, verb: string, resource: string, namespace?: string])[] = [
  ['slipway-operator', 'create', 'tasks.slipway.dev'],
  ['slipway-operator', 'delete', 'tasks.slipway.dev'],
  ['slipway-operator', 'update', 'jobs'],
  ['slipway-operator', 'create', 'pods'],
  ['slipway-operator', 'delete', 'pods'],
  ['slipway-operator', 'create', 'pods/exec'],
  ['slipway-operator', 'watch', 'secrets'],
  ['slipway-operator', 'create', 'secrets'],
  ['slipway-operator', 'create', 'serviceaccounts/token'],
  ['slipway-operator', 'delete', 'leases'],
  ['slipway-operator', 'get', 'secrets', 'default'],
  ['slipway-operator', 'delete', 'jobs', 'default'],
  ['slipway-operator', 'list', 'tasks.slipway.dev', 'default'],
  ['slipway-api-server', 'get', 'secrets'],
  ['slipway-api-server', 'list', 'pods'],
  ['slipway-api-server', 'create', 'jobs'],
  ['slipway-api-server', 'delete', 'jobs'],
  ['slipway-api-server', 'update', 'executions.slipway.dev'],
  ['slipway-api-server', 'update', 'leases'],
  ['slipway-api-server', 'list', 'tasks.slipway.dev', 'default'],
  ['default', 'get', 'tasks.slipway.dev'],
  ['default', 'get', 'secrets'],
]

describe('the rights of the parts', () => {
  for (const [account, verb, resource, namespace = 'slipway'] of REFUSED) {
    it(`do not let ${account} ${verb} ${resource} in ${namespace}`, async () => {
      assert.equal(await mayDo(account, verb, resource, namespace), false)
    })
  }
})
