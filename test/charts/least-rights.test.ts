import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type Roles, compareRights, readRequests, readRoles } from '../e2e/least-rights.ts'

const ROLES: Roles = {
  'slipway-operator': [
    { apiGroups: ['slipway.dev'], resources: ['tasks', 'tasks/status'], verbs: ['get', 'update'] },
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['get'] },
  ],
}

/** A line of an audit log, as kube-apiserver 1.32 writes it at level Metadata. */
function line(user: string, verb: string, objectRef: object, decision = 'allow'): string {
  const annotations = { 'authorization.k8s.io/decision': decision }
  return JSON.stringify({ kind: 'Event', user: { username: user }, verb, objectRef, annotations })
}

function report(roles: Roles, ...lines: readonly string[]) {
  return compareRights(roles, readRequests(lines.map((one) => `${one}\n`).join('')))
}

const OPERATOR = 'system:serviceaccount:slipway:slipway-operator'
const TASKS = { resource: 'tasks', apiGroup: 'slipway.dev', namespace: 'slipway', name: 't' }

describe('the comparison of rights and requests', () => {
  it('finds the rights that nobody used: by verb, subresource and name', () => {
    const { used, unused } = report(
      ROLES,
      line(OPERATOR, 'get', TASKS),
      line(OPERATOR, 'get', TASKS),
      line(OPERATOR, 'update', { ...TASKS, subresource: 'status' }),
      line(OPERATOR, 'get', { resource: 'secrets', name: 'b' }),
    )
    assert.deepEqual(
      [...used],
      [
        ['slipway-operator: get tasks', 2],
        ['slipway-operator: update tasks/status', 1],
        ['slipway-operator: get secrets b', 1],
      ],
    )
    assert.deepEqual(unused, [
      'slipway-operator: update tasks',
      'slipway-operator: get tasks/status',
      'slipway-operator: get secrets a',
    ])
  })

  it('counts no request of others, nor of a resource of the same name in another group', () => {
    const others = [
      'system:admin',
      'system:serviceaccount:slipway:slipway-api-server',
      'system:serviceaccount:a:default',
    ]
    const lines = others.map((user) => line(user, 'get', TASKS))
    const { used } = report(ROLES, ...lines, line(OPERATOR, 'get', { ...TASKS, apiGroup: 'other.example' }))
    assert.deepEqual([...used], [])
  })

  it('finds what was refused for want of a right, once, and takes it for no use; a quota is something else', () => {
    const { used, refused } = report(
      ROLES,
      line(OPERATOR, 'get', TASKS, 'forbid'),
      line(OPERATOR, 'get', TASKS, 'forbid'),
      JSON.stringify({ ...JSON.parse(line(OPERATOR, 'update', TASKS)), responseStatus: { code: 403 } }),
    )
    assert.deepEqual(refused, ['slipway-operator: get tasks t in slipway'])
    assert.deepEqual([...used.keys()], ['slipway-operator: update tasks'])
  })

  it('finds wildcards among groups, resources and verbs', () => {
    const given = { apiGroups: [''], resources: ['pods'], verbs: ['get'] }
    const rules = [
      { ...given, apiGroups: ['*'] },
      { ...given, resources: ['*'] },
      { ...given, verbs: ['*'] },
    ]
    const { wildcards } = report({ a: rules })
    assert.deepEqual(wildcards, ['a: get *.pods', 'a: get *', 'a: * pods'])
  })

  it('reads a role for each account of the chart', () => {
    const roles = readRoles(join(import.meta.dirname, '..', '..', '..', 'charts', 'slipway', 'files', 'roles'))
    assert.ok((roles['slipway-operator'] ?? []).length > 0 && (roles['slipway-stop-executions'] ?? []).length > 0)
    assert.deepEqual(compareRights(roles, []).wildcards, [])
  })
})
