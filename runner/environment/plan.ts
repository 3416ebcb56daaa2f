/**
 * Which environment a commit wants, and whether the agent gets it. All is read from the objects of a fresh clone that no agent has
 * touched, before anything is checked out.
 */
import { findCacheProblem, findKeyProblem, findNested } from '../../core/environment/paths.ts'
import { LOCK_FILES } from '../../core/environment/proposal.ts'
import { PROTECTED_NAMES } from '../../core/execution/check-proposal.ts'
import type { Recipe } from '../../core/environment/recipe.ts'
import { ENVIRONMENT_FILE } from '../../core/execution/layout.ts'
import type { PrepareReport } from '../../core/execution/termination.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { clip, shortCommit } from '../../core/text.ts'
import { digestEnvironment, digestRecipe } from '../../lib/environment-digest.ts'
import { readRef } from '../../lib/git-untrusted.ts'
import type { StepContext } from '../context.ts'
import { NotPrepared, StepFailed } from '../failure.ts'
import type { CloneStart } from '../git/fresh-clone.ts'
import { type Decision, decide, without } from './decide.ts'
import { readRecipeFile } from './recipe-file.ts'
import { readTop, readTree } from './tree.ts'

/** What is to be done with a clone. */
export interface EnvironmentPlan {
  readonly recipe?: Recipe
  readonly decision: Decision
  /** For the operator, and for deliver. */
  readonly report: PrepareReport
}

const MAX_PROBLEM_LENGTH = 1024

/** Mode of a symbolic link (git-ls-tree(1)). */
const LINK = '120000'

/**
 * Finds out what the commit wants.
 *
 * @throws StepFailed where no agent may start without, or a Prepare has nothing to prepare
 * @throws NotPrepared where the operator is to bring it
 * @throws GitFailed
 */
export async function planEnvironment(context: StepContext, start: CloneStart): Promise<EnvironmentPlan> {
  const { run, tmp } = context
  const { environment: told, seal } = run
  if (told === undefined) return { decision: { kind: 'bare' }, report: {} }
  const { commit, options } = start
  const found = told.recipe === undefined ? await readRecipeFile({ options, commit, tmp }) : checked(told.recipe)
  if (found === undefined) return planWithout(context, start)
  const isPrepare = seal !== undefined
  if ('problem' in found) return goOn({}, without(found.isRequired || isPrepare, found.problem))
  const { recipe } = found
  const entries = await readTree(options, commit, recipe.keys)
  const link = [...entries].find(([, { mode }]) => mode === LINK)?.[0]
  if (link !== undefined)
    return goOn({}, without(recipe.required || isPrepare, `key ${link} is a link: name the file that it leads to`))
  const keys = recipe.keys.map((path) => [path, entries.get(path)?.id ?? null] as const)
  const digest = digestEnvironment(digestRecipe(recipe, told.image), keys)
  const wanted = { digest, commit, isShared: await isTipOfDefault(context, start) }
  if (!wanted.isShared && (seal?.secrets ?? []).length > 0)
    throw new StepFailed(
      'unavailable',
      `commit ${shortCommit(commit)} is not the default branch's: no setup gets the project's secrets there`,
    )
  const decision = decide({ wanted, isRequired: recipe.required, told, isPrepare })
  const { mirrorSeconds } = start
  const plan = goOn({ environment: wanted }, decision)
  if (decision.kind === 'not_prepared') throw new NotPrepared({ ...plan.report, ...withoutAbsent({ mirrorSeconds }) })
  return { ...plan, recipe }
}

function goOn(report: PrepareReport, decision: Decision): EnvironmentPlan {
  if (decision.kind === 'fail') throw new StepFailed('unavailable', decision.message)
  const problem = decision.kind === 'bare' ? decision.problem : undefined
  const environmentProblem = problem === undefined ? undefined : clip(problem, MAX_PROBLEM_LENGTH)
  return { decision, report: { ...report, ...withoutAbsent({ environmentProblem }) } }
}

/** Nobody says what is to be prepared: files that tell it anyway are for a proposal. */
async function planWithout({ run }: StepContext, { tip, options }: CloneStart): Promise<EnvironmentPlan> {
  if (run.seal !== undefined)
    throw new StepFailed(
      'unavailable',
      `there is nothing to prepare: the commit has no ${ENVIRONMENT_FILE}, and the project says no environment`,
    )
  if (tip === undefined) return { decision: { kind: 'bare' }, report: {} }
  const names = await readTop(options, tip)
  const lockFiles = [...LOCK_FILES, ...PROTECTED_NAMES].filter((name) => names.includes(name)).slice(0, MAX_LOCK_FILES)
  return { decision: { kind: 'bare' }, report: { lockFiles } }
}

const MAX_LOCK_FILES = 20

/** A recipe of the operator's: what its paths lead to is not left to what another program has checked. */
function checked(recipe: Recipe): { recipe: Recipe } | { problem: string; isRequired: boolean } {
  const paths = recipe.cache.map(({ path }) => path)
  const problems = [
    ...paths.map((path) => [`cache ${path}`, findCacheProblem(path)]),
    ...recipe.keys.map((path) => [`key ${path}`, findKeyProblem(path)]),
  ]
  const [name, problem] = problems.find(([, words]) => words !== undefined) ?? []
  const nested = findNested(paths)
  const words = nested === undefined ? name && `${name} ${problem}` : `cache ${nested[0]} lies inside ${nested[1]}`
  return words === undefined
    ? { recipe }
    : { problem: `the environment of the project cannot be used: ${words}`, isRequired: recipe.required }
}

/**
 * Whether the commit is the tip of the branch that no agent can push to. An older commit of it is not: what is shared is
 * prepared at the tip, which may want something else.
 */
async function isTipOfDefault({ run, paths }: StepContext, { commit, tip }: CloneStart): Promise<boolean> {
  const { defaultBranch } = run.environment ?? {}
  const latest = defaultBranch === undefined ? tip : await readRef(paths.clone, `refs/remotes/origin/${defaultBranch}`)
  return latest === commit
}
