/** What every program must do first of all. */
import assert from 'node:assert/strict'
import type { Words } from './programs.ts'
import { type AgentRig, minuteIsOver } from './rig.ts'

export function itBegins(words: Words, get: () => AgentRig): void {
  const agent = { type: words.program, ...words.agent }

  it('does a task in a Job: its work is pushed, with summary, tokens and session', async () => {
    const rig = get()
    rig.model.play([words.writes, { kind: 'say', text: 'Created hello.txt' }])
    await rig.submit('simple', { agent })
    const task = await rig.reaches('simple', 'READY')
    assert.equal(task['summary'], 'Created hello.txt')
    assert.equal(rig.remote.git('show', 'slipway/simple:hello.txt'), 'hello')
    const [execution] = await rig.executions('simple')
    assert.match(String(execution?.['session_id']), words.sessionId)
    assert.ok(execution?.['tokens'], JSON.stringify(execution))
    const kinds = new Set(rig.conversation('simple-1').map(({ kind }) => kind))
    for (const kind of ['session', 'tool_call', 'tool_result', 'text', 'usage', 'result'])
      assert.ok(kinds.has(kind), kind)
  })

  it('that asks by the question file is blocked, and the answer resumes its session', async () => {
    const rig = get()
    const question = '{"text":"Which color?","options":["red","blue"]}'
    rig.model.play([words.runs(`printf '${question}' > "$SERVICE_QUESTION_FILE"`), { kind: 'say', text: 'I asked.' }])
    await rig.submit('asking', { agent })
    const blocked = await rig.reaches('asking', 'BLOCKED')
    assert.deepEqual([blocked['question'], blocked['question_options']], ['Which color?', ['red', 'blue']])
    if (words.losesYoungSessions === true) await minuteIsOver()
    rig.model.play([{ kind: 'say', text: 'Blue it is.' }])
    await rig.act('asking', 'answer', { answer: 'blue' })
    const task = await rig.reaches('asking', 'READY')
    // Of what is told of its past, nothing is taken for new.
    assert.equal(task['summary'], 'Blue it is.')
    const [first, second] = await rig.executions('asking')
    assert.equal(second?.['session_id'], first?.['session_id'])
    assert.match(JSON.stringify(rig.model.asked.at(-1)?.body), /using this answer:\\n\\nblue/)
  })
}
