import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitIn, makeRemote } from '../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from './execution.ts'

describe('an execution of the script agent', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  it('pushes what the script left uncommitted, as one commit with the task as trailer', async () => {
    const remote = makeRemote(root, { 'a.txt': 'one\n', '.gitignore': '*.log\n' })
    const execution = makeExecution(root, remote, 'echo two >> a.txt; echo new > b.txt; echo no > build.log')
    assert.equal((await execution.all()).exitCode, 0)
    assert.equal(
      remote.git('log', '-1', '--format=%s|%an|%(trailers:key=Slipway-Task)', 'slipway/demo'),
      'Do the demo|Slipway|Slipway-Task: demo',
    )
    assert.equal(remote.git('diff', '--name-only', 'main', 'slipway/demo'), 'a.txt\nb.txt')
    const { outcome, changes, commits, pushed, branch, head } = execution.result()
    assert.equal(head, remote.git('rev-parse', 'slipway/demo'))
    assert.deepEqual(
      { outcome, changes, pushed, branch, commits },
      {
        outcome: 'succeeded',
        changes: { files: 2, insertions: 2, deletions: 0 },
        pushed: true,
        branch: 'slipway/demo',
        commits: [remote.git('rev-parse', 'slipway/demo')],
      },
    )
    assert.match(execution.read('changes.diff'), /^\+two$/m)
    assert.equal(gitIn(execution.clone, 'status', '--short'), '')
  })

  it('keeps commits that the script made itself, newest first', async () => {
    const remote = makeRemote(root, { a: '1' })
    const commit = 'git -c user.name=me -c user.email=me@x commit -q -m'
    const execution = makeExecution(
      root,
      remote,
      `echo 2 > b; git add b; ${commit} b; echo 3 > c; git add c; ${commit} c`,
    )
    await execution.all()
    assert.equal(remote.git('log', '--format=%s', 'main..slipway/demo'), 'c\nb')
    assert.deepEqual(execution.result().commits, remote.git('rev-list', 'main..slipway/demo').split('\n'))
  })

  it('succeeds without pushing a branch when nothing changed', async () => {
    const remote = makeRemote(root, { a: '1' })
    const execution = makeExecution(root, remote, 'true')
    assert.equal((await execution.all()).exitCode, 0)
    const { outcome, pushed, changes } = execution.result()
    assert.deepEqual(
      { outcome, pushed, changes },
      { outcome: 'succeeded', pushed: false, changes: { files: 0, insertions: 0, deletions: 0 } },
    )
    assert.equal(remote.git('branch', '--list', 'slipway/demo'), '')
  })

  it("starts from the task's branch where the remote has it", async () => {
    const remote = makeRemote(root, { a: '1' })
    const there = remote.commit('slipway/demo', { b: 'earlier' })
    const execution = makeExecution(root, remote, 'cat b; echo 2 > c')
    await execution.all()
    assert.equal(remote.git('rev-parse', 'slipway/demo^'), there)
    assert.equal(execution.result().baseCommit, remote.git('rev-parse', 'main'))
    assert.equal(execution.read('agent/stdout.log'), 'earlier')
  })

  it('starts from the base branch when one is named', async () => {
    const remote = makeRemote(root, { a: '1' })
    const base = remote.commit('release', { b: '2' })
    const execution = makeExecution(root, remote, 'cat b', { baseBranch: 'release' })
    await execution.all()
    assert.equal(execution.result().baseCommit, base)
  })

  it('compares with the base of the first run when the operator names it', async () => {
    const remote = makeRemote(root, { a: '1' })
    const baseCommit = remote.git('rev-parse', 'main')
    remote.commit('slipway/demo', { b: '2' })
    const execution = makeExecution(root, remote, 'echo 3 > c', { baseCommit })
    await execution.all()
    assert.deepEqual(execution.result().changes, { files: 2, insertions: 2, deletions: 0 })
  })

  it('fails with the last lines of stderr, pushes nothing, and still tells the diff', async () => {
    const remote = makeRemote(root, { a: '1' })
    const commit = 'git -c user.name=me -c user.email=me@x commit -q -m b'
    const execution = makeExecution(root, remote, `echo 2 > b; git add b; ${commit}; echo "no such thing" >&2; exit 3`)
    assert.equal((await execution.all()).exitCode, 1)
    const { outcome, error, exitCode, pushed, changes } = execution.result()
    assert.deepEqual(
      { outcome, error, exitCode, pushed, changes },
      {
        outcome: 'failed',
        error: { category: 'failed', message: 'the script exited 3: no such thing' },
        exitCode: 3,
        pushed: false,
        changes: { files: 1, insertions: 1, deletions: 0 },
      },
    )
    assert.equal(remote.git('branch', '--list', 'slipway/demo'), '')
  })

  it('is blocked by a question, whatever the exit code', async () => {
    const remote = makeRemote(root, { a: '1' })
    const script = `echo '{"text":"Which?","options":["a","b"]}' > "$SERVICE_QUESTION_FILE"; exit 1`
    const execution = makeExecution(root, remote, script)
    assert.equal((await execution.all()).exitCode, 0)
    const { outcome, questions, error, pushed } = execution.result()
    assert.deepEqual(
      [outcome, questions, error, pushed],
      ['blocked', [{ text: 'Which?', options: ['a', 'b'] }], undefined, false],
    )
  })

  it('tells the agent where its artifacts go', async () => {
    const execution = makeExecution(root, makeRemote(root, { a: '1' }), 'printf %s "$SERVICE_ARTIFACT_DIR"')
    await execution.all()
    assert.equal(execution.read('agent/stdout.log'), join(execution.folder, 'agent', 'artifacts'))
  })

  it('resumes in the kept clone with the answer in its environment', async () => {
    const remote = makeRemote(root, { a: '1' })
    const script =
      'if [ -z "$SERVICE_ANSWER" ]; then echo draft > b; echo Which? > "$SERVICE_QUESTION_FILE"; else echo "$SERVICE_ANSWER" >> b; fi'
    const first = makeExecution(root, remote, script)
    await first.all()
    const second = makeExecution(root, remote, script, {
      execution: 'demo-2',
      keepClone: true,
      answer: 'the second',
      baseCommit: first.result().baseCommit ?? '',
    })
    assert.equal((await second.all()).exitCode, 0)
    assert.equal(remote.git('show', 'slipway/demo:b'), 'draft\nthe second')
  })

  it('gives a script the file of an answer that a variable has no room for', async () => {
    const script = 'if [ -v SERVICE_ANSWER ]; then exit 1; fi; wc -c < "$SERVICE_ANSWER_FILE"'
    const execution = makeExecution(root, makeRemote(root, { a: '1' }), script, { hasAnswerFile: true })
    writeFileSync(join(execution.folder, 'answer.txt'), '漢'.repeat(65_000))
    await execution.all()
    assert.equal(execution.read('agent/stdout.log').trim(), '195000')
  })

  it('resumes in a kept clone whose git was killed in the middle of a commit', async () => {
    const remote = makeRemote(root, { a: '1' })
    const script =
      'if [ ! -e b ]; then echo 1 > b; touch .git/index.lock .git/HEAD.lock; exit 1; fi; git add b && git -c user.name=a -c user.email=a@b.example commit -qm again'
    const first = makeExecution(root, remote, script)
    await first.all()
    assert.ok(existsSync(join(first.clone, '.git', 'index.lock')))
    const baseCommit = first.result().baseCommit ?? ''
    const second = makeExecution(root, remote, script, { execution: 'demo-2', keepClone: true, baseCommit })
    assert.equal((await second.all()).exitCode, 0, second.read('agent/stderr.log'))
    assert.equal(remote.git('log', '-1', '--format=%s', 'slipway/demo'), 'again')
  })

  it('leaves the diff-summary line out of the summary', async () => {
    const remote = makeRemote(root, { a: '1' })
    const line = '" 3 files changed, 10 insertions(+)"'
    const execution = makeExecution(root, remote, `echo "## Summary"; echo done; echo ${line}`)
    await execution.all()
    assert.equal(execution.result().summary, 'done')
    const file = 'echo written > "$SERVICE_SUMMARY_FILE"'
    const told = makeExecution(root, remote, `${file}; echo ${line} >> "$SERVICE_SUMMARY_FILE"`, {
      execution: 'demo-2',
    })
    await told.all()
    assert.equal(told.result().summary, 'written')
  })

  it('prefers the summary file to the summary section of stdout', async () => {
    const remote = makeRemote(root, { a: '1' })
    const section = 'printf "## Summary\\nfrom stdout\\n"'
    const withSection = makeExecution(root, remote, section)
    await withSection.all()
    assert.equal(withSection.result().summary, 'from stdout')
    const withFile = makeExecution(root, remote, `${section}; echo from file > "$SERVICE_SUMMARY_FILE"`, {
      execution: 'demo-2',
    })
    await withFile.all()
    assert.equal(withFile.result().summary, 'from file')
  })

  it('runs a script with its own shebang', async () => {
    const remote = makeRemote(root, { a: '1' })
    const execution = makeExecution(root, remote, '#!/usr/bin/env node\nconsole.log(process.cwd())\n')
    await execution.all()
    assert.equal(execution.read('agent/stdout.log').trim(), execution.clone)
  })

  it('builds the environment from nothing but what is named', async () => {
    const remote = makeRemote(root, { a: '1' })
    const execution = makeExecution(root, remote, 'env', { passEnv: ['AGENT_TOKEN'] })
    await execution.step('prepare')
    await execution.step('agent')
    const names = execution
      .read('agent/stdout.log')
      .split('\n')
      .map((line) => line.split('=')[0])
    assert.ok(names.includes('AGENT_TOKEN'))
    assert.ok(!names.includes('SLIPWAY_RUN'))
    assert.ok(!names.includes('TERMINATION_MESSAGE_PATH'))
  })

  it('says that it cannot run an agent of another version instead of faking success', async () => {
    const remote = makeRemote(root, { a: '1' })
    const execution = makeExecution(root, remote, 'do it', { agent: { name: 'later', adapter: 'later' } })
    assert.equal((await execution.all()).exitCode, 1)
    assert.equal(execution.result().error?.category, 'unavailable')
    assert.match(execution.result().error?.message ?? '', /another agent/)
  })

  it('does nothing twice: a step that finds its own outcome ends with the same exit code', async () => {
    const remote = makeRemote(root, { a: '1' })
    const execution = makeExecution(root, remote, 'echo x >> "$SERVICE_DROP_DIR/runs"; exit 1')
    await execution.all()
    await execution.step('agent')
    const before = execution.read('result.json')
    assert.equal((await execution.step('deliver')).exitCode, 1)
    assert.equal(execution.read('result.json'), before)
    assert.equal(readFileSync(join(execution.volume, 'drops', 'runs'), 'utf8'), 'x\n')
  })

  it('delivers alone when the agent had succeeded before', async () => {
    const remote = makeRemote(root, { a: '1' })
    const execution = makeExecution(root, remote, 'echo 2 > b; echo x >> "$SERVICE_DROP_DIR/runs"')
    await execution.step('prepare')
    await execution.step('agent')
    assert.equal((await execution.all({ jobNumber: 2, keepClone: true, deliverOnly: true })).exitCode, 0)
    assert.equal(execution.result().pushed, true)
    assert.equal(readFileSync(join(execution.volume, 'drops', 'runs'), 'utf8'), 'x\n')
  })

  it('leaves a termination message of at most 2 KiB', async () => {
    const remote = makeRemote(root, { a: '1' })
    const execution = makeExecution(root, remote, 'for i in $(seq 500); do echo "a long line ü $i" >&2; done; exit 1')
    await execution.all()
    const message = readFileSync(join(root, 'termination-deliver'))
    assert.ok(message.length <= 2048)
    assert.equal((JSON.parse(message.toString()) as { outcome: string }).outcome, 'failed')
  })

  it('removes its temporary folder', async () => {
    const remote = makeRemote(root, { a: '1' })
    const execution = makeExecution(root, remote, 'echo "$TMPDIR"')
    await execution.all()
    assert.equal(existsSync(execution.read('agent/stdout.log').trim()), false)
  })
})
