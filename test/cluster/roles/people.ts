/** Who acts in these tests, by impersonation, and what their rights come from. */

/** The namespace of the release, and another one. */
export interface Places {
  readonly namespace: string
  readonly elsewhere: string
}

/** A letter for each, the column of the table. */
export const PEOPLE = {
  V: 'viewer',
  A: 'author',
  P: 'approver',
  B: 'author-and-approver',
  M: 'admin',
  N: 'approver-elsewhere',
  W: 'wildcard',
  O: 'operator',
  S: 'api-server',
  U: 'stop-executions',
  G: 'garbage-collector',
  R: 'cluster-admin',
} as const

export type Letter = keyof typeof PEOPLE
export type Person = (typeof PEOPLE)[Letter]

/** The name that Kubernetes knows a person by. */
export function userOf(person: Person, { namespace }: Places): string {
  if (person === 'garbage-collector') return 'system:serviceaccount:kube-system:generic-garbage-collector'
  const isOurs = person === 'operator' || person === 'api-server' || person === 'stop-executions'
  return isOurs ? `system:serviceaccount:${namespace}:slipway-${person}` : `${namespace}-${person}`
}

const GROUP = 'rbac.authorization.k8s.io'

/** The bindings of people; those of accounts are the chart's. */
export function bindings(places: Places): object[] {
  const { namespace, elsewhere } = places
  const subject = (person: Person) => [{ apiGroup: GROUP, kind: 'User', name: userOf(person, places) }]
  const binding = (person: Person, role: string, where: string, kind = 'ClusterRole') => ({
    apiVersion: `${GROUP}/v1`,
    kind: 'RoleBinding',
    metadata: { name: `${person}-${role}`, namespace: where },
    roleRef: { apiGroup: GROUP, kind, name: role },
    subjects: subject(person),
  })
  const everything = { apiGroups: ['slipway.dev'], resources: ['*'], verbs: ['*'] }
  // Who writes Secrets and Leases needs these rights from elsewhere: the roles of Slipway give none.
  const foreign = [
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'create', 'update', 'patch'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update', 'patch'] },
  ]
  const role = (name: string, rules: object[]) => ({
    apiVersion: `${GROUP}/v1`,
    kind: 'Role',
    metadata: { name, namespace },
    rules,
  })
  return [
    role('wildcard', [everything]),
    role('foreign', foreign),
    binding('viewer', 'slipway-viewer', namespace),
    binding('author', 'slipway-author', namespace),
    binding('approver', 'slipway-approver', namespace),
    binding('author-and-approver', 'slipway-author', namespace),
    binding('author-and-approver', 'slipway-approver', namespace),
    binding('admin', 'slipway-admin', namespace),
    binding('approver-elsewhere', 'slipway-approver', elsewhere),
    binding('wildcard', 'wildcard', namespace, 'Role'),
    ...(['author', 'author-and-approver', 'admin'] as const).map((person) =>
      binding(person, 'foreign', namespace, 'Role'),
    ),
    {
      apiVersion: `${GROUP}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: userOf('cluster-admin', places) },
      roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: subject('cluster-admin'),
    },
  ]
}
