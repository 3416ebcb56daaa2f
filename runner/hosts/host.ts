import { textOf, type HostAnswer, type HostRequest as ApiRequest } from '../../lib/host-api.ts'

/** A repository and the API of its host; the input of an adapter. */
export interface HostRepository {
  /** Without a slash at its end, such as `https://api.github.com`. */
  readonly apiUrl: string
  /** `owner/name`, or deeper where the host nests groups. */
  readonly path: string
  readonly call: CallHost
  /** Reports an answer whose status was expected but whose content is a failure. @throws StepFailed */
  readonly refuse: (answer: HostAnswer) => never
}

export interface PullRequest {
  readonly branch: string
  readonly base: string
  readonly title: string
  readonly text: string
}

/** Calls the host's API; the token goes along. @throws StepFailed category git, with what the host said */
export type CallHost = (request: HostRequest) => Promise<HostAnswer>

export interface HostRequest extends ApiRequest {
  /** Status codes besides 2xx that are no failure. */
  readonly answers?: readonly number[]
}

/**
 * How one kind of host makes pull requests.
 *
 * Both methods return the URL of the pull request's page. `find` returns undefined if none is open for branch and base,
 * `create` if there is one already.
 */
export interface HostAdapter {
  find(repository: HostRepository, request: PullRequest): Promise<string | undefined>
  create(repository: HostRepository, request: PullRequest): Promise<string | undefined>
}

/** The page of what a host says that it has made. @throws StepFailed for an answer that names none */
export function getPage({ refuse }: HostRepository, answer: HostAnswer, key: string): string {
  return textOf(answer.body, key) ?? refuse(answer)
}
