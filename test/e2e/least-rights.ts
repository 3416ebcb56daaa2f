/**
 * Compares the rights that roles give with the requests that an audit log of Kubernetes lists.
 *
 * A right is one verb on one resource, of one name where the rule has names. The audit log knows nothing of rules: a
 * request uses each right that would allow it. What admission plugins ask the authoriser is in no log.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { asRecord } from '../../core/json.ts'

export interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}

/** Rules by the account that they are given to. */
export type Roles = Readonly<Record<string, readonly Rule[]>>

/** A request of an account to the API server. */
export interface AccountRequest {
  readonly namespace: string
  readonly account: string
  readonly verb: string
  readonly group: string
  /** With its subresource: `tasks/status`. */
  readonly resource: string
  readonly name: string | undefined
  readonly isRefused: boolean
}

export interface RightsReport {
  /** How often each right was used, such as `slipway-operator: get secrets`. */
  readonly used: ReadonlyMap<string, number>
  readonly unused: readonly string[]
  /** Rights with `*` in them. */
  readonly wildcards: readonly string[]
  /** Requests for want of a right, each kind once, with the namespace of the account. */
  readonly refused: readonly string[]
}

/** Judges rules by requests. Pure. */
export function compareRights(roles: Roles, requests: readonly AccountRequest[]): RightsReport {
  const rights = Object.entries(roles).flatMap(([account, rules]) => rules.flatMap((rule) => expand(account, rule)))
  const used = new Map<string, number>()
  for (const right of rights) {
    const count = requests.filter((request) => !request.isRefused && isAllowedBy(request, right)).length
    if (count > 0) used.set(describe(right), count)
  }
  const names = rights.map(describe)
  return {
    used,
    unused: names.filter((name) => !used.has(name)),
    wildcards: names.filter((name) => name.includes('*')),
    refused: [...new Set(requests.filter(({ isRefused }) => isRefused).map(describeRefused))].sort(),
  }
}

type Right = Pick<AccountRequest, 'account' | 'verb' | 'group' | 'resource' | 'name'>

function expand(account: string, { apiGroups, resources, verbs, resourceNames }: Rule): Right[] {
  const names = resourceNames ?? [undefined]
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      names.flatMap((name) => verbs.map((verb) => ({ account, verb, group, resource, name }))),
    ),
  )
}

function isAllowedBy(request: AccountRequest, right: Right): boolean {
  const { account, verb, group, resource, name } = right
  const isOfKind = request.account === account && request.group === group && request.resource === resource
  return isOfKind && request.verb === verb && (name === undefined || request.name === name)
}

/** The group is told where it is none of Kubernetes' own: `tasks.slipway.dev/status` as kubectl writes it is harder to read. */
function describe({ account, verb, group, resource, name }: Right): string {
  const isWild = group === '*' ? '*.' : ''
  return `${account}: ${verb} ${isWild}${resource}${name === undefined ? '' : ` ${name}`}`
}

function describeRefused({ namespace, ...request }: AccountRequest): string {
  return `${describe(request)} in ${namespace}`
}

const ACCOUNT = /^system:serviceaccount:([^:]+):(slipway-[^:]+)$/

/** Requests of our accounts in an audit log, which has one event per line; a watch may be in it twice. */
export function readRequests(log: string): AccountRequest[] {
  return log.split('\n').flatMap((line) => {
    const event = line === '' ? {} : asRecord(JSON.parse(line))
    const [, namespace, account] = ACCOUNT.exec(String(asRecord(event['user'])['username'])) ?? []
    if (namespace === undefined || account === undefined) return []
    const object = asRecord(event['objectRef'])
    const text = (field: string): string => (typeof object[field] === 'string' ? object[field] : '')
    return [
      {
        namespace,
        account,
        verb: String(event['verb']),
        group: text('apiGroup'),
        resource: [text('resource'), text('subresource')].filter(Boolean).join('/'),
        name: text('name') || undefined,
        isRefused: asRecord(event['annotations'])['authorization.k8s.io/decision'] === 'forbid',
      },
    ]
  })
}

/** The roles of the chart, from a folder with one file per account. */
export function readRoles(folder: string): Roles {
  return Object.fromEntries(
    readdirSync(folder).map((file) => {
      const rules = parse(readFileSync(join(folder, file), 'utf8')) as readonly Rule[]
      return [`slipway-${file.replace('.yaml', '')}`, rules]
    }),
  )
}
