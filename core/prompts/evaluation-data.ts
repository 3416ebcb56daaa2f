/** What the templates `evaluate` and `classify` see; what is not known is absent. Documented in values.ts. */
import type { EvaluationRole, Project, Story, Task } from '../crd/types.ts'
import type { Candidate } from '../agent/fitness.ts'
import { withoutAbsent } from '../omit.ts'
import { storyBranch } from '../story/branch.ts'
import type { Opinion } from '../story/opinions.ts'
import type { Standing } from '../story/tally.ts'
import { clip } from '../text.ts'
import { type ProjectData, projectData } from './query-data.ts'

interface OpinionData {
  readonly verdict: string
  /** As JSON: agents wrote it, and so it stays inside its line. */
  readonly evidence: string
}

/** For the template `evaluate`. */
export interface EvaluatePromptData {
  readonly role: { readonly first: boolean; readonly second: boolean; readonly arbiter: boolean }
  readonly story: { readonly title: string; readonly branch: string; readonly spec?: string }
  readonly criteria: readonly {
    readonly id: string
    readonly text: string
    readonly first?: OpinionData
    readonly second?: OpinionData
  }[]
  readonly check?: { readonly type?: string; readonly steps: readonly string[]; readonly successCriteria?: string }
  readonly project?: ProjectData
}

/**
 * Gathers what is said to an agent that evaluates a story: from the approved story alone, because the repository and its
 * history were written by the agents whose work is evaluated. Pure.
 */
export function makeEvaluatePromptData(
  story: Story,
  role: EvaluationRole,
  standings: readonly Standing[],
  project: Project | undefined,
): EvaluatePromptData {
  const { title, spec, branchName, validation } = story.spec
  const { type, steps = [], successCriteria } = validation ?? {}
  return {
    role: { first: role === 'First', second: role === 'Second', arbiter: role === 'Arbiter' },
    story: { title, branch: storyBranch(story.metadata.name, branchName), ...withoutAbsent({ spec }) },
    criteria: standings.map(toCriterionData),
    ...(validation === undefined ? {} : { check: { steps, ...withoutAbsent({ type, successCriteria }) } }),
    ...projectData(project),
  }
}

/** Further lines are indented, so that no text begins an item or a heading of its own. */
function toCriterionData({ criterion: { id, text }, first, second }: Standing): EvaluatePromptData['criteria'][number] {
  const opinions = withoutAbsent({ first: first && toOpinionData(first), second: second && toOpinionData(second) })
  return { id, text: text.replaceAll('\n', '\n  '), ...opinions }
}

const MAX_EVIDENCE = 4000

function toOpinionData({ verdict, evidence }: Opinion): OpinionData {
  return { verdict, evidence: JSON.stringify(clip(evidence, MAX_EVIDENCE)) }
}

/** For the template `classify`. */
export interface ClassifyPromptData {
  readonly task: { readonly title: string; readonly description?: string }
  readonly agents: readonly { readonly name: string; readonly busy: number; readonly hint?: string }[]
}

/** A cheap model needs no more to tell what a task is about. */
const MAX_DESCRIPTION = 8000

/** Gathers what is said to a model that chooses an agent. Pure. */
export function makeClassifyPromptData({ spec }: Task, candidates: readonly Candidate[]): ClassifyPromptData {
  const description = spec.description === undefined ? undefined : clip(spec.description, MAX_DESCRIPTION)
  return {
    task: { title: spec.title, ...withoutAbsent({ description }) },
    agents: candidates.map(({ agent, holders, queueLength }) => ({
      name: agent.metadata.name,
      busy: holders.length + queueLength,
      ...withoutAbsent({ hint: agent.spec.classifier?.hint }),
    })),
  }
}
