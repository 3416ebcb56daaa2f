import { clampText } from '../core/transcript/summary.ts'
import type { GitFailed } from './git.ts'

const MESSAGE_LENGTH = 4000

interface Advice {
  readonly pattern: RegExp
  readonly text: (url: string) => string
}

/** What people can do about the failures that git words reliably (LC_ALL=C, git 2.34 to 2.5x, common hosts). */
const KNOWN_FAILURES: readonly Advice[] = [
  {
    pattern: /host key verification failed/i,
    text: (url) => `the host of ${url} is not known: put its key into known_hosts of the project's git Secret`,
  },
  {
    pattern:
      /could not read (username|password)|authentication failed|access denied|permission denied \(|terminal prompts disabled|invalid credentials/i,
    text: (url) =>
      `repository ${url} needs a password, refuses the one given, or does not exist: check the URL, and name a Secret with valid credentials for this host in the project (git.secretName)`,
  },
  {
    pattern: /certificate verification failed|ssl certificate problem|self[- ]signed certificate/i,
    text: (url) =>
      `the certificate of ${url} is of an authority that is not trusted: give the authority's certificate in the project (git.caBundle)`,
  },
  {
    pattern:
      /repository (?:'[^'\n]*' |\S+ )?(?:not found|does not exist)|does not appear to be a git repository|no such repository/i,
    text: (url) => `repository ${url} does not exist, or is not visible without credentials: check its URL`,
  },
  {
    pattern: /could not resolve host|failed to connect|connection (refused|timed out|reset)|couldn't connect/i,
    text: (url) => `the host of ${url} cannot be reached: check the URL and the network`,
  },
  {
    pattern: /pre-receive hook declined|remote rejected|protected branch/i,
    text: (url) => `${url} refused the push: see what it says, then resume the task`,
  },
  {
    pattern: /non-fast-forward|fetch first|\[rejected\]/i,
    text: (url) => `the branch on ${url} has moved on meanwhile: run the task again to start from its new state`,
  },
]

/** Formats a failure of git for people: our advice if the failure is known, then git's own last lines, without secrets. */
export function formatGitFailureMessage(error: GitFailed, url: string, redact: (text: string) => string): string {
  const own = redact(error.stderr.trim()) || error.message
  const advice = KNOWN_FAILURES.find(({ pattern }) => pattern.test(error.stderr))
  const lines = own
    .split(/[\r\n]+/)
    .filter((line) => !/^(Cloning into|hint:|remote: (Counting|Compressing|Enumerating)|To |Done)/.test(line))
    .slice(-20)
    .join('\n')
  const text = advice === undefined ? `git ${error.command}: ${lines}` : `${advice.text(url)}\n${lines}`
  return clampText(redact(text), MESSAGE_LENGTH)
}
