import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { copiedSessionPath, MAX_COPIED_SESSION_BYTES } from '../../core/agent/session-files.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { continuesNotice, placeContinued } from '../../runner/agent/continued.ts'
import { runPaths } from '../../runner/context.ts'
import { systemClock } from '../../lib/clock.ts'
import { makeExecution } from './execution.ts'

const ID = '01a22089-2b8e-7a51-904c-d7d48494d8aa'

describe('the session that an agent begins with a copy of', () => {
  let root = ''
  beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'slipway-continued-'))))
  afterEach(() => rmSync(root, { recursive: true }))

  const open = (change: Partial<RunSpec> = {}, sessionId = ID) => {
    const agent = { name: 'claude', adapter: 'claude', sessionId }
    const { spec } = makeExecution(root, { path: '' }, '', { agent, continues: { task: 'done' }, ...change })
    const paths = runPaths(spec)
    for (const folder of [paths.clone, paths.home, paths.execution]) mkdirSync(folder, { recursive: true })
    const { signal } = new AbortController()
    const context = { run: spec, paths, clock: systemClock, signal, tmp: root, env: {}, say: () => undefined }
    const given = join(paths.execution, 'continued.jsonl')
    writeFileSync(given, 'said')
    const placed = join(paths.home, copiedSessionPath('claude', ID, realpathSync(paths.clone)))
    return { context, given, placed }
  }

  it('is put where the program looks for it, in place of an earlier copy, and is there once', async () => {
    const { context, given, placed } = open()
    await placeContinued(context)
    writeFileSync(given, 'said again')
    await placeContinued(context)
    assert.equal(readFileSync(placed, 'utf8'), 'said again')
    assert.ok(!existsSync(given))
  })

  it('is put through no link of an earlier agent, and from none', async () => {
    const { context, given, placed } = open()
    const outside = join(root, 'outside')
    mkdirSync(outside)
    mkdirSync(dirname(dirname(dirname(placed))), { recursive: true })
    symlinkSync(outside, dirname(dirname(placed)))
    await placeContinued(context)
    assert.ok(!existsSync(join(outside, dirname(placed).split('/').at(-1) ?? '')))
    rmSync(dirname(dirname(placed)))
    writeFileSync(join(outside, 'secret'), 'of somebody else')
    rmSync(given, { force: true })
    symlinkSync(join(outside, 'secret'), given)
    await placeContinued(context)
    assert.ok(!existsSync(placed))
  })

  it('is not taken when it is too large, its id is none, or the agent is told in words', async () => {
    for (const { context, given, placed } of [
      open(),
      open({}, '../../x'),
      open({ continues: { task: 'done', told: 'gone' } }),
    ]) {
      if (context.run.agent.sessionId === ID && context.run.continues?.told === undefined)
        truncateSync(given, MAX_COPIED_SESSION_BYTES + 1)
      await placeContinued(context)
      assert.ok(!existsSync(placed))
    }
  })

  it('is named at the beginning of the conversation, or why there is none', () => {
    assert.match(continuesNotice({ continues: { task: 'done' } })[0] ?? '', /copy of the session of task done/)
    assert.match(
      continuesNotice({ continues: { task: 'done', told: 'it is gone' } })[0] ?? '',
      /told what that task did: it is gone/,
    )
    assert.deepEqual(continuesNotice({}), [])
  })
})
