/**
 * Runs the examples that `slipway help <command>` shows, as they stand there, in a shell, against a served installation.
 *
 * What no test can have, such as an agent's login, has a stand-in; what cannot run here goes through the parser alone.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { gitIn } from '../helpers/repository.ts'
import { PROGRAM } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import { type Server, makeInstallation } from './installation.ts'

const TOKEN = 'a-token-of-ada'
const WRITES = 'date +%N > page; echo written'
const ASKS = `test -n "$SERVICE_ANSWER" || echo '{"text":"How?"}' > "$SERVICE_QUESTION_FILE"; ${WRITES}`

/** What the example of a command finds, beside the project shop and the story checkout of the epic payment. */
interface Given {
  /** What the task add-login does, and where it stands then; else it has written a file and is READY. */
  readonly task?: readonly [script: string, state: string]
  /** A command before it. */
  readonly before?: string
  /** What stands for a part of the line here. */
  readonly standIns?: Readonly<Record<string, string>>
  /** The exit code where it is not 0. */
  readonly code?: number
  /** Why it cannot run here. */
  readonly onlyParsed?: string
}

const SERVES = 'it serves until it is stopped, as it does in the other tests of this folder'
const IN_A_CLUSTER = 'it runs in a cluster until it is stopped, as it does in test/e2e'
const LOGIN = 'slipway login "$SLIPWAY_SERVER" --profile work < token.txt'
/** On the control plane here, which has no other namespace. */
const NAMESPACE = { 'namespace slipway': 'namespace default' }

const GIVEN: Readonly<Record<string, Given>> = {
  run: {
    standIns: {
      '"Add a login page"': `'${WRITES}'`,
      'npm audit fix': WRITES,
      claude: 'script',
      'run - ': 'run - -a script ',
    },
  },
  watch: { onlyParsed: 'it goes on until Ctrl-C, as it does in test/cli/client/watch.test.ts' },
  edit: { onlyParsed: 'it needs a terminal, as it has in edit.test.ts' },
  env: { onlyParsed: 'a setup needs a sandbox, as it has in environments.test.ts' },
  say: { onlyParsed: 'a script takes no messages; the real programs are told some in test/agents/messages.test.ts' },
  checks: { onlyParsed: 'no project here has checks; test/cli/client/checks.test.ts shows some' },
  waive: { onlyParsed: 'no project here has checks; test/cli/client/checks.test.ts waives some' },
  answer: { task: [ASKS, 'BLOCKED'] },
  checkout: { onlyParsed: 'it makes folders beside the repository, as it does in take-over.test.ts' },
  handback: { onlyParsed: 'it needs the folder of a checkout, as it has in take-over.test.ts' },
  cancel: { task: ['sleep 600', 'RUNNING'] },
  resume: { task: [`test -e tried || { touch tried; exit 1; }; ${WRITES}`, 'FAILED'] },
  restart: { task: ['exit 1', 'FAILED'], standIns: { claude: 'script' }, code: 1 },
  restore: { onlyParsed: 'nothing is archived on its first day; archive.test.ts restores' },
  'add-project': { standIns: { 'shop https://git.example.com/acme/shop.git': 'store .' } },
  login: { before: LOGIN, standIns: { 'https://slipway.example.com': '"$SLIPWAY_SERVER" < token.txt' } },
  logout: { before: LOGIN },
  profiles: { before: LOGIN },
  serve: { onlyParsed: SERVES },
  demo: { onlyParsed: SERVES },
  // Tasks of earlier examples may still be at work.
  export: { standIns: { '--file': '--running --file' } },
  operator: { onlyParsed: IN_A_CLUSTER },
  'api-server': { onlyParsed: IN_A_CLUSTER },
  'create-agents': { standIns: NAMESPACE },
  'stop-executions': { standIns: NAMESPACE },
  'self-test': { standIns: { '--server https://slipway.example.com --host 192.0.2.7': '--host 127.0.0.1' } },
}

describe('the examples of the help', function () {
  this.timeout(600_000)

  const installation = makeInstallation({ SLIPWAY_TOKEN: TOKEN })
  const work = join(installation.folder, 'work')
  let server: Server
  let env: NodeJS.ProcessEnv
  const shown = new Map<string, readonly string[]>()

  /** In the folder of a repository, with slipway on the PATH. */
  const shell = async (line: string): Promise<{ code: number | null; output: string }> => {
    const child = spawn('bash', ['-c', line], { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { code: child.exitCode, output: out + err }
  }

  before(async () => {
    const bin = join(installation.folder, 'bin')
    for (const folder of [work, bin]) mkdirSync(folder)
    const program = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`
    writeFileSync(join(bin, 'slipway'), program, { mode: 0o755 })
    gitIn(work, 'init', '--quiet', '--initial-branch=main')
    gitIn(work, 'commit', '--quiet', '--allow-empty', '--message', 'first')
    symlinkSync(installation.dataDir, join(work, '.slipway'))
    const files = {
      'token.txt': TOKEN,
      'hints.txt': 'Mind the gap.',
      'key.txt': 'a-key',
      'prompt.txt': WRITES,
      'page.html': '<p>Page</p>',
    }
    for (const [name, content] of Object.entries(files)) writeFileSync(join(work, name), `${content}\n`)
    server = await installation.start()
    env = {
      ...process.env,
      PATH: `${bin}:${process.env['PATH']}`,
      SLIPWAY_SERVER: server.program.url,
      SLIPWAY_TOKEN: TOKEN,
      KUBECONFIG: join(installation.dataDir, 'kubeconfig'),
      XDG_CONFIG_HOME: join(installation.folder, 'config'),
      BROWSER: 'true',
      VISUAL: 'true',
    }
    const made = [
      await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: work }),
      await server.call('POST', '/api/epics', { id: 'payment', name: 'Payment' }),
      await server.call('POST', '/api/stories', { id: 'checkout', name: 'Checkout', epic_id: 'payment' }),
    ]
    assert.deepEqual(
      made.map(({ status, text: answer }) => (status === 201 ? '' : answer)),
      ['', '', ''],
    )
    const { output } = await shell('slipway help')
    for (const [, command = ''] of output.matchAll(/^ {2}([a-z-]+) {2,}/gm)) {
      const help = await shell(`slipway help ${command}`)
      assert.ok(help.output.includes(`Usage: slipway ${command}`), help.output)
      const [, lines = ''] = /\n\nExamples:\n((?: {2}.+\n)+)\n/.exec(help.output) ?? []
      shown.set(
        command,
        lines.split('\n').flatMap((line) => (line === '' ? [] : [line.trim()])),
      )
    }
  })
  after(() => installation.dispose())

  /** Leaves the task add-login in a state, made anew unless it is there already. */
  const leaveTask = async (script: string, state: string): Promise<void> => {
    const before = await server.task('add-login')
    const { agent } = before
    if (before['state'] === state && JSON.stringify(agent).includes(JSON.stringify(script))) return
    if (before['state'] === 'RUNNING') {
      await server.call('POST', '/api/tasks/add-login/cancel')
      await server.reaches('add-login', 'CANCELLED')
    }
    await server.call('DELETE', '/api/tasks/add-login')
    const isGone = async () => (await server.call('GET', '/api/tasks/add-login')).status === 404
    await until('the task of the last example is gone', isGone)
    await server.create('add-login', script, { project: 'shop' })
    await server.run('add-login')
    await server.reaches('add-login', state)
  }

  it('are one to three for each command, and call the program', () => {
    assert.ok(shown.size > 30, [...shown.keys()].join())
    const odd = [...shown].filter(([, lines]) => {
      const isFew = lines.length >= 1 && lines.length <= 3
      return !isFew || lines.some((line) => !/(^|\()slipway [a-z]/.test(line))
    })
    assert.deepEqual(odd, [])
    assert.deepEqual(
      Object.keys(GIVEN).filter((command) => !shown.has(command)),
      [],
    )
  })

  it('do what they are there for', async () => {
    const failed: string[] = []
    for (const [command, lines] of shown) {
      const given = GIVEN[command] ?? {}
      for (const example of given.onlyParsed === undefined ? lines : []) {
        const [script, state] = given.task ?? [WRITES, 'READY']
        if (example.includes('add-login')) await leaveTask(script, state)
        if (given.before !== undefined) await shell(given.before)
        const standIns = Object.entries(given.standIns ?? {})
        const line = standIns.reduce((typed, [part, standIn]) => typed.replace(part, standIn), example)
        const { code, output } = await shell(line)
        if (code !== (given.code ?? 0)) failed.push(`${line}\nended with ${code}: ${output}`)
      }
    }
    assert.equal(failed.join('\n'), '')
  })

  it('are at least understood where they cannot run here', async () => {
    for (const [command, { onlyParsed }] of Object.entries(GIVEN)) {
      for (const line of onlyParsed === undefined ? [] : (shown.get(command) ?? [])) {
        const { code, output } = await shell(`${line} --help`)
        assert.equal(code, 0, `${line} (${onlyParsed}): ${output}`)
      }
    }
  })
})
