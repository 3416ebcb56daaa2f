/**
 * Looks for what became of the branch of a clone that is kept (docs/adr/0014-a-voice.md).
 *
 * This step has the credentials and runs no git in the clone. So it asks the remote where the branch is, and if the clone
 * does not know that commit, it fetches it into a repository of its own that sees the clone's objects. The packs that this
 * brings are put beside the clone's own, where nothing refers to them. The agent's step does the rest (follow.ts).
 */
import { copyFile, readdir, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { BranchMove, InStep } from '../../core/execution/branch-move.ts'
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { shortCommit } from '../../core/text.ts'
import { inFolderNoFollow, writeFileAtomic } from '../../lib/files.ts'
import { git, gitText, isAncestor } from '../../lib/git.ts'
import { keepShallow, makeView, readRef } from '../../lib/git-untrusted.ts'
import { type StepContext, findLender } from '../context.ts'
import { findPrepared } from '../result-file.ts'
import type { GitAccess } from './access.ts'
import { nameCommits } from './commit-names.ts'
import { isShared } from './rebase.ts'
import { listRemoteBranches } from './remote.ts'
import { type ScratchRepository, fetchBranch, filterKnown } from './scratch-repository.ts'

/** How many of the latest pushes are looked at for one that the clone has. */
const LOOKED_AT = 5

/**
 * Notes where the branch of a kept clone is, for deliver, and if the clone is to be brought there, for the agent's step.
 *
 * @throws UntrustedClone, GitFailed
 */
export async function noteBranchMove(context: StepContext, access: GitAccess, signal: AbortSignal): Promise<void> {
  const { run, paths } = context
  const remote = await listRemoteBranches(access, [run.branch], signal)
  if (remote.defaultBranch === run.branch) return
  const tip = remote.commits.get(run.branch)
  const { found: _, ...prepared } = (await findPrepared(context)) ?? { schemaVersion: 1 }
  const noted = { ...prepared, ...withoutAbsent({ found: tip }) }
  await writeFileAtomic(join(paths.execution, EXECUTION_FILES.prepared), JSON.stringify(noted))
  const move = await findMove(context, access, tip, signal)
  if (move === undefined) return
  const text = JSON.stringify(move)
  const name = basename(EXECUTION_FILES.branchMove)
  await inFolderNoFollow(paths.agentOutput, [], (folder) => writeFileAtomic(join(folder, name), text))
}

/** Undefined: the clone knows what the branch is at. */
async function findMove(
  context: StepContext,
  access: GitAccess,
  tip: string | undefined,
  signal: AbortSignal,
): Promise<BranchMove | undefined> {
  const { run, paths, tmp } = context
  const { pushes = [], branch } = run
  const seen = await readRef(paths.clone, `refs/remotes/origin/${branch}`)
  const none: BranchMove = { schemaVersion: 1, branch, isRewritten: false, commits: [], count: 0 }
  if (tip === undefined) return seen === undefined && pushes.length === 0 ? undefined : none
  if (tip === seen) return undefined
  const gitDir = join(tmp, 'kept.git')
  const { commit: head } = await makeView(paths.clone, findLender(run), gitDir, signal)
  if (tip === head) return undefined
  await keepShallow(paths.clone, gitDir)
  const view = { gitDir, signal }
  const last = pushes.at(-1)
  // What the clone has no more of its own push the agent has rewritten.
  const isAtOurs = !isShared(run) && run.handedBack === undefined && last?.head === tip
  if (isAtOurs && (last.from === undefined || !(await isAncestor(view, last.from, head)))) return undefined
  const inStep = await findInStep(view, head, [
    ...(seen === undefined ? [] : [{ clone: seen, branch: seen }]),
    ...pushes.slice(-LOOKED_AT).map((push) => ({ clone: push.from ?? push.head, branch: push.head })),
  ])
  const isThere = await isAncestor(view, tip, head)
  if (isThere && (inStep === undefined || (await isAncestor(view, inStep.branch, tip)))) return undefined
  const at = isThere ? tip : await bring(context, access, view, head)
  const isRewritten = inStep !== undefined && !(await isAncestor(view, inStep.branch, at))
  const known = [head, seen, inStep?.branch].filter((commit) => commit !== undefined)
  return {
    ...none,
    tip: at,
    isRewritten,
    ...withoutAbsent({ since: inStep?.clone }),
    ...(await listNew(view, at, known)),
  }
}

/** The latest moment of those that the clone still has. */
async function findInStep(
  view: ScratchRepository,
  head: string,
  moments: readonly InStep[],
): Promise<InStep | undefined> {
  let latest: InStep | undefined
  for (const moment of moments) {
    if (!(await isAncestor(view, moment.clone, head))) continue
    if (latest === undefined || (await isAncestor(view, latest.clone, moment.clone))) latest = moment
  }
  return latest
}

async function listNew(
  view: ScratchRepository,
  tip: string,
  known: readonly string[],
): Promise<Pick<BranchMove, 'commits' | 'count'>> {
  const has = (await filterKnown(view, known)).map((commit) => `^${commit}`)
  const listed = await gitText(['rev-list', '--topo-order', tip, ...has], view)
  const all = listed.split('\n').filter((commit) => commit !== '')
  return { commits: await nameCommits(view, all.slice(0, RESULT_LIMITS.namedCommits)), count: all.length }
}

/** Fetches the branch, and gives the clone what that has brought. @returns its tip */
async function bring(context: StepContext, access: GitAccess, view: ScratchRepository, head: string): Promise<string> {
  const { run, paths, say } = context
  // With this ref a fetch transfers only what the clone does not have.
  await git(['update-ref', 'refs/slipway/clone', head], view)
  const config = [...(access.options.config ?? []), ['fetch.unpackLimit', '1'] as const]
  const tip = await fetchBranch(view, { ...access, options: { ...access.options, config } }, run.branch)
  const packs = join(view.gitDir, 'objects', 'pack')
  const files = (await readdir(packs)).filter((name) => /^pack-[0-9a-f]+\.(?:pack|idx)$/.test(name))
  await inFolderNoFollow(
    dirname(paths.clone),
    [basename(paths.clone), '.git', 'objects', 'pack'],
    async (folder) => {
      // Git looks for indexes, so that they come last.
      for (const name of files.toSorted().toReversed()) await copyWhole(join(packs, name), folder, name)
    },
    { create: true },
  )
  say(`branch ${run.branch} has moved to ${shortCommit(tip)}: fetched it for the kept clone`)
  return tip
}

async function copyWhole(from: string, folder: string, name: string): Promise<void> {
  const part = join(folder, `tmp_slipway_${name}`)
  await copyFile(from, part)
  await rename(part, join(folder, name))
}
