import type { Task } from '../../core/crd/types.ts'
import type { ValidationRecord } from '../../core/rest/records/task.ts'
import { inRestNames } from '../../core/rest/refusal.ts'
import { TaskCreate } from '../../core/rest/requests/task.ts'
import type { AdviceFacts } from '../../core/task/advice.ts'
import { adviseOn } from '../../core/task/advice.ts'
import { agentWish } from '../../core/task/agent-spec.ts'
import { isAlreadyExists, isInvalid } from '../../kube/types.ts'
import { compileCheck } from '../../lib/validate.ts'
import type { ApiContext } from '../context.ts'
import { draftTask, findRefusals } from '../new-task.ts'
import { represent } from '../representation.ts'
import type { Handlers } from './handler.ts'

type FieldError = ValidationRecord['errors'][number]

/** Tasks judged before they are created, by what creates them. */
export function validationHandlers(context: ApiContext): Pick<Handlers, 'validateTask'> {
  const check = compileCheck(TaskCreate)
  return {
    async validateTask({ body }) {
      const checked = check(body)
      const found = checked.ok ? await validate(context, checked.value) : refuse(checked.problems)
      return { status: 200, body: represent(found) }
    },
  }
}

function refuse(errors: readonly FieldError[]): ValidationRecord {
  return { valid: false, errors: [...errors], warnings: [], questions: [], suggestions: [] }
}

async function validate(context: ApiContext, create: TaskCreate): Promise<ValidationRecord> {
  const task = await draftTask(context, create)
  const refusals = await findRefusals(context, task)
  const errors = [
    ...refusals.map(({ field, error }) => toFieldError(error.message, field)),
    ...(await findStoreErrors(context, task)),
    ...findMissingRepository(task),
  ]
  const facts = gatherFacts(context, task, create.claude !== undefined)
  return { valid: errors.length === 0, errors, ...adviseOn(facts) }
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
    if (isAlreadyExists(error)) return [{ field: 'id', message: `task ${task.metadata.name} already exists` }]
    if (isInvalid(error)) return [toFieldError(inRestNames(error.message))]
    throw error
  }
}

/** A task may be stored without, to be completed later; it would fail at once if it ran (interface specification, 1.1). */
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
    agent: type === undefined ? undefined : caches.agents.find(type),
    project: project === undefined ? undefined : caches.projects.find(project),
    projectOfUrl: caches.projects.list().find(({ spec }) => spec.remoteUrl === repositoryUrl),
    dependencies: dependsOn.flatMap((name) => caches.tasks.find(name) ?? []),
    usesLegacyKey,
  }
}
