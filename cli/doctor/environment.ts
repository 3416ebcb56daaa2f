/** What a project prepares for its agents, or could. */
import { countOf } from '../../core/sentences/amounts.ts'
import {
  environmentCosts,
  environmentsTotal,
  environmentUsers,
  lastUse,
  noProposalWords,
  proposalReason,
} from '../../core/sentences/environment.ts'
import type { Environment, Project } from '../../core/rest/client/client.ts'
import { shellWord } from '../../core/shell.ts'
import { shortCommit } from '../../core/text.ts'
import { systemClock } from '../../lib/clock.ts'
import { toYaml } from '../client/yaml.ts'
import { openSession } from '../client/session.ts'
import { type Finding, makeFinding } from './finding.ts'
import type { ServerQuestion } from './server.ts'

const LIMIT_MS = 10_000
const TOPIC = 'project'

/** @param id of the project */
export async function checkEnvironment(
  { server, env }: Pick<ServerQuestion, 'server' | 'env'>,
  id: string,
): Promise<Finding[]> {
  const session = await openSession({ server, form: 'json', env })
  try {
    const project = await session.api.getProject({ params: { id } }, { signal: AbortSignal.timeout(LIMIT_MS) })
    return findingsOfProject(project, systemClock.now())
  } finally {
    await session.close()
  }
}

/** How a project is prepared, its last setup for all tasks, and what all of them take. */
export function findingsOfProject(project: Project, now: Date): Finding[] {
  return [...preparationOf(project, now), ...checksOf(project)]
}

/** What could check the work, and is turned on by nobody but a person. */
function checksOf({ id, proposed_checks: checks, proposed_protected_paths: protected_paths }: Project): Finding[] {
  if (checks === undefined) return []
  const yaml = toYaml({ checks, ...(protected_paths === undefined ? {} : { protected_paths }) }, 0)
  const text = `${id} has a test command, which agents are only told to run: as a check, Slipway runs it before work is reviewed`
  return [makeFinding(TOPIC, 'warn', text, `slipway edit --project ${shellWord(id)}, and add\n${yaml}`)]
}

function preparationOf(project: Project, now: Date): Finding[] {
  const { id, environments = [], environment_problem: problem } = project
  if (problem !== undefined) return [makeFinding(TOPIC, 'warn', problem, 'slipway serve in a sandbox, or in a cluster')]
  const last = environments.find(({ only_for }) => only_for === undefined)
  return [
    howPrepared(project),
    ...(last === undefined ? [] : [lastBuild(id, last, now)]),
    ...(environments.length === 0 ? [] : [roomOf(id, environments)]),
  ]
}

function howPrepared({ id, environment, environments = [], proposed_environment: proposed, lock_files }: Project) {
  if (environment !== undefined) return makeFinding(TOPIC, 'ok', `${id} says how it is prepared: ${environment.setup}`)
  if (environments.some(({ from_repository }) => from_repository))
    return makeFinding(TOPIC, 'ok', `the repository of ${id} says how it is prepared, in .slipway/environment.yaml`)
  if (proposed === undefined) return makeFinding(TOPIC, 'ok', `${id} prepares nothing. ${noProposalWords(lock_files)}`)
  const yaml = toYaml({ environment: proposed }, 0)
  return makeFinding(
    TOPIC,
    'warn',
    proposalReason(lock_files ?? []),
    `slipway edit --project ${shellWord(id)}, and add\n${yaml}`,
  )
}

function lastBuild(id: string, last: Environment, now: Date): Finding {
  const { execution, state, commit, used_at, message = '' } = last
  if (state === 'building') return makeFinding(TOPIC, 'ok', `${execution} is being built`)
  if (state === 'failed')
    return makeFinding(
      TOPIC,
      'fail',
      `${execution} has failed: ${message}`,
      `slipway env log ${shellWord(id)} ${execution}`,
    )
  const facts = [
    environmentUsers(last),
    commit === undefined ? [] : [`commit ${shortCommit(commit)}`],
    environmentCosts(last),
    used_at === undefined ? [] : [`last used ${lastUse(used_at, now.getTime())} ago`],
  ]
  return makeFinding(TOPIC, 'ok', `${execution} is ready for ${facts.flat().join(', ')}`)
}

function roomOf(id: string, environments: readonly Environment[]): Finding {
  const text = `${countOf(environments.length, 'environment')} of ${id} take ${environmentsTotal(environments)}; the least used go while those of all projects take more than retention.environmentBytes`
  return makeFinding(TOPIC, 'ok', text)
}
