import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRemote } from '../../helpers/repository.ts'
import { finish, makeExecution, makeFolder, removeFolder } from '../execution.ts'

const LOGIN = 'sk-login-0123456789'

describe('an agent that tells its own secrets', function () {
  let root: string
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  /** `AGENT_TOKEN` is `from the secret`. */
  async function run(script: string) {
    const login = join(root, 'login.json')
    writeFileSync(login, JSON.stringify({ accessToken: LOGIN }))
    const spec = { passEnv: ['AGENT_TOKEN'], credentialFiles: [{ from: login, path: 'login.json' }] }
    const execution = makeExecution(root, makeRemote(root, { a: '1' }), script, spec)
    await execution.step('prepare')
    return { execution, end: await finish(execution.start('agent')) }
  }

  it('has them in no log, neither on stdout nor on stderr, also when they come in two writes', async () => {
    const script = [
      `echo "token: $AGENT_TOKEN."; cat "$HOME/login.json" >&2`,
      `printf 'from the'; sleep 0.2; printf ' secret\\n'`,
      `printf %s "$AGENT_TOKEN" | base64`,
    ].join('\n')
    const { execution, end } = await run(script)
    const expected = 'token: [redacted].\n[redacted]\n[redacted]\n'
    assert.deepEqual([end.stdout, execution.read('agent/stdout.log')], [expected, expected])
    assert.equal(execution.read('agent/stderr.log'), '{"accessToken":"[redacted]"}')
    assert.ok(!end.stderr.includes(LOGIN))
  })

  it('has them neither in its summary nor in its question, nor in the message of its failure', async () => {
    const asks = `echo "I have $AGENT_TOKEN" > "$SERVICE_SUMMARY_FILE"; echo "Is $AGENT_TOKEN right?" > "$SERVICE_QUESTION_FILE"`
    const { execution } = await run(asks)
    const { summary, questions } = execution.outcome()
    assert.deepEqual([summary, questions?.[0]?.text], ['I have [redacted]', 'Is [redacted] right?'])
    removeFolder(root)
    root = makeFolder()
    const failed = await run('echo "no such $AGENT_TOKEN" >&2; exit 3')
    assert.equal(failed.execution.outcome().error?.message, 'the script exited 3: no such [redacted]')
  })

  it('has no part of them where a summary or a question is cut', async () => {
    const long = (n: number): string =>
      `head -c ${n} /dev/zero | tr '\\0' x; printf %s "$AGENT_TOKEN"; printf yyyyyyyyyyyy`
    const { execution } = await run(
      `{ ${long(16_380)}; } > "$SERVICE_SUMMARY_FILE"; { ${long(65_530)}; } > "$SERVICE_QUESTION_FILE"`,
    )
    const { summary, questions } = execution.outcome()
    assert.deepEqual([summary?.slice(16_380), questions?.[0]?.text.slice(65_530)], ['[re…', '[reda…'])
    removeFolder(root)
    root = makeFolder()
    const cut = await run(`for n in {1..7000}; do printf %s "$AGENT_TOKEN"; done > "$SERVICE_SUMMARY_FILE"`)
    assert.match(cut.execution.outcome().summary ?? '', /^(?:\[redacted\])*(?:\[[a-z]*…)?$/)
  })
})
