#!/usr/bin/env node
import process from 'node:process'
import { ConfigError } from '../lib/config.ts'
import type { Command, Terminal } from './command.ts'
import { columns, commandHelp, parseArguments, UsageError } from './command.ts'
import { serveCommand } from './commands/serve.ts'
import { demoCommand } from './commands/demo.ts'
import { configCommand } from './commands/config.ts'
import { versionCommand } from './commands/version.ts'
import { operatorCommand } from './commands/operator.ts'
import { apiServerCommand } from './commands/api-server.ts'

const COMMANDS: readonly Command[] = [
  serveCommand,
  demoCommand,
  operatorCommand,
  apiServerCommand,
  configCommand,
  versionCommand,
]

const terminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
}

function help(): string {
  const rows = COMMANDS.map(({ name, summary }) => ({ left: name, right: summary }))
  return `Hand work to coding agents and stay in control of it.\n\nUsage: slipway <command> [flags]\n\nCommands:\n${columns(rows)}\n\nslipway <command> --help tells more.\n`
}

/** Aborts on the first SIGINT or SIGTERM; a second one ends the process at once, for a person in a hurry. */
function shutdownSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(130)
      controller.abort()
    })
  }
  return controller.signal
}

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    terminal.out(help())
    return name === undefined ? 2 : 0
  }
  const command = COMMANDS.find((candidate) => candidate.name === name)
  if (command === undefined) throw new UsageError(`unknown command ${JSON.stringify(name)}\n\n${help()}`)
  const parsed = parseArguments(command, rest, process.env)
  if (parsed === 'help') {
    terminal.out(commandHelp(command))
    return 0
  }
  return command.run({ ...parsed, terminal, signal: shutdownSignal() })
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.exitCode = error instanceof UsageError || error instanceof ConfigError ? 2 : 1
  terminal.err(`slipway: ${describeError(error)}\n`)
}

/** What went wrong in one line; the stack is for those who ask for debug logs. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isDebugging = process.env['SLIPWAY_LOG_LEVEL'] === 'debug' && error.stack !== undefined
  return isDebugging ? `${error.stack}` : error.message
}
