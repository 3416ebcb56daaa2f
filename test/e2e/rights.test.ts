import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { NAMESPACE } from './cluster.ts'

const run = promisify(execFile)

/** `what` is as kubectl takes it: a type, TYPE/NAME, or a type with `--subresource=`. */
async function mayDo(account: string, verb: string, what: string, namespace: string): Promise<boolean> {
  const as = `--as=system:serviceaccount:${NAMESPACE}:${account}`
  // `no` is exit code 1; anything that is not an answer has neither word on stdout.
  const answer = await run('kubectl', ['auth', 'can-i', verb, ...what.split(' '), as, '-n', namespace]).catch(
    (error: unknown) => error as { stdout: string },
  )
  assert.match(answer.stdout, /^(yes|no)/, JSON.stringify(answer))
  return answer.stdout.startsWith('yes')
}

type Right = readonly [account: string, verb: string, what: string, namespace?: string]

const REFUSED: readonly Right[] = [
  ['slipway-operator', 'create', 'tasks.slipway.dev'],
  ['slipway-operator', 'update', 'tasks.slipway.dev'],
  ['slipway-operator', 'update', 'executions.slipway.dev'],
  ['slipway-operator', 'update', 'projects.slipway.dev'],
  ['slipway-operator', 'update', 'storyevents.slipway.dev'],
  ['slipway-operator', 'update', 'epics.slipway.dev'],
  ['slipway-operator', 'update', 'jobs'],
  ['slipway-operator', 'create', 'pods'],
  ['slipway-operator', 'delete', 'pods'],
  ['slipway-operator', 'create', 'pods --subresource=exec'],
  ['slipway-operator', 'list', 'secrets'],
  ['slipway-operator', 'watch', 'secrets'],
  ['slipway-operator', 'create', 'secrets'],
  ['slipway-operator', 'update', 'secrets'],
  ['slipway-operator', 'get', 'configmaps'],
  ['slipway-operator', 'create', 'serviceaccounts --subresource=token'],
  ['slipway-operator', 'delete', 'leases'],
  ['slipway-operator', 'get', 'secrets', 'default'],
  ['slipway-operator', 'delete', 'jobs', 'default'],
  ['slipway-operator', 'list', 'tasks.slipway.dev', 'default'],
  ['slipway-api-server', 'get', 'secrets'],
  ['slipway-api-server', 'list', 'secrets'],
  ['slipway-api-server', 'create', 'secrets'],
  ['slipway-api-server', 'watch', 'secrets/slipway-push-vapid'],
  ['slipway-api-server', 'get', 'secrets/git-credentials'],
  ['slipway-api-server', 'get', 'secrets/slipway-api-token'],
  ['slipway-api-server', 'delete', 'secrets/slipway-push-vapid'],
  ['slipway-api-server', 'get', 'configmaps'],
  ['slipway-api-server', 'create', 'configmaps'],
  ['slipway-api-server', 'delete', 'configmaps/slipway-push-sent'],
  ['slipway-api-server', 'delete', 'pods'],
  ['slipway-api-server', 'list', 'pods', 'default'],
  ['slipway-api-server', 'create', 'pods'],
  ['slipway-api-server', 'create', 'pods --subresource=exec'],
  ['slipway-api-server', 'get', 'jobs'],
  ['slipway-api-server', 'create', 'jobs'],
  ['slipway-api-server', 'delete', 'jobs'],
  ['slipway-api-server', 'update', 'executions.slipway.dev'],
  ['slipway-api-server', 'delete', 'executions.slipway.dev'],
  ['slipway-api-server', 'update', 'storyevents.slipway.dev'],
  ['slipway-api-server', 'delete', 'storyevents.slipway.dev'],
  ['slipway-api-server', 'delete', 'events'],
  ['slipway-api-server', 'create', 'leases'],
  ['slipway-api-server', 'update', 'leases'],
  // Leadership of the operator, and the slots of agents.
  ['slipway-api-server', 'update', 'leases/slipway-operator'],
  ['slipway-api-server', 'delete', 'leases/slipway-push'],
  ['slipway-api-server', 'create', 'serviceaccounts --subresource=token'],
  ['slipway-api-server', 'create', 'rolebindings'],
  ['slipway-api-server', 'get', 'secrets/slipway-push-vapid', 'default'],
  ['slipway-api-server', 'list', 'tasks.slipway.dev', 'default'],
  ['default', 'get', 'tasks.slipway.dev'],
  ['default', 'get', 'secrets'],
]

/** Rights that tests elsewhere would miss only when a person subscribes, decides or looks. */
const ALLOWED: readonly Right[] = [
  ['slipway-operator', 'create', 'storyevents.slipway.dev'],
  ['slipway-operator', 'watch', 'storyevents.slipway.dev'],
  ['slipway-operator', 'update', 'projects.slipway.dev --subresource=status'],
  ['slipway-operator', 'delete', 'tasks.slipway.dev'],
  ['slipway-operator', 'delete', 'executions.slipway.dev'],
  ['slipway-operator', 'patch', 'executions.slipway.dev'],
  ['slipway-operator', 'update', 'epics.slipway.dev --subresource=status'],
  ['slipway-api-server', 'create', 'executions.slipway.dev'],
  ['slipway-api-server', 'update', 'executions.slipway.dev --subresource=status'],
  ['slipway-api-server', 'delete', 'epics.slipway.dev'],
  ['slipway-api-server', 'create', 'storyevents.slipway.dev'],
  ['slipway-api-server', 'update', 'agents.slipway.dev --subresource=status'],
  ['slipway-api-server', 'patch', 'events'],
  ['slipway-api-server', 'update', 'secrets/slipway-push-vapid'],
  ['slipway-api-server', 'update', 'secrets/slipway-push-subscriptions'],
  ['slipway-api-server', 'watch', 'secrets/slipway-push-subscriptions'],
  ['slipway-api-server', 'update', 'configmaps/slipway-push-sent'],
  ['slipway-api-server', 'update', 'leases/slipway-push'],
  // What still runs in a slot.
  ['slipway-api-server', 'watch', 'pods'],
  ['slipway-api-server', 'watch', 'jobs'],
]

describe('the rights of the parts', () => {
  for (const [account, verb, what, namespace = NAMESPACE] of REFUSED) {
    it(`do not let ${account} ${verb} ${what} in ${namespace}`, async () => {
      assert.equal(await mayDo(account, verb, what, namespace), false)
    })
  }
  for (const [account, verb, what, namespace = NAMESPACE] of ALLOWED) {
    it(`let ${account} ${verb} ${what} in ${namespace}`, async () => {
      assert.equal(await mayDo(account, verb, what, namespace), true)
    })
  }
})
