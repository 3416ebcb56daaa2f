/**
 * The repository of what would be pushed. No agent and no check can write it: its objects are copied, with their names
 * computed again, apart from those that it borrows from the mirror that the clone borrows from.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { STAGED_REPOSITORY } from '../../core/execution/layout.ts'
import type { Staged } from '../../core/execution/staged.ts'
import { withoutAbsent } from '../../core/omit.ts'
import type { RemoteBranches } from '../../lib/git-remote.ts'
import { git } from '../../lib/git.ts'
import { initBare, vetObjects } from '../../lib/git-untrusted.ts'
import { findLender } from '../context.ts'
import { copyObjects } from '../git/copy-objects.ts'
import { checkCandidate } from '../git/push.ts'
import type { Candidate, PushJob } from '../git/rebase.ts'
import { filterKnown } from '../git/scratch-repository.ts'

/** The branch of {@link STAGED_REPOSITORY} that holds the staged head. */
export const STAGED_REF = 'refs/heads/staged'

/** What stands in staged.json of a candidate that is kept. */
export type Kept = Required<Pick<Staged, 'head' | 'has'>> & Pick<Staged, 'found'>

/** Keeps a candidate in place of a push. @throws as a push does */
export async function keepCandidate(job: PushJob, candidate: Candidate, remote: RemoteBranches): Promise<Kept> {
  const { context, work, signal } = job
  const { run, paths } = context
  const { commit: head, gitDir: from } = candidate
  const known = [...remote.commits.values(), work.base, work.start.commit, work.tip]
  if (candidate.isThere !== true) await checkCandidate(job, candidate, remote)
  const gitDir = join(paths.execution, STAGED_REPOSITORY)
  await initBare(gitDir, head, signal)
  const { borrowed } = await vetObjects(paths.clone, findLender(run))
  if (borrowed !== undefined) await writeFile(join(gitDir, 'objects', 'info', 'alternates'), `${borrowed}\n`)
  const options = { gitDir, signal }
  if ((await filterKnown(options, [head])).length === 0) {
    const lent = await filterKnown({ gitDir: from, signal }, await filterKnown(options, known))
    const list = [head, ...lent.map((commit) => `^${commit}`)].map((line) => `${line}\n`).join('')
    await copyObjects({ from, to: gitDir, name: 'staged', select: ['--revs'], list }, signal)
  }
  await git(['update-ref', STAGED_REF, head], options)
  return { head, has: await filterKnown(options, known), ...withoutAbsent({ found: remote.commits.get(run.branch) }) }
}
