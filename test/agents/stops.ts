/** What every program must do when it is stopped: keep what it has, and take it up again. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { until } from '../helpers/until.ts'
import type { Words } from './programs.ts'
import { type AgentRig, DEADLINE_MS, minuteIsOver } from './rig.ts'

const hangs = { kind: 'hang' } as const

export function itCanBeStopped(words: Words, get: () => AgentRig): void {
  const agent = { type: words.program, ...words.agent }
  const lastPrompt = () => JSON.stringify(get().model.asked.at(-1)?.body)

  /** Submits a task whose model has written a file, and then answers no more. */
  async function startsAndHangs(id: string): Promise<void> {
    const rig = get()
    rig.model.play([words.writes], hangs)
    await rig.submit(id, { agent })
    await until('the provider was asked twice', () => rig.model.asked.length >= 2, DEADLINE_MS)
  }

  function kill(execution: string): void {
    process.kill(get().findCli(execution) ?? assert.fail('no CLI runs'), 'SIGKILL')
  }

  /** Resumes the task: the same session goes on in the kept clone, and is told `why`. */
  async function goesOn(id: string, why: RegExp): Promise<void> {
    const rig = get()
    if (words.losesYoungSessions === true) await minuteIsOver()
    rig.model.play([{ kind: 'say', text: 'Finished' }])
    await rig.act(id, 'resume')
    const task = await rig.reaches(id, 'READY')
    assert.equal(task['summary'], 'Finished')
    const [first, second] = await rig.executions(id)
    assert.ok(first?.['session_id'])
    assert.equal(second?.['session_id'], first['session_id'])
    assert.match(lastPrompt(), why)
    // One answer of the model in each: neither lost with the process, nor counted again with the session.
    for (const execution of words.tellsAtTheEnd === true ? [second] : [first, second]) {
      const { input, output, cache_read: cached } = asRecord(execution['tokens'])
      assert.deepEqual([Number(input) + Number(cached), output], [100, 20], JSON.stringify(execution))
    }
    if (words.program !== 'claude') return
    const [before, after] = [first, second].map((execution) => Number(execution['cost_usd']))
    assert.ok(before !== undefined && before > 0, String(before))
    assert.ok(after !== undefined && after > 0 && after <= before, `${after} after ${before}`)
    assert.equal(rig.remote.git('show', `slipway/${id}:hello.txt`), 'hello')
  }

  // The limit ends a program as a person does, whichever it is, and has to leave a slow one the time to begin.
  if (words.program === 'claude')
    it('by its time limit keeps session and clone, and says what to do', async () => {
      const rig = get()
      rig.model.play([words.writes], hangs)
      await rig.submit('slow', { agent, timeout_seconds: 30 })
      const task = await rig.reaches('slow', 'TIMED_OUT')
      assert.equal(task['error_category'], 'timeout')
      assert.match(String(task['error']), /did not finish within 30 seconds: resume the task, or give it a longer/)
      await rig.edit('slow', { timeout_seconds: 600 })
      await goesOn('slow', /You ran out of time and were stopped/)
    })

  it('by a person ends as CANCELLED, and goes on in its session when the person wants that', async () => {
    await startsAndHangs('unwanted')
    await get().act('unwanted', 'cancel')
    await get().reaches('unwanted', 'CANCELLED')
    assert.equal(get().findCli('unwanted-1'), undefined)
    await goesOn('unwanted', /A person stopped you, and now wants you to go on/)
  })

  it('by SIGKILL is no success, says how it ended, and can be resumed', async () => {
    await startsAndHangs('killed')
    kill('killed-1')
    const task = await get().reaches('killed', 'FAILED')
    assert.equal(task['error_category'], 'failed')
    assert.match(
      String(task['error']),
      /^\S+ was ended by SIGKILL before it finished: .*look at its output, then resume/s,
    )
    await goesOn('killed', /You were interrupted by an error/)
  })

  it('and has lost its session starts anew, is told the story so far, and says so', async () => {
    const rig = get()
    await startsAndHangs('lost')
    kill('lost-1')
    await rig.reaches('lost', 'FAILED')
    const home = join(rig.installation.dataDir, 'volume', 'sandboxes', 'lost', 'home')
    rmSync(join(home, words.sessions), { recursive: true })
    rig.model.play([{ kind: 'say', text: 'Begun anew' }])
    await rig.act('lost', 'resume')
    assert.equal((await rig.reaches('lost', 'READY'))['summary'], 'Begun anew')
    const [first, second] = await rig.executions('lost')
    assert.notEqual(second?.['session_id'], first?.['session_id'])
    assert.match(lastPrompt(), /Do lost\./)
    assert.match(lastPrompt(), /What became of an earlier attempt/)
    const said = rig.conversation('lost-2').map(({ text }) => String(text))
    const notice = /^\[slipway: session \S+ is lost: starting anew, told the story so far\]$/
    assert.ok(
      said.some((text) => notice.test(text)),
      said.join('\n'),
    )
    assert.equal(rig.remote.git('show', 'slipway/lost:hello.txt'), 'hello')
  })
}
