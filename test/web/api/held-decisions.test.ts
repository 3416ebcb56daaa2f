import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type HeldDecisions, UnderWay, createHeldDecisions, takeBack } from '../../../web/api/held-decisions.ts'

const WAIT_MS = 5_000

/** Whatever is due in promises has been done by then. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A page with a clock that stands until it is moved. */
function makePage() {
  let nowMs = 1_000
  const timers = new Set<{ readonly atMs: number; readonly act: () => void }>()
  const held = createHeldDecisions({
    nowMs: () => nowMs,
    startTimer(act, inMs) {
      const timer = { atMs: nowMs + inMs, act }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  })
  const pass = async (ms: number): Promise<void> => {
    nowMs += ms
    for (const timer of [...timers].filter(({ atMs }) => atMs <= nowMs)) {
      timers.delete(timer)
      timer.act()
    }
    await settled()
  }
  return { held, pass, now: () => nowMs, timers }
}

/** A press, with what became of it. */
function press(page: ReturnType<typeof makePage>, keys: readonly string[], waitMs = WAIT_MS) {
  const seen = { pressedAt: page.now(), sent: [] as (readonly string[])[], sentAt: 0, isLeaving: false, outcome: '' }
  let answerCheck: (error?: Error) => void = () => undefined
  let answerSend: (error?: Error) => void = () => undefined
  const answer = page.held.take({
    keys,
    doing: 'Accepting',
    what: keys.join(', '),
    waitMs,
    check: () =>
      new Promise((resolve, reject) => {
        answerCheck = (error) => (error === undefined ? resolve(keys) : reject(error))
      }),
    send: (left, isLeaving) => {
      Object.assign(seen, { sentAt: page.now(), isLeaving })
      seen.sent.push(left)
      return new Promise<string>((resolve, reject) => {
        answerSend = (error) => (error === undefined ? resolve('task accepted') : reject(error))
      })
    },
  })
  answer.then(
    (message) => (seen.outcome = message ?? 'undone'),
    (error: Error) => (seen.outcome = error instanceof UnderWay ? 'under way' : `refused: ${error.message}`),
  )
  return {
    seen,
    answerCheck: async (error?: Error) => (answerCheck(error), await settled()),
    answerSend: async (error?: Error) => (answerSend(error), await settled()),
  }
}

describe('a decision that can be taken back', () => {
  it('is checked at the press, and sent five seconds after it', async () => {
    const page = makePage()
    const { seen, answerCheck, answerSend } = press(page, ['tasks/a'])
    await page.pass(1_000)
    await answerCheck()
    assert.equal(page.held.read()[0]?.phase, 'held')
    await page.pass(3_999)
    assert.deepEqual(seen.sent, [])
    await page.pass(1)
    assert.deepEqual(seen.sent, [['tasks/a']])
    await answerSend()
    assert.equal(seen.outcome, 'task accepted')
    assert.deepEqual([page.held.read(), page.timers.size], [[], 0])
  })

  it('is not sent once it is undone, while it is checked or held', async () => {
    for (const isChecked of [false, true]) {
      const page = makePage()
      const { seen, answerCheck } = press(page, ['tasks/a'])
      if (isChecked) await answerCheck()
      assert.equal(page.held.undo(), true)
      await answerCheck()
      await page.pass(WAIT_MS)
      assert.deepEqual([seen.sent, seen.outcome, page.held.undo()], [[], 'undone', false])
    }
  })

  it('is sent at once by a page that is left, before the event ends', async () => {
    const page = makePage()
    const { seen, answerCheck } = press(page, ['tasks/a'])
    await answerCheck()
    void page.held.leave()
    assert.deepEqual([seen.sent, seen.isLeaving], [[['tasks/a']], true])
    await page.pass(WAIT_MS)
    assert.equal(seen.sent.length, 1)
  })

  it('is refused with the words of its check, and is not sent', async () => {
    const page = makePage()
    const { seen, answerCheck } = press(page, ['tasks/a'])
    await answerCheck(new Error('it has changed'))
    await page.pass(WAIT_MS)
    assert.deepEqual([seen.sent, seen.outcome, page.held.read()], [[], 'refused: it has changed', []])
  })

  it('gives way to a later one about the same record, and lets no other one in once it is sent', async () => {
    const page = makePage()
    const [first, second] = [press(page, ['tasks/a']), press(page, ['tasks/a'], 0)]
    await first.answerCheck()
    await second.answerCheck()
    assert.deepEqual([first.seen.outcome, first.seen.sent, second.seen.sent], ['undone', [], [['tasks/a']]])
    const third = press(page, ['tasks/a'])
    await settled()
    assert.equal(third.seen.outcome, 'under way')
  })

  it('about many records loses only the one that was decided about otherwise', async () => {
    const page = makePage()
    const many = press(page, ['tasks/a', 'tasks/b'])
    await many.answerCheck()
    const one = press(page, ['tasks/b'], 0)
    await one.answerCheck()
    await page.pass(WAIT_MS)
    assert.deepEqual([many.seen.sent, one.seen.sent], [[['tasks/a']], [['tasks/b']]])
  })

  it('says at a sign-out whether all of it was taken', async () => {
    for (const error of [undefined, new Error('no')]) {
      const page = makePage()
      const { answerCheck, answerSend } = press(page, ['tasks/a'])
      const left = page.held.leave()
      await answerCheck()
      await answerSend(error)
      assert.equal(await left, error === undefined)
    }
  })

  it('is sent as soon as it is checked where the person would not wait for that', async () => {
    const page = makePage()
    const { seen, answerCheck } = press(page, ['tasks/a'])
    for (const deciding of page.held.read()) page.held.sendNow(deciding)
    assert.deepEqual(seen.sent, [])
    await answerCheck()
    assert.deepEqual([seen.sent, page.timers.size], [[['tasks/a']], 0])
  })

  it('is not sent long after its time, as when the computer slept', async () => {
    for (const [lateMs, sent] of [
      [30_000, [['tasks/a']]],
      [30_001, []],
    ] as const) {
      const page = makePage()
      const { seen, answerCheck } = press(page, ['tasks/a'])
      await answerCheck()
      await page.pass(WAIT_MS + lateMs)
      assert.deepEqual(seen.sent, sent)
      assert.equal(seen.outcome.startsWith('refused: Accepting tasks/a was not sent in time'), sent.length === 0)
    }
  })

  it('holds up a sign-out for no longer than that waits', async () => {
    const page = makePage()
    const { seen } = press(page, ['tasks/a'])
    const left = page.held.leave(10_000)
    await page.pass(9_999)
    assert.equal(await Promise.race([left, settled().then(() => 'waits')]), 'waits')
    await page.pass(1)
    assert.equal(await left, true)
    assert.equal(
      takeBack(page.held, 'Your session ended'),
      'Your session ended before this was sent: accepting tasks/a.',
    )
    await settled()
    assert.deepEqual([seen.sent, seen.outcome, page.timers.size], [[], 'undone', 0])
  })

  it('is taken back with words for what was not sent, and for nothing else', async () => {
    const page = makePage()
    const [sent, held, checked] = ['tasks/a', 'tasks/b', 'tasks/c'].map((key) => press(page, [key]))
    await sent?.answerCheck()
    await held?.answerCheck()
    for (const deciding of page.held.read().slice(0, 1)) page.held.sendNow(deciding)
    const isChecked = ({ phase }: { readonly phase: string }): boolean => phase === 'checking'
    assert.match(takeBack(page.held, 'You left the page', isChecked) ?? '', /: accepting tasks\/c\.$/)
    assert.match(takeBack(page.held, 'Your session ended') ?? '', /: accepting tasks\/b\.$/)
    assert.equal(takeBack(page.held, 'Your session ended'), undefined)
    await settled()
    assert.deepEqual(
      [sent, held, checked].map((one) => one?.seen.outcome),
      ['', 'undone', 'undone'],
    )
  })

  it('is sent exactly once or undone, whatever the order of presses, undo, leaving and answers', async () => {
    const record = fc.constantFrom('tasks/a', 'tasks/b')
    const move = fc.oneof(
      fc.record({ do: fc.constant('press' as const), record, waits: fc.boolean() }),
      fc.record({ do: fc.constant('answer' as const), of: fc.nat(9), fails: fc.boolean() }),
      fc.record({ do: fc.constantFrom('undo' as const, 'send now' as const, 'leave' as const) }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 6_000 }) }),
    )
    const act = async (
      page: ReturnType<typeof makePage>,
      presses: ReturnType<typeof press>[],
      held: HeldDecisions,
    ) => ({
      press: (key: string, waits: boolean) => presses.push(press(page, [key], waits ? WAIT_MS : 0)),
      answer: async (n: number, fails: boolean) => {
        const error = fails ? new Error('no') : undefined
        await presses[n]?.answerCheck(error)
        await presses[n]?.answerSend(error)
      },
      held,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 25 }), async (moves) => {
        const page = makePage()
        const presses: ReturnType<typeof press>[] = []
        const can = await act(page, presses, page.held)
        for (const step of moves) {
          if (step.do === 'press') can.press(step.record, step.waits)
          else if (step.do === 'answer') await can.answer(step.of, step.fails)
          else if (step.do === 'pass') await page.pass(step.ms)
          else if (step.do === 'undo') page.held.undo()
          else if (step.do === 'leave') void page.held.leave()
          else for (const deciding of page.held.read()) page.held.sendNow(deciding)
          await settled()
          for (const key of ['tasks/a', 'tasks/b'])
            assert.ok(page.held.read().filter(({ keys }) => keys.includes(key)).length <= 1)
        }
        for (const { answerCheck } of presses) await answerCheck()
        await page.pass(WAIT_MS)
        for (const { answerSend } of presses) await answerSend()
        assert.deepEqual([page.held.read(), page.timers.size], [[], 0])
        for (const { seen } of presses) {
          const isSent = seen.outcome === 'task accepted' || (seen.outcome === 'refused: no' && seen.sent.length > 0)
          assert.equal(seen.sent.length, isSent ? 1 : 0, seen.outcome)
          assert.notEqual(seen.outcome, '')
        }
      }),
    )
  })
})
