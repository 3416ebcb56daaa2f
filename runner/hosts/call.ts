import { clip } from '../../core/text.ts'
import { StepFailed } from '../failure.ts'
import type { Redact } from '../redact.ts'
import type { CallHost, HostAnswer, HostRequest } from './host.ts'

/** Size of an answer; a list of fifty pull requests is much smaller. */
const MAX_BODY_BYTES = 8 * 1024 * 1024
const MESSAGE_LENGTH = 500

/**
 * Calls a host with a token, and follows no redirect: the token is for this host alone.
 *
 * @throws StepFailed category git, with what the host said
 */
export function makeCall(token: string, redact: Redact, signal: AbortSignal): CallHost {
  return async (request) => {
    const answer = await send(request, token, signal)
    const isExpected = (answer.status >= 200 && answer.status < 300) || request.answers?.includes(answer.status)
    return isExpected === true ? answer : refused(request.url, answer, redact)
  }
}

/** @throws StepFailed */
export function refused(url: string, { status, body }: HostAnswer, redact: Redact): never {
  const said = clip(redact(typeof body === 'string' ? body : JSON.stringify(body ?? '')), MESSAGE_LENGTH)
  throw new StepFailed('git', `${new URL(url).host} answered ${status}${hint(status)}: ${said}`)
}

function hint(status: number): string {
  if (status === 401) return ' (the token of the git Secret is not valid there)'
  if (status === 403) return " (the token of the git Secret may not write this repository's pull requests)"
  return status === 404 ? ' (no such repository, or the token may not see it)' : ''
}

async function send({ method, url, body }: HostRequest, token: string, signal: AbortSignal): Promise<HostAnswer> {
  try {
    const response = await fetch(url, {
      method,
      redirect: 'error',
      signal,
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        'User-Agent': 'slipway',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: parse(await readText(response)) }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof TypeError)) throw error
    const reason = error.cause instanceof Error ? error.cause.message : error.message
    throw new StepFailed('git', `${new URL(url).host} cannot be asked for a pull request: ${reason}`)
  }
}

async function readText(response: Response): Promise<string> {
  if (response.body === null) return ''
  const stream: AsyncIterable<Uint8Array> = response.body
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > MAX_BODY_BYTES) throw new StepFailed('git', `${new URL(response.url).host} sent too long an answer`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
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
