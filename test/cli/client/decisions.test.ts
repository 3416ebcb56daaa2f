import assert from 'node:assert/strict'
import type { ClientCommand } from '../../../cli/client-command.ts'
import { formatAccept } from '../../../cli/commands/accept.ts'
import type { OutputForm } from '../../../cli/client/output.ts'
import type { Terminal } from '../../../cli/command.ts'
import { DECISION_COMMANDS } from '../../../cli/commands/decisions.ts'
import type { Project, Task } from '../../../core/rest/client/client.ts'
import { TASKS } from '../../../kube/resources.ts'
import { at } from '../../helpers/kube-http.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { aProject, aTask } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'
import { type Result, runCommand } from './run-command.ts'

describe('deciding on the command line', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    for (const name of ['shop', 'other'])
      await api.givenProject(aProject({ name, spec: { remoteUrl: `/srv/my ${name}` } }))
    await until('the projects are known', async () => (await api.get('/api/projects/other')).status === 200)
  })
  after(() => api.stop())

  const ready = async (name: string, project?: string): Promise<void> => {
    const changes = { files: 1, insertions: 1, deletions: 0 }
    const status = { state: 'READY', branch: `slipway/${name}`, changes } as const
    await api.given(aTask({ name, spec: project === undefined ? {} : { project }, status }))
  }
  const stateOf = async (name: string) => at((await api.get(`/api/tasks/${name}`)).body, 'state')
  const run = async (words: string[], ask?: Terminal['ask'], form: OutputForm = 'table'): Promise<Result> => {
    const [name, ...args] = words
    const command: ClientCommand | undefined = DECISION_COMMANDS.find((one) => one.name === name)
    assert.ok(command !== undefined)
    return runCommand(command, args, api.url, { ...(ask && { ask }), form })
  }

  it('accepts one task, and says how its branch is merged', async () => {
    await ready('one', 'shop')
    assert.deepEqual(await run(['accept', 'one']), {
      code: 0,
      out: "one: task accepted\n\none: Slipway leaves the work on slipway/one; nothing is merged; merge it with: git -C '/srv/my shop' merge slipway/one\n",
      err: '',
    })
  })

  it('accepts the others when one cannot be accepted, and ends with 1', async () => {
    await ready('two')
    await api.given(aTask({ name: 'busy', status: { state: 'RUNNING' } }))
    const { code, out, err } = await run(['accept', 'busy', 'two'], undefined, 'json')
    assert.deepEqual(JSON.parse(out), [{ message: 'task accepted', task_id: 'two' }])
    assert.deepEqual([code, err], [1, 'busy: task cannot be accepted from state RUNNING\n'])
    assert.equal(await stateOf('two'), 'COMPLETED')
  })

  it('accepts all tasks of a project after a question, and none without a yes', async () => {
    for (const name of ['a', 'b']) await ready(name, 'shop')
    await ready('c', 'other')
    await assert.rejects(run(['accept', '--all', '-p', 'shop']), { name: 'UsageError', message: /--yes/ })
    const no = await run(['accept', '--all', '-p', 'shop'], async () => undefined)
    assert.deepEqual([no.code, await stateOf('a')], [1, 'READY'])
    let asked = ''
    const yes = await run(['accept', '--all', '-p', 'shop'], async (question) => {
      asked = question
      return 'y'
    })
    assert.equal(asked, 'Accept 2 without a look at each? It leaves the work of 2 unmerged. [y/N] ')
    assert.deepEqual([yes.code, await stateOf('a'), await stateOf('b')], [0, 'COMPLETED', 'COMPLETED'])
    assert.equal(await stateOf('c'), 'READY')
    assert.equal((await run(['accept', '--all', '--yes'])).code, 0)
    assert.equal(await stateOf('c'), 'COMPLETED')
  })

  it('does not take a project that does not exist for one without READY work', async () => {
    await assert.rejects(run(['accept', '--all', '--yes', '-p', 'shpo']), /project not found/)
  })

  it('does not accept with --all what has run again while the person was asked', async () => {
    const shown = aTask({ name: 'moved', status: { state: 'READY', execution: 'moved-1' } })
    await api.given(shown)
    const { code, err } = await run(['accept', '--all'], async () => {
      await api.setStatus(TASKS, 'moved', { state: 'READY', execution: 'moved-2' })
      return 'y'
    })
    assert.equal(code, 1)
    assert.match(err, /moved: has run again since it was shown, and is not accepted\. See: slipway diff moved/)
    assert.equal(await stateOf('moved'), 'READY')
  })

  it('refuses to accept without saying what, or to say it twice', async () => {
    for (const words of [[], ['x', '--all'], ['x', '--project', 'shop']])
      await assert.rejects(run(['accept', ...words]), { name: 'UsageError' })
  })

  it('rejects with a comment only, unless told that there is none', async () => {
    await ready('poor')
    await assert.rejects(run(['reject', 'poor']), { name: 'UsageError', message: /-m "<text>", or give --no-comment/ })
    assert.equal(await stateOf('poor'), 'READY')
    await run(['reject', 'poor'], async () => 'more tests')
    assert.equal(at((await api.get('/api/tasks/poor')).body, 'rejection_comment'), 'more tests')
    await ready('silent')
    assert.equal((await run(['reject', 'silent', '--no-comment'])).code, 0)
    assert.equal(await stateOf('silent'), 'PENDING')
  })

  it('asks for changes in words, which it asks for at a terminal', async () => {
    await ready('changed')
    await assert.rejects(run(['revise', 'changed']), { name: 'UsageError', message: /what is to be changed with -m/ })
    await assert.rejects(run(['revise', 'changed', '-m', ' ']), { name: 'UsageError' })
    let asked = ''
    const { code, out } = await run(['revise', 'changed'], async (question) => {
      asked = question
      return 'Say two.'
    })
    assert.deepEqual([asked, code, out], ['What is to be changed? ', 0, 'changed: task queued for resume\n'])
    const { body } = await api.get('/api/tasks/changed')
    assert.deepEqual([at(body, 'state'), at(body, 'decisions.0.comment')], ['QUEUED', 'Say two.'])
    await ready('told')
    assert.equal((await run(['revise', 'told', '-m', 'Say two.'])).code, 0)
  })

  it('rejects and runs again at once', async () => {
    await ready('again')
    await assert.rejects(run(['reject', 'again', '-m', 'no', '-f']), { name: 'UsageError', message: /--restart/ })
    const { out, err } = await run(['reject', 'again', '-m', 'no', '--restart'])
    assert.deepEqual([err, out], ['again: task rejected\n', 'again: task queued for execution\n'])
    assert.equal(await stateOf('again'), 'QUEUED')
  })
})

describe('how accepted work is merged', () => {
  const task = { id: 't', branch: 'slipway/t' } as Task
  const project = (on_accept: Project['on_accept'], remote_url = 'https://x/y.git') =>
    ({ on_accept, remote_url, default_branch: 'trunk' }) as Project

  it('is told by what the project does with it', () => {
    assert.equal(formatAccept(task, project('merge')), 't: Slipway merges slipway/t into trunk; see: slipway show t')
    assert.match(formatAccept(task, project('pull_request')), /opens a pull request of slipway\/t to trunk; see: /)
    assert.match(formatAccept(task, project('none')), /nothing is merged; merge it .* git fetch origin slipway\/t && /)
    assert.equal(formatAccept({ id: 't' } as Task, undefined), 't: Slipway ends the task; it has no branch')
  })

  it('says of the task of a story that nothing is merged before the story is accepted', () => {
    for (const on_accept of ['merge', 'pull_request', 'none'] as const)
      assert.equal(
        formatAccept({ ...task, story_id: 's' }, project(on_accept)),
        't: Slipway leaves the work on slipway/t; nothing is merged before the story is accepted',
      )
  })
})
