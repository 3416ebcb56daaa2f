import { clip } from '../core/text.ts'
import { GitFailed } from './git.ts'

const MESSAGE_LENGTH = 4000

/**
 * What git says of a full disk of ours; that of the remote is somebody else's. Where it cannot write a file of the working
 * tree it says no reason, and hardly ever is there another.
 */
const OUT_OF_SPACE =
  /^(?!remote: ).*(?:no space left on device|disk quota exceeded|write error\. out of diskspace)|^error: unable to write file (?!.*: [A-Z])/im

/** Whether git failed because the disk, or its owner's share of it, is full. */
export function isGitOutOfSpace(error: unknown): boolean {
  return error instanceof GitFailed && OUT_OF_SPACE.test(error.stderr)
}

interface Advice {
  readonly pattern: RegExp
  readonly text: (url: string, command: string) => string
  /** Whether it may end without anybody's help; absent: nobody knows. */
  readonly mayPass?: boolean
  /** The text says what to do next, which the caller cannot know. */
  readonly isWhole?: boolean
}

/**
 * What people can do about the failures that git and ssh word reliably (LC_ALL=C, git 2.34 to 2.5x, common hosts). The
 * first that fits counts: ssh names the cause before git's "Could not read from remote repository".
 */
const KNOWN_FAILURES: readonly Advice[] = [
  {
    pattern: /remote host identification has changed/i,
    text: (url) =>
      `the host of ${url} has another key than its line in known_hosts, so somebody may be between: ask who runs the host, and only if they changed its key, put the new one into known_hosts of the project's git Secret`,
  },
  {
    pattern: /host key verification failed/i,
    text: (url) =>
      `the host of ${url} is not known: put its key (a line of ssh-keyscan, checked) into known_hosts of the project's git Secret, or into yours if the project has none`,
  },
  {
    pattern: /^load key .*: /im,
    text: (url) =>
      `the key for ${url} cannot be used: ssh-privatekey of the project's git Secret must be a whole private key without a passphrase`,
  },
  {
    pattern: /permission denied \(/i,
    text: (url) =>
      `the host of ${url} refuses the key, or got none: register its public key there, or name a Secret with a valid key for this host in the project (git.secretName)`,
  },
  {
    pattern: /could not read (username|password)|terminal prompts disabled/i,
    text: (url) =>
      `repository ${url} needs a password, or does not exist: check the URL, and keep a user and password for this host in a Secret (slipway secret git), which in a cluster the project names (git.secretName); where your own git is used, its credential helper does as well`,
  },
  {
    pattern: /authentication failed|access denied|invalid credentials|returned error: 401/i,
    text: (url) =>
      `the host of ${url} refuses the user or password, which may have expired: name a Secret with valid ones for this host in the project (git.secretName), or renew them in it`,
  },
  {
    pattern: /returned error: 403|marked as read only|write access to repository not granted/i,
    text: (url, command) =>
      `the user or key may not ${command === 'push' ? 'push to' : 'read'} ${url}: give it the right to, or put another into the Secret that the project names (git.secretName)`,
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
    // Git of ours says the same of its own fetch, where a clone leaves blobs out.
    pattern: /^remote: .*could not fetch [0-9a-f]+ from promisor remote/im,
    text: (url) =>
      `${url} is a partial clone (git clone --filter), which has not all of its objects: name the repository that it was cloned from`,
    mayPass: false,
  },
  {
    pattern: /operation too slow|^timeout, server /im,
    text: (url, command) => `the host of ${url} stopped answering git ${command}: check the network and the server`,
    mayPass: true,
  },
  {
    pattern: /could not resolve proxy|from proxy after connect|connect tunnel failed|proxy connect aborted/i,
    text: (url) =>
      `the proxy on the way to ${url} refuses, or cannot be reached: check HTTPS_PROXY and NO_PROXY (executions.env of the chart, executionPods.env)`,
  },
  {
    pattern: /^error: object file .* is empty$/im,
    text: () =>
      'the clone has lost what git wrote last, as after a power loss: nothing was pushed, and the clone is kept for whatever its files are worth; run the task again for a fresh one',
    isWhole: true,
    mayPass: false,
  },
  {
    pattern: OUT_OF_SPACE,
    text: () => 'no space is left on the data volume: make room on it',
  },
  {
    pattern: /could not resolve host/i,
    text: unreachable,
  },
  {
    pattern: /failed to connect|connection (refused|timed out|reset)|couldn't connect/i,
    text: unreachable,
    mayPass: true,
  },
  {
    pattern: /file name too long/i,
    text: (url) =>
      `a branch or file of ${url} has a name that is too long for the file system: use one without a part of more than 250 bytes`,
  },
  {
    pattern: /not valid: is this a git repository/i,
    text: (url) =>
      `${url} answers with a page in place of a repository: check the URL, and whether its host asks to sign in, for which the project names a Secret (git.secretName)`,
  },
  {
    pattern: /currently checked out|refusing to update checked out branch/i,
    text: (url) =>
      `the branch is checked out in the repository ${url}, which takes no push to it then: check out another branch there, or use a bare repository`,
    mayPass: false,
  },
  {
    pattern: /pre-receive hook declined|remote rejected|protected branch/i,
    text: (url) => `${url} refused the push: do what it says`,
  },
  {
    pattern: /non-fast-forward|fetch first|\[rejected\]/i,
    text: (url) => `the branch on ${url} has moved on meanwhile`,
  },
  {
    pattern: /returned error: (429|5\d\d)/i,
    text: (url) => `the server of ${url} fails or is overloaded: wait until it works`,
    mayPass: true,
  },
  {
    pattern: /out of memory|cannot allocate memory|^(?!remote: ).*died of signal 9/im,
    text: () =>
      'git needs more memory than it is given (4 GiB, or the limit of the container): a file or the number of files is too large for it',
  },
  {
    pattern: /remote end hung up|early eof|rpc failed|closed by remote host|unexpected disconnect/i,
    text: (url) => `the connection to ${url} broke: check the network and the server`,
    mayPass: true,
  },
]

function unreachable(url: string): string {
  return `the host of ${url} cannot be reached: check the URL and the network`
}

/**
 * Whether a failure of git may end without anybody's help, so that the same is worth another try later; undefined: nobody
 * knows.
 */
export function mayPass({ stderr }: GitFailed): boolean | undefined {
  return /returned error: 4(?!29)/i.test(stderr) ? false : findAdvice(stderr)?.mayPass
}

/** Whether an error is a failure of git whose cause is known, and is no damage to a repository of ours. */
export function hasKnownCause(error: unknown): boolean {
  const advice = error instanceof GitFailed ? findAdvice(error.stderr) : undefined
  return advice !== undefined && advice.isWhole !== true
}

function findAdvice(stderr: string): Advice | undefined {
  return KNOWN_FAILURES.find(({ pattern }) => pattern.test(stderr))
}

/** Git's progress and advice, and the frame of ssh's warning. */
const NOISE = /^(Cloning into|hint:|remote: (Counting|Compressing|Enumerating)|To |Done|@)/

/**
 * Formats a failure of git for people: our advice if the failure is known, then git's own last lines, without secrets.
 *
 * @param next what to do afterwards, such as `resume the task`
 */
export function formatGitFailureMessage(
  error: GitFailed,
  url: string,
  redact: (text: string) => string,
  next?: string,
): string {
  const own = redact(error.stderr.trim()) || error.message
  const advice = findAdvice(error.stderr)
  const lines = own
    .split(/[\r\n]+/)
    .filter((line) => !NOISE.test(line))
    .slice(-20)
    .join('\n')
  const then = next === undefined || advice?.isWhole === true ? '' : `; then ${next}`
  // Git that says nothing has not ended by itself.
  const words = error.stderr.trim() === '' ? `${lines}${then}` : `git ${error.command}: ${lines}`
  const text = advice === undefined ? words : `${advice.text(url, error.command)}${then}\n${lines}`
  return clip(redact(text), MESSAGE_LENGTH)
}
