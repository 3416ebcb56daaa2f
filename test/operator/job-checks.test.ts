import assert from 'node:assert/strict'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import type { Container } from '../../kube/builtin.ts'
import { text } from '../helpers/build.ts'
import { build, mounts, podOf, run, step } from './build-job.ts'

const DIGEST = 'd'.repeat(64)

describe('the Job of an execution whose project has checks', () => {
  const withChecks: RunSpec = {
    ...run,
    repositoryUrl: 'https://me:secret@git.example/repo.git',
    timeoutSeconds: 60,
    gitCredentialsDir: '/var/run/slipway/task-a-1/git',
    pushes: [{ head: 'a'.repeat(40) }],
    protectedPaths: ['ci/'],
    environment: { image: 'slipway:1', mounted: { folder: 'environments/u/prepare-a', digest: DIGEST } },
    checks: {
      round: 2,
      list: [
        { name: 'unit', run: 'npm test $HOME', timeoutSeconds: 90, required: true },
        { name: 'lint', run: 'npm run lint', timeoutSeconds: 30, required: false },
      ],
    },
  }
  const checks = [
    { name: 'unit', run: 'npm test $HOME', env: [{ name: 'COST', value: '$5' }] },
    { name: 'lint', run: 'npm run lint', image: 'lint:3' },
  ]
  const caches = [
    { path: text('node_modules'), mode: 'ReadOnly' },
    { path: text('target'), mode: 'Copy' },
  ] as const
  const runOf = (container: Container): RunSpec => {
    const value = container.env?.find(({ name }) => name === 'SLIPWAY_RUN')?.value ?? ''
    assert.ok(!value.includes('$'))
    return JSON.parse(value) as RunSpec
  }

  it('stages and checks the work behind the agent, in the order of the project', () => {
    const job = build({ run: withChecks, checks, gitSecret: 'git' })
    const pod = job.spec.template.spec
    assert.deepEqual(
      pod.initContainers?.map(({ name }) => name),
      ['copy-runner', 'prepare', 'agent', 'stage', 'check-unit', 'check-lint'],
    )
    assert.equal(job.spec.activeDeadlineSeconds, 60 + 120 + 40 * 60)
    assert.deepEqual(
      ['check-unit', 'check-lint'].map((name) => [step(name, pod).image, step(name, pod).command]),
      [
        ['slipway:1', ['slipway-runner', 'check', 'unit']],
        ['lint:3', ['/opt/slipway/node', '/opt/slipway/runner.js', 'check', 'lint']],
      ],
    )
  })

  it('lets all its containers together tell no more of their ends than Kubernetes keeps', () => {
    const many = Array.from({ length: 20 }, (_, n) => ({
      name: `check-${n}`,
      run: 'true',
      timeoutSeconds: 9,
      required: true,
    }))
    const pod = podOf({ run: { ...withChecks, checks: { round: 1, list: many } }, checks: many })
    const ours = [...(pod.initContainers ?? []), ...pod.containers].filter(({ name }) => name !== 'copy-runner')
    const told = ours.map((container) => runOf(container).messageBytes ?? 0)
    assert.ok(
      told.every((bytes) => bytes > 300 && bytes * (ours.length + 1) <= 12 * 1024),
      String(told),
    )
  })

  it('is the same Job without checks, but for their containers', () => {
    const { checks: _, protectedPaths: __, ...plain } = withChecks
    const [job, bare] = [build({ run: withChecks, checks: checks.slice(0, 1), caches }), build({ run: plain, caches })]
    const names = bare.spec.template.spec.initContainers?.map(({ name }) => name)
    assert.deepEqual(names, ['prepare', 'agent'])
    for (const name of ['prepare', 'agent'])
      assert.deepEqual(step(name, job.spec.template.spec), step(name, bare.spec.template.spec))
    assert.deepEqual(job.spec.template.spec.volumes, bare.spec.template.spec.volumes)
    assert.equal(JSON.stringify(bare), JSON.stringify(build({ run: plain, caches, checks: [] })))
  })

  it('gives a check its checkout, its result and the caches of all, and no more', () => {
    const pod = podOf({ run: withChecks, checks, caches, gitSecret: 'git' })
    assert.deepEqual(mounts('check-unit', pod), [
      '/slipway/executions/task-a-1/checkouts/unit',
      '/slipway/executions/task-a-1/checkouts/unit/repo/node_modules ro',
      '/slipway/executions/task-a-1/rounds/2/unit',
    ])
    const container = step('check-unit', pod)
    assert.deepEqual(
      container.env?.filter(({ name }) => name !== 'SLIPWAY_RUN'),
      [{ name: 'COST', value: '$$5' }],
    )
    const told = runOf(container)
    assert.deepEqual(told.checks?.list, [{ name: 'unit', run: 'npm test $HOME', timeoutSeconds: 90, required: true }])
    assert.deepEqual(told.passEnv, ['COST'])
    assert.doesNotMatch(JSON.stringify(container), /secret|git\.example|lint|credentials/)
    assert.deepEqual(
      ['prepare', 'agent', 'stage', 'deliver'].map((name) => runOf(step(name, pod)).checks?.list.map((one) => one.run)),
      [undefined, undefined, [undefined, undefined], [undefined, undefined]],
    )
  })

  it('lets stage read the clone and the environment, and push as deliver does', () => {
    const pod = podOf({ run: withChecks, checks, caches, gitSecret: 'git' })
    assert.deepEqual(mounts('stage', pod), [
      '/slipway/sandboxes/task-a ro',
      '/slipway/environments/u/prepare-a ro',
      '/slipway/executions/task-a-1',
      '/var/run/slipway/task-a-1/git ro',
    ])
  })

  it('gives the environment of a Job that only delivers to its checks alone', () => {
    const pod = podOf({ run: { ...withChecks, deliverOnly: true, keepClone: true }, checks, caches })
    const told = ['prepare', 'agent', 'stage', 'deliver'].map(
      (name) => runOf(step(name, pod)).environment !== undefined,
    )
    assert.deepEqual(told, [false, false, true, false])
    assert.deepEqual(
      ['prepare', 'agent', 'deliver'].map((name) => mounts(name, pod).filter((path) => path.includes('environments'))),
      [[], [], []],
    )
    assert.ok(mounts('check-lint', pod).includes('/slipway/executions/task-a-1/checkouts/lint/repo/node_modules ro'))
  })
})
