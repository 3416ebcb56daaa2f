import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RECORDED } from '../../cli/demo/recording.ts'
import { replay } from '../../cli/demo/replay.ts'
import { demoFolder } from '../../cli/installation.ts'
import { instantAt } from '../../core/time.ts'
import { createClaudeTranscript } from '../../core/transcript/claude.ts'
import { interpretClaudeExit } from '../../core/transcript/claude-exit.ts'
import { createCodexTranscript } from '../../core/transcript/codex.ts'
import type { ConversationEvent } from '../../core/transcript/events.ts'

const NOW = instantAt(Date.UTC(2027, 2, 4, 9, 15, 20, 400))
const CREATE = { claude: () => createClaudeTranscript(), codex: () => createCodexTranscript() }
type Cli = keyof typeof CREATE

interface Played {
  readonly code: number
  readonly out: string
  readonly err: string
}

describe('the program that plays recordings of agents', () => {
  let folder: string
  let clone: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-replay-'))
    clone = join(folder, 'repo')
    cpSync(demoFolder('shop'), clone, { recursive: true })
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** @param onLine called before each line that a person sees */
  async function play(
    args: readonly string[],
    task: string,
    env: Readonly<Record<string, string>> = {},
    onLine = async (): Promise<void> => undefined,
  ): Promise<Played> {
    let [out, err] = ['', '']
    const code = await replay(args, {
      recordings: demoFolder('recordings'),
      clone,
      env: { PATH: process.env['PATH'], HOME: folder, SERVICE_TASK_ID: task, ...env },
      now: () => NOW,
      pause: onLine,
      out: (text) => void (out += text),
      err: (text) => void (err += text),
    })
    return { code, out, err }
  }

  const read = (path: string): string => readFileSync(join(clone, path), 'utf8')

  function parse(cli: Cli, text: string) {
    const transcript = CREATE[cli]()
    const events: ConversationEvent[] = text
      .trim()
      .split('\n')
      .flatMap((line) => [...transcript.read({ text: line, isCut: false }).events])
    return { events, facts: transcript.facts }
  }

  const sessionOf = (cli: Cli, text: string): string => parse(cli, text).facts.sessionId ?? assert.fail(text)

  for (const [args, says] of [
    [[], /usage: replay PROGRAM/],
    [['emacs'], /usage: replay PROGRAM .*recordings of claude, codex/],
  ] as const)
    it(`says how it is called when its arguments are ${JSON.stringify(args)}`, async () => {
      const { code, out, err } = await play(args, 'demo-limit')
      assert.deepEqual([code, out], [2, ''])
      assert.match(err, says)
    })

  it('names the tasks that it has recordings of when it is asked for another, and touches nothing', async () => {
    const before = readdirSync(folder)
    const { code, out, err } = await play(['claude', '-p'], 'my-own-task')
    assert.deepEqual([code, out, readdirSync(folder)], [2, '', before])
    assert.match(err, /asks no model: it has one for demo-limit, demo-question, none for my-own-task; choose an agent/)
  })

  for (const cli of ['claude', 'codex'] as const)
    for (const name of readdirSync(join(demoFolder('recordings'), cli))) {
      it(`prints ${cli}/${name} so that it is read as the recorded output was`, async () => {
        const [, task = '', part = ''] = /^(.*)\.(\d+)\.jsonl$/.exec(name) ?? []
        const recorded = readFileSync(join(demoFolder('recordings'), cli, name), 'utf8')
        const first = await play([cli], task, { SERVICE_ANSWER: RECORDED.answer })
        const session = sessionOf(cli, first.out)
        const resume = cli === 'claude' ? ['--resume', session] : ['exec', '--json', 'resume', session, '-']
        const { out } = part === '1' ? first : await play([cli, ...resume], task, { SERVICE_ANSWER: RECORDED.answer })
        const withoutTimes = JSON.stringify(parse(cli, out))
          .replaceAll(session, RECORDED.session)
          .replaceAll('"2027-03-04T09:15:31Z"', '"2026-01-01T00:00:00Z"')
          .replaceAll(String(Date.UTC(2027, 2, 4, 9, 15, 31)), String(Date.UTC(2026, 0, 1)))
          .replaceAll('resets 09:15 (UTC)', RECORDED.limitText)
        assert.deepEqual(JSON.parse(withoutTimes), JSON.parse(JSON.stringify(parse(cli, recorded))))
      })

      it(`begins ${cli}/${name} with words that say that it is a recording`, () => {
        const recorded = readFileSync(join(demoFolder('recordings'), cli, name), 'utf8')
        const said = parse(cli, recorded).events.find((event) => event.kind === 'text')
        assert.match(said?.kind === 'text' ? said.text : '', /^This is a recording: .* in place of a model/)
      })
    }

  it('asks, and in the resumed session puts the answer into the file, whatever is in it', async () => {
    const asked = await play(['claude'], 'demo-question')
    const { facts } = parse('claude', asked.out)
    assert.match(facts.questions?.[0]?.text ?? '', /What shall the shop say/)
    const answer = 'Your voucher ran out "yesterday".\n$& costs nothing: C:\\temp'
    const session = sessionOf('claude', asked.out)
    const answered = await play(['claude', '-p', '--resume', session], 'demo-question', { SERVICE_ANSWER: answer })
    assert.deepEqual([answered.code, sessionOf('claude', answered.out)], [0, session])
    assert.equal(read('texts/voucher-expired.txt'), `${answer}\n`)
  })

  it('reads a long answer from its file', async () => {
    const file = join(folder, 'answer.txt')
    writeFileSync(file, 'A long one.')
    const session = sessionOf('claude', (await play(['claude'], 'demo-question')).out)
    await play(['claude', '--resume', session], 'demo-question', { SERVICE_ANSWER_FILE: file })
    assert.equal(read('texts/voucher-expired.txt'), 'A long one.\n')
  })

  it('meets a limit that ends ten seconds later, having done a part of the work, and then does the rest', async () => {
    const limited = await play(['claude'], 'demo-limit')
    const { facts } = parse('claude', limited.out)
    const end = { agent: 'recorded-claude', exitCode: limited.code, signal: null, endedAt: 0, stderrTail: '' }
    const { outcome, resumeAfter } = interpretClaudeExit(facts, end)
    assert.deepEqual([outcome, resumeAfter], ['budget_exceeded', '2027-03-04T09:15:31Z'])
    assert.match(read('src/delivery.js'), /FREE_FROM = 5000/)
    assert.doesNotMatch(read('src/delivery.js'), /cents >= FREE_FROM/)
    const rest = await play(['claude', '--resume', sessionOf('claude', limited.out)], 'demo-limit')
    assert.equal(rest.code, 0)
    assert.match(read('src/delivery.js'), /cents >= FREE_FROM/)
  })

  it('does what the commands of codex did', async () => {
    const { code } = await play(['codex', 'exec', '--json', '-'], 'demo-review')
    assert.equal(code, 0)
    assert.match(read('src/basket.js'), /return Math\.round\(net/)
    assert.match(read('test/basket.test.js'), /rounds the VAT once/)
  })

  it('says in the words of the CLI that it does not know a session', async () => {
    const { code, out, err } = await play(['claude', '--resume', '00000000-dead'], 'demo-limit')
    assert.deepEqual([code, out], [1, ''])
    const transcript = createClaudeTranscript()
    const end = { agent: 'recorded-claude', exitCode: code, signal: null, endedAt: 0, stderrTail: err }
    assert.equal(interpretClaudeExit(transcript.facts, end).isSessionLost, true)
    assert.equal(existsSync(join(folder, '.recorded-sessions')), false)
  })

  for (const at of [2, 4, 6, 8, 10])
    it(`plays a part that was broken off at line ${at} from its beginning, over what it had done already`, async () => {
      const session = sessionOf('claude', (await play(['claude'], 'demo-limit')).out)
      let lines = 0
      const breaksOff = async (): Promise<void> => {
        if ((lines += 1) === at) throw new Error('SIGKILL')
      }
      await assert.rejects(play(['claude', '--resume', session], 'demo-limit', {}, breaksOff), /SIGKILL/)
      assert.equal((await play(['claude', '--resume', session], 'demo-limit')).code, 0)
      assert.equal(read('test/delivery.test.js').match(/is free from 50/g)?.length, 1)
    })

  it('plays all of it anew over its own work, as after a rejection', async () => {
    for (const attempt of [1, 2]) {
      const session = sessionOf('claude', (await play(['claude'], 'demo-limit')).out)
      assert.equal((await play(['claude', '--resume', session], 'demo-limit')).code, 0, String(attempt))
      assert.equal((await play(['codex', 'exec', '--json', '-'], 'demo-review')).code, 0, String(attempt))
    }
    assert.equal(read('src/delivery.js').match(/const FREE_FROM/g)?.length, 1)
    assert.equal(read('test/basket.test.js').match(/rounds the VAT once/g)?.length, 1)
  })

  it('keeps the answer for a session that is resumed once more without one', async () => {
    const session = sessionOf('claude', (await play(['claude'], 'demo-question')).out)
    const resume = (env: Record<string, string>) => play(['claude', '--resume', session], 'demo-question', env)
    await resume({ SERVICE_ANSWER: 'Too late: ERROR 17.' })
    assert.equal((await resume({})).code, 0)
    assert.equal(read('texts/voucher-expired.txt'), 'Too late: ERROR 17.\n')
  })

  it('ends in an error, and not as if all were well, where the repository is not as it was', async () => {
    writeFileSync(join(clone, 'src', 'delivery.js'), 'export {}\n')
    await assert.rejects(play(['claude'], 'demo-limit'), /src\/delivery\.js is not as it was when this was recorded/)
  })
})
