import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { CiRun, CiState, TaskStatus } from '../../../core/crd/types.ts'
import { CI_STATE_VALUES } from '../../../core/crd/enums.ts'
import { ciWords } from '../../../core/sentences/ci.ts'
import { toTaskRecord } from '../../../core/rest/map/task.ts'
import { findCiSubject, nextCiLookMs, toCiReport } from '../../../core/task/ci.ts'
import { aTask } from '../../helpers/build.ts'

const COMMIT = 'a'.repeat(40)
const AT = '2026-01-01T00:00:00Z'
const NOW = new Date('2026-01-01T00:10:00Z')
const HOUR_MS = 3_600_000

const NAMES = fc.oneof(fc.string({ maxLength: 300 }), fc.constantFrom('\ud800', 'a\udc00b'))
const run = fc.record({ name: NAMES, state: fc.constantFrom<CiState>(...CI_STATE_VALUES) })

describe('the CI of a commit', () => {
  it('is asked about less and less often, at most a hundred times in all, and in the end no more', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.constantFrom<CiState>(...CI_STATE_VALUES), { nil: undefined })), (states) => {
        let [ageMs, looks] = [0, 0]
        for (; ; looks++) {
          const waitMs = nextCiLookMs(ageMs, states.length === 0 ? 'Pending' : states[looks % states.length])
          if (waitMs === undefined) break
          assert.ok(waitMs >= 30_000 && waitMs <= 1_200_000)
          ageMs += waitMs
        }
        assert.ok(looks <= 100 && ageMs <= 25 * HOUR_MS, `${looks} looks within ${ageMs} ms`)
      }),
    )
  })

  it('is no longer asked about after an hour where there is none, and after four where it has ended', () => {
    assert.deepEqual(
      [undefined, 'Passed', 'Failed', 'Pending'].map((state) =>
        [0.9, 1.1, 3.9, 4.1, 23, 25].map((hours) => nextCiLookMs(hours * HOUR_MS, state as CiState) !== undefined),
      ),
      [
        [true, false, false, false, false, false],
        [true, true, true, false, false, false],
        [true, true, true, false, false, false],
        [true, true, true, true, true, false],
      ],
    )
  })

  it('fails with one run that failed, and goes on with one that goes on; the worst stand first, and all are counted', () => {
    fc.assert(
      fc.property(fc.array(run, { maxLength: 40 }), (runs) => {
        const report = toCiReport(COMMIT, runs, undefined, NOW)
        const states = runs.map(({ state }) => state)
        const worst = (['Failed', 'Pending', 'Passed'] as const).find((state) => states.includes(state))
        assert.deepEqual([report?.state, report?.total ?? 0], [worst, runs.length])
        const order = report?.runs?.map(({ state }) => ['Failed', 'Pending', 'Passed'].indexOf(state)) ?? []
        assert.deepEqual(
          order,
          order.toSorted((a, b) => a - b),
        )
        assert.ok(
          (report?.runs ?? []).every(({ name }) => name !== '' && !/[\p{Cs}\p{Cc}]/u.test(name) && name.length <= 400),
        )
        assert.ok((report?.runs ?? []).length <= 20)
      }),
    )
  })

  it('is the same report, with its time, as long as the host says the same in any order', () => {
    const runs: CiRun[] = [
      { name: 'lint', state: 'Passed' },
      { name: 'build', state: 'Failed', url: 'https://ci.example/1' },
      { name: 'build', state: 'Failed', url: 'https://ci.example/2' },
    ]
    const first = toCiReport(COMMIT, runs, undefined, NOW)
    assert.equal(toCiReport(COMMIT, runs.toReversed(), first, new Date()), first)
    const mended = toCiReport(COMMIT, [{ name: 'build', state: 'Passed' }], first, new Date(AT))
    assert.deepEqual([mended?.state, mended?.at], ['Passed', AT])
  })

  it('is shown for the commit that is reviewed, and for that of an opened pull request, never for an earlier one', () => {
    const ci = { commit: COMMIT, state: 'Passed', total: 1, runs: [{ name: 'ci', state: 'Passed' }], at: AT } as const
    const head = { commit: COMMIT, at: AT }
    const delivery = { kind: 'PullRequest', state: 'Delivered', url: 'https://git.example/1', commit: COMMIT, at: AT }
    const shown: readonly (readonly [object, boolean])[] = [
      [{ state: 'READY', head }, true],
      [{ state: 'READY', head: { commit: 'b'.repeat(40), at: AT } }, false],
      [{ state: 'RUNNING', head }, false],
      [{ state: 'COMPLETED', head }, false],
      [{ state: 'COMPLETED', head, delivery }, true],
      [{ state: 'COMPLETED', head, delivery: { ...delivery, commit: 'b'.repeat(40) } }, false],
      [{ state: 'COMPLETED', head, delivery: { ...delivery, kind: 'Merge' } }, false],
    ]
    for (const [status, isShown] of shown) {
      const task = aTask({ status: { ...(status as TaskStatus), ci } })
      assert.equal(toTaskRecord(task).ci !== undefined, isShown, JSON.stringify(status))
      assert.equal(findCiSubject(task)?.commit === COMMIT, isShown)
    }
    assert.deepEqual(toTaskRecord(aTask({ status: { state: 'READY', head, ci } })).ci, {
      ...ci,
      state: 'passed',
      runs: [{ name: 'ci', state: 'passed' }],
    })
  })

  it('is told in a few words', () => {
    const runs = ['a', 'b', 'c', 'd'].map((name) => ({ name, state: 'failed' as const }))
    assert.equal(ciWords({ state: 'passed', total: 4, runs }), 'CI passed')
    assert.equal(ciWords({ state: 'failed', total: 4, runs }), 'CI failed: a, b, c and 1 more')
    assert.equal(ciWords({ state: 'pending', total: 1, runs: [{ name: 'e', state: 'pending' }] }), 'CI goes on: e')
  })
})
