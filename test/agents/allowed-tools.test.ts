/**
 * The real CLIs as their adapters start them, where the model asks for tools that its task does not allow. Without any
 * Slipway around them: what is refused here is refused by the CLI.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getAdapter } from '../../runner/adapters/registry.ts'
import type { StepContext } from '../../runner/context.ts'
import { supervise } from '../../runner/agent/supervise.ts'
import { makeFolder, removeFolder } from '../runner/execution.ts'
import { makeCliContext } from './cli-context.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import type { Turn } from './turn.ts'
import { type Words, CLAUDE, CODEX, GEMINI } from './programs.ts'

const use = (tool: string, input: object): Turn => ({ kind: 'use', tool, input })
const done: Turn = { kind: 'say', text: 'Done.' }

describe('a tool that is not allowed is refused by the real', function () {
  let root: string
  let model: ModelServer
  beforeEach(async () => {
    root = makeFolder()
    model = await startModelServer()
  })
  afterEach(async () => {
    await model.stop()
    removeFolder(root)
  })

  /** Runs the CLI to its end; the clone holds notes.txt. */
  async function run(
    words: Words,
    allowedTools: readonly string[],
    turns: readonly Turn[],
  ): Promise<StepContext & Ran> {
    model.play([...turns, done])
    const said: string[] = []
    const agent = { allowedTools: [...allowedTools] }
    const context = {
      ...makeCliContext({ words, name: 'allowed', agent }, root, model.url),
      say: (line: string) => void said.push(line),
    }
    writeFileSync(join(context.paths.clone, 'notes.txt'), 'secret of the notes')
    const adapter = getAdapter(words.program)
    const transcript = adapter.createTranscript?.()
    const ended = await supervise(context, await adapter.start(context, { prompt: 'Do it.' }), { transcript })
    assert.equal(ended.kind, 'exited')
    assert.equal(adapter.interpretExit(ended.exit, ended.facts).outcome, 'succeeded', ended.exit.stdoutTail)
    assert.equal(model.asked.length, turns.length + 1, ended.exit.stdoutTail)
    const asked = JSON.stringify(model.asked.at(-1)?.body)
    return {
      ...context,
      said,
      asked,
      files: readdirSync(context.paths.clone)
        .filter((name) => name !== '.git')
        .sort(),
    }
  }

  interface Ran {
    readonly said: readonly string[]
    /** What the model was told at last: every result of its tools is in it. */
    readonly asked: string
    readonly files: readonly string[]
  }

  describe('claude', () => {
    const reads = use('Read', { file_path: 'notes.txt' })
    const runs = use('Bash', { command: 'touch ran' })
    const looks = use('Bash', { command: 'cat notes.txt' })

    it('who may read: nothing is written and no command run', async () => {
      const { files, asked } = await run(CLAUDE, ['Read'], [CLAUDE.writes, runs, reads])
      assert.deepEqual(files, ['notes.txt'])
      assert.match(asked, /secret of the notes/)
    })

    it('who may write: nothing is read, not even by a harmless command', async () => {
      const { files, asked } = await run(CLAUDE, ['Write'], [reads, looks, CLAUDE.writes])
      assert.deepEqual(files, ['hello.txt', 'notes.txt'])
      assert.doesNotMatch(asked, /secret of the notes/)
    })

    it('who may run one command: no other one', async () => {
      const adds = use('Bash', { command: 'git init -q .' })
      const context = await run(CLAUDE, ['Bash(git init *)'], [runs, adds])
      assert.deepEqual(context.files, ['notes.txt'])
      assert.ok(existsSync(join(context.paths.clone, '.git')))
    })
  })

  describe('gemini', () => {
    const runs = (command: string) => use('run_shell_command', { command })
    const reads = use('read_file', { file_path: 'notes.txt' })

    it('who may read: nothing is written and no command run, and neither is offered', async () => {
      const { files, asked } = await run(GEMINI, ['Read'], [GEMINI.writes, runs('touch ran'), reads])
      assert.deepEqual(files, ['notes.txt'])
      assert.match(asked, /secret of the notes/)
      assert.doesNotMatch(asked, /"name":"(write_file|run_shell_command|replace|web_fetch)","desc/)
    })

    it('who may write: nothing is read', async () => {
      const { files, asked } = await run(GEMINI, ['Write'], [reads, runs('cat notes.txt'), GEMINI.writes])
      assert.deepEqual(files, ['hello.txt', 'notes.txt'])
      assert.doesNotMatch(asked, /secret of the notes/)
    })

    it('who may run one command: no other one, neither behind it nor into a file', async () => {
      const commands = ['touch ran', 'git version; touch ran', 'git version > ran', 'git version']
      const { files, asked } = await run(GEMINI, ['Bash(git *)'], commands.map(runs))
      assert.deepEqual(files, ['notes.txt'])
      assert.match(asked, /git version \d/)
    })

    it('who may run commands: any of them', async () => {
      const { files, said } = await run(GEMINI, ['Bash', 'Edit(src/**)', 'Cook'], [runs('touch ran; echo > too')])
      assert.deepEqual(files, ['notes.txt', 'ran', 'too'])
      assert.match(said.join(), /gemini has no tool of this kind.*Cook, Edit\(src\/\*\*\)/)
    })
  })

  describe('codex', () => {
    const runs = (cmd: string) => use('exec_command', { cmd })
    const patch = '*** Begin Patch\n*** Add File: hello.txt\n+hello\n*** End Patch'
    const patches = runs(`apply_patch <<'EOF'\n${patch}\nEOF\n`)
    const escapes = use('exec_command', {
      cmd: 'touch ran',
      sandbox_permissions: 'require_escalated',
      justification: '?',
    })
    const reads = runs('cat notes.txt')

    it('who may read: nothing is written, by no way', async () => {
      const turns = [CODEX.writes, patches, escapes, runs('touch "$TMPDIR/ran" "$SERVICE_SUMMARY_FILE"'), reads]
      const { files, asked, tmp } = await run(CODEX, ['Read', 'Grep'], turns)
      assert.deepEqual(files, ['notes.txt'])
      assert.ok(!existsSync(join(tmp, 'ran')))
      assert.match(asked, /secret of the notes/)
    })

    it('who may write: the clone and the files of the contract are written, and nothing else, without a network', async () => {
      const reaches = runs(
        `node -e 'fetch("${model.url}").then(() => console.log("reached"), () => console.log("no way"))'`,
      )
      const turns = [patches, runs('echo "I did" > "$SERVICE_SUMMARY_FILE"'), runs('touch "$HOME/ran"'), reaches]
      const { files, paths, asked } = await run(CODEX, ['Write'], turns)
      assert.deepEqual(files, ['hello.txt', 'notes.txt'])
      assert.equal(readFileSync(join(paths.agentOutput, 'summary.md'), 'utf8'), 'I did\n')
      assert.ok(!existsSync(join(paths.home, 'ran')))
      assert.match(asked, /no way\\n/)
    })

    it('who may neither read nor write: no command is run, not even one that is allowed to others', async () => {
      const { files, asked, said } = await run(CODEX, ['Bash(cat *)', 'WebFetch'], [CODEX.writes, reads])
      assert.deepEqual(files, ['notes.txt'])
      assert.doesNotMatch(asked, /secret of the notes/)
      assert.match(said.join(), /codex has no tool of this kind.*WebFetch, Bash\(cat \*\)/)
    })

    it('who may run commands: any of them, and no other tool', async () => {
      const { files, asked } = await run(CODEX, ['Bash'], [CODEX.writes])
      assert.deepEqual(files, ['hello.txt', 'notes.txt'])
      assert.doesNotMatch(asked, /"web_search"|spawn_agent/)
    })
  })
})
