/**
 * Who may do what: a token by its scopes, anybody else by the rights that Kubernetes gives them (LocalSubjectAccessReview).
 *
 * Each operation asks for rights of its own, so that a role can give a person one decision and not another. The answers
 * are kept for seconds only: a role that is taken away is taken away at once, as far as a person can tell.
 */
import { apiError } from '../../core/errors.ts'
import { GROUP, VERSION } from '../../core/names.ts'
import { type Right, DECISION_RIGHTS, OPERATION_RIGHTS, SCOPE_RIGHTS } from '../../core/rest/rights.ts'
import { type OperationId, ROUTES } from '../../core/rest/routes.ts'
import { type Scope, SCOPES, scopeOf } from '../../core/rest/route.ts'
import { LOCAL_ACCESS_REVIEWS } from '../../kube/resources.ts'
import type { KubeClient } from '../../kube/types.ts'
import type { Clock } from '../../lib/clock.ts'
import { requireScope } from './access.ts'
import { createRemembered } from './remembered.ts'
import type { Subject } from './subject.ts'
import type { Caller } from './tokens.ts'

export interface Authorization {
  /**
   * The caller as one who may do that, with what records must know of them.
   *
   * @throws ApiError `forbidden` naming the scope, `right_missing` naming the right, `unavailable` when the control plane
   *   cannot be asked
   */
  admit(caller: Caller, operation: OperationId): Promise<Caller>
  /** What a page may offer the caller. @throws ApiError `unavailable` */
  scopesOf(caller: Caller): Promise<readonly Scope[]>
}

export interface AuthorizationOptions {
  readonly client: Pick<KubeClient, 'create'>
  readonly namespace: string
  readonly clock: Clock
}

const SCOPE_OF: ReadonlyMap<OperationId, Scope> = new Map(ROUTES.map((row) => [row.id, scopeOf(row)]))

const ALLOWED_MS = 5000
/** Somebody who was just given a role tries again. */
const REFUSED_MS = 1000
const MAX_KEPT = 10_000
const MAX_ASKED = 256

/** Nothing has been asked yet. */
export function createAuthorization({ client, namespace, clock }: AuthorizationOptions): Authorization {
  const remembered = createRemembered<boolean>({ clock, maxKept: MAX_KEPT, maxAsked: MAX_ASKED })

  const ask = async ({ user, name }: Subject, right: Right): Promise<boolean> => {
    const { username, ...more } = user
    const { verb, resource } = splitRight(right)
    const resourceAttributes = { namespace, verb, group: GROUP, version: VERSION, resource }
    const spec = { user: username, ...more, resourceAttributes }
    const object = { metadata: { name: '', namespace }, spec }
    const { status } = await client.create(LOCAL_ACCESS_REVIEWS, object).catch((error: unknown) => {
      throw apiError('unavailable', `the control plane cannot be asked what ${name} may do`, 1).causedBy(error)
    })
    return status?.allowed === true
  }
  const may = (subject: Subject, right: Right): Promise<boolean> =>
    remembered.get(`${right} ${subject.key}`, async () => {
      const value = await ask(subject, right)
      return { value, keepMs: value ? ALLOWED_MS : REFUSED_MS }
    })
  const mayEach = (subject: Subject, rights: readonly Right[]): Promise<boolean[]> =>
    Promise.all(rights.map((right) => may(subject, right)))

  return {
    async admit(caller, operation) {
      const { subject } = caller
      if (subject === undefined) {
        const scope = SCOPE_OF.get(operation)
        if (scope !== undefined) requireScope(caller, scope)
        return caller
      }
      const needed = OPERATION_RIGHTS[operation]
      const answers = await mayEach(subject, needed)
      const missing = needed.find((_, i) => answers[i] !== true)
      if (missing !== undefined) {
        const { verb, resource } = splitRight(missing)
        throw apiError('right_missing', caller.name, verb, `${resource}.${GROUP}`, namespace)
      }
      if (!needed.some(isOfDecided)) return caller
      const decides = (await mayEach(subject, DECISION_RIGHTS)).every(Boolean)
      return { ...caller, audience: decides ? 'deciders' : 'readers' }
    },
    async scopesOf({ subject, scopes }) {
      if (subject === undefined) return scopes
      const given = await Promise.all(
        SCOPES.map(async (scope) => (await mayEach(subject, SCOPE_RIGHTS[scope])).some(Boolean)),
      )
      return SCOPES.filter((_, i) => given[i])
    },
  }
}

function splitRight(right: Right): { readonly verb: string; readonly resource: string } {
  const [verb = '', resource = ''] = right.split(' ')
  return { verb, resource }
}

/** Whether the answer may hold records that people decide about. */
function isOfDecided(right: Right): boolean {
  return right.endsWith(' tasks') || right.endsWith(' stories')
}
