/** Section 3, what becomes of tasks that run: the whole built program, with scripts as agents. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { connectLive } from '../api-server/live/live-client.ts'
import { until } from '../helpers/until.ts'
import { row } from './contract.ts'
import { type Program, PATIENCE_MS, startProgram, waitsFor } from './program.ts'

describe('the contract, section 3: tasks that run', function () {
  let program: Program

  before(async () => (program = await startProgram()))
  after(() => program.dispose())

  const drop = (name: string) => writeFileSync(join(program.installation.dataDir, 'volume', 'drops', name), '')
  const post = async (id: string, action: string, body?: unknown) => {
    const { status, body: answer } = await program.server.call('POST', `/api/tasks/${id}/${action}`, body)
    return [status, answer]
  }
  const asks = `if [ -n "$SERVICE_ANSWER" ]; then echo "$SERVICE_ANSWER" > answer.txt; exit 0; fi
pwd > where.txt; echo '{"text": "Which colour?", "options": ["red", "blue"]}' > "$SERVICE_QUESTION_FILE"`

  row(
    '3.task.start',
    'a QUEUED task starts when slot and dependencies allow, and is broadcast as RUNNING',
    async () => {
      const live = await connectLive(program.server.program.url)
      try {
        await program.submit('first', waitsFor('go-first'))
        await program.server.reaches('first', 'RUNNING', PATIENCE_MS)
        await program.submit('second', 'true', { depends_on: ['first'] })
        assert.equal((await program.server.task('second'))['state'], 'QUEUED')
        drop('go-first')
        await program.reaches('first', 'READY')
        await program.reaches('second', 'READY')
        await until('both starts were told', () =>
          ['first', 'second'].every((id) => live.types(id).includes('task_started')),
        )
        const started = live.messages.filter(({ type }) => type === 'task_started')
        assert.deepEqual(
          started.map((message) => [message.task_id, asRecord(asRecord(message)['task'])['state']]),
          [
            ['first', 'RUNNING'],
            ['second', 'RUNNING'],
          ],
        )
      } finally {
        await live.close()
      }
    },
  )

  row('3.task.error', 'a script that fails makes its task FAILED with the last lines of stderr', async () => {
    await program.submit('broken', 'echo it went wrong >&2; exit 3')
    const task = await program.reaches('broken', 'FAILED')
    assert.match(String(task['error']), /it went wrong/)
    assert.equal(task['error_category'], 'failed')
  })

  row('3.task.time-out', 'a script that runs longer than timeout_seconds makes its task TIMED_OUT', async () => {
    await program.submit('slow', 'sleep 600', { timeout_seconds: 1 })
    const task = await program.reaches('slow', 'TIMED_OUT')
    assert.equal(task['error_category'], 'timeout')
    assert.deepEqual(await post('slow', 'resume'), [
      202,
      { message: 'timed out task queued for resume', task_id: 'slow' },
    ])
    await program.server.call('POST', '/api/tasks/slow/cancel')
  })

  row('3.task.cancel-running', 'the execution of a RUNNING task is ended, and both are CANCELLED', async () => {
    await program.addAgent('cancelled')
    await program.submit('given-up', 'touch "$SERVICE_DROP_DIR/given-up"; sleep 600', {
      agent: agentOf('cancelled', 'touch "$SERVICE_DROP_DIR/given-up"; sleep 600'),
    })
    await until(
      'it runs',
      () => existsSync(join(program.installation.dataDir, 'volume', 'drops', 'given-up')),
      PATIENCE_MS,
    )
    assert.deepEqual(await post('given-up', 'cancel'), [
      202,
      { message: 'task cancellation requested', task_id: 'given-up' },
    ])
    await program.reaches('given-up', 'CANCELLED')
    assert.equal((await program.server.executions('given-up'))[0]?.['state'], 'CANCELLED')
  })

  row('3.task.runner-cancelled', 'a cancelled run pushes nothing, and the task can be resumed', async () => {
    await program.addAgent('stopped')
    const script =
      'echo work > work.txt; touch "$SERVICE_DROP_DIR/stopped"; [ -e "$SERVICE_DROP_DIR/go-on" ] || sleep 600'
    await program.submit('stopped', script, { agent: agentOf('stopped', script) })
    await until(
      'it runs',
      () => existsSync(join(program.installation.dataDir, 'volume', 'drops', 'stopped')),
      PATIENCE_MS,
    )
    await post('stopped', 'cancel')
    await program.reaches('stopped', 'CANCELLED')
    assert.equal(program.remote.git('branch', '--list', 'slipway/stopped'), '')
    drop('go-on')
    assert.deepEqual(await post('stopped', 'resume'), [
      202,
      { message: 'cancelled task queued for resume', task_id: 'stopped' },
    ])
    await program.reaches('stopped', 'READY')
    assert.equal(program.remote.git('show', 'slipway/stopped:work.txt'), 'work')
  })

  row('3.task.question', 'an agent that asks makes its task BLOCKED, and its sandbox is kept', async () => {
    await program.submit('asking', asks)
    const task = await program.reaches('asking', 'BLOCKED')
    assert.deepEqual([task['question'], task['question_options']], ['Which colour?', ['red', 'blue']])
    const [execution] = await program.server.executions('asking')
    assert.ok(existsSync(String(execution?.['sandbox_dir'])))
  })

  row('3.task.answer', 'the answer resumes in the same sandbox, where the agent finds it', async () => {
    await program.submit('answered', asks)
    await program.reaches('answered', 'BLOCKED')
    const answer = await post('answered', 'answer', { answer: 'blue' })
    assert.deepEqual(answer, [202, { message: 'task queued for resume', task_id: 'answered' }])
    await program.reaches('answered', 'READY')
    const [second, first] = await program.server.executions('answered')
    assert.equal(second?.['sandbox_dir'], first?.['sandbox_dir'])
    assert.deepEqual([first?.['purpose'], second?.['purpose']], ['run', 'resume'])
    assert.equal(program.remote.git('show', 'slipway/answered:answer.txt'), 'blue')
  })

  row('3.task.success', 'a task without subtasks whose script succeeds is READY, and its work is pushed', async () => {
    await program.submit('good', 'echo done > done.txt; echo "Wrote done.txt" > "$SERVICE_SUMMARY_FILE"')
    const task = await program.reaches('good', 'READY')
    assert.equal(task['summary'], 'Wrote done.txt')
    assert.deepEqual(task['changes'], { files: 1, insertions: 1, deletions: 0 })
    assert.equal(program.remote.git('show', 'slipway/good:done.txt'), 'done')
  })

  row(
    '3.task.subtasks',
    'a task with an unfinished subtask is BLOCKED without a question until that is READY',
    async () => {
      await program.server.create('parent', 'true', { repository_url: program.remote.path })
      await program.server.create('child', waitsFor('go-child'), {
        repository_url: program.remote.path,
        parent_task_id: 'parent',
      })
      await program.server.run('parent')
      const blocked = await program.reaches('parent', 'BLOCKED')
      assert.equal(blocked['question'], undefined)
      assert.match(String(blocked['waiting_for']), /child/)
      assert.equal((await post('parent', 'answer', { answer: 'x' }))[0], 409)
      await program.server.reaches('child', 'RUNNING', PATIENCE_MS)
      drop('go-child')
      await until(
        'the parent is READY',
        async () => (await program.server.task('parent'))['state'] === 'READY',
        PATIENCE_MS,
      )
      assert.equal((await program.server.task('child'))['state'], 'READY')
    },
  )

  row(
    '3.task.budget',
    'a used-up quota in the output makes the task BUDGET_EXCEEDED until the limit is over',
    async () => {
      await program.submit('spent', '', { agent: agentOf('claude', 'HIT-LIMIT') })
      const task = await program.reaches('spent', 'BUDGET_EXCEEDED')
      assert.equal(task['error_category'], 'quota')
      assert.ok(Date.parse(String(task['resume_after'])) > Date.now())
    },
  )

  row('3.story.shippable', 'a story is SHIPPABLE when its last task succeeds, not before', async () => {
    const { server, remote } = program
    await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: remote.path })
    await server.call('POST', '/api/stories', { id: 'checkout', name: 'Checkout', project_id: 'shop' })
    for (const id of ['one', 'two']) {
      const fields = { id, name: id, project: 'shop', agent: agentOf('script', `echo ${id} > ${id}.txt`) }
      assert.equal((await server.call('POST', '/api/stories/checkout/tasks', fields)).status, 201)
    }
    const status = async () => (await server.call('GET', '/api/stories/checkout')).body['status']
    await server.run('one')
    await program.reaches('one', 'READY')
    assert.equal(await status(), 'IN_PROGRESS')
    await server.run('two')
    await program.reaches('two', 'READY')
    await until('the story is SHIPPABLE', async () => (await status()) === 'SHIPPABLE', PATIENCE_MS)
    assert.equal(remote.git('show', 'story/checkout:one.txt'), 'one')
    assert.equal(remote.git('show', 'story/checkout:two.txt'), 'two')
  })
})

function agentOf(type: string, instructions: string) {
  return { type, instructions }
}
