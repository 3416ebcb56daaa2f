import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { codexPermissions } from '../../../runner/adapters/codex-permissions.ts'
import { type StepContext, runPaths } from '../../../runner/context.ts'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { manualClock } from '../../helpers/clock.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

const BYPASS = '--dangerously-bypass-approvals-and-sandbox'

describe('what codex may do', () => {
  let root: string
  let said: string[] = []
  beforeEach(() => {
    root = makeFolder()
    said = []
  })
  afterEach(() => removeFolder(root))

  /** With a codex whose sandbox, asked for by `codex sandbox … -- true`, ends with this code. */
  function permissions(allowedTools: string[] | undefined, sandboxExit: number, spec: Partial<RunSpec> = {}) {
    const command = ['bash', '-c', `exit ${sandboxExit}`, 'codex']
    const agent = { name: 'codex', adapter: 'codex', command, ...(allowedTools === undefined ? {} : { allowedTools }) }
    const execution = makeExecution(root, { path: '/none' }, '', { agent, ...spec })
    const paths = runPaths(execution.spec)
    mkdirSync(paths.clone, { recursive: true })
    const signal = new AbortController().signal
    const env = { PATH: process.env['PATH'] }
    const say = (line: string): void => void said.push(line)
    const context: StepContext = { run: execution.spec, paths, signal, tmp: root, env, clock: manualClock(), say }
    return codexPermissions(context)
  }

  it('is anything without a list', async () => {
    assert.deepEqual(await permissions(undefined, 1), [BYPASS])
  })

  it('is held by its own sandbox where commands are not allowed', async () => {
    const reading = await permissions(['Read'], 0)
    assert.ok(reading.includes('sandbox_mode="read-only"') && !reading.includes(BYPASS), reading.join(' '))
    const writing = await permissions(['Edit'], 0)
    assert.ok(writing.includes('sandbox_mode="workspace-write"') && !writing.includes(BYPASS), writing.join(' '))
  })

  it('is no work at all where that sandbox cannot start, which says what to do', async () => {
    await assert.rejects(permissions(['Read'], 1), {
      category: 'unavailable',
      message: /cannot be held to the allowed tools: allow Bash as well, or run the task with another agent$/,
    })
  })

  it('is an answer without it all the same, of which only the text is kept, and the log says so', async () => {
    const found = await permissions(['Read'], 1, { answerSchema: 'TaskDraft' })
    assert.ok(found.includes(BYPASS))
    assert.match(said.join(), /it may run any command in its throw-away clone/)
  })

  it('needs no sandbox where it may run any command, or none', async () => {
    assert.ok((await permissions(['Bash'], 1)).includes(BYPASS))
    const none = await permissions(['WebSearch'], 1)
    assert.ok(none.includes('features.shell_tool=false') && !none.includes(BYPASS), none.join(' '))
  })
})
