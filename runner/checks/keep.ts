/**
 * The repository of what would be pushed. No agent and no check can write it: its objects are copied, with their names
 * computed again, apart from those that it borrows from the mirror that the clone borrows from.
 */
import { join } from 'node:path'
import { STAGED_REPOSITORY } from '../../core/execution/layout.ts'
import type { Staged } from '../../core/execution/staged.ts'
import { withoutAbsent } from '../../core/omit.ts'
import type { RemoteBranches } from '../../lib/git-remote.ts'
import { git } from '../../lib/git.ts'
import { initBare } from '../../lib/git-untrusted.ts'
import { copyCommits } from '../git/copy-objects.ts'
import { checkCandidate } from '../git/push.ts'
import { type Candidate, type PushJob, startsOf } from '../git/rebase.ts'
import { filterKnown, hasCommit } from '../git/scratch-repository.ts'

/** The branch of {@link STAGED_REPOSITORY} that holds the staged head. */
export const STAGED_REF = 'refs/heads/staged'

/** What stands in staged.json of a candidate that is kept. */
export type Kept = Required<Pick<Staged, 'head' | 'has'>> & Pick<Staged, 'found'>

/** Keeps a candidate in place of a push. @throws as a push does */
export async function keepCandidate(job: PushJob, candidate: Candidate, remote: RemoteBranches): Promise<Kept> {
  const { context, work, signal } = job
  const { run, paths } = context
  const { commit: head, gitDir: from } = candidate
  const known = [...remote.commits.values(), ...startsOf(work)]
  if (candidate.isThere !== true) await checkCandidate(job, candidate, remote)
  const gitDir = join(paths.execution, STAGED_REPOSITORY)
  await initBare(gitDir, head, signal, work.borrowed)
  const options = { gitDir, signal }
  if (!(await hasCommit(options, head)))
    await copyCommits({ from, to: gitDir, name: 'staged', commits: [head], known }, signal)
  await git(['update-ref', STAGED_REF, head], options)
  return { head, has: await filterKnown(options, known), ...withoutAbsent({ found: remote.commits.get(run.branch) }) }
}
