/**
 * Whether what runs contains a task's or a story's work (specification §8.16).
 *
 * What runs is the commit that the project's `deployment.commitUrl` names, else this server's own build. Whether it
 * contains the work is git's to say (`git merge-base --is-ancestor`), in a mirror of our own: no git runs in a
 * repository that others write. A list never waits for either: what is not known yet counts as not included, is found
 * out in the background, and {@link Deployments.revision} tells that a list made before is out of date.
 */
import type { Execution, Project, Story, Task } from '../../core/crd/types.ts'
import type { DeploymentStatus } from '../../core/rest/records/task.ts'
import { delay } from '../../lib/clock.ts'
import type { Caches } from '../cache/caches.ts'
import { chainOrder } from '../records/order.ts'
import { type DeployedCommitOptions, createDeployedCommits, isHash } from './deployed-commit.ts'
import type { Question } from './mirror.ts'
import { type MirrorsOptions, type Source, createMirrors } from './mirrors.ts'

export interface Deployments {
  /** From what is known already; starts finding out the rest. */
  known(task: Task): DeploymentStatus
  /**
   * Waits for URL and git, for some fifteen seconds at most; what is not known by then is not included. `latest` is the
   * task's latest execution, where the cache does not hold it.
   */
  ask(task: Task, latest?: Execution): Promise<DeploymentStatus>
  /** The same over a story's tasks: their commits together, included when each task's work is. */
  askStory(story: Story): Promise<DeploymentStatus>
  /** Counts the answers, so that what was made from them can be told to be out of date. */
  revision(): number
  /** Calls back after each of them; whoever has shown something else looks again. */
  onChange(handler: () => void): void
  /** Removes mirrors that nobody needs from the disk, now and then, until `signal` aborts; the caches must be filled. */
  runSweep(signal: AbortSignal): Promise<void>
  /** Stops asking, and waits until no git works any more. */
  close(): Promise<void>
}

type Parts = Omit<DeployedCommitOptions & MirrorsOptions, 'onChange' | 'onAnswers' | 'stop'>

export interface DeploymentOptions extends Parts {
  readonly caches: Pick<Caches, 'executions' | 'projects' | 'tasks' | 'tasksOfStory'>
}

export function createDeployments(options: DeploymentOptions): Deployments {
  const { caches, clock, logger } = options
  const stopping = new AbortController()
  let revision = 0
  const handlers: (() => void)[] = []
  const news = (): void => {
    revision += 1
    for (const handle of handlers) handle()
  }
  const deployed = createDeployedCommits({ ...options, onChange: news, stop: stopping.signal })
  const mirrors = createMirrors({ ...options, onAnswers: news, stop: stopping.signal })

  const latestOf = ({ status }: Task): Execution | undefined => caches.executions.find(status?.execution)
  const commitsOf = (latest: Execution | undefined): string[] => [...(latest?.status?.commits ?? [])]
  const ask = async (task: Task, latest = latestOf(task)): Promise<DeploymentStatus> => {
    const project = caches.projects.find(task.spec.project)
    const [commit, fixCommits] = [await deployed.ask(project), commitsOf(latest)]
    const wanted = toQuestion(task, project, commit, fixCommits)
    return toStatus(commit, fixCommits, wanted !== undefined && (await mirrors.of(wanted.source).ask(wanted.question)))
  }
  return {
    revision: () => revision,
    onChange: (handler) => void handlers.push(handler),
    known(task) {
      const project = caches.projects.find(task.spec.project)
      const [commit, fixCommits] = [deployed.known(project), commitsOf(latestOf(task))]
      const wanted = toQuestion(task, project, commit, fixCommits)
      const isIncluded = wanted !== undefined && mirrors.of(wanted.source).known(wanted.question) === true
      return toStatus(commit, fixCommits, isIncluded)
    },
    ask,
    async askStory(story) {
      const all = await Promise.all(chainOrder(caches.tasksOfStory(story.metadata.name)).map((task) => ask(task)))
      const withWork = all.filter(({ fix_commits }) => fix_commits.length > 0)
      const fixCommits = new Set(withWork.flatMap(({ fix_commits }) => fix_commits))
      const isIncluded = withWork.length > 0 && withWork.every(({ includes_fix }) => includes_fix)
      return toStatus(await deployed.ask(caches.projects.find(story.spec.projectId)), [...fixCommits], isIncluded)
    },
    async runSweep(signal) {
      while (!signal.aborted) {
        await mirrors.sweep(repositoriesOf(caches)).catch((error: unknown) => {
          logger.warn({ error }, 'mirrors that nobody needs were not removed, tried again later')
        })
        await delay(clock, SWEEP_EVERY_MS, signal)
      }
    },
    async close() {
      stopping.abort()
      await mirrors.ended()
    },
  }
}

const SWEEP_EVERY_MS = 6 * 3_600_000

function repositoriesOf({ projects, tasks }: Pick<Caches, 'projects' | 'tasks'>): string[] {
  const ofTasks = tasks.list().flatMap(({ spec }) => spec.repositoryUrl ?? [])
  return [...new Set([...projects.list().map(({ spec }) => spec.remoteUrl), ...ofTasks])]
}

function toStatus(deployed: string, fixCommits: string[], isIncluded: boolean): DeploymentStatus {
  return { deployed_commit: deployed, fix_commits: fixCommits, includes_fix: isIncluded }
}

/**
 * What git has to be asked; undefined when the answer is no without asking. An execution's first commit is its newest,
 * which contains the others.
 */
function toQuestion(
  { spec }: Task,
  project: Project | undefined,
  deployed: string,
  [commit]: readonly string[],
): { readonly source: Source; readonly question: Question } | undefined {
  const url = spec.repositoryUrl ?? project?.spec.remoteUrl
  if (deployed === '' || commit === undefined || !isHash(commit) || url === undefined) return undefined
  const isProjects = url === project?.spec.remoteUrl
  return {
    source: { url, localPath: isProjects ? project?.spec.localPath : undefined },
    question: { commit, deployed },
  }
}
