import process from 'node:process'
import type { Task } from '../../core/rest/client/client.ts'
import { CHECKOUT_STATES } from '../../core/task/take-over.ts'
import { shortCommit } from '../../core/text.ts'
import { systemClock } from '../../lib/clock.ts'
import { shellWord } from '../../core/shell.ts'
import { type GitOptions, GitFailed, git, gitText, isAncestor } from '../../lib/git.ts'
import { listModified } from '../../lib/git-lfs.ts'
import { parseRemote } from '../../lib/git-remote.ts'
import { pushContent } from '../checkout/lfs.ts'
import type { CheckoutNote } from '../checkout/note-schema.ts'
import { readNote } from '../checkout/note.ts'
import { personGit, withoutFilters } from '../checkout/person-git.ts'
import { reasonOfGit } from '../checkout/reason.ts'
import type { ClientCommand } from '../client-command.ts'
import { followTask } from '../client/follow.ts'
import { print } from '../client/output.ts'
import { printable } from '../client/text.ts'
import { UsageError } from '../command.ts'

export const handbackCommand: ClientCommand = {
  kind: 'client',
  name: 'handback',
  summary: 'Hand a task back that you have checked out',
  details: [
    'In the folder of the checkout: pushes your commits to the branch of the task with your own git. Without -m the work becomes',
    'READY as it is, without a run of the agent; with -m the agent goes on from it. You are an author of the work then. Where you',
    'cannot push from here, have the commits pushed from elsewhere, and hand back with --no-push.',
  ].join('\n'),
  examples: ['slipway handback add-login', 'slipway handback add-login -m "Add the tests" -f'],
  words: [{ name: 'task', mayBeShort: true }],
  flags: [
    { name: 'message', short: 'm', value: 'text', description: 'What the agent is to do next' },
    { name: 'no-push', description: 'The branch has your commits already: push nothing' },
    { name: 'follow', short: 'f', description: 'Show what happens, until the task comes to rest' },
  ],
  async run({ session, terminal, signal, words: [id = ''], values, switches }) {
    const comment = values.get('message')
    if (comment?.trim() === '') throw new UsageError('handback: the message is empty')
    const options = { ...personGit({ env: process.env, signal }), cwd: process.cwd() }
    const note = await readNote(options)
    if (note === undefined)
      throw new UsageError(
        `handback: this folder is no checkout of a task: go to the one that slipway checkout ${id} has made`,
      )
    if (note.task !== id)
      throw new UsageError(`handback: this folder is a checkout of ${printable(note.task)}, not of ${id}`)
    const params = { id }
    const before = await session.api.getTask({ params }, { signal })
    if (before.checked_out === undefined) throw new UsageError(`handback: ${notHeldWords(before)}`)
    const isThere = switches.has('no-push')
    const head = await (isThere ? readHead(options) : push(options, note)).catch((error: unknown) => {
      throw reasonOfGit('handback', error)
    })
    const body = comment === undefined ? { head } : { head, comment }
    const result = await session.api.handBackTask({ params, body }, { signal })
    if (!switches.has('follow')) {
      print(terminal, session.form, result, () => `${id}: ${result.message}\n`)
      return 0
    }
    terminal.err(`${id}: ${result.message}\n`)
    return followTask({ session, terminal, signal, clock: systemClock, shown: before.execution_id }, id)
  },
}

/** What was committed by hand is lost in no case: it was handed back, or is in the folder. */
function notHeldWords({ id, state }: Task): string {
  return CHECKOUT_STATES.some((takeable) => takeable === state)
    ? `${id} is not checked out any more: check it out again, with slipway checkout ${id} <another folder>, then hand back from here`
    : `${id} is not checked out any more and is ${state}: what you have not handed back is in this folder alone; push it yourself, or give it to a new task`
}

/** @throws UsageError where something is not committed */
async function readHead(options: GitOptions): Promise<string> {
  const changes = await listUncommitted(options)
  if (changes.length > 0)
    throw new UsageError(
      `handback: there are changes that are not committed:\n${printable(changes.join('\n'))}\nCommit them, or put them aside: git stash --include-untracked`,
    )
  return gitText(['rev-parse', '--verify', 'HEAD^{commit}'], options)
}

/**
 * As git status lists them. No filter runs for it, since attributes in the tree choose which; so content of Git LFS that git
 * does not know yet looks like a change.
 */
async function listUncommitted(options: GitOptions): Promise<string[]> {
  const top = await gitText(['rev-parse', '--show-toplevel'], options)
  const quiet = await withoutFilters(options, top)
  const args = ['status', '--porcelain', '-z', '--no-renames', '--ignore-submodules=dirty', '--untracked-files=normal']
  const changes = (await git(args, quiet)).stdout.toString('latin1').split('\0').slice(0, -1)
  if (changes.length === 0) return []
  const content = (await listModified(top, quiet)).flatMap(({ name, isContent }) => (isContent ? [` M ${name}`] : []))
  return changes
    .filter((change) => !content.includes(change))
    .map((change) => Buffer.from(change, 'latin1').toString('utf8'))
}

/** @returns the commit that the branch is at then */
async function push(options: GitOptions, note: CheckoutNote): Promise<string> {
  const { url, branch, tip, hasTip, isShared, task } = note
  const head = await readHead(options)
  if (head === tip) return head
  const isBehind = tip !== undefined && !(await isAncestor(options, tip, head))
  // Whoever has seen all commits of a branch of the task's own may replace them.
  if (isBehind && (isShared || !hasTip))
    throw new UsageError(
      `handback: branch ${branch} has commits that are not in this work: git rebase refs/slipway/${task}/branch`,
    )
  await pushContent(options, { url, head, tip })
  const lease = `--force-with-lease=refs/heads/${branch}:${tip ?? ''}`
  const args = ['--quiet', '--no-verify', '--no-recurse-submodules', lease, '--', url, `${head}:refs/heads/${branch}`]
  try {
    const { defaultBranch } = parseRemote(await gitText(['ls-remote', '--symref', '--', url, 'HEAD'], options))
    if (defaultBranch === branch)
      throw new UsageError(
        `handback: ${printable(branch)} is the default branch of ${printable(url)}, which only an accept writes: give the story another branch, and what you have committed to a new task`,
      )
    await git(['push', ...args], options)
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error
    if (isMoved(error)) throw new UsageError(`handback: ${movedWords(note)}`, { cause: error })
    const elsewhere = `Have commit ${shortCommit(head)} pushed to ${branch} from elsewhere, then hand back with --no-push`
    throw new GitFailed(error.command, error.exitCode, `${error.stderr.trim()}\n${printable(elsewhere)}`)
  }
  return head
}

function isMoved({ stderr }: GitFailed): boolean {
  return /\((?:stale info|fetch first|non-fast-forward)\)/.test(stderr)
}

function movedWords({ url, branch, task }: CheckoutNote): string {
  const [from, name] = [shellWord(url), shellWord(branch)]
  const ways = [`git fetch ${from} ${name}`, 'git rebase FETCH_HEAD', `git push ${from} HEAD:${name}`]
  return `branch ${printable(branch)} has moved since the checkout: ${[...ways, `slipway handback ${task} --no-push`].join(' && ')}`
}
