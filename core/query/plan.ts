import type { PlannedTask, StoryPlan } from '../answer/story-plan.ts'

/** What a plan must fit beside its form. */
export interface PlanSurroundings {
  /** Agents that a model may propose. */
  readonly agents: ReadonlySet<string>
  /** Branches that the story must not work on: the default branch, and those of other stories. */
  readonly takenBranches: ReadonlySet<string>
}

/**
 * The plan with what approval would refuse mended: a branch that is taken gets a number, and a proposed agent that does
 * not exist, or runs scripts, is left out.
 */
export function completePlan(answer: StoryPlan, { agents, takenBranches }: PlanSurroundings): StoryPlan {
  const keep = (agent: string | undefined): { readonly agent?: string } =>
    agent !== undefined && agents.has(agent) ? { agent } : {}
  const tasks = answer.tasks.map(({ agent, subtasks = [], ...task }): PlannedTask => {
    const parts = subtasks.map(({ agent: wanted, ...subtask }) => ({ ...subtask, ...keep(wanted) }))
    return { ...task, ...keep(agent), subtasks: parts }
  })
  return { ...answer, branch_name: findFreeBranch(answer.branch_name, takenBranches), tasks }
}

function findFreeBranch(wanted: string, taken: ReadonlySet<string>): string {
  let branch = wanted
  for (let n = 2; taken.has(branch); n++) branch = `${wanted}-${n}`
  return branch
}
