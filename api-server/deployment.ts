/**
 * Whether the running build contains a task's commits (interface specification, sections 4 and 9).
 *
 * The question is git's, asked of a repository on this machine: a project's checkout, or a bare repository that the
 * task names by path. A yes is kept, because ancestry between two commits never changes; a no is asked again after a
 * minute, because a repository may not have had one of the commits. A list never waits for git: what is not known yet
 * counts as not included and is asked for in the background.
 */
import type { Task } from '../core/crd/types.ts'
import type { DeploymentStatus } from '../core/rest/records/task.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { Caches } from './caches.ts'

export interface Deployments {
  /** From what is known already; starts finding out the rest. */
  known(task: Task): DeploymentStatus
  /** Counts the answers, so that what was made from them can be told to be out of date. */
  revision(): number
  /** Waits for git. */
  ask(task: Task): Promise<DeploymentStatus>
}

export interface DeploymentOptions {
  readonly caches: Caches
  /** Commit of the running build, "" when it does not know it. */
  readonly deployedCommit: string
  /** Whether `commit` is an ancestor of `descendant` in the repository at `path`, or the same; false when either is not there. */
  readonly isAncestor: (path: string, commit: string, descendant: string) => Promise<boolean>
  readonly clock: Clock
  readonly logger: Logger
}

/** Answers kept; the oldest goes first. */
const MAX_ANSWERS = 10_000
const REFUSAL_LASTS_MS = 60_000

interface Answer {
  readonly isIncluded: boolean
  readonly at: number
}

export function createDeployments(options: DeploymentOptions): Deployments {
  const { caches, deployedCommit, isAncestor, clock, logger } = options
  const answers = new Map<string, Answer>()
  let answered = 0
  const asking = new Map<string, Promise<boolean>>()

  const commitsOf = (task: Task): string[] => {
    const latest = task.status?.execution
    return [...((latest === undefined ? undefined : caches.executions.find(latest))?.status?.commits ?? [])]
  }
  /** The newest commit contains the others; absent when the answer is no without asking. */
  const questionOf = (task: Task): { path: string; commit: string } | undefined => {
    const [commit] = commitsOf(task)
    const path = repositoryPath(task, caches)
    return deployedCommit === '' || commit === undefined || path === undefined ? undefined : { path, commit }
  }
  const settle = async (path: string, commit: string): Promise<boolean> => {
    const key = `${path}\0${commit}`
    try {
      const answer = await isAncestor(path, commit, deployedCommit)
      if (answers.get(key)?.isIncluded !== answer) answered += 1
      answers.set(key, { isIncluded: answer, at: clock.now().getTime() })
      const [oldest] = answers.keys()
      if (answers.size > MAX_ANSWERS && oldest !== undefined) answers.delete(oldest)
      return answer
    } catch (error) {
      // A repository that cannot be read is no reason to refuse a task; unknown is "not included" by decision.
      logger.warn({ error, path }, 'asking for ancestry failed')
      return false
    } finally {
      asking.delete(key)
    }
  }
  const findOut = (path: string, commit: string): Promise<boolean> => {
    const key = `${path}\0${commit}`
    const answer = asking.get(key) ?? settle(path, commit)
    asking.set(key, answer)
    return answer
  }
  const isFresh = (answer: Answer | undefined): boolean =>
    answer !== undefined && (answer.isIncluded || clock.now().getTime() - answer.at < REFUSAL_LASTS_MS)
  const report = (task: Task, included: boolean): DeploymentStatus => ({
    deployed_commit: deployedCommit,
    fix_commits: commitsOf(task),
    includes_fix: included,
  })

  return {
    revision: () => answered,
    known(task) {
      const question = questionOf(task)
      if (question === undefined) return report(task, false)
      const answer = answers.get(`${question.path}\0${question.commit}`)
      if (!isFresh(answer)) void findOut(question.path, question.commit)
      return report(task, answer?.isIncluded === true)
    },
    async ask(task) {
      const question = questionOf(task)
      return report(task, question !== undefined && (await findOut(question.path, question.commit)))
    },
  }
}

/** A repository on this machine that holds the task's work, if the server knows one. */
function repositoryPath(task: Task, caches: Caches): string | undefined {
  const project = task.spec.project === undefined ? undefined : caches.projects.find(task.spec.project)
  const candidates = [project?.spec.localPath, task.spec.repositoryUrl, project?.spec.remoteUrl]
  const path = candidates.find((url) => url !== undefined && (url.startsWith('/') || url.startsWith('file:///')))
  return path?.replace(/^file:\/\//, '')
}
