// Runs the suites of test/agents: the real CLIs of the agents, pinned, against a scripted provider on loopback. They
// are installed here and not by `npm ci`, because together they are larger than all the rest.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Those that docs/agents.md speaks of; output formats change between versions. */
const PROGRAMS = ['@anthropic-ai/claude-code@2.1.329', '@google/gemini-cli@0.61.0', '@openai/codex@0.169.0']

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, 'node_modules', '.cache', 'slipway-agents')
mkdirSync(folder, { recursive: true })
const install = [
  'install',
  '--prefix',
  folder,
  '--no-save',
  '--no-audit',
  '--no-fund',
  '--loglevel',
  'error',
  ...PROGRAMS,
]
execFileSync('npm', install, { stdio: ['ignore', 2, 2] })

const suites = process.argv.slice(2)
const mocha = ['mocha', '--no-config', '--enable-source-maps', '--timeout', '120000']
const { status } = spawnSync('npx', [...mocha, ...(suites.length > 0 ? suites : ['dist/test/agents/**/*.test.js'])], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, SLIPWAY_TEST_AGENTS: join(folder, 'node_modules', '.bin') },
})
process.exitCode = status ?? 1
