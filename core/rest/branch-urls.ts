/** Links to a branch on the code-hosting services whose address scheme is public and stable. */
interface CodeHost {
  readonly branch: (repository: string, branch: string) => string
  readonly compare: (repository: string, base: string, branch: string) => string
  readonly commit: (repository: string, commit: string) => string
}

const CODE_HOSTS: Readonly<Record<string, CodeHost>> = {
  'github.com': {
    branch: (repository, branch) => `${repository}/tree/${branch}`,
    compare: (repository, base, branch) => `${repository}/compare/${base}...${branch}`,
    commit: (repository, commit) => `${repository}/commit/${commit}`,
  },
  'gitlab.com': {
    branch: (repository, branch) => `${repository}/-/tree/${branch}`,
    compare: (repository, base, branch) => `${repository}/-/compare/${base}...${branch}`,
    commit: (repository, commit) => `${repository}/-/commit/${commit}`,
  },
  'bitbucket.org': {
    branch: (repository, branch) => `${repository}/branch/${branch}`,
    compare: (repository, base, branch) => `${repository}/branches/compare/${branch}..${base}`,
    commit: (repository, commit) => `${repository}/commits/${commit}`,
  },
}

/** `https://host/owner/name` and `git@host:owner/name.git`, with host and path as groups; user names are not kept. */
const REPOSITORY_URL =
  /^(?:https?:\/\/(?:[^@/]+@)?|ssh:\/\/(?:[^@/]+@)?|[^@/:]+@)([^/:]+)(?::\d+)?[/:](.+?)(?:\.git)?\/?$/

/**
 * Where a person looks at a branch; nothing for hosts that are not known, and no comparison without a known base.
 * What goes into the links is encoded, so a branch name cannot change where they lead.
 */
export function branchUrls(
  repositoryUrl: string | undefined,
  branch: string | undefined,
  base: string | undefined,
): { branch_url?: string; compare_url?: string } {
  const found = findCodeHost(repositoryUrl)
  if (found === undefined || branch === undefined) return {}
  const { codeHost, repository } = found
  const urls = { branch_url: codeHost.branch(repository, encodePath(branch)) }
  return base === undefined
    ? urls
    : { ...urls, compare_url: codeHost.compare(repository, encodePath(base), encodePath(branch)) }
}

/** Where a person looks at a commit; undefined for hosts that are not known. */
export function commitUrl(repositoryUrl: string | undefined, commit: string): string | undefined {
  const found = findCodeHost(repositoryUrl)
  return found?.codeHost.commit(found.repository, encodePath(commit))
}

function findCodeHost(repositoryUrl = ''): { codeHost: CodeHost; repository: string } | undefined {
  const [, host, path] = REPOSITORY_URL.exec(repositoryUrl) ?? []
  const codeHost = host !== undefined && Object.hasOwn(CODE_HOSTS, host) ? CODE_HOSTS[host] : undefined
  return codeHost && path !== undefined ? { codeHost, repository: `https://${host}/${encodePath(path)}` } : undefined
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
