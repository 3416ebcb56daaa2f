import { basename } from 'node:path'
import process from 'node:process'
import { ApiFailure } from '../core/rest/client/call.ts'
import { ConfigError } from '../lib/config-place.ts'
import { keepHeapSmall } from '../lib/heap.ts'
import {
  type ClientArguments,
  type ClientCommand,
  type LocalCommand,
  type LocalInvocation,
  clientHelp,
  commandFirst,
  parseClientArguments,
} from './client-command.ts'
import { chooseServer } from './client/choose-server.ts'
import type { OutputForm } from './client/output.ts'
import { DETACHED } from './client/outcome.ts'
import { loadProfiles, profilesPath } from './client/profiles.ts'
import { type FormFlags, chooseForm } from './client/select.ts'
import { readSecret } from './client/read-secret.ts'
import { type Session, openSession } from './client/session.ts'
import { completeIds } from './client/short-ids.ts'
import { styleOf } from './client/style.ts'
import { openTerminal } from './client/terminal.ts'
import { printable } from './client/text.ts'
import { type Command, columns, UsageError } from './command.ts'
import { adoptCommand } from './commands/adopt.ts'
import { agentsCommand, undrainCommand } from './commands/agents.ts'
import { apiCommand } from './commands/api.ts'
import { checkCommand } from './commands/check.ts'
import { apiServerCommand, operatorCommand } from './commands/cluster.ts'
import { checksCommand } from './commands/checks.ts'
import { createCompletionCommand } from './commands/completion.ts'
import { costsCommand } from './commands/costs.ts'
import { DECISION_COMMANDS } from './commands/decisions.ts'
import { deleteCommand } from './commands/delete.ts'
import { demoCommand } from './commands/demo.ts'
import { doctorCommand } from './commands/doctor.ts'
import { dropsCommand } from './commands/drops.ts'
import { checkoutCommand } from './commands/checkout.ts'
import { diffCommand } from './commands/diff.ts'
import { handbackCommand } from './commands/handback.ts'
import { editCommand } from './commands/edit.ts'
import { envCommand } from './commands/env.ts'
import { exportCommand, importCommand } from './commands/export.ts'
import { eventsCommand } from './commands/events.ts'
import { executionsCommand } from './commands/executions.ts'
import { configCommand, versionCommand } from './commands/installation.ts'
import { loginCommand } from './commands/login.ts'
import { logsCommand } from './commands/logs.ts'
import { logoutCommand, profilesCommand } from './commands/profiles.ts'
import { addProjectCommand, projectsCommand } from './commands/projects.ts'
import { createAgentsCommand, stopExecutionsCommand } from './commands/release.ts'
import { openCommand } from './commands/open.ts'
import { shellCommand } from './commands/shell.ts'
import { restoreCommand } from './commands/restore.ts'
import { runCommand } from './commands/run.ts'
import { selfTestCommand } from './commands/self-test.ts'
import { secretCommand } from './commands/secret.ts'
import { serveCommand } from './commands/serve.ts'
import { showCommand } from './commands/show.ts'
import { statsCommand } from './commands/stats.ts'
import { sayCommand } from './commands/say.ts'
import { epicsCommand, storiesCommand } from './commands/stories.ts'
import { tasksCommand } from './commands/tasks.ts'
import { waitCommand } from './commands/wait.ts'
import { watchCommand } from './commands/watch.ts'
import { suggest } from './suggest.ts'
import { warnOfMisspelt } from './variables.ts'

type AnyCommand = Command | ClientCommand | LocalCommand

/** The commands by subject, in the order of the help. */
const GROUPS: readonly (readonly [string, readonly AnyCommand[]])[] = [
  [
    'Work',
    [
      runCommand,
      tasksCommand,
      watchCommand,
      showCommand,
      logsCommand,
      checksCommand,
      waitCommand,
      diffCommand,
      openCommand,
      shellCommand,
      executionsCommand,
      eventsCommand,
      editCommand,
      deleteCommand,
      restoreCommand,
      dropsCommand,
    ],
  ],
  ['Stories', [storiesCommand, epicsCommand]],
  ['Decisions', [...DECISION_COMMANDS, sayCommand, checkoutCommand, handbackCommand]],
  [
    'Agents and projects',
    [agentsCommand, undrainCommand, projectsCommand, addProjectCommand, envCommand, costsCommand, statsCommand],
  ],
  ['Servers', [loginCommand, logoutCommand, profilesCommand, secretCommand]],
  ['Serving', [serveCommand, demoCommand, checkCommand, exportCommand, importCommand, adoptCommand, configCommand]],
  ['This program', [apiCommand, doctorCommand, createCompletionCommand(() => COMMANDS), versionCommand]],
  ['In a cluster', [operatorCommand, apiServerCommand, createAgentsCommand, stopExecutionsCommand, selfTestCommand]],
]
const COMMANDS: readonly AnyCommand[] = GROUPS.flatMap(([, commands]) => commands)

/** Ends the process once its output cannot be written: at once, unless it has parts to stop. */
let exit = (code: number): void => process.exit(code)
const terminal = openTerminal(process, (code) => exit(code))

function help(): string {
  const groups = GROUPS.map(([title, commands]) => {
    const rows = commands.map(({ name, summary }) => ({ left: name, right: summary }))
    return `${title}:\n${columns(rows)}\n`
  })
  return `Hand work to coding agents and stay in control of it.\n\nUsage: slipway <command> [flags]\n\n${groups.join('\n')}\nslipway help <command> tells more.\n`
}

function warn(text: string): void {
  terminal.err(`warning: ${printable(text)}\n`)
}

/** If a stop takes longer, the process exits without it; a kubelet waits 30 s. */
const STOP_TIMEOUT_MS = 25_000
/** Time for the last lines of the log after a server has stopped or could not start. */
const EXIT_TIMEOUT_MS = 500

/** Aborts on the first SIGINT or SIGTERM; a second one ends the process at once. */
function shutdownSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(130)
      controller.abort()
      setTimeout(() => process.exit(130), STOP_TIMEOUT_MS).unref()
    })
  }
  return controller.signal
}

/** The clock's timers do not keep the process alive, but a command that waits must; ended by clearInterval. */
function keepAlive(): NodeJS.Timeout {
  return setInterval(() => undefined, 60_000)
}

function findCommand(name: string): AnyCommand {
  const command = COMMANDS.find((candidate) => candidate.name === name)
  if (command !== undefined) return command
  const meant = suggest(
    name,
    COMMANDS.map((candidate) => candidate.name),
  )
  const guess = meant === undefined ? '' : `; did you mean "slipway ${meant}"?`
  throw new UsageError(`unknown command ${JSON.stringify(name)}${guess}\nSee: slipway help`)
}

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  const isHelp = name === 'help' || name === '--help' || name === '-h'
  if (name === undefined || (isHelp && rest[0] === undefined)) {
    terminal.out(help())
    return name === undefined ? 2 : 0
  }
  const asked = name === '--version' || name === '-V' ? 'version' : name
  const command = findCommand(isHelp ? (rest[0] ?? '') : asked)
  const given = isHelp ? ['--help'] : rest
  for (const text of await warnOfMisspelt(process.env)) warn(text)
  return command.kind === 'client' || command.kind === 'local' ? runClient(command, given) : runServer(command, given)
}

async function runServer(command: Command, args: readonly string[]): Promise<number> {
  const { commandHelp, parseArguments } = await import('./server-command.ts')
  const parsed = parseArguments(command, args, process.env)
  if (parsed === 'help') {
    terminal.out(commandHelp(command))
    return 0
  }
  keepHeapSmall()
  const [{ openLogger }, { runGuarded }] = await Promise.all([import('./log.ts'), import('./unhandled-errors.ts')])
  const logger = await openLogger(parsed.config)
  const alive = keepAlive()
  const unheard = new AbortController()
  exit = (code) => {
    process.exitCode = code
    unheard.abort()
    setTimeout(() => process.exit(), STOP_TIMEOUT_MS).unref()
  }
  const stop = AbortSignal.any([shutdownSignal(), unheard.signal])
  try {
    const code = await runGuarded(logger, stop, (signal) => command.run({ ...parsed, terminal, signal }))
    return Math.max(code, Number(process.exitCode ?? 0))
  } finally {
    clearInterval(alive)
    // A part that could not start may have left something open; a process that serves nothing must not stay.
    setTimeout(() => process.exit(), EXIT_TIMEOUT_MS).unref()
  }
}

async function runClient(command: ClientCommand | LocalCommand, args: readonly string[]): Promise<number> {
  const parsed = parseClientArguments(command, args)
  if (parsed === 'help') {
    terminal.out(clientHelp(command))
    return 0
  }
  const style = styleOf(parsed.values.get('color'), process.stdout)
  const alive = keepAlive()
  const signal = shutdownSignal()
  let session: Session | undefined
  try {
    const invocation = { ...parsed, terminal, style, signal }
    const form = await chooseForm(formFlags(parsed), command.kind === 'client' ? command.prints : undefined)
    if (command.kind === 'local') return await command.run({ ...invocation, form, ...localParts() })
    session = await openSessionFor(parsed, form, signal)
    const words = await completeIds(command, parsed.words, session, signal)
    return await command.run({ ...invocation, words, session })
  } catch (error) {
    if (!signal.aborted) throw error
    terminal.err('\nstopped before the server answered; it may have done what it was asked to do, see: slipway tasks\n')
    return DETACHED
  } finally {
    clearInterval(alive)
    await session?.close()
  }
}

function formFlags({ values }: ClientArguments): FormFlags {
  return { output: values.get('output'), json: values.get('json'), jq: values.get('jq') }
}

function localParts(): Pick<LocalInvocation, 'env' | 'readSecret'> {
  return {
    env: process.env,
    readSecret: (question, signal) => readSecret(process, question, signal),
  }
}

async function openSessionFor(
  { values, ofKubectl }: ClientArguments,
  form: OutputForm,
  signal: AbortSignal,
): Promise<Session> {
  const { env } = process
  const common = { form, env, warn }
  const choice = chooseServer({
    flags: { server: values.get('server'), profile: values.get('profile') },
    env,
    wantsCluster: ofKubectl.length > 0 || basename(process.argv[1] ?? '').startsWith('kubectl-'),
    load: () => loadProfiles(profilesPath(env)),
  })
  if (choice.kind === 'server') {
    if (ofKubectl.length > 0) warn(`${ofKubectl.join(', ')} not used: ${choice.by} names the server`)
    return openSession({ ...choice, ...common })
  }
  const { openClusterSession } = await import('./client/cluster-session.ts')
  const [path, context, namespace] = ['kubeconfig', 'context', 'namespace'].map((flag) => values.get(flag))
  return openClusterSession({ choice: { path, context, namespace }, signal, ...common })
}

/**
 * Runs the command of the command line and sets the exit code.
 *
 * @throws where too few files may be open: what a command needs is loaded with it, so its load can still fail here
 */
export async function runSlipway(): Promise<void> {
  try {
    process.exitCode = await main(commandFirst(process.argv.slice(2)))
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('EMFILE')) throw error
    process.exitCode = error instanceof UsageError || error instanceof ConfigError ? 2 : 1
    terminal.err(`slipway: ${printable(formatErrorMessage(error))}\n`)
  }
}

/** The error in one line; the stack is shown at log level debug only. */
function formatErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isDebugging = process.env['SLIPWAY_LOG_LEVEL'] === 'debug' && error.stack !== undefined
  return isDebugging ? `${error.stack}` : `${error.message}${error instanceof ApiFailure ? formatListHint(error) : ''}`
}

/** The command that lists the known names, after an error about an unknown name. */
function formatListHint({ message }: ApiFailure): string {
  const kind = /\b(task|agent|project) (?:not found|\S+ does not exist)$/.exec(message)?.[1]
  return kind === undefined ? '' : `\nSee: slipway ${kind}s`
}
