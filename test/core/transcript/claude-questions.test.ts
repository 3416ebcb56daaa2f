import assert from 'node:assert/strict'
import { createClaudeTranscript } from '../../../core/transcript/claude.ts'
import { interpretClaudeExit } from '../../../core/transcript/claude-exit.ts'
import { exited, readAll, toOutput } from './cli-output.ts'

const session = { session_id: '11111111-2222-4333-8444-555555555555' }
const init = { type: 'system', subtype: 'init', ...session, model: 'claude-opus-5-5' }
const says = (content: readonly unknown[]) => ({
  type: 'assistant',
  message: { id: 'm1', model: 'claude-opus-5-5', content, usage: { input_tokens: 1, output_tokens: 1 } },
  ...session,
})
const result = (fields: object = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  num_turns: 1,
  ...session,
  ...fields,
})

describe('a claude', () => {
  it('that asks a person shows the question, and no tool that was refused nor an error', () => {
    const call = { type: 'tool_use', id: 't1', name: 'AskUserQuestion', input: {} }
    const questions = [{ question: 'Which?' }]
    const request = { subtype: 'can_use_tool', tool_name: 'AskUserQuestion', input: { questions }, tool_use_id: 't1' }
    const refused = { type: 'tool_result', tool_use_id: 't1', content: 'The tool use was rejected', is_error: true }
    const { events } = readAll(
      createClaudeTranscript(),
      toOutput(
        init,
        says([call]),
        { type: 'control_request', request_id: 'R', request },
        { type: 'user', message: { content: [refused] } },
        result({ is_error: true, subtype: 'error_during_execution', result: undefined, errors: ['[ede_diagnostic]'] }),
      ),
    )
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['session', 'tool_call', 'usage', 'question', 'usage', 'result'],
    )
    assert.deepEqual(events.at(-1), { kind: 'result', is_error: false })
  })

  /** A call of the question tool, and the CLI's request for it. */
  const asks = (id: string, question: string): [call: object, request: object] => {
    const input = { questions: [{ question }] }
    const request = { subtype: 'can_use_tool', tool_name: 'AskUserQuestion', input, tool_use_id: id }
    const call = { type: 'tool_use', id, name: 'AskUserQuestion', input }
    return [call, { type: 'control_request', request_id: `R-${id}`, request }]
  }
  const [[one, askOne], [two, askTwo]] = [asks('t1', 'Which?'), asks('t2', 'Where?')]
  const both = [{ text: 'Which?' }, { text: 'Where?' }]

  for (const [order, lines] of [
    ['each requests', [says([one, two]), askOne, askTwo]],
    ['the first alone requests', [says([one, two]), askOne]],
    ['is told after the request of the first', [says([one]), askOne, says([two])]],
  ] as const)
    it(`that asks by two calls in one message asks both, once each, where the CLI ${order}`, () => {
      const transcript = createClaudeTranscript()
      const { events } = readAll(transcript, toOutput(init, ...lines, result({ is_error: true })))
      assert.deepEqual(transcript.facts.questions, both)
      assert.deepEqual(
        events.flatMap((event) => (event.kind === 'question' ? event.questions : [])),
        both,
      )
    })

  it('does not ask what an earlier call asked that the CLI itself refused', () => {
    const transcript = createClaudeTranscript()
    const refused = { type: 'tool_result', tool_use_id: 't1', content: 'InputValidationError', is_error: true }
    readAll(
      transcript,
      toOutput(init, says([one]), { type: 'user', message: { content: [refused] } }, says([two]), askTwo),
    )
    assert.deepEqual(transcript.facts.questions, [{ text: 'Where?' }])
  })

  it('that asks a person is answered with the end of the run, and blocks with text and options', () => {
    const question = {
      question: 'Which database?',
      header: 'Choice',
      options: [{ label: 'Postgres', description: 'big' }, { label: 'SQLite' }],
      multiSelect: false,
    }
    const request = { subtype: 'can_use_tool', tool_name: 'AskUserQuestion', input: { questions: [question] } }
    const transcript = createClaudeTranscript()
    const asked = { type: 'control_request', request_id: 'R', request }
    const { replies } = readAll(
      transcript,
      toOutput(init, asked, result({ is_error: true, subtype: 'error_during_execution' })),
    )
    const reply: unknown = JSON.parse(replies[0] ?? '')
    assert.deepEqual(reply, {
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: 'R',
        response: { behavior: 'deny', message: 'The question was passed on; the answer comes later.', interrupt: true },
      },
    })
    assert.deepEqual(interpretClaudeExit(transcript.facts, exited(1)), {
      outcome: 'blocked',
      questions: [{ text: 'Which database?', header: 'Choice', options: ['Postgres', 'SQLite'] }],
    })
  })
})
