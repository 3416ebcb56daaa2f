import assert from 'node:assert/strict'
import { createHeldDecisions } from '../../../web/api/held-decisions.ts'
import { createBulkStore, runBulk } from '../../../web/api/run-bulk.ts'

/** Whatever is due in promises has been done by then. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Answered {
  readonly check?: Promise<void>
  readonly refusal?: string
}

/** A page on which many are accepted; each record with what becomes of its check and of its request. */
function accept(records: Readonly<Record<string, Answered>>) {
  let end: () => void = () => undefined
  const decisions = createHeldDecisions({
    nowMs: () => 0,
    startTimer(act) {
      end = act
      return () => undefined
    },
  })
  const bulk = createBulkStore()
  const done = runBulk(bulk, decisions, {
    label: 'Accept',
    records: Object.keys(records).map((id) => ({ id, name: id })),
    wait: { doing: 'Accepting', waitMs: 5_000 },
    stepOf: ({ id }) => ({
      key: `tasks/${id}`,
      check: () => records[id]?.check ?? Promise.resolve(),
      send: () => {
        const { refusal } = records[id] ?? {}
        return refusal === undefined ? Promise.resolve('task accepted') : Promise.reject(new Error(refusal))
      },
    }),
  })
  return { decisions, bulk, done, pass: () => end() }
}

describe('one decision about many records', () => {
  it('ends with an outcome for each of them, in the words of what refused it', async () => {
    const page = accept({
      a: {},
      b: { check: Promise.reject(new Error('b has changed')) },
      c: { refusal: 'task cannot be accepted' },
    })
    await settled()
    page.pass()
    assert.deepEqual([...(await page.done)], ['a'])
    assert.deepEqual(page.bulk.read(), {
      label: 'Accept',
      total: 3,
      outcomes: [
        { id: 'b', name: 'b', isDone: false, message: 'b has changed' },
        { id: 'a', name: 'a', isDone: true, message: 'task accepted' },
        { id: 'c', name: 'c', isDone: false, message: 'task cannot be accepted' },
      ],
    })
  })

  it('says nothing more once it was undone, though a check of it is refused after that', async () => {
    let refuse: (error: Error) => void = () => undefined
    const page = accept({
      a: {},
      b: {
        check: new Promise((_, reject) => {
          refuse = reject
        }),
      },
    })
    await settled()
    assert.equal(page.bulk.read()?.total, 2)
    page.decisions.undo()
    assert.equal((await page.done).size, 0)
    refuse(new Error('b has changed'))
    await settled()
    assert.equal(page.bulk.read(), undefined)
  })

  it('is over, though a later decision took one of its records', async () => {
    const page = accept({ a: {}, b: {} })
    await settled()
    const later = page.decisions.take({
      keys: ['tasks/b'],
      doing: 'Rejecting',
      what: 'b',
      waitMs: 0,
      check: () => Promise.resolve(['tasks/b']),
      send: () => Promise.resolve('task rejected'),
    })
    page.pass()
    await later
    assert.deepEqual([...(await page.done)], ['a'])
    const { total, outcomes } = page.bulk.read() ?? {}
    assert.deepEqual([total, outcomes?.length], [1, 1])
  })

  it('refuses every record where one of them is being decided about', async () => {
    const page = accept({ a: {} })
    await settled()
    page.decisions.read().forEach(page.decisions.sendNow)
    const bulk = createBulkStore()
    const done = await runBulk(bulk, page.decisions, {
      label: 'Accept',
      records: ['a', 'b'].map((id) => ({ id, name: id })),
      wait: { doing: 'Accepting', waitMs: 5_000 },
      stepOf: ({ id }) => ({ key: `tasks/${id}`, check: () => Promise.resolve(), send: () => Promise.resolve('done') }),
    })
    assert.equal(done.size, 0)
    assert.deepEqual(
      bulk.read()?.outcomes.map(({ id, isDone, message }) => [id, isDone, /under way/.test(message)]),
      [
        ['a', false, true],
        ['b', false, true],
      ],
    )
  })
})
