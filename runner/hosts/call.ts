import { clip } from '../../core/text.ts'
import { callHost, type HostAccess, type HostAnswer, HostUnanswered } from '../../lib/host-api.ts'
import { StepFailed } from '../failure.ts'
import type { Redact } from '../redact.ts'
import type { CallHost, HostRequest } from './host.ts'

const MESSAGE_LENGTH = 500

/**
 * Calls a host for a pull request.
 *
 * @throws StepFailed category git, with what the host said
 */
export function makeCall(redact: Redact, access: HostAccess): CallHost {
  return async (request) => {
    const answer = await call(request, access)
    const isSuccess = answer.status >= 200 && answer.status < 300
    if (isSuccess && typeof answer.body === 'string') throw new StepFailed('git', noApi(request.url))
    return isSuccess || request.answers?.includes(answer.status) === true
      ? answer
      : refused(request.url, answer, redact)
  }
}

async function call(request: HostRequest, access: HostAccess): Promise<HostAnswer> {
  try {
    return await callHost(request, access)
  } catch (error) {
    throw error instanceof HostUnanswered ? new StepFailed('git', error.message) : error
  }
}

function noApi(url: string): string {
  const { host } = new URL(url)
  return `${host} answered with a page in place of JSON, such as one to sign in: correct host.apiUrl of the project, or let its API through without that page`
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
