import assert from 'node:assert/strict'
import { createClaudeTranscript } from '../../../core/transcript/claude.ts'
import { interpretClaudeExit } from '../../../core/transcript/claude-exit.ts'
import { createCodexTranscript } from '../../../core/transcript/codex.ts'
import { findFailedCodexServers } from '../../../core/transcript/codex-exit.ts'
import type { Reading } from '../../../core/transcript/transcript.ts'
import { exited, readAll, toOutput } from './cli-output.ts'

const init = { type: 'system', subtype: 'init', session_id: 's', model: 'm' }
const result = { type: 'result', subtype: 'success', is_error: false, num_turns: 1, session_id: 's' }
const SERVERS = [
  { name: 'wiki', status: 'failed' },
  { name: 'weather', status: 'connected' },
]

describe('the conversation with a claude', () => {
  it('names each MCP server that did not start once, however often the CLI begins', () => {
    const transcript = createClaudeTranscript()
    const begin = { ...init, mcp_servers: SERVERS }
    const { events } = readAll(transcript, toOutput(begin, begin))
    assert.deepEqual(transcript.facts.failedServers, ['wiki'])
    assert.deepEqual(
      events.flatMap((event) => (event.kind === 'output' ? event.text : [])),
      ['[slipway: MCP server wiki did not start: its tools are missing]'],
    )
  })

  it('shows where it was compacted', () => {
    const boundary = {
      type: 'system',
      subtype: 'compact_boundary',
      compact_metadata: { pre_tokens: 900, post_tokens: 90 },
    }
    const { events } = readAll(createClaudeTranscript(), toOutput(boundary))
    assert.deepEqual(events, [
      { kind: 'output', text: '[slipway: the conversation was compacted from 900 tokens to 90]' },
    ])
  })

  it('ends a turn that was interrupted without the note for the makers of the CLI', () => {
    const errors = ['[ede_diagnostic] result_type=user', 'interrupted']
    const { events } = readAll(createClaudeTranscript(), toOutput({ ...result, is_error: true, errors }))
    assert.deepEqual(events.at(-1), { kind: 'result', is_error: true, text: 'interrupted' })
  })

  const tasks = (...types: string[]) => ({
    type: 'system',
    subtype: 'background_tasks_changed',
    tasks: types.map((task_type) => ({ task_type })),
  })
  for (const [what, lines, mayGoOn] of [
    ['a command', [tasks('local_bash')], false],
    ['a subagent beside a command', [tasks('local_bash', 'local_agent')], true],
    ['nothing any more', [tasks('local_agent'), tasks()], false],
    ['what an older CLI does not tell', [], true],
  ] as const)
    it(`${mayGoOn ? 'may go on' : 'is over'} after a result with ${what} in the background`, () => {
      const transcript = createClaudeTranscript()
      const read = (line: unknown): Reading => transcript.read({ text: JSON.stringify(line), isCut: false })
      lines.forEach(read)
      const { isOver, mayGoOn: found } = read(result)
      assert.deepEqual([isOver, found], [true, mayGoOn])
    })

  it('charges an answer that was broken off by what was counted, where the CLI reports nothing of it', () => {
    const transcript = createClaudeTranscript()
    const usage = { input_tokens: 100, output_tokens: 20 }
    const says = { type: 'assistant', message: { id: 'a', model: 'm', content: [], usage } }
    const nothing = { input_tokens: 0, output_tokens: 0 }
    readAll(transcript, toOutput(says, { ...result, is_error: true, total_cost_usd: 0, usage: nothing }))
    const tokens = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 }
    assert.deepEqual([transcript.facts.tokens, transcript.facts.untold], [tokens, tokens])
  })

  it('says of a prompt that is too long that the task is to begin anew, not to be resumed', () => {
    const transcript = createClaudeTranscript()
    const text = 'Prompt is too long'
    const said = {
      type: 'assistant',
      message: { model: '<synthetic>', content: [{ type: 'text', text }] },
      error: 'invalid_request',
    }
    readAll(transcript, toOutput(said, { ...result, is_error: true, result: text }))
    assert.match(
      interpretClaudeExit(transcript.facts, exited(1)).error?.message ?? '',
      /: run the task again, which begins/,
    )
  })
})

describe('the conversation with a codex', () => {
  it('shows that it tries again', () => {
    const message = 'Reconnecting... 2/5 (stream disconnected)'
    const { events } = readAll(createCodexTranscript(), toOutput({ type: 'error', message }))
    assert.deepEqual(events, [{ kind: 'limit', state: 'retrying', message }])
  })

  it('knows from its stderr which MCP servers did not start', () => {
    const stderr = [
      'ERROR MCP client for `wiki` failed to start: handshaking with MCP server failed',
      'MCP client for `slow` timed out after 30 seconds',
      'MCP startup incomplete (failed: wiki, other)',
    ].join('\n')
    assert.deepEqual(findFailedCodexServers(stderr), ['wiki', 'slow', 'other'])
  })
})
