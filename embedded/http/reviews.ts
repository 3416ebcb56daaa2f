import type { IncomingMessage, ServerResponse } from 'node:http'
import { type JsonObject, isObject } from '../schema/json.ts'
import { ApiError, methodNotAllowed } from '../status.ts'
import { requiredBody } from './body.ts'
import { sendJson } from './reply.ts'

/** Whom the token of the kubeconfig stands for; nobody else is known here. */
const USER = 'embedded'

/** What `kubectl auth can-i` and `kubectl auth whoami` ask; nothing of it is stored. */
const REVIEWS: Readonly<Record<string, { readonly kind: string; readonly review: (spec: JsonObject) => JsonObject }>> =
  {
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews': {
      kind: 'SelfSubjectAccessReview',
      review(spec) {
        if ((spec['resourceAttributes'] === undefined) === (spec['nonResourceAttributes'] === undefined))
          throw new ApiError(
            422,
            'Invalid',
            'SelfSubjectAccessReview.authorization.k8s.io "" is invalid: spec: exactly one of nonResourceAttributes or resourceAttributes must be specified',
          )
        return { allowed: true, reason: 'the token of the kubeconfig may do everything' }
      },
    },
    '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews': {
      kind: 'SelfSubjectRulesReview',
      review: () => ({
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        incomplete: false,
      }),
    },
    '/apis/authentication.k8s.io/v1/selfsubjectreviews': {
      kind: 'SelfSubjectReview',
      review: () => ({ userInfo: { username: USER, groups: ['system:masters', 'system:authenticated'] } }),
    },
  }

/** Answers a review of the caller's own rights; false when the path is none. @throws ApiError */
export async function serveReview(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const found = REVIEWS[path]
  if (found === undefined) return false
  if (request.method !== 'POST') throw methodNotAllowed()
  const body = await requiredBody(request, found.kind)
  const asked = isObject(body) ? body : {}
  const spec = isObject(asked['spec']) ? asked['spec'] : {}
  const apiVersion = path.split('/').slice(2, 4).join('/')
  sendJson(response, 201, { ...asked, apiVersion, kind: found.kind, status: found.review(spec) })
  return true
}

/** The server has one user, so acting as another one would be to act with all rights. @throws ApiError 403 */
export function refuseImpersonation({ headers }: IncomingMessage): void {
  const name = ['user', 'group', 'uid'].find((what) => headers[`impersonate-${what}`] !== undefined)
  if (name === undefined) return
  const whom = String(headers[`impersonate-${name}`])
  throw new ApiError(
    403,
    'Forbidden',
    `${name}s "${whom}" is forbidden: User "${USER}" cannot impersonate resource "${name}s": this server has no other user`,
  )
}
