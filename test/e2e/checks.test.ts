import assert from 'node:assert/strict'
import type { Container } from '../../kube/builtin.ts'
import {
  api,
  dig,
  gitOnServer,
  GIT_SERVER,
  labelled,
  makeProject,
  MINUTE,
  records,
  submit,
  task,
  untilState,
} from './cluster.ts'
import { makeRepository } from './holds.ts'

/** Fails where it finds anything that is none of its business. */
const LOOKS_AROUND = `set -e
test ! -e /var/run/secrets/kubernetes.io
test ! -e /slipway/sandboxes
test -z "$(ls -d /slipway/executions/*/agent /slipway/executions/*/staged.git 2>/dev/null)"
! env | grep -iE 'token|secret|password|SLIPWAY_RUN'
test "$(git rev-parse HEAD)" != "" && test -z "$(git status --porcelain)"
test ! -e ignored.txt
grep -q good work.txt`

describe('a project with checks, in pods', () => {
  before(async () => {
    const remote_url = await makeRepository('checked')
    await makeProject('checked', {
      remote_url,
      on_accept: 'merge',
      max_check_rounds: 0,
      checks: [
        { name: 'test', run: LOOKS_AROUND, timeout_seconds: 60 },
        { name: 'style', run: 'exit 3', required: false },
      ],
    })
  })

  it('has work ready for review once it is green at exactly the commit that is pushed', async () => {
    const work = 'echo ignored.txt > .gitignore; echo x > ignored.txt; echo good > work.txt'
    await submit('passes', 'checked', work)
    const record = await untilState('passes', 'READY', 3 * MINUTE)
    const head = (await gitOnServer('checked', 'rev-parse', 'slipway/passes')).trim()
    const checks = records(record['checks']).map(({ name, state, commit, exit_code }) => [
      name,
      state,
      commit,
      exit_code,
    ])
    assert.deepEqual(checks, [
      ['test', 'passed', head, 0],
      ['style', 'failed', head, 3],
    ])
  })

  it('gives a check nothing but its checkout and its log', async () => {
    const [job] = await labelled('jobs', 'slipway.dev/execution=passes-1')
    const steps = records(dig(job, 'spec', 'template', 'spec', 'initContainers')) as unknown as Container[]
    assert.deepEqual(
      steps.map(({ name }) => name).filter((name) => name !== 'copy-runner'),
      ['prepare', 'agent', 'stage', 'check-test', 'check-style'],
    )
    const check = steps.find(({ name }) => name === 'check-test')
    const paths = check?.volumeMounts
      ?.map(({ subPath = '' }) => subPath)
      .filter((path) => path.startsWith('executions/'))
    assert.deepEqual(paths?.toSorted(), ['executions/passes-1/checkouts/test', 'executions/passes-1/rounds/1/test'])
    assert.doesNotMatch(JSON.stringify(check), new RegExp(`secretKeyRef|${GIT_SERVER}`))
  })

  it('holds red work back, until a person who is named overrules it', async () => {
    await submit('fails', 'checked', 'echo bad > work.txt')
    const record = await untilState('fails', 'FAILED', 3 * MINUTE)
    assert.equal(record['error_category'], 'checks')
    assert.doesNotMatch(await gitOnServer('checked', 'branch', '--list', 'slipway/fails'), /fails/)
    await api.waiveTask({ params: { id: 'fails' }, body: { reason: 'known to be red' } })
    await untilState('fails', 'READY', 3 * MINUTE)
    assert.equal(dig(await task('fails'), 'checks_waived', 'reason'), 'known to be red')
    assert.match(await gitOnServer('checked', 'branch', '--list', 'slipway/fails'), /fails/)
  })
})
