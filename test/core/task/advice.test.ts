import assert from 'node:assert/strict'
import { type AdviceFacts, adviseOn } from '../../../core/task/advice.ts'
import { anAgent, aProject, aTask, text } from '../../helpers/build.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const description = 'Replace the deprecated call in every handler; npm test shows that it is done.'
const claude = anAgent({ name: 'claude', spec: { adapter: 'claude', models: ['large'], defaultModel: 'large' } })

/** A task for claude with nothing to complain about, and what differs from it. */
function facts(spec: object = {}, more: Partial<AdviceFacts> = {}): AdviceFacts {
  const task = aTask({ spec: { agent: { type: 'claude' }, description, project: 'site', ...spec } })
  const project = aProject({ name: 'site', spec: { testCommand: 'npm test' } })
  return { now: NOW, task, agent: claude, project, dependencies: [], usesLegacyKey: false, ...more }
}

describe('advice about a task', () => {
  it('has nothing to say about a task that says it all', () => {
    assert.deepEqual(adviseOn(facts()), { warnings: [], questions: [], suggestions: [] })
  })

  const script = anAgent()
  const drained = { ...claude, status: { drained: { since: '2026-01-01T00:00:00Z', reason: text('three failures') } } }
  const unready = {
    ...claude,
    status: {
      conditions: [
        {
          type: 'Ready',
          status: 'False',
          reason: 'CredentialsMissing',
          message: text('no login'),
          lastTransitionTime: '',
        },
      ],
    },
  } as const
  const cases: readonly [string, AdviceFacts, 'warnings' | 'questions' | 'suggestions', RegExp][] = [
    ['a missing description', facts({ description: ' ' }), 'warnings', /no description/],
    ['a missing description', facts({ description: '' }), 'questions', /^What is to be changed/],
    ['a short description', facts({ description: 'fix it' }), 'suggestions', /^say more/],
    ['a script without instructions', facts({ agent: { type: 'script' } }, { agent: script }), 'warnings', /are none/],
    ['a short time-out', facts({ timeout: '30s' }), 'warnings', /^timeout_seconds is 30/],
    ['a budget of nothing', facts({ budgetUSD: 0 }), 'warnings', /budget_usd/],
    [
      'a budget that nobody can keep',
      facts({ budgetUSD: 1 }, { agent: anAgent({ name: 'team', spec: { adapter: 'gemini' } }) }),
      'warnings',
      /^budget_usd cannot be kept: agent team/,
    ],
    ['a drained agent', facts({}, { agent: drained }), 'warnings', /claude is drained: three failures/],
    ['an agent that cannot work', facts({}, { agent: unready }), 'warnings', /^no login$/],
    [
      'an unknown model',
      facts({ agent: { type: 'claude', model: 'huge' } }),
      'warnings',
      /no model huge: large is used/,
    ],
    ['an unknown project', facts({ project: undefined, repositoryUrl: undefined }), 'questions', /^Which repository/],
    [
      'no test command',
      facts({}, { project: aProject({ name: 'site' }) }),
      'suggestions',
      /project site a test_command/,
    ],
    [
      'a known repository',
      facts({ project: undefined }, { project: undefined, projectOfUrl: aProject({ name: 'shop' }) }),
      'suggestions',
      /^name project shop/,
    ],
    ['the legacy key', facts({}, { usesLegacyKey: true }), 'suggestions', /agent in place of claude/],
  ]
  for (const [what, seen, list, expected] of cases) {
    it(`puts ${what} among the ${list}`, () => {
      const advice = adviseOn(seen)[list]
      assert.equal(advice.length, 1, JSON.stringify(advice))
      assert.match(advice[0] ?? '', expected)
    })
  }

  it('warns of a failed dependency, and of one that nobody runs', () => {
    const failed = aTask({ name: 'failed', status: { state: 'FAILED' } })
    const pending = aTask({ name: 'pending' })
    const done = aTask({ name: 'done', status: { state: 'READY' } })
    const dependencies = [failed, pending, done]
    const warningsOf = (runPolicy: string) => adviseOn(facts({ runPolicy }, { dependencies })).warnings
    assert.deepEqual(warningsOf('Manual'), ['depends_on: task failed is FAILED: running this task runs it again first'])
    assert.deepEqual(warningsOf('Auto').slice(1), [
      'depends_on: task pending is PENDING, and waits until somebody runs it',
    ])
  })
})
