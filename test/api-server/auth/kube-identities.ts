/** A control plane's answers about callers, for servers that ask a control plane without such answers. */
import type { SubjectAccessReview, TokenReview, UserInfo } from '../../../kube/builtin.ts'
import type { KubeClient, KubeObject } from '../../../kube/types.ts'

export interface KubeIdentities {
  /** By token: who, and for which audiences; undefined audiences: an authenticator that knows none. */
  readonly users: Map<string, { readonly user: UserInfo; readonly audiences?: readonly string[] }>
  /** By user: verb and resource, `*` for all. */
  readonly rights: Map<string, readonly string[]>
  /** What was asked, in order: `review <token>`, `<user> <verb> <resource>`. */
  readonly asked: string[]
  /** Thrown in place of an answer. */
  failure?: Error
}

/** Nobody is known yet. */
export function kubeIdentities(): KubeIdentities {
  return { users: new Map(), rights: new Map(), asked: [] }
}

/** The client with its answers about callers made up. */
export function answering<C extends Pick<KubeClient, 'create'>>(client: C, identities: KubeIdentities): C {
  const reviewToken = ({ spec }: TokenReview): TokenReview['status'] => {
    identities.asked.push(`review ${spec.token}`)
    const known = identities.users.get(spec.token)
    if (known === undefined) return { authenticated: false }
    const { user, audiences } = known
    if (audiences === undefined) return { authenticated: true, user }
    const shared = audiences.filter((audience) => spec.audiences.includes(audience))
    return shared.length === 0 ? { authenticated: false } : { authenticated: true, user, audiences: shared }
  }
  const reviewAccess = ({ spec }: SubjectAccessReview): SubjectAccessReview['status'] => {
    const { verb, resource, group } = spec.resourceAttributes
    identities.asked.push(`${spec.user} ${verb} ${resource}`)
    const rights = identities.rights.get(spec.user) ?? []
    return { allowed: group === 'slipway.dev' && (rights.includes('*') || rights.includes(`${verb} ${resource}`)) }
  }
  const create: KubeClient['create'] = async <T extends KubeObject>(...args: Parameters<typeof client.create<T>>) => {
    const [{ kind }, object] = args
    if (kind !== 'TokenReview' && kind !== 'LocalSubjectAccessReview') return client.create(...args)
    if (identities.failure !== undefined) throw identities.failure
    const asked = object as unknown as TokenReview & SubjectAccessReview
    return { ...object, status: kind === 'TokenReview' ? reviewToken(asked) : reviewAccess(asked) }
  }
  return { ...client, create }
}
