import assert from 'node:assert/strict'
import { exited } from './cli-output.ts'
import type { Transcript } from '../../../core/transcript/transcript.ts'
import { createClaudeTranscript } from '../../../core/transcript/claude.ts'
import { interpretClaudeExit } from '../../../core/transcript/claude-exit.ts'
import { createCodexTranscript } from '../../../core/transcript/codex.ts'
import { createGeminiTranscript } from '../../../core/transcript/gemini.ts'
import { AgentOutcome } from '../../../core/execution/result.ts'
import { compileCheck } from '../../../lib/validate.ts'

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const DEEP = deep(200_000)
const LINES = {
  'a tool of claude': `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"x","name":"n","input":{"a":${DEEP}}}]}}`,
  'a tool of gemini': `{"type":"tool_use","tool_id":"x","tool_name":"n","parameters":{"a":${DEEP}}}`,
  'a tool of codex': `{"type":"item.completed","item":{"id":"x","type":"mcp_tool_call","arguments":${DEEP}}}`,
  'a request': `{"type":"control_request","request_id":"a","request":{"subtype":"can_use_tool","input":{"a":${DEEP}}}}`,
}
const READERS: Readonly<Record<string, () => Transcript>> = {
  claude: createClaudeTranscript,
  codex: createCodexTranscript,
  gemini: createGeminiTranscript,
}

describe('output that is made to do harm', () => {
  for (const [name, create] of Object.entries(READERS)) {
    for (const [title, text] of Object.entries(LINES)) {
      it(`is output that belongs to nobody for ${name} where ${title} is nested without end`, () => {
        const { events, replies } = create().read({ text, isCut: false })
        assert.deepEqual([events.map(({ kind }) => kind), replies], [['output'], undefined])
        assert.ok(JSON.stringify(events).length < 100_000)
      })
    }
  }

  it('leads to an outcome that can be read, whatever claude says of itself', () => {
    const transcript = createClaudeTranscript()
    const long = 'ä'.repeat(100_000)
    const option = { label: long.slice(0, 5000) }
    const question = { question: long, header: long, options: Array.from({ length: 60 }, () => option) }
    const request = { subtype: 'can_use_tool', tool_name: 'AskUserQuestion', input: {} }
    const lines = [
      { type: 'system', subtype: 'init', session_id: `--${long}`, model: long },
      {
        type: 'result',
        is_error: false,
        result: long,
        total_cost_usd: -1,
        num_turns: 1e300,
        usage: { input_tokens: -1 },
      },
      {
        type: 'control_request',
        request_id: 'x',
        request: { ...request, input: { questions: Array.from({ length: 30 }, () => question) } },
      },
    ]
    for (const line of lines) transcript.read({ text: JSON.stringify(line), isCut: false })
    const { sessionId, costUSD, tokens, turns } = transcript.facts
    const exit = interpretClaudeExit(transcript.facts, exited(0, long))
    const found = { sessionId, costUSD, tokens, turns, ...exit }
    const at = '2026-01-01T00:00:00Z'
    const outcome = { schemaVersion: 1, execution: 'e', jobNumber: 1, startedAt: at, finishedAt: at, ...found }
    const checked = compileCheck(AgentOutcome)(JSON.parse(JSON.stringify(outcome)))
    assert.deepEqual(checked.ok ? [] : checked.problems, [])
  })
})
