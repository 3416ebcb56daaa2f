/** A usage limit whose end is known, for every program that tells one. */
import assert from 'node:assert/strict'
import { until } from '../helpers/until.ts'
import type { Refusal } from './turn.ts'
import type { Words } from './programs.ts'
import { secondsAhead } from './refusals.ts'
import { type AgentRig, DEADLINE_MS } from './rig.ts'

/** As far ahead as the reset lies when the provider refuses. */
const AHEAD_SECONDS = 5

export interface KnownLimit {
  /** The agent that logs in with a subscription. */
  readonly agent: string
  /** The refusal of a provider whose limit ends then, in seconds since the epoch. */
  readonly usedUp: (resetsAt: number) => Refusal
  /** How much later than at the reset the task may be told to go on: the program tells the time in such steps. */
  readonly stepSeconds: number
}

/**
 * Of a task that met a passing error: it fails as rate_limit, and an attempt of its own is due. That attempt would take
 * the answers of a later test, so the task is deleted once it has been looked at.
 */
export async function isTriedAgainByItself(rig: AgentRig, id: string): Promise<string> {
  const { error, error_category, finished_at, resume_after } = await rig.reaches(id, 'FAILED')
  assert.equal(error_category, 'rate_limit', String(error))
  assert.ok(Date.parse(String(resume_after)) > Date.parse(String(finished_at)))
  const { status, text } = await rig.server.call('DELETE', `/api/tasks/${id}`)
  assert.equal(status, 204, text)
  return String(error)
}

/** Of a task at a limit whose end nobody names: it goes on at the end that its agent assumes. */
export async function isAssumedToLast(rig: AgentRig, task: string, agent: string, hours: number): Promise<void> {
  const { error_category, resume_after, finished_at } = await rig.reaches(task, 'BUDGET_EXCEEDED')
  assert.equal(error_category, 'quota')
  // Its slot is held until its pod is gone.
  await until('the agent is limited', async () => (await rig.statusOf(agent)).record['state'] === 'rate_limited')
  const { record, events } = await rig.statusOf(agent)
  assert.deepEqual([record['rate_limited_until'], events], [resume_after, ['rate_limited']])
  const hoursAhead = (Date.parse(String(resume_after)) - Date.parse(String(finished_at))) / 3_600_000
  assert.ok(Math.abs(hoursAhead - hours) < 0.01, `${hoursAhead} h ahead`)
}

/**
 * What counts is the order of things, for on a slow machine five seconds pass before anybody looks: it waited, knew for
 * how long, and went on after that.
 */
export function itGoesOnAfterItsLimit(words: Words, rig: () => AgentRig, limit: KnownLimit): void {
  const { stepSeconds } = limit

  it('waits for a reset 5 s ahead, says until when, and then goes on in its session by itself', async () => {
    const { model, submit, executions, server, remote } = rig()
    let resetsAt = 0
    model.play([words.writes, () => limit.usedUp((resetsAt = secondsAhead(AHEAD_SECONDS)))])
    await submit('limited', { agent: { type: limit.agent } })
    const isReady = async () => (await server.task('limited'))['state'] === 'READY'
    await until('it has gone on by itself', isReady, DEADLINE_MS + stepSeconds * 1000)
    const [first, second, ...more] = await executions('limited')
    assert.deepEqual([first?.['error_category'], more.length], ['quota', 0])
    const message = String(first?.['error'])
    assert.match(message, /hit your .*limit.*: the limit ends at \d{4}-\d\d-\d\dT/)
    const told = Date.parse(/at (\d{4}-\S+Z)/.exec(message)?.[1] ?? '') / 1000
    assert.ok(told >= resetsAt && told <= resetsAt + stepSeconds, `told ${told}, the reset is at ${resetsAt}`)
    assert.ok(Date.parse(String(second?.['started_at'])) / 1000 >= told, `went on at ${String(second?.['started_at'])}`)
    assert.equal(second?.['session_id'], first?.['session_id'])
    assert.match(JSON.stringify(model.asked.at(-1)?.body), /A usage limit stopped you\. It is over/)
    assert.equal(remote.git('show', 'slipway/limited:hello.txt'), 'hello')
    const limits = rig()
      .conversation('limited-1')
      .filter(({ kind }) => kind === 'limit')
    assert.equal(limits.at(-1)?.['state'], 'reached')
  })
}
