import type { IncomingMessage } from 'node:http'
import { withoutAbsent } from '../../core/omit.ts'
import { clip } from '../../core/text.ts'
import { type WayOut, readText, sendRequest } from '../../lib/outbound.ts'
import { parseUrl } from '../../lib/url.ts'
import { StepFailed } from '../failure.ts'
import type { Redact } from '../redact.ts'
import type { CallHost, HostAnswer, HostRequest } from './host.ts'

/** Size of an answer; a list of fifty pull requests is much smaller. */
const MAX_BODY_BYTES = 8 * 1024 * 1024
const MESSAGE_LENGTH = 500

const MAX_REDIRECTS = 3
/** The repository was renamed or moved: repeat the same request at its new address. */
const MOVED = [301, 307, 308]

/**
 * Calls a host with a token, and follows a redirect only on the API's own host and for what has moved: the token is for
 * this host alone, and other redirects lead to pages for people.
 *
 * @throws StepFailed category git, with what the host said
 */
export function makeCall(token: string, redact: Redact, signal: AbortSignal, way: WayOut): CallHost {
  return async (request) => {
    const answer = await follow(request, { token, signal, way })
    const isSuccess = answer.status >= 200 && answer.status < 300
    if (isSuccess && typeof answer.body === 'string') throw new StepFailed('git', noApi(request.url))
    return isSuccess || request.answers?.includes(answer.status) === true
      ? answer
      : refused(request.url, answer, redact)
  }
}

function noApi(url: string): string {
  const { host } = new URL(url)
  return `${host} answered with a page in place of JSON, such as one to sign in: correct host.apiUrl of the project, or let its API through without that page`
}

interface Means {
  readonly token: string
  readonly signal: AbortSignal
  readonly way: WayOut
}

async function follow(request: HostRequest, means: Means): Promise<HostAnswer> {
  let url = new URL(request.url)
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const answer = await send({ ...request, url: url.href }, means)
    if (!MOVED.includes(answer.status) || answer.location === undefined) return answer
    const next = parseUrl(answer.location, url)
    if (next?.origin !== url.origin) throw new StepFailed('git', elsewhere(url, next))
    url = next
  }
  throw new StepFailed('git', `${url.host} redirects more than ${MAX_REDIRECTS} times`)
}

function elsewhere({ host }: URL, next: URL | undefined): string {
  return `${host} redirects to ${next?.origin ?? 'what is no URL'}, and the token is not sent there: correct the repository's URL, or host.apiUrl of the project`
}

/** @throws StepFailed */
export function refused(url: string, answer: HostAnswer, redact: Redact): never {
  const { status, body } = answer
  const said = clip(redact(typeof body === 'string' ? body : JSON.stringify(body ?? '')), MESSAGE_LENGTH)
  throw new StepFailed('git', `${new URL(url).host} answered ${status}${hint(answer)}: ${said}`)
}

function hint({ status, limitEnds }: HostAnswer): string {
  if (limitEnds !== undefined) return ` (its rate limit is reached${limitEnds}; the delivery is tried again by itself)`
  if (status < 300) return ' (which names no pull request)'
  if (status < 400) return ' (it redirects, perhaps to a page to sign in: correct host.apiUrl of the project)'
  if (status === 401) return ' (the token of the git Secret is not valid there)'
  if (status === 403) return " (the token of the git Secret may not write this repository's pull requests)"
  return status === 404 ? ' (no such repository, or the token may not see it)' : ''
}

/** Hosts tell a limit by 429, and GitHub by 403 with these headers, or by words alone for its secondary limits. */
function findLimit({ statusCode, headers }: IncomingMessage, text: string): Pick<HostAnswer, 'limitEnds'> {
  const wait = headers['retry-after']
  const isSpent = headers['x-ratelimit-remaining'] === '0' || wait !== undefined
  const isLimit = statusCode === 429 || (statusCode === 403 && (isSpent || /rate limit/i.test(text)))
  if (!isLimit) return {}
  return { limitEnds: Number(wait) > 0 ? `; it asks to wait ${Number(wait)} seconds` : '' }
}

async function send({ method, url, body }: HostRequest, { token, signal, way }: Means): Promise<HostAnswer> {
  const { host } = new URL(url)
  const json = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    Authorization: `Bearer ${token}`,
    Accept: 'application/json',
    'User-Agent': 'slipway',
    ...(json === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) }),
  }
  try {
    const response = await sendRequest(new URL(url), { method, headers, signal, agent: false }, way, json)
    const text = await readText(
      response,
      MAX_BODY_BYTES,
      (problem) => new StepFailed('git', `${host} cannot be asked for a pull request: ${problem}`),
    )
    const { location } = response.headers
    const status = response.statusCode ?? 0
    return { status, body: parse(text), ...withoutAbsent({ location }), ...findLimit(response, text) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof StepFailed || !(error instanceof Error)) throw error
    throw new StepFailed('git', `${host} cannot be asked for a pull request: ${error.message}`)
  }
}

/** An answer that is not JSON, such as a proxy's page, stays a text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
