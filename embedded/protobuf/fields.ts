import { MESSAGES } from './messages.ts'

/** One row of MESSAGES (messages.ts). */
export interface Field {
  /** In JSON; empty where the message around it has its fields. */
  readonly name: string
  readonly type: string
  /** `[]`, `{}` or empty. */
  readonly shape: string
  /** `*`, `^` or empty. */
  readonly flag: string
}

export function parseField(row: string): Field {
  const [, name = '', shape = '', flag = '', type = ''] = /^(\S*) (\[\]|\{\})?([*^])?(.*)$/.exec(row) ?? []
  return { name, shape, flag, type }
}

/** The fields of a message, those of inlined messages included. */
export function fieldsIn(message: string): Field[] {
  return Object.values(MESSAGES[message] ?? {})
    .map(parseField)
    .flatMap((field) => (field.flag === '^' ? fieldsIn(field.type) : [field]))
}

/** The name of a kind's message, whether there is one or not. */
export function messageOf(apiVersion: string, kind: string): string {
  // Clients send it in the group of whatever they delete.
  if (kind === 'DeleteOptions') return 'meta.v1.DeleteOptions'
  const [version = '', group = 'core'] = apiVersion.split('/').toReversed()
  return `${group.replace(/\.k8s\.io$/, '')}.${version}.${kind}`
}
