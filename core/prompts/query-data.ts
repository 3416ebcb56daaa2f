/** What the templates of queries see; what is not known is absent. Documented in values.ts. */
import type { Agent, Project, Task } from '../crd/types.ts'
import { withoutAbsent } from '../omit.ts'
import { agentWish, SCRIPT_AGENT } from '../task/agent-spec.ts'

/** An agent that a task can be given to. */
export interface OfferedAgent {
  readonly name: string
  /** What it is good at, in its owner's words. */
  readonly hint?: string
}

/** The facts about a project that a prompt shows. */
export interface ProjectData {
  readonly title: string
  readonly testCommand?: string
}

/** For the templates `elaborate` and `plan`. */
export interface RequestPromptData {
  /** What a person asks for, in their own words. */
  readonly request: string
  readonly project?: ProjectData
  readonly agents: readonly OfferedAgent[]
}

/** For the template `validate`. */
export interface ValidatePromptData {
  readonly task: { readonly title: string; readonly description?: string; readonly instructions?: string }
  readonly project?: ProjectData
}

/** The agents that a model may propose for a task: those that the rules offer as well, and no script. */
export function offeredAgents(agents: readonly Agent[]): OfferedAgent[] {
  return agents
    .filter(({ spec }) => spec.adapter !== SCRIPT_AGENT && spec.classifier?.enabled !== false)
    .map(({ metadata, spec }) => ({ name: metadata.name, ...withoutAbsent({ hint: spec.classifier?.hint }) }))
}

/** Gathers what is said to an agent that turns a request into a task or a story. Pure. */
export function makeRequestPromptData(
  request: string,
  project: Project | undefined,
  agents: readonly OfferedAgent[],
): RequestPromptData {
  return { request, agents, ...projectData(project) }
}

/** Gathers what is said to an agent that looks at a task. Pure. */
export function makeValidatePromptData(task: Task, project: Project | undefined): ValidatePromptData {
  const { title, description } = task.spec
  const { instructions } = agentWish(task)
  return { task: { title, ...withoutAbsent({ description, instructions }) }, ...projectData(project) }
}

/** The project, where there is one. */
export function projectData(project: Project | undefined): { readonly project?: ProjectData } {
  if (project === undefined) return {}
  const { title, testCommand } = project.spec
  return { project: { title, ...withoutAbsent({ testCommand }) } }
}
