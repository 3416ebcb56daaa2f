// Runs the suites of test/agents: the real CLIs of the agents, pinned, against a scripted provider on loopback. They
// are installed here and not by `npm ci`, because together they are larger than all the rest.
//
//   node tools/test-agents.mjs [suite …]     mocha over the suites; without any, all of test/agents but the nightly ones
//   node tools/test-agents.mjs --run PROGRAM [argument …]     another program that wants the CLIs
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Those that docs/agents.md speaks of, in the versions that our images have; output formats change between versions. */
const PROGRAMS = [
  `@anthropic-ai/claude-code@${versionOf('CLAUDE_CODE_VERSION')}`,
  `@google/gemini-cli@${versionOf('GEMINI_CLI_VERSION')}`,
  `@openai/codex@${versionOf('CODEX_VERSION')}`,
]

/**
 * Installed where a nightly suite is named. Not in our images: examples/agents has its manifest. It proves that a program
 * that speaks ACP works, which a scripted one proves with every change, and takes long for each task.
 */
const NIGHTLY_PROGRAMS = ['opencode-ai@1.18.33']
const NIGHTLY_SUITES = 'dist/test/agents/nightly/'

/** The default of an argument of the Dockerfile. */
function versionOf(argument) {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const version = new RegExp(`^ARG ${argument}=(\\S+)$`, 'm').exec(text)?.[1]
  if (version === undefined) throw new Error(`the Dockerfile has no default for ${argument}`)
  return version
}

/** About 900 MB unpacked, 1.3 GB with the nightly one: minutes over a slow line. A registry that does not answer ends the run instead of holding it up. */
const INSTALL_LIMIT_MS = 8 * 60_000

/** The suites mostly wait, for CLIs that start and limits that pass; but the CLIs that start together take all of two cores. */
const SERVERS_AT_ONCE = 2

const folder = join(root, 'node_modules', '.cache', 'slipway-agents')
// Written last: what an interrupted install left is no installation.
const installed = join(folder, 'installed.json')

function install(programs) {
  if (existsSync(installed)) {
    const present = JSON.parse(readFileSync(installed, 'utf8'))
    if (programs.every((program) => present.includes(program))) return
  }
  rmSync(installed, { force: true })
  mkdirSync(folder, { recursive: true })
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel', 'error']
  const patience = ['--fetch-timeout', '60000', '--fetch-retries', '2']
  execFileSync('npm', ['install', '--prefix', folder, ...quiet, ...patience, ...programs], {
    stdio: ['ignore', 2, 2],
    timeout: INSTALL_LIMIT_MS,
  })
  writeFileSync(installed, JSON.stringify(programs))
}

function commandOf(given) {
  if (given[0] === '--run') return [process.execPath, ['--enable-source-maps', ...given.slice(1)]]
  const mocha = ['mocha', '--no-config', '--enable-source-maps', '--forbid-only', '--timeout', '300000']
  const parallel = ['--parallel', '--jobs', String(SERVERS_AT_ONCE)]
  const all = [...parallel, '--ignore', `${NIGHTLY_SUITES}**`, 'dist/test/agents/**/*.test.js']
  return ['npx', [...mocha, ...(given.length > 0 ? given : all)]]
}

function run(given) {
  const [command, args] = commandOf(given)
  const env = { ...process.env, SLIPWAY_TEST_AGENTS: join(folder, 'node_modules', '.bin') }
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env })
  if (error !== undefined) throw error
  return status ?? 1
}

const given = process.argv.slice(2)
const isNightly = given.some((argument) => argument.startsWith(NIGHTLY_SUITES))
install(isNightly ? [...PROGRAMS, ...NIGHTLY_PROGRAMS] : PROGRAMS)
process.exitCode = run(given)
