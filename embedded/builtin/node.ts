import { isObject, objectsIn } from '../schema/json.ts'
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
    column('Status', displayedStatus),
    column('Roles', roles),
    AGE,
    column('Version', (node) => infoOf(node, 'kubeletVersion')),
    column('Internal-IP', (node) => addressOf(node, 'InternalIP'), { wide: true }),
    column('External-IP', (node) => addressOf(node, 'ExternalIP'), { wide: true }),
    column('OS-Image', (node) => infoOf(node, 'osImage') || '<unknown>', { wide: true }),
    column('Kernel-Version', (node) => infoOf(node, 'kernelVersion') || '<unknown>', { wide: true }),
    column('Container-Runtime', (node) => infoOf(node, 'containerRuntimeVersion') || '<unknown>', { wide: true }),
  ],
  schema: describes('Node is a machine, or a process in its place, that runs pods.'),
})

function infoOf({ status }: ApiObject, name: string): string {
  return textAt(isObject(status) ? status['nodeInfo'] : undefined, name) ?? ''
}

function addressOf({ status }: ApiObject, type: string): string {
  const addresses = isObject(status) ? objectsIn(status['addresses']) : []
  return (
    textAt(
      addresses.find((address) => address['type'] === type),
      'address',
    ) ?? '<none>'
  )
}

function displayedStatus(node: ApiObject): string {
  const { spec } = node
  return isObject(spec) && spec['unschedulable'] === true ? `${readiness(node)},SchedulingDisabled` : readiness(node)
}

function readiness({ status }: ApiObject): string {
  const conditions = isObject(status) ? objectsIn(status['conditions']) : []
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
