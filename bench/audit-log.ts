/** What a program asked of a kube-apiserver, by the server's own audit log (level Metadata). */
import { createReadStream, statSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** Counts of requests by what was asked: `get leases`, `update tasks/status`. */
export type RequestCounts = ReadonlyMap<string, number>

export interface AuditLog {
  /** Counts anew from here. */
  mark(): void
  /** What programs of this user agent have asked about a namespace since the mark; watches are left out, which last. */
  count(userAgent: string, namespace: string): Promise<RequestCounts>
}

interface AuditEvent {
  readonly verb: string
  readonly userAgent?: string
  readonly objectRef?: { readonly resource: string; readonly subresource?: string; readonly namespace?: string }
}

/** The log that SLIPWAY_AUDIT_LOG names; undefined where it names none. */
export function findAuditLog(): AuditLog | undefined {
  const { SLIPWAY_AUDIT_LOG: path = '' } = process.env
  if (path === '') return undefined
  let start = 0
  return {
    mark: () => void (start = statSync(path).size),
    async count(userAgent, namespace) {
      const counts = new Map<string, number>()
      for await (const line of createInterface({ input: createReadStream(path, { start }) })) {
        // Most lines are of others; parsing them takes longer than all else.
        if (!line.includes(userAgent) || !line.includes(namespace)) continue
        const event: AuditEvent = JSON.parse(line)
        const { objectRef: object, verb } = event
        const isMeant = object?.namespace === namespace && event.userAgent?.startsWith(userAgent) === true
        if (object === undefined || !isMeant || verb === 'watch') continue
        const what = [verb, [object.resource, object.subresource].filter(Boolean).join('/')].join(' ')
        counts.set(what, (counts.get(what) ?? 0) + 1)
      }
      return counts
    },
  }
}

export function totalOf(counts: RequestCounts, isCounted: (what: string) => boolean = () => true): number {
  return [...counts].reduce((total, [what, n]) => total + (isCounted(what) ? n : 0), 0)
}
