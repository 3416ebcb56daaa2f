/** Where a repository lives and how its host is asked; what an adapter is given. */
export interface HostRepository {
  /** Without a slash at its end, such as `https://api.github.com`. */
  readonly apiUrl: string
  /** `owner/name`, or deeper where the host nests groups. */
  readonly path: string
  readonly call: CallHost
  /** Tells people of an answer that only looked like one. @throws StepFailed */
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
  /** Codes besides 2xx that are an answer, not a failure. */
  readonly answers?: readonly number[]
}

export interface HostAnswer {
  readonly status: number
  /** Parsed JSON. */
  readonly body: unknown
}

/**
 * One way to make pull requests.
 *
 * Both give the address of its page; `find` that of the open one for branch and base, or undefined. `create` answers
 * undefined where there is one already.
 */
export interface HostAdapter {
  find(repository: HostRepository, request: PullRequest): Promise<string | undefined>
  create(repository: HostRepository, request: PullRequest): Promise<string | undefined>
}

/** The named text member of a JSON object; undefined when there is none. */
export function textOf(value: unknown, ...path: readonly string[]): string | undefined {
  let found: unknown = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = Object.entries(found).find(([name]) => name === key)?.[1]
  }
  return typeof found === 'string' ? found : undefined
}

/** The items of a JSON list; none of anything else. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
