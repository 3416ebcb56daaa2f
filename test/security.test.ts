/** Each line of SECURITY.md has a test that fails when it is no longer true, or says here why none can. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

/** Beginning of a line, then `file: title` of what tries it; or in brackets why nothing does. */
const PROOFS: Readonly<Record<string, readonly string[]>> = {
  // What is protected from whom
  'Agents run untrusted code:': ['(no promise: who is trusted)'],
  'Kubernetes credentials': [
    'operator/job: satisfies PodSecurity restricted in every container and holds no Kubernetes credential',
    'architecture: exactly the imports that the layers forbid',
  ],
  'git push credentials': [
    'operator/job: gives git credentials and local repositories to prepare and deliver, never to agent',
    'lib/git-host: for another port of the host are refused with the name to give it',
    'operator/ci: where the Secret is for another host',
    'lib/host-runs: sends the token to no other host, though this one redirects there',
    'system/secrets: are on no command line',
    'e2e/secrets: are found by it only where they are its own',
  ],
  'your own git, on one machine': [
    'operator/job: shows the user’s own git to prepare and deliver, to read alone, and never to agent',
    'runner/git/git-access: own configuration only where the run names their home',
  ],
  'model credentials': [
    'operator/job: credentials to agent alone',
    'operator/write-back: are stored where they came from when they were renewed, and not left in the home',
    'runner/redact-stream: is the same in whatever pieces it comes, and has none of them',
  ],
  'secrets of MCP servers': [
    'operator/job: gives the keys that servers need to agent alone, by reference',
    'runner/agent/mcp-servers: is a header by the variable that holds it, whether secret or not',
  ],
  "other tasks' files": [
    'operator/job: lets each step see only what it needs',
    'e2e/isolation: sees its own execution and its own sandbox only',
  ],
  'the machine, the network': ['(the table of runtimes has them)'],
  'A [prepared environment](docs/environments.md)': [
    'sandbox/environments: keeps a ReadOnly cache as it was, whatever the task tries',
    'sandbox/environments: gives each task a copy, which nobody else sees the changes of',
    'sandbox/environments: is not to be seen in a sandbox but for what is mounted, neither from a task nor from a setup',
    'sandbox/environments: made of a branch changes nothing of the shared one, whatever its setup leaves',
    'runner/environment/wanted.slow: is another one for a branch with another lock file, and that is not shared',
    'operator/environments: of a commit that is none of the default branch are shared with nobody',
  ],
  'A setup runs the repository': [
    'operator/environments: of which the setup sees the secrets and no git credentials, and one alone writes the seal',
    'operator/environments: are prepared for a story alone, without secrets, at its branch',
    'operator/environments: are prepared without secrets in an image that a task alone names',
    'runner/environment/wanted.slow: is prepared with secrets at no other commit',
    'runner/environment/sealing.slow: copies links as links, inside and to elsewhere',
    'runner/environment/sealing.slow: shares no file with the sandbox, and drops what would let a file run as another user',
    'runner/environment/sealing.slow: is refused where a file holds the value of a secret, without saying it anywhere',
  ],
  'A [check](docs/guides/never-review-red-work.md)': [
    'operator/job-checks: gives a check its checkout, its result and the caches of all, and no more',
    'runner/checks/checks.slow: pushes exactly the commit that all its checks found green',
    'runner/checks/checks.slow: gives a check no file of the clone that git ignores',
    'runner/checks/traps.slow: cannot pass on what it writes into its checkout',
  ],
  'A check runs code that the agent wrote': [
    'runner/checks/traps.slow: cannot have another file read in the place of its verdict or output',
    'runner/checks/checks.slow: names what the work changes of the protected paths',
  ],
  'Links that a repository, a setup or an earlier agent': [
    'runner/environment/hand-out.slow: never lie behind a link of the repository',
    'runner/environment/hand-out.slow: never lie behind a link of an agent that had the home before; that is moved aside',
    'runner/environment/hand-out.slow: never lie behind a link in a sandbox that its agent has taken the permissions of',
    'runner/environment/hand-out.slow: name nothing new behind a link, or outside',
    'sandbox/environments: leads nowhere by the links that its setup has made',
  ],
  'An agent can read the secrets of its MCP servers.': [
    'core/agent/allowed-images: are all where nothing is said, the agent’s own always, and no other where the list is empty',
    'operator/services: mount nothing and get no credentials, and no right that the pod has not',
  ],
  'An agent can still forge its own outcome,': [
    'runner/agent/messages: are told again, or not, to an agent that changes its receipts, and nothing is written through a link',
    'operator/forged-files: count as missing when they are longer than their record could be',
  ],
  'The repository that an agent reads can influence': [
    'api-server/queries/elaborate: leaves out an agent that does not exist or runs scripts, and keeps one that can work',
  ],
  // Nothing that an agent wrote is executed later
  'A kept clone gets what others have pushed': [
    'runner/git/follow.slow: runs nothing that the clone says before the agent’s own step, and follows no link in it',
  ],
  "The agent's step commits what is left": [
    'system/hostile-scripts: by planting a hook, a filter and a helper runs nothing outside the agent’s step',
    'runner/git/publish.slow: runs no hook, filter or merge driver that the clone brings along',
    'runner/git/git-failures: is never pushed to on the default branch of the',
    'lib/git: refuses alternates, also those for http',
  ],
  'Clones borrow objects from a [mirror]': [
    'operator/job: lets prepare write the mirrors that the clone borrows from, and the other steps read them, never their lock',
    'system/mirror: is lent to each task, none of which can change what another one sees',
    'system/mirrors: an agent can read the mirror, and change neither it nor see its lock',
    'runner/git/borrowed-objects: gives way to a fresh one with objects of its own where the mirror is of who read the repository before',
  ],
  'Submodules, where a project wants them,': [
    'runner/git/submodules.slow: with a name or URL that could do harm stay empty, and the log says why',
    'runner/git/submodules.slow: of another host are fetched without the credentials',
    'runner/git/submodules.slow: that work adds are fetched without the credentials for its checks',
    'runner/git/submodules.slow: that only a pushed branch has are fetched without the credentials',
    'runner/git/submodules.slow: that a pushed branch takes from another merged repository choose no further one',
  ],
  'Git LFS is spoken by a client of our own': [
    'runner/git/lfs.slow: come from the repository’s own server, whatever .lfsconfig says',
    'runner/git/lfs.slow: get a login at the repository’s own origin alone, and elsewhere what the answer gives',
    'runner/git/lfs.slow: are those that were asked for, of the size that their pointers name, whatever the server answers',
  ],
  'A person who takes work over by': [
    'system/take-over: takes along what was not committed, from where the remote is out of reach, and runs nothing of it',
    'api-server/checkout/kept-clone: makes a bundle of commits and of what is not committed, without the settings of the clone',
    'api-server/checkout/kept-clone: gives out no link, pipe, second name or large file as a session',
    'cli/checkout/working-copy: refuses a tree with paths of .git, and leaves nothing behind',
    'cli/checkout/session: replaces no file of the person',
    'lib/git: finds no program in the working tree by a PATH',
    'api-server/checkout/kept-clone: reads no terabytes of holes that an agent has made',
    'system/take-over-http: fetches content of Git LFS by the command that it names, and sends what a person adds',
    'system/take-over-http: fetches and pushes by the helper of the person, whose password stands in no argument, file or line',
  ],
  'A task that goes on from accepted work': [
    'core/task/continues: is refused for another project, another repository, itself, and work that nobody has accepted',
    'operator/sessions: is neither a link, nor a file with a second name, nor one in a linked folder',
    'operator/sessions: is never that of another task of the name',
    'runner/continued: is put through no link of an earlier agent, and from none',
  ],
  'The API server serves files of agents only': [
    'api-server/http/abuse-names: that an agent has planted, as artifact, output or diff',
    'lib/remove-tree: removes nothing behind a link that is put in place of a folder meanwhile',
    'operator/forged-files: do not keep their reader busy with',
    'regular-expressions: takes linear time',
  ],
  'A container gets three open files:': [
    'node/lifecycle: inherits no file that this process has open, not even one without close-on-exec',
    'node/mounts: write a Secret for its owner alone, and remove it with the pod',
    'node/restart: is removed at the next start, Secrets above all',
    'sandbox/node-sandbox: does not see a data folder that lies in a folder of the system',
  ],
  // What isolation each runtime gives
  'Pods of a cluster': [
    'e2e/isolation: left nothing on the node: its pod mounts no hostPath and shares no namespace of the host',
    'e2e/network: let the release itself work: a task of helm test clones, runs, pushes and is accepted',
  ],
  'bubblewrap (default where it works)': [
    'sandbox/node-sandbox: sees neither the node nor home folders nor the files of others',
    'sandbox/node-sandbox: sees no process of the machine, has no capability, and /tmp of its own',
    'sandbox/kernel-calls: gets no namespace, mount, module, BPF program or view of performance',
  ],
  'plain processes': ['core/agent/classify: is given to scripts without isolation'],
  'The start message says which one is used.': ['system/serve: says what isolates executions from the machine'],
  'Namespaces do not separate everything:': [
    'sandbox/kernel-calls: finds no key by its name',
    'node/seccomp: allows sockets but of the families that reach keys or the host',
    'node/seccomp: knows no call of another architecture',
  ],
  'The session keyring is still that of the user': [
    'sandbox/kernel-calls: cannot read it by its number',
    'node/seccomp: there is no filter of system calls for a machine whose numbers are not known',
  ],
  // Listening
  'The API server listens on loopback.': [
    'system/serve: refuses to listen beyond loopback without a token, and says the way out',
    'api-server/auth/hosts: to Host ${host}',
    'api-server/http/abuse-connection: is answered ${status} once, and closed',
    'embedded/server: keeps address, certificate and token across a restart, readable by the owner only',
    "node/logs: answers ${'method' in init ? init.method : 'GET'} ${path}${from} with ${status}",
  ],
  // An exposed server
  'Put TLS in front of it,': ['(advice)'],
  'anybody who reaches the port': [
    'api-server/auth/access-tokens: are asked for below /api also where nothing is, so that nobody learns what is there',
    'api-server/auth/access-tokens: are not asked for by probes, preflight and what is no API',
  ],
  "a web page in somebody's browser": [
    'api-server/auth/session: is a cookie that no script reads, no other site sends, and that does not hold the token',
    'api-server/auth/session: reads without Origin, and changes things from our own page only',
  ],
  'a token with `read`': [
    'api-server/auth/access-tokens: without decide see no action on any task, those with it see what is allowed',
    'browser/read-only.slow',
  ],
  'a token with `decide`': ['api-server/auth/access-tokens: with ${scope} only'],
  'a token with `admin`': ['api-server/auth/access-tokens: with ${scope} only'],
  'a token of the cluster': [
    'cluster/identity: a token for another audience is nobody’s, also that of a pod for its control plane',
    'cluster/identity: an author makes a task and may not accept it; an approver decides, and is named',
  ],
  'a person who has signed in': [
    'api-server/auth/oidc: gives a person named in a role its scopes alone',
    'lib/oidc-client',
    'browser/oidc.slow: says who somebody is signed in as who may do nothing',
  ],
  'an agent': [
    'api-server/http/security-headers: forbid scripts from elsewhere, frames, guessing types',
    'api-server/drops/drops: neither lists nor serves what an agent planted: links, second names, folders, hidden files',
  ],
  'Headers must be complete after 15 s,': [
    'api-server/http/abuse-connection: with headers that never end is answered 408',
    'api-server/http/abuse-bodies: is not unpacked: a compressed one is refused with 415',
    'system/secrets: are in no line that the program printed, though the token came in a query',
  ],
  'The server holds 4,096 connections.': [
    'api-server/http/full-server.slow: answers a probe and a cancel when 4,200 say nothing, and holds 4,096',
    'lib/connection-budget: are never one that is at work, and no known one while a stranger can go',
    'embedded/connections: embedded: connections beyond the limit',
  ],
  'Not covered: guessing tokens': ['(what is not promised)'],
  // Before you rely on it
  'On one machine, set a token.': ['(what is not promised)'],
  'An agent that logs in as you do has your login.': [
    'operator/write-back: do not undo a login that a person renewed while the agent ran',
  ],
  'Readers of an Agent see where its credentials are:': [
    'api-server/handlers/agents: name no file of the machine in a cluster',
  ],
  'Mirrors have no size limit.': [
    'api-server/deployment/sweep: keeps a mirror for a week after the last reference to it, and makes it again when it is asked for',
  ],
  'Do not run it as root on one machine.': [
    'sandbox/node-sandbox: changes no setting of the kernel, even when its user is root',
  ],
  'Plain processes share your user.': ['(what is not promised)'],
  'A repository URL is part of the task': [
    'api-server/handlers/tasks: refuses a repository URL with a password, naming the way out and not the password',
  ],
  'The store is not encrypted.': ['system/serve: keeps its folder to its owner and out of commits'],
  'All tasks share the drop folder,': ['operator/job: mounts the drops as ${dropsAccess} says'],
  'No limits on one machine.': ['node/logs: is rotated without a lost line while the container goes on writing'],
  'A workspace is what an agent left.': [
    'cli/client/open: is opened in the editor of the person, who is told what may run there',
    'system/shell: shows nothing of the machine that an agent would not see',
  ],
  'Logs are kept as they are.': [
    'cli/client/text: never steers it: no control character but tab and line feed comes through',
  ],
  'Private certificate authorities': [
    'runner/git/git-trust: is trusted beside the usual authorities, at its own host, over https only',
  ],
  'The right to create Executions': ['operator/forged-executions: moves nothing while nobody has accepted the work'],
  'The right to patch tasks or stories': [
    'cluster/roles/table: who may do what, by roles and admission policies',
    'cluster/roles/four-eyes: who may do what where four eyes are asked for',
  ],
  'The right to write Agents': ['operator/job: takes from the Agent only what its pod template may say'],
  'A Pod of your own on one machine': ['(what is not promised)'],
}

/** Rows of tables by their first cell, items of lists and paragraphs by how they begin. */
function linesOf(text: string): string[] {
  const blocks = text.split(/\n\s*\n/).map((block) => block.trim())
  return blocks.flatMap((block) => {
    if (block.startsWith('#')) return []
    if (block.startsWith('- ')) return block.split(/\n(?=- )/).map((item) => words(item.slice(2)).replaceAll('**', ''))
    if (!block.startsWith('|')) return [words(block)]
    const rows = block.split('\n').slice(2)
    return rows.map((row) => row.split('|')[1]?.trim() ?? '')
  })
}

function words(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

describe('SECURITY.md', () => {
  const text = readFileSync('SECURITY.md', 'utf8')
  const lines = linesOf(text.slice(text.indexOf('## What is protected from whom')))
  const isOf = (line: string, beginning: string): boolean =>
    line === beginning || (beginning.length > 12 && line.startsWith(beginning))

  it('has a test for each of its lines', () => {
    const begins = Object.keys(PROOFS)
    assert.deepEqual(
      lines.filter((line) => begins.filter((beginning) => isOf(line, beginning)).length !== 1),
      [],
    )
    assert.deepEqual(
      begins.filter((beginning) => !lines.some((line) => isOf(line, beginning))),
      [],
    )
  })

  for (const proof of Object.values(PROOFS)
    .flat()
    .filter((text) => !text.startsWith('(')))
    it(`is tried by ${proof}`, () => {
      const [file = '', title = ''] = proof.split(/: (.*)/s)
      assert.ok(readFileSync(`test/${file}.test.ts`, 'utf8').includes(title), proof)
    })
})
