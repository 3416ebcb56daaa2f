/** What the setups of a project have prepared for its agents. */
import type { Environment, Project } from '../../core/rest/client/client.ts'
import { ageOf, formatSize, formatSpan } from '../../core/sentences/amounts.ts'
import {
  environmentCosts,
  environmentUsers,
  lastUse,
  noProposalWords,
  proposalReason,
} from '../../core/sentences/environment.ts'
import { shellWord } from '../../core/shell.ts'
import { shortCommit } from '../../core/text.ts'
import { delay, systemClock } from '../../lib/clock.ts'
import type { ClientCommand, ClientInvocation } from '../client-command.ts'
import { POLL_MS, retryWhileAway } from '../client/follow.ts'
import { print, table } from '../client/output.ts'
import { withProgress } from '../client/progress.ts'
import type { Style } from '../client/style.ts'
import { indent, printable } from '../client/text.ts'
import { UsageError } from '../command.ts'
import { printOutput } from './logs.ts'

export const envCommand: ClientCommand = {
  kind: 'client',
  name: 'env',
  summary: 'See, build and remove what the setup of a project prepares for its agents',
  details: [
    'slipway env ls <project>              lists what is prepared, newest first',
    'slipway env build <project>           has it built anew, whatever is there; --wait ends when it is',
    'slipway env log <project> [id]        prints what the setup said; default: the newest one',
    'slipway env rm <project> <id>         removes one',
    'What a setup is, and how it is written: docs/environments.md.',
  ].join('\n'),
  examples: ['slipway env ls shop', 'slipway env build shop --wait', 'slipway env log shop'],
  words: [{ name: 'ls|build|log|rm' }, { name: 'project' }, { name: 'id', isOptional: true }],
  prints: 'environment',
  flags: [{ name: 'wait', description: 'Of build: until it is built; 1 if that fails' }],
  async run(invocation) {
    const [action = '', project = '', execution] = invocation.words
    if (invocation.switches.has('wait') && action !== 'build') throw new UsageError('env: --wait is of env build')
    if (action === 'ls' && execution === undefined) return list(invocation, project)
    if (action === 'build' && execution === undefined) return build(invocation, project)
    if (action === 'log') return showLog(invocation, project, execution)
    if (action === 'rm' && execution !== undefined) return remove(invocation, project, execution)
    throw new UsageError(
      'env: type  env ls <project>,  env build <project>,  env log <project> [id]  or  env rm <project> <id>\nSee: slipway env --help',
    )
  },
}

async function list(invocation: ClientInvocation, id: string): Promise<number> {
  const { session, terminal, style } = invocation
  const project = await readProject(invocation, id)
  const environments = [...(project.environments ?? [])]
  const instead = environments.length === 0 ? await nothingYet(project) : undefined
  print(terminal, session.form, environments, () => instead ?? listing(environments, style))
  return 0
}

function listing(environments: readonly Environment[], style: Style): string {
  const now = systemClock.now()
  const rows = environments.map((environment) => {
    const { execution, state, commit = '', bytes, seconds, built_at, started_at, used_at, message = '' } = environment
    const at = built_at ?? started_at
    return [
      execution,
      state,
      environmentUsers(environment),
      shortCommit(commit),
      bytes === undefined ? '' : formatSize(bytes),
      seconds === undefined ? '' : formatSpan(seconds * 1000),
      at === undefined ? '' : ageOf(at, now),
      used_at === undefined ? '' : lastUse(used_at, now.getTime()),
      message.split('\n')[0] ?? '',
    ]
  })
  return table(['ENVIRONMENT', 'STATE', 'FOR', 'COMMIT', 'SIZE', 'TOOK', 'AGE', 'USED', 'MESSAGE'], rows, style)
}

/** What stands in place of an empty list: why, and the way out. */
async function nothingYet(project: Project): Promise<string> {
  const { id, environment, environment_problem: problem, proposed_environment: proposed, lock_files } = project
  if (problem !== undefined) return `No environments: ${printable(problem)}\n`
  if (environment !== undefined)
    return `Nothing is prepared yet: the next task has it built, or: slipway env build ${shellWord(id)}\n`
  if (proposed === undefined)
    return `Nothing is prepared. ${noProposalWords(lock_files)} How to say it yourself: docs/environments.md\n`
  const { toYaml } = await import('../client/yaml.ts')
  return `${proposalReason(lock_files ?? [])}\nTo use it: slipway edit --project ${shellWord(id)}, and add\n${indent(toYaml({ environment: proposed }, 0), '  ')}\n`
}

async function build(invocation: ClientInvocation, id: string): Promise<number> {
  const { session, terminal, signal, switches } = invocation
  const before = new Set((await readProject(invocation, id)).environments?.map(({ execution }) => execution))
  const asked = await session.api.buildEnvironment({ params: { id } }, { signal })
  if (!switches.has('wait')) {
    print(terminal, session.form, [...(asked.environments ?? [])], () => `${id}: its environment is built anew\n`)
    return 0
  }
  const built = await waitForBuild(invocation, id, before)
  print(terminal, session.form, built, () => formatBuilt(id, built))
  return built.state === 'ready' ? 0 : 1
}

/** Asks until there is one that was not there before, for all tasks, and it is built. */
function waitForBuild(invocation: ClientInvocation, id: string, before: ReadonlySet<string>): Promise<Environment> {
  const { session, terminal, signal } = invocation
  let last: Environment | undefined
  const line = (elapsed: string): string =>
    last === undefined
      ? `waiting for the setup of ${id} to begin, ${elapsed}`
      : `building ${last.execution}, ${elapsed}`
  return withProgress({ terminal, form: session.form, clock: systemClock }, line, async (progress) => {
    for (;;) {
      const ask = () => readProject(invocation, id)
      const project = await retryWhileAway({ clock: systemClock, signal, terminal: progress.terminal }, ask)
      last = project.environments?.find(({ execution, only_for }) => only_for === undefined && !before.has(execution))
      if (last !== undefined && last.state !== 'building') return last
      await delay(systemClock, POLL_MS, signal)
      signal.throwIfAborted()
    }
  })
}

function formatBuilt(id: string, environment: Environment): string {
  const { execution, state, message = '' } = environment
  if (state === 'ready') return `${execution} is ready: ${environmentCosts(environment)}\n`
  return `${execution} has failed\n${indent(message, '  ')}\n\nNext: slipway env log ${shellWord(id)} ${execution}\n`
}

async function showLog(invocation: ClientInvocation, id: string, given: string | undefined): Promise<number> {
  const project = await readProject(invocation, id)
  const known = project.environments?.map((one) => one.execution) ?? []
  const execution = given ?? known[0]
  if (execution === undefined)
    throw new UsageError(`${id} has no environment: ${(await nothingYet(project)).trimEnd()}`)
  if (!known.includes(execution))
    throw new UsageError(`${id} has no environment ${execution}: slipway env ls ${shellWord(id)} lists them`)
  if (await printOutput(invocation, execution)) invocation.terminal.err('the setup has printed nothing\n')
  return 0
}

async function remove(invocation: ClientInvocation, id: string, execution: string): Promise<number> {
  const { session, terminal, signal } = invocation
  await session.api.deleteEnvironment({ params: { id, execution } }, { signal })
  print(terminal, session.form, [{ execution }], () => `${execution} removed\n`)
  return 0
}

function readProject({ session, signal }: ClientInvocation, id: string): Promise<Project> {
  return session.api.getProject({ params: { id } }, { signal })
}
