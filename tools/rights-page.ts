import { type Node, isMap, isSeq, parseDocument } from 'yaml'
import { asRecord } from '../core/json.ts'
import { replaceGenerated } from './chart-page.ts'

/** The rules of one account, as its file has them. */
export interface RoleFile {
  /** `slipway-operator` */
  readonly account: string
  readonly yaml: string
}

/**
 * The README of the chart with its tables of rights written anew, one table for each account; the comment above a rule says
 * what it is for.
 *
 * @throws Error when the marks are missing, or a rule has no comment
 */
export function writeRights(page: string, roles: readonly RoleFile[]): string {
  return replaceGenerated(page, { name: 'rights', source: 'files/roles' }, roles.map(printRole).join('\n\n'))
}

function printRole({ account, yaml }: RoleFile): string {
  const { contents } = parseDocument(yaml)
  if (!isSeq<Node>(contents)) throw new Error(`the role of ${account} is no list of rules`)
  const rows = contents.items.map((rule, index) => {
    // The comment above the first rule belongs to the list.
    const reason = (rule.commentBefore ?? (index === 0 ? contents.commentBefore : undefined))
      ?.replaceAll(/\s+/g, ' ')
      .trim()
    if (!isMap(rule) || reason === undefined) throw new Error(`rule ${index + 1} of ${account} has no comment`)
    const { apiGroups, resources, resourceNames, verbs } = asRecord(rule.toJSON())
    const group = join(apiGroups)
    const kinds = `${join(resources)}${group === '' ? '' : ` (${group})`}`
    const names = resourceNames === undefined ? 'any' : code(resourceNames)
    return `| ${kinds} | ${names} | ${join(verbs)} | ${reason.replaceAll('|', '\\|')} |`
  })
  return [`**\`${account}\`**`, '', '| resources | names | verbs | for |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  )
}

function join(list: unknown): string {
  return Array.isArray(list) ? list.join(', ') : ''
}

function code(list: unknown): string {
  return Array.isArray(list) ? list.map((name) => `\`${String(name)}\``).join(', ') : ''
}
