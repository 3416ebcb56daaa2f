import { Validation } from '../../core/answer/validation.ts'
import type { Task } from '../../core/crd/types.ts'
import { ApiError, isApiError } from '../../core/errors.ts'
import { makeValidatePromptData } from '../../core/prompts/query-data.ts'
import type { ValidationRecord } from '../../core/rest/records/task.ts'
import { inRestNames } from '../../core/rest/refusal.ts'
import { TaskCreate } from '../../core/kinds/task.ts'
import { type AdviceFacts, adviseOn } from '../../core/task/advice.ts'
import { agentWish, SCRIPT_AGENT } from '../../core/task/agent-spec.ts'
import { isAlreadyExists, isInvalid } from '../../kube/types.ts'
import { isSameRepository } from '../../lib/git-url.ts'
import { compileCheck } from '../../lib/validate.ts'
import { type ChoiceContext, findAgent, formatPrompt } from '../queries/agents.ts'
import type { ApiContext } from '../context.ts'
import { type CreateTaskContext, draftTask, findRefusals } from '../commands/create-task.ts'
import { represent } from '../records/representation.ts'
import { toTakenError } from '../commands/writes.ts'
import type { Queries } from '../queries/queries.ts'
import type { Handlers } from './handler.ts'

const checkRemarks = compileCheck(Validation)

type FieldError = ValidationRecord['errors'][number]

/** How long an agent may look at a task; a caller then has what is known without it. */
const LIMIT_MS = 2 * 60_000

/** The name that stands for no agent at all. */
const NO_AGENT = 'none'

type ValidationContext = CreateTaskContext & ChoiceContext & { readonly queries: Queries }

/** Tasks judged before they are created, by what creates them, and looked at by an agent where one can be had. */
export function validationHandlers(context: ValidationContext) {
  const check = compileCheck(TaskCreate)
  return {
    async validateTask({ body, query, untilGone }) {
      const checked = check(body)
      if (!checked.ok) return { status: 200, body: represent(refuse(checked.problems)) }
      const { task, found } = await validate(context, checked.value)
      const isWorthALook = found.valid && query.agent !== NO_AGENT && !isScript(context, task)
      if (!isWorthALook) return { status: 200, body: represent(found) }
      const remarks = await lookAt(context, task, { named: query.agent, gone: untilGone() })
      return { status: 200, body: represent(addRemarks(found, remarks)) }
    },
  } satisfies Partial<Handlers>
}

/** What an agent has to say, or why none looked: what is known without it is worth an answer of its own. */
async function lookAt(
  context: ValidationContext,
  task: Task,
  { named, gone }: { readonly named: string | undefined; readonly gone: AbortSignal },
): Promise<Validation | string> {
  const { title, description, project: id, repositoryUrl } = task.spec
  const project = context.caches.projects.find(id)
  const choice = await findAgent(context, { words: `${title} ${description ?? ''}`, named, project })
  if (choice.kind === 'none') return choice.reasons.join('; ')
  try {
    return await context.queries.ask({
      purpose: 'Validate',
      answerSchema: 'Validation',
      check: checkRemarks,
      agent: choice.agent,
      prompt: formatPrompt(context, choice.agent.type, 'validate', makeValidatePromptData(task, project)),
      project,
      repositoryUrl,
      limitMs: LIMIT_MS,
      timeoutMs: LIMIT_MS,
      gone,
    })
  } catch (error) {
    if (isApiError(error, 'caller_gone') || !(error instanceof ApiError)) throw error
    return error.message
  }
}

function addRemarks(found: ValidationRecord, remarks: Validation | string): ValidationRecord {
  if (typeof remarks === 'string') {
    return { ...found, warnings: [...found.warnings, `no agent looked at the task: ${remarks}`] }
  }
  return {
    ...found,
    questions: [...found.questions, ...remarks.questions],
    suggestions: [...found.suggestions, ...remarks.suggestions],
  }
}

/** What a script does is written down already, for everybody to read. */
function isScript({ caches }: ApiContext, task: Task): boolean {
  const { type } = agentWish(task)
  return type !== undefined && caches.agents.find(type)?.spec.adapter === SCRIPT_AGENT
}

function refuse(errors: readonly FieldError[]): ValidationRecord {
  return { valid: false, errors: [...errors], warnings: [], questions: [], suggestions: [] }
}

async function validate(
  context: ValidationContext,
  create: TaskCreate,
): Promise<{ readonly task: Task; readonly found: ValidationRecord }> {
  const task = await draftTask(context, create)
  const refusals = await findRefusals(context, task)
  const errors = [
    ...refusals.map(({ field, error }) => toFieldError(error.message, field)),
    ...(await findStoreErrors(context, task)),
    ...findMissingRepository(task),
  ]
  const facts = gatherFacts(context, task, create.claude !== undefined)
  return { task, found: { valid: errors.length === 0, errors, ...adviseOn(facts) } }
}

/**
 * What the control plane would refuse: the name is taken, or a rule of the CRD, which alone judges what spans fields.
 * Asked by a dry run, so that no rule stands here a second time.
 */
async function findStoreErrors({ client, caches }: ApiContext, task: Task): Promise<FieldError[]> {
  try {
    await client.create(caches.tasks.informer.resource, task, { dryRun: true })
    return []
  } catch (error) {
    if (isAlreadyExists(error)) {
      const { message } = await toTakenError(client, caches.tasks, 'task', task.metadata)
      return [{ field: 'id', message }]
    }
    if (isInvalid(error)) return [toFieldError(inRestNames(error.message))]
    throw error
  }
}

/** A task may be stored without, to be completed later; it would fail at once if it ran (specification §1.1). */
function findMissingRepository({ spec }: Task): FieldError[] {
  if (spec.repositoryUrl !== undefined || spec.project !== undefined) return []
  return [{ field: 'repository_url', message: 'task has no repository_url' }]
}

/** Refusals name their field in front; here it has a place of its own. */
function toFieldError(text: string, known?: string): FieldError {
  const [, named = '', rest = text] = /^([a-z_][a-z0-9_.[\]]*): (.*)$/s.exec(text) ?? []
  return { field: known ?? named, message: known === undefined || known === named ? rest : text }
}

function gatherFacts({ caches, clock }: ApiContext, task: Task, usesLegacyKey: boolean): AdviceFacts {
  const { type } = agentWish(task)
  const { project, repositoryUrl, dependsOn = [] } = task.spec
  return {
    now: clock.now(),
    task,
    agent: caches.agents.find(type),
    project: caches.projects.find(project),
    projectOfUrl: caches.projects.list().find(({ spec }) => isSameRepository(spec.remoteUrl, repositoryUrl ?? '')),
    dependencies: dependsOn.flatMap((name) => caches.tasks.find(name) ?? []),
    usesLegacyKey,
  }
}
