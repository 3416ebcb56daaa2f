import { StoryPlan } from '../../core/answer/story-plan.ts'
import { TaskDraft } from '../../core/answer/task-draft.ts'
import { completeDraft } from '../../core/query/draft.ts'
import { completePlan } from '../../core/query/plan.ts'
import type { Project } from '../../core/crd/types.ts'
import { apiError } from '../../core/errors.ts'
import { makeRequestPromptData, offeredAgents } from '../../core/prompts/query-data.ts'
import type { TaskElaborate } from '../../core/rest/requests/elaborate.ts'
import { storyBranch } from '../../core/story/branch.ts'
import { compileCheck } from '../../lib/validate.ts'
import { type ChoiceContext, requireAgent, formatPrompt } from '../queries/agents.ts'
import { type WorkspaceFolder, appendToNarrative, findProjectFolder } from '../queries/narrative.ts'
import type { ApiContext } from '../context.ts'
import { represent } from '../records/representation.ts'
import type { LocalPathRule } from '../commands/local-paths.ts'
import type { Queries } from '../queries/queries.ts'
import type { Handlers } from './handler.ts'

/** How long a caller waits, and how long the agent may take (specification §5.11). */
const LIMIT_MS = 5 * 60_000

type ElaborateContext = ChoiceContext & LocalPathRule & { readonly queries: Queries }

/** A person's words, turned into a task or a story by an agent that reads the repository. Nothing is created. */
export function elaborateHandlers(context: ElaborateContext) {
  const checkDraft = compileCheck(TaskDraft)
  const checkPlan = compileCheck(StoryPlan)
  const common = { purpose: 'Elaborate', limitMs: LIMIT_MS, timeoutMs: LIMIT_MS } as const
  return {
    async elaborateTask({ body, query, untilGone }) {
      const place = await findPlace(context, body)
      const agents = offeredAgents(context.caches.agents.list())
      const agent = await requireAgent(context, { words: body.prompt, named: query.agent, project: place.project })
      const data = makeRequestPromptData(body.prompt, place.project, agents)
      const prompt = formatPrompt(context, agent.type, 'elaborate', data)
      if (place.folder !== undefined) await appendToNarrative(place.folder, body.prompt, context.clock.now())
      const answer = await context.queries.ask({
        ...common,
        agent,
        answerSchema: 'TaskDraft',
        check: checkDraft,
        prompt,
        project: place.project,
        // Elsewhere pods run on other machines; there the project's repository is read.
        localPath: context.embedded ? place.folder?.path : undefined,
        gone: untilGone(),
      })
      const project = place.project?.metadata.name
      return { status: 200, body: represent(completeDraft(answer, { ...body, project, agents: namesOf(agents) })) }
    },
    async elaborateStory({ body, query, untilGone }) {
      const project = await context.caches.projects.read(body.project_id)
      if (project === undefined) throw apiError('unknown_reference', 'project_id', 'project', body.project_id)
      const agents = offeredAgents(context.caches.agents.list())
      const agent = await requireAgent(context, { words: body.prompt, named: query.agent, project })
      const answer = await context.queries.ask({
        ...common,
        agent,
        answerSchema: 'StoryPlan',
        check: checkPlan,
        prompt: formatPrompt(context, agent.type, 'plan', makeRequestPromptData(body.prompt, project, agents)),
        project,
        gone: untilGone(),
      })
      const surroundings = { agents: namesOf(agents), takenBranches: takenBranches(context, project) }
      return { status: 200, body: represent(completePlan(answer, surroundings)) }
    },
  } satisfies Partial<Handlers>
}

interface Place {
  readonly project: Project | undefined
  readonly folder: WorkspaceFolder | undefined
}

/** Where the work is to be done; a folder that a project calls its own stands for that project. */
async function findPlace(context: ElaborateContext, { project: id, project_dir: dir }: TaskElaborate): Promise<Place> {
  const { caches, workspaceRoot } = context
  const folder = dir === undefined ? undefined : await findProjectFolder(workspaceRoot, dir)
  if (id === undefined) {
    const own = folder && caches.projects.list().find(({ spec }) => spec.localPath === folder.path)
    return { project: own, folder }
  }
  const project = await caches.projects.read(id)
  if (project === undefined) throw apiError('unknown_reference', 'project', 'project', id)
  return { project, folder }
}

function namesOf(agents: readonly { readonly name: string }[]): ReadonlySet<string> {
  return new Set(agents.map(({ name }) => name))
}

/** The default branch is known by name only where the project says it; the usual ones are never a story's. */
function takenBranches({ caches }: ApiContext, { metadata, spec }: Project): ReadonlySet<string> {
  const stories = caches.storiesOfProject(metadata.name)
  const branches = stories.map((story) => storyBranch(story.metadata.name, story.spec.branchName))
  return new Set([spec.defaultBranch ?? 'main', 'main', 'master', ...branches])
}
