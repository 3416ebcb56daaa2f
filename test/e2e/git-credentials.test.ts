import assert from 'node:assert/strict'
import {
  api,
  dig,
  GIT_SERVER,
  gitOnServer,
  kubectl,
  makeProject,
  MINUTE,
  readSecret,
  submit,
  task,
  untilState,
} from './cluster.ts'

describe('a repository that needs a password', () => {
  it('fails a task without credentials with what git says, and never asks', async () => {
    await makeProject('nobody', { remote_url: `http://${GIT_SERVER}/private.git` })
    await submit('refused', 'nobody', 'echo never')
    const { error, error_category: category } = await untilState('refused', 'FAILED', MINUTE)
    assert.equal(category, 'git')
    assert.match(String(error), /private\.git needs a password/)
    assert.match(await kubectl('logs', 'job/refused-1-run', '-c', 'prepare'), /terminal prompts disabled/)
  })

  it('fails a task whose Secret is not for git, before any pod is made', async () => {
    await makeProject('wrong', {
      remote_url: `http://${GIT_SERVER}/private.git`,
      git: { secret_name: 'slipway-api-token' },
    })
    await submit('unusable', 'wrong', 'echo never')
    const { error, error_category: category } = await untilState('unusable', 'FAILED')
    assert.equal(category, 'credentials')
    assert.match(String(error), /slipway\.dev\/usable-by=git/)
    assert.equal(await kubectl('get', 'jobs', '-l', 'slipway.dev/task=unusable', '-o', 'name'), '')
  })

  it('is cloned and pushed to with the Secret of its project, which the script never sees', async () => {
    const password = await readSecret('git-credentials', 'password')
    await makeProject('private', { git: { secret_name: 'git-credentials' } })
    await submit('inside', 'private', 'ls -A /var/run/slipway; cat .git/config; env; echo in > in.txt')
    await untilState('inside', 'READY', 2 * MINUTE)
    assert.match(await gitOnServer('private', 'show', '--stat', 'slipway/inside'), /in\.txt/)
    for (const step of ['prepare', 'agent', 'deliver']) {
      assert.ok(!(await kubectl('logs', 'job/inside-1-run', '-c', step)).includes(password), `${step} printed it`)
    }
    assert.equal(dig(await task('inside'), 'branch'), 'slipway/inside')
    assert.ok(!JSON.stringify(await api.listTaskExecutions({ params: { id: 'inside' } })).includes(password))
  })
})
