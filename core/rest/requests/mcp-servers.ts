import { crdField } from '../../crd-field.ts'
import { crdString } from '../../schema/crd-limits.ts'
import { closed, maybe } from '../../schema/fields.ts'
import { type TSchema, Type } from 'typebox'

/** The servers that a kind may name, within the limits of its CRD. */
export function mcpServers(kind: 'Agent' | 'Project') {
  const of = (path: string): string => `spec.mcpServers[]${path}`
  const listOf = <S extends TSchema>(path: string, item: S) => {
    const { maxItems } = crdField(kind, path)
    return Type.Array(item, maxItems === undefined ? {} : { maxItems })
  }
  const variable = (path: string) =>
    closed({
      name: crdString(kind, of(`${path}[].name`)),
      value: maybe(crdString(kind, of(`${path}[].value`))),
      key: maybe(crdString(kind, of(`${path}[].key`))),
    })
  const server = closed({
    name: crdString(kind, of('.name')),
    command: maybe(crdString(kind, of('.command'))),
    args: maybe(listOf(of('.args'), crdString(kind, of('.args[]')))),
    env: maybe(listOf(of('.env'), variable('.env'))),
    url: maybe(crdString(kind, of('.url'))),
    headers: maybe(listOf(of('.headers'), variable('.headers'))),
  })
  return listOf('spec.mcpServers', server)
}
