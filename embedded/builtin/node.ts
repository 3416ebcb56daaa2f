import { isObject } from '../schema/json.ts'
import type { ApiObject } from '../objects.ts'
import { AGE, column, defineBuiltIn } from './define.ts'
import { describes } from './schema.ts'
import { textAt } from './simple.ts'

export const NODES = defineBuiltIn({
  group: '',
  kind: 'Node',
  plural: 'nodes',
  shortNames: ['no'],
  namespaced: false,
  hasStatus: true,
  selectableFields: ['spec.unschedulable'],
  columns: [
    column('Status', readiness),
    column('Roles', roles),
    AGE,
    column('Version', ({ status }) => textAt(isObject(status) ? status['nodeInfo'] : undefined, 'kubeletVersion')),
  ],
  schema: describes('Node is a machine, or a process in its place, that runs pods.'),
})

function readiness({ status }: ApiObject): string {
  const conditions =
    isObject(status) && Array.isArray(status['conditions']) ? status['conditions'].filter(isObject) : []
  const ready = conditions.find(({ type }) => type === 'Ready')
  if (ready === undefined) return 'Unknown'
  return ready['status'] === 'True' ? 'Ready' : 'NotReady'
}

function roles({ metadata }: ApiObject): string {
  const prefix = 'node-role.kubernetes.io/'
  const names = Object.keys(metadata.labels ?? {})
    .filter((label) => label.startsWith(prefix))
    .map((label) => label.slice(prefix.length))
  return names.length === 0 ? '<none>' : names.sort().join(',')
}
