/** Work of the real CLIs that a person takes over: the printed command goes on in the agent's conversation, on their machine. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gitIn } from '../helpers/repository.ts'
import { runSlipway } from '../helpers/slipway.ts'
import { type Words, CLAUDE, CODEX, GEMINI } from './programs.ts'
import { type AgentRig, codexConfig, loginOf, startAgentRig } from './rig.ts'

/** What a person types, and what has the same program answer once, without a terminal. */
const ONCE: Readonly<Record<string, { readonly typed: RegExp; readonly once: string }>> = {
  claude: { typed: /claude --resume \S+/, once: '$& -p --permission-mode bypassPermissions -- "And now?"' },
  gemini: { typed: /gemini --resume \S+/, once: '$& --yolo --skip-trust -m gemini-2.5-flash -p "And now?"' },
  codex: {
    typed: /codex resume (\S+)/,
    once: 'codex exec resume --dangerously-bypass-approvals-and-sandbox $1 "And now?"',
  },
}

for (const words of [CLAUDE, GEMINI, CODEX])
  describe(`work of the real ${words.program} that a person takes over`, function () {
    let rig: AgentRig
    let home: string

    before(async () => {
      rig = await startAgentRig(words.program)
      home = join(rig.installation.folder, 'person')
      for (const folder of ['.gemini', '.codex']) mkdirSync(join(home, folder), { recursive: true })
      writeFileSync(join(home, '.gemini', 'settings.json'), '{"security":{"auth":{"selectedType":"gemini-api-key"}}}')
      writeFileSync(join(home, '.codex', 'config.toml'), codexConfig(rig.model.url))
    })
    after(() => rig.stop())

    it('is gone on with in the same conversation by the printed command, and handed back READY', async () => {
      rig.model.play([words.writes, { kind: 'say', text: 'Created hello.txt' }])
      await rig.submit('taken', { agent: { type: words.program, ...words.agent } })
      await rig.reaches('taken', 'READY')
      const { code, output } = await slipway(home, 'checkout', 'taken')
      assert.equal(code, 0, output)
      const folder = join(home, 'taken')
      assert.equal(readFileSync(join(folder, 'hello.txt'), 'utf8'), 'hello\n')

      rig.model.play([words.runs('echo two > two.txt'), { kind: 'say', text: 'Made two.txt' }])
      await goOn(output)
      const told = JSON.stringify(rig.model.asked[0]?.body)
      const places = ['Do taken.', 'Created hello.txt', 'And now?'].map((text) => told.indexOf(text))
      assert.ok(!places.includes(-1), told.slice(0, 4000))
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      )
      assert.equal(readFileSync(join(folder, 'two.txt'), 'utf8'), 'two\n')

      gitIn(folder, 'add', 'two.txt')
      gitIn(folder, 'commit', '--quiet', '--message', 'by hand')
      const back = await slipway(folder, 'handback', 'taken', '-f')
      assert.equal(back.code, 0, back.output)
      await rig.reaches('taken', 'READY')
      assert.equal(rig.remote.git('show', 'slipway/taken:two.txt'), 'two')
      assert.equal((await rig.executions('taken')).length, 2)
    })

    const env = (): Record<string, string> => ({
      ...loginOf(words.program, rig.model.url),
      PATH: `${process.env['SLIPWAY_TEST_AGENTS']}:${process.env['PATH']}`,
      HOME: home,
      GIT_CONFIG_NOSYSTEM: '1',
      // Claude refuses to do without questions as root.
      IS_SANDBOX: '1',
    })
    const slipway = (cwd: string, ...args: string[]) =>
      runSlipway(args, { ...env(), SLIPWAY_SERVER: rig.server.program.url }, cwd)
    const goOn = async (output: string): Promise<void> => {
      const { typed, once } = ways(words)
      const line = output.split('\n').find((printed) => typed.test(printed)) ?? ''
      assert.notEqual(line, '', output)
      await promisify(execFile)('bash', ['-c', `(${line.replace(/^Next: */, '').replace(typed, once)}) < /dev/null`], {
        env: env(),
        timeout: 120_000,
      })
    }
  })

function ways({ program }: Words) {
  const way = ONCE[program]
  assert.ok(way !== undefined)
  return way
}
