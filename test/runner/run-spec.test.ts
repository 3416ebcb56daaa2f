import assert from 'node:assert/strict'
import { Value } from 'typebox/value'
import { RunSpec } from '../../core/execution/run-spec.ts'
import { readRunSpec } from '../../runner/run-spec.ts'
import { BadRunSpec } from '../../runner/validate.ts'

const complete = {
  schemaVersion: 1,
  task: 'demo',
  sandbox: 'aside.0f8fad5b-d9cb-469f-a165-70867728950e',
  execution: 'demo-1',
  jobNumber: 1,
  volumeRoot: '/slipway',
  title: 'Do it',
  repositoryUrl: 'https://host/x',
  baseBranch: 'main',
  branch: 'slipway/demo',
  baseCommit: 'a'.repeat(40),
  keepClone: false,
  deliverOnly: true,
  agent: {
    name: 'claude',
    adapter: 'claude',
    model: 'm',
    command: ['c'],
    allowedTools: ['Read'],
    sessionId: 's',
    sessionCostUSD: 0.1,
    acp: {
      permissions: 'Refuse',
      mode: 'm',
      secondPrompt: 'Joins',
      auth: ['a'],
      limit: ['l'],
      busy: ['b'],
      lostSession: ['s'],
      failure: ['f'],
    },
    prices: { inputPerMillion: 1, outputPerMillion: 0, cachedInputPerMillion: 0.1 },
  },
  timeoutSeconds: 0.5,
  answer: '',
  maxLogBytes: 1,
  maxPushBytes: 1,
  messageBytes: 1,
  defaultBranch: 'develop',
  pushes: [{ head: 'a'.repeat(40), isOwn: false }],
  checkout: { depth: 1, filter: 'tree:0', sparse: ['a'], submodules: 'Full', lfs: 'Fetch', borrow: false },
  mirror: '0'.repeat(32),
  environment: {
    image: '',
    recipe: {
      setup: 'npm ci',
      env: [{ name: 'A', value: 'b' }],
      cache: [{ path: 'node_modules', mode: 'Copy' }],
      keys: ['package-lock.json'],
      timeoutSeconds: 60,
      required: false,
    },
    defaultBranch: 'main',
    mounted: { folder: 'environments/0f3c/demo-e1', digest: '0'.repeat(64) },
    failed: ['1'.repeat(64)],
    failure: 'no such package',
    project: 'shop',
    isOptional: true,
  },
  seal: { folder: 'environments/0f3c/demo-e2', secrets: ['NPM_TOKEN'] },
  gitCredentialsDir: '/git',
  gitHost: 'host',
  gitHome: '/home/me',
  gitIdentity: { name: 'Me', email: 'me@example.com' },
  isShared: true,
  hasAnswerFile: true,
  hasInbox: true,
  given: '0'.repeat(64),
  handedBack: { head: 'a'.repeat(40), withoutAgent: true },
  passEnv: ['TOKEN'],
  budgetUSD: 0.5,
  gitCaBundle: '-----BEGIN CERTIFICATE-----',
  checks: { round: 1, list: [{ name: 'test', run: 'npm test', timeoutSeconds: 600, required: true }] },
  protectedPaths: ['test/'],
  continues: { task: 'done', told: 'gone' },
  credentialFiles: [{ from: '/credentials/agent/key', path: '.agent/key' }],
  answerSchema: 'StoryPlan',
  delivery: {
    kind: 'PullRequest',
    branch: 'slipway/demo',
    base: 'main',
    title: 'Do it',
    text: 'All of it',
    host: { type: 'GitLab', apiUrl: 'https://host/api/v4' },
  },
} as const

describe('the instructions of a step', () => {
  it('are read whole: no field of the schema is forgotten', () => {
    assert.deepEqual(Object.keys(complete).sort(), Object.keys(RunSpec.properties).sort())
    assert.deepEqual(Object.keys(complete.agent).sort(), Object.keys(RunSpec.properties.agent.properties).sort())
    assert.ok(Value.Check(RunSpec, complete))
    assert.deepEqual(readRunSpec(JSON.stringify(complete)), complete)
  })

  it('may hold fields of a newer operator', () =>
    assert.deepEqual(readRunSpec(JSON.stringify({ ...complete, later: 1 })), complete))

  for (const field of ['task', 'execution', 'volumeRoot', 'branch', 'keepClone', 'jobNumber', 'agent'] as const) {
    it(`are refused without ${field}, naming it`, () => {
      const { [field]: _, ...rest } = complete
      assert.throws(() => readRunSpec(JSON.stringify(rest)), new RegExp(`SLIPWAY_RUN\\.${field} must be`))
    })
  }

  for (const text of [undefined, '', '{', 'null', '[]', '1']) {
    it(`are refused when they are ${text}`, () => assert.throws(() => readRunSpec(text), BadRunSpec))
  }

  for (const [change, message] of [
    [{ schemaVersion: 3 }, 'schemaVersion must be one of 1, 2'],
    [{ jobNumber: 0 }, 'jobNumber must be >= 1'],
    [{ keepClone: 'no' }, 'keepClone must be true or false'],
    [{ passEnv: ['A', 1] }, 'passEnv[1] must be a string'],
    [{ credentialFiles: [{ from: '/x' }] }, 'credentialFiles[0].path must be set'],
    [{ agent: { ...complete.agent, prices: { inputPerMillion: -1 } } }, 'agent.prices.outputPerMillion must be set'],
    [
      { delivery: { ...complete.delivery, kind: 'Push' } },
      'delivery.kind must be one of CreateBranch, Merge, PullRequest',
    ],
    [{ delivery: { ...complete.delivery, commit: '--force' } }, 'delivery.commit must be the full hash of a commit'],
  ] as const)
    it(`are refused where ${message}`, () =>
      assert.throws(() => readRunSpec(JSON.stringify({ ...complete, ...change })), {
        message: `SLIPWAY_RUN.${message}`,
      }))

  it('never name a folder outside the volume', () => {
    for (const task of ['..', '../x', 'a/b', '', '.'])
      assert.throws(
        () => readRunSpec(JSON.stringify({ ...complete, task })),
        /SLIPWAY_RUN\.task must be a resource name/,
      )
  })
})
