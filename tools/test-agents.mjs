// Runs the suites of test/agents: the real CLIs of the agents, pinned, against a scripted provider on loopback. They
// are installed here and not by `npm ci`, because together they are larger than all the rest.
//
//   node tools/test-agents.mjs [suite …]     mocha over the suites; all of test/agents without any
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
  // Not in our images: examples/agents has its manifest.
  'opencode-ai@1.18.33',
]

/** The default of an argument of the Dockerfile. */
function versionOf(argument) {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const version = new RegExp(`^ARG ${argument}=(\\S+)$`, 'm').exec(text)?.[1]
  if (version === undefined) throw new Error(`the Dockerfile has no default for ${argument}`)
  return version
}

/** About 1.3 GB unpacked: minutes over a slow line. A registry that does not answer ends the run instead of holding it up. */
const INSTALL_LIMIT_MS = 8 * 60_000

/** The suites mostly wait, for CLIs that start and limits that pass; but the CLIs that start together take all of two cores. */
const SERVERS_AT_ONCE = 2

const folder = join(root, 'node_modules', '.cache', 'slipway-agents')
// Written last: what an interrupted install left is no installation.
const installed = join(folder, 'installed.json')

function install() {
  if (existsSync(installed) && readFileSync(installed, 'utf8') === JSON.stringify(PROGRAMS)) return
  rmSync(installed, { force: true })
  mkdirSync(folder, { recursive: true })
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel', 'error']
  const patience = ['--fetch-timeout', '60000', '--fetch-retries', '2']
  execFileSync('npm', ['install', '--prefix', folder, ...quiet, ...patience, ...PROGRAMS], {
    stdio: ['ignore', 2, 2],
    timeout: INSTALL_LIMIT_MS,
  })
  writeFileSync(installed, JSON.stringify(PROGRAMS))
}

function commandOf(given) {
  if (given[0] === '--run') return [process.execPath, ['--enable-source-maps', ...given.slice(1)]]
  const mocha = ['mocha', '--no-config', '--enable-source-maps', '--forbid-only', '--timeout', '300000']
  const parallel = ['--parallel', '--jobs', String(SERVERS_AT_ONCE)]
  return ['npx', [...mocha, ...(given.length > 0 ? given : [...parallel, 'dist/test/agents/**/*.test.js'])]]
}

function run(given) {
  const [command, args] = commandOf(given)
  const env = { ...process.env, SLIPWAY_TEST_AGENTS: join(folder, 'node_modules', '.bin') }
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env })
  if (error !== undefined) throw error
  return status ?? 1
}

install()
process.exitCode = run(process.argv.slice(2))
