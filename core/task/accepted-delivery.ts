/**
 * Which deliveries are carried out: what a person has accepted, and a story's first branch once its plan is approved
 * (specification §4.27). An Execution says what is to be done, and whoever may create Executions can say anything; so
 * each is held against what the statuses of task and story say, which only decisions write.
 */
import type { Execution, Project, Story, Task } from '../crd/types.ts'
import { omit } from '../omit.ts'
import { branchDeliveryName, makeBranchDelivery } from '../story/approval.ts'
import { isSame } from '../json.ts'
import { stateOf } from './decide.ts'
import { deliveryExecution, makeDelivery } from './delivery.ts'

/** What a delivery is about, as far as it exists. */
export interface DeliverySubject {
  readonly task: Task | undefined
  readonly story: Story | undefined
  /** The task's or story's own. */
  readonly project: Project | undefined
}

/** Why a delivery is not carried out, in words; undefined for exactly what was accepted. */
export function notDeliveredReason(execution: Execution, subject: DeliverySubject): string | undefined {
  return execution.spec.delivery?.kind === 'CreateBranch'
    ? noBranchReason(execution, subject)
    : notAcceptedReason(execution, subject)
}

function notAcceptedReason(execution: Execution, { task, story, project }: DeliverySubject): string | undefined {
  if (task === undefined) return `task ${execution.spec.taskRef?.name ?? ''} does not exist`
  const { name } = task.metadata
  const { delivery } = task.status ?? {}
  if (delivery?.state !== 'Pending' || !isAccepted(task, story)) return `nobody has accepted the work of task ${name}`
  const kind = project?.spec.onAccept
  if (project === undefined || kind === undefined || kind === 'None' || kind !== execution.spec.delivery?.kind) {
    return `the project of task ${name} asks for no such delivery: its onAccept is ${kind ?? 'None'}`
  }
  return findDifference(execution, makeDelivery(task, project, story, kind), deliveryExecution(task))
}

function isAccepted(task: Task, story: Story | undefined): boolean {
  return stateOf(task) === 'COMPLETED' || story?.status?.accepted !== undefined
}

function noBranchReason(execution: Execution, { story, project }: DeliverySubject): string | undefined {
  if (story === undefined) return `story ${execution.spec.storyRef?.name ?? ''} does not exist`
  const { name } = story.metadata
  const isApproved = story.status?.decisions?.some(({ action }) => action === 'approve') === true
  if (!isApproved) return `nobody has approved the plan of story ${name}`
  if (story.status?.branch?.created === true) return `the branch of story ${name} was made before`
  if (project === undefined) return `the project of story ${name} does not exist`
  const { remoteUrl, defaultBranch: base } = project.spec
  const expected = makeBranchDelivery(story, { project: project.metadata.name, remoteUrl, base })
  return findDifference(execution, expected, branchDeliveryName(name))
}

/** Title and text are for people, and may have been edited since. */
function findDifference(execution: Execution, expected: Execution, name: string): string | undefined {
  const facts = ({ spec: { delivery, ...spec } }: Execution): object => ({
    ...spec,
    delivery: omit({ ...delivery }, ['title', 'text']),
  })
  const isExpected = execution.metadata.name === name && isSame(facts(execution), facts(expected))
  return isExpected ? undefined : `it is not the delivery that was accepted, which is ${name}`
}
