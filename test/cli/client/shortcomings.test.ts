import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { diffCommand } from '../../../cli/commands/diff.ts'
import { showCommand } from '../../../cli/commands/show.ts'
import { EXECUTION_FILES, executionPath } from '../../../core/execution/layout.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { anExecution, aTask } from '../../helpers/build.ts'
import { runCommand } from './run-command.ts'

const COMMIT = { commit: '0123456789abcdef0123456789abcdef01234567', author: 'Eve', subject: 'theirs' }

describe('what a reviewer has to know beside the work, on the command line', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  async function given(name: string, status: object, task: object = {}): Promise<void> {
    await api.givenExecution(
      anExecution({ name: `${name}-1`, spec: { taskRef: { name } }, status: { state: 'COMPLETED', ...status } }),
    )
    const head = { commit: COMMIT.commit, at: '2026-01-01T10:00:00Z' }
    await api.given(aTask({ name, status: { state: 'READY', execution: `${name}-1`, head, ...task } }))
    const folder = join(api.volumeRoot, executionPath(`${name}-1`))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, EXECUTION_FILES.diff), 'diff --git a/x b/x\n')
  }
  const show = (name: string) => runCommand(showCommand, [name], api.url)
  const diff = (name: string) => runCommand(diffCommand, [name], api.url)

  it('is in show and diff what was not delivered', async () => {
    const undelivered = [{ path: 'app/.env', reason: 'it is ignored' }]
    await given('part', { undelivered, undeliveredCount: 3 })
    const line = 'not delivered, and kept in the clone: app/.env: it is ignored · 2 more'
    assert.ok((await show('part')).out.includes(`${line}\n`))
    const { out, err } = await diff('part')
    assert.deepEqual([out, err], ['diff --git a/x b/x\n', `${line}\n`])
  })

  it('is in show which MCP servers did not start', async () => {
    await given('tools', { failedServers: ['wiki', 'jira'] })
    assert.match((await show('tools')).out, /^ {2}MCP servers wiki, jira did not start: their tools are missing$/m)
  })

  it('is in diff which commits are of others or hidden, and in show how many are of others', async () => {
    const task = { foreignCommits: [COMMIT], foreignCommitCount: 2, hiddenCommits: [{ ...COMMIT, path: 'key' }] }
    await given('mixed', {}, task)
    assert.match((await show('mixed')).out, /mixed READY: .*2 commits by others/)
    const { err } = await diff('mixed')
    assert.match(err, /^2 commits by others\. .*\n {2}0123456789ab Eve: theirs\n {2}and 1 more\n/)
    assert.match(err, /\nNot in the diff\. .*\n {2}0123456789ab Eve: theirs \(key\)\n$/)
  })

  it('is in show and diff what is added in large amounts', async () => {
    await given('large', {}, { bulk: [{ path: 'node_modules', files: 3000 }] })
    const line = 'The work adds a lot to the repository: node_modules/ is a new folder with 3,000 files'
    assert.ok((await show('large')).out.includes(`  ${line}\n`))
    const { err } = await diff('large')
    assert.match(err, /^The work adds a lot .*\n {2}node_modules\/ is a new folder with 3,000 files\n$/)
  })

  it('is nothing where all was delivered, all started, and all commits are Slipway’s', async () => {
    await given('plain', {})
    assert.doesNotMatch((await show('plain')).out, /not delivered|MCP|others/)
    assert.equal((await diff('plain')).err, '')
  })
})
