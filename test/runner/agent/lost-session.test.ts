import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRemote } from '../../helpers/repository.ts'
import { type TestExecution, makeExecution, makeFolder, removeFolder } from '../execution.ts'

const KEPT = '11111111-2222-4333-8444-555555555555'

const BEGIN = {
  codex: ['{"type":"thread.started","thread_id":"new"}', '{"type":"turn.completed","usage":{}}'],
  gemini: ['{"type":"init","session_id":"new"}', '{"type":"result","status":"success","stats":{}}'],
} as const

describe('a session that cannot be resumed', function () {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  /** A CLI that does something of its own when it is to resume a session, and begins a new one well. */
  async function resume(adapter: keyof typeof BEGIN, resumed: string, begun = 'true'): Promise<TestExecution> {
    const command = join(root, adapter)
    const works = BEGIN[adapter].map((line) => `echo '${line}'`)
    const lines = ['#!/bin/bash', `case "$*" in *${KEPT}*) ${resumed};; esac`, begun, ...works]
    writeFileSync(command, `${lines.join('\n')}\n`)
    chmodSync(command, 0o755)
    const agent = { name: adapter, adapter, command: [command], sessionId: KEPT }
    const execution = makeExecution(root, makeRemote(root, { a: '1' }), 'the whole prompt', { agent })
    await execution.step('prepare')
    await execution.step('agent')
    return execution
  }

  for (const [adapter, what, does] of [
    [
      'codex',
      'whose file is empty',
      `echo 'Error: thread/resume failed: failed to read thread: rollout at /r.jsonl is empty' >&2; exit 1`,
    ],
    [
      'codex',
      'that it announces, and then finds empty',
      `echo '{"type":"thread.started","thread_id":"${KEPT}"}'; echo '{"type":"error","message":"rollout at /r.jsonl is empty"}'; exit 1`,
    ],
    ['codex', 'of which it complains in unknown words', `echo 'Error: unexpected end of file' >&2; exit 1`],
    ['gemini', 'whose file is torn', `echo 'Unexpected end of JSON input' >&2; exit 1`],
  ] as const)
    it(`of ${adapter} ${what} gives way to a new one, told the story so far`, async () => {
      const execution = await resume(adapter, does)
      const { outcome, sessionId } = execution.outcome()
      assert.deepEqual([outcome, sessionId], ['succeeded', 'new'])
      assert.match(execution.read('agent/events.jsonl'), /session 1{8}-\S+ is lost: starting anew/)
    })

  it('is kept for the next resume while the CLI cannot begin a session at all', async () => {
    const execution = await resume('gemini', 'true', `echo 'settings.json is invalid' >&2; exit 52`)
    const { sessionId, error } = execution.outcome()
    assert.equal(sessionId, KEPT)
    assert.match(error?.message ?? '', /settings\.json is invalid/)
  })

  it('is kept where a login is refused before it is taken up', async () => {
    const execution = await resume('gemini', `echo 'Please set an Auth method' >&2; exit 41`)
    const { sessionId, error } = execution.outcome()
    assert.deepEqual([sessionId, error?.category], [KEPT, 'auth'])
  })
})
