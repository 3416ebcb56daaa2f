import { crdListOf, crdString } from '../../schema/crd-limits.ts'
import { closed, maybe } from '../../schema/fields.ts'

/** The servers that a kind may name, within the limits of its CRD. */
export function mcpServers(kind: 'Agent' | 'Project') {
  const of = (path: string): string => `spec.mcpServers[]${path}`
  const variable = (path: string) =>
    closed({
      name: crdString(kind, of(`${path}[].name`)),
      value: maybe(crdString(kind, of(`${path}[].value`))),
      key: maybe(crdString(kind, of(`${path}[].key`))),
    })
  const server = closed({
    name: crdString(kind, of('.name')),
    command: maybe(crdString(kind, of('.command'))),
    args: maybe(crdListOf(kind, of('.args'), crdString(kind, of('.args[]')))),
    env: maybe(crdListOf(kind, of('.env'), variable('.env'))),
    url: maybe(crdString(kind, of('.url'))),
    headers: maybe(crdListOf(kind, of('.headers'), variable('.headers'))),
  })
  return crdListOf(kind, 'spec.mcpServers', server)
}
