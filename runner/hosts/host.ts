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

export interface HostRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly body?: Readonly<Record<string, string>>
  /** Status codes besides 2xx that are no failure. */
  readonly answers?: readonly number[]
}

export interface HostAnswer {
  readonly status: number
  /** Parsed JSON; a text where it is none. */
  readonly body: unknown
  /** Where it redirects to. */
  readonly location?: string
  /** Present when a rate limit refused it: words on when that ends, if the host said it. */
  readonly limitEnds?: string
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

/** The string at a path in a JSON object; undefined when there is none. */
export function textOf(value: unknown, ...path: readonly string[]): string | undefined {
  let found: unknown = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = Object.entries(found).find(([name]) => name === key)?.[1]
  }
  return typeof found === 'string' ? found : undefined
}

/** The page of what a host says that it has made. @throws StepFailed for an answer that names none */
export function getPage({ refuse }: HostRepository, answer: HostAnswer, key: string): string {
  return textOf(answer.body, key) ?? refuse(answer)
}

/** The items of a JSON list; empty for any other value. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
