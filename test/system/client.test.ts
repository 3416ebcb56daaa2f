import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseObject } from '../../core/json.ts'
import { gitIn } from '../helpers/repository.ts'
import { PROGRAM, runSlipway } from '../helpers/slipway.ts'
import { makeInstallation } from './installation.ts'

describe('the built program as people type it', () => {
  const installation = makeInstallation()
  const repository = join(installation.folder, 'work')
  let env: Record<string, string>
  before(async () => {
    mkdirSync(repository)
    gitIn(repository, 'init', '--quiet', '--initial-branch=main')
    gitIn(repository, 'commit', '--quiet', '--allow-empty', '--message', 'first')
    env = { SLIPWAY_SERVER: (await installation.start()).program.url }
  })
  after(() => installation.dispose())

  const slipway = (...args: string[]) => runSlipway(args, env, repository)

  it('runs a prompt in a fresh clone: registers the project, follows, and leaves the branch in the repository', async () => {
    const script = 'echo working; echo entry > CHANGELOG.md'
    const { code, output } = await slipway('run', script, '--id', 'first', '--project', 'demo', '-a', 'script', '-f')
    assert.equal(code, 0, output)
    for (const text of [
      `registered project demo: ${repository}`,
      'working',
      'first READY: 1 file changed',
      'slipway accept first',
    ])
      assert.ok(output.includes(text), `${text} is missing in:\n${output}`)
    assert.equal(gitIn(repository, 'show', 'slipway/first:CHANGELOG.md'), 'entry')
    assert.match((await slipway('diff', 'first')).output, /^\+entry$/m)
    assert.match((await slipway('accept', 'first')).output, /^first: task accepted$/m)
    assert.match((await slipway('tasks')).output, /^TASK.*\nfirst +COMPLETED +script/)
  })

  it('says in one line that the disk is full where its output goes', () => {
    const { status, stderr } = spawnSync('sh', ['-c', '"$0" "$1" version > /dev/full', process.execPath, PROGRAM])
    assert.deepEqual([status, stderr.toString().split('\n').length], [1, 2])
    assert.match(stderr.toString(), /^slipway: what it prints cannot be written: ENOSPC/)
  })

  it('names the projects there are when one is not among them', async () => {
    const { code, output } = await slipway('run', 'x', '--project', 'nope')
    assert.equal(code, 2)
    assert.match(output, /there is no project "nope"; there is demo\.\n.*slipway add-project nope/)
  })

  it('ends with 3 when the agent asks, and goes on from the answer', async () => {
    const script = [
      'if [ -n "$SERVICE_ANSWER" ]; then echo "$SERVICE_ANSWER" > answer; exit; fi',
      `echo '{"text":"Which?","options":["A","B"]}' > "$SERVICE_QUESTION_FILE"`,
    ].join('\n')
    const asked = await slipway('run', script, '--id', 'asks', '-a', 'script', '-f')
    assert.equal(asked.code, 3, asked.output)
    assert.match(asked.output, /\? Which\?\n {4}1\. A/)
    const answered = await slipway('answer', 'asks', 'B', '-f', '-o', 'json')
    assert.equal(answered.code, 0, answered.output)
    assert.equal(gitIn(repository, 'show', 'slipway/asks:answer'), 'B')
    const log = (await slipway('logs', 'asks')).output
    assert.match(log, /\? Which\?\n {4}1\. A\n {4}2\. B\n(.*\n)* {2}> B\n {4}answered by \S+, \d{4}-\S+Z\n/)
  })

  it('prints records as JSON, and tells of a task that is not there', async () => {
    const shown = await slipway('show', 'first', '-o', 'json')
    assert.equal(parseObject(shown.output)['id'], 'first')
    const none = await slipway('show', 'none')
    assert.deepEqual([none.code, none.output], [1, 'slipway: task not found\nSee: slipway tasks\n'])
  })

  it('says where an agent that is not there could be found', async () => {
    const { code, output } = await slipway('run', 'x', '-p', 'demo', '-a', 'hal')
    assert.deepEqual([code, output], [1, 'slipway: agent.type: agent hal does not exist\nSee: slipway agents\n'])
  })

  it('says that a task changed nothing, that none is in a state, and gives the output of one as JSON', async () => {
    await slipway('run', 'echo idle', '--id', 'idle', '-p', 'demo', '-a', 'script', '-f')
    assert.equal((await slipway('diff', 'idle')).output, 'idle changed nothing\n')
    assert.equal((await slipway('tasks', '--state', 'failed')).output, 'No task is FAILED.\n')
    const { output } = await slipway('logs', 'idle', '-o', 'json')
    assert.deepEqual(parseObject(output), { stdout: 'idle\n', stderr: '' })
  })

  it('answers --version, and a command that is not known with the one that was likely meant', async () => {
    assert.match((await slipway('--version')).output, /^slipway \d/)
    const { code, output } = await slipway('rnu', 'x')
    assert.deepEqual(
      [code, output],
      [2, 'slipway: unknown command "rnu"; did you mean "slipway run"?\nSee: slipway help\n'],
    )
  })
})
