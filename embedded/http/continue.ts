import { parseJson } from './body.ts'
import { isObject } from '../schema/json.ts'
import { badRequest } from '../status.ts'

/** Where the next page of a list begins: in which state, and behind which object (`<namespace>/<name>`). */
export interface Continuation {
  readonly revision: number
  readonly after: string
}

const VERSION = 'meta.k8s.io/v1'
const INVALID = 'continue key is not valid: '

/** The token is opaque to clients; its form is that of a kube-apiserver. */
export function encodeContinue({ revision, after }: Continuation): string {
  return Buffer.from(JSON.stringify({ v: VERSION, rv: revision, start: `${after}\0` })).toString('base64url')
}

/** @throws ApiError 400 for what is no token of ours */
export function decodeContinue(token: string): Continuation {
  const value = parseJson(Buffer.from(token, 'base64url').toString('utf8'), (detail) => badRequest(INVALID + detail))
  if (!isObject(value) || value['v'] !== VERSION) throw badRequest(`${INVALID}incorrect encoding`)
  const { rv, start } = value
  if (typeof rv !== 'number' || typeof start !== 'string' || !start.endsWith('\0')) {
    throw badRequest(`${INVALID}no start or version in it`)
  }
  return { revision: rv, after: start.slice(0, -1) }
}
