import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { acceptCommand } from '../../../cli/commands/accept.ts'
import { createCompletionCommand } from '../../../cli/commands/completion.ts'
import { doctorCommand } from '../../../cli/commands/doctor.ts'
import { editCommand } from '../../../cli/commands/edit.ts'
import { runCommand as runTaskCommand } from '../../../cli/commands/run.ts'
import { findCandidates } from '../../../cli/completion/candidates.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { aTask } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'

const run = promisify(execFile)
const MAIN = fileURLToPath(new URL('../../../cli/slipway.js', import.meta.url))

describe('what completes a command line', () => {
  const commands = [runTaskCommand, acceptCommand, editCommand, doctorCommand, createCompletionCommand(() => [])]
  const at = (line: string) => findCandidates(commands, line.split(' '))
  const wordsAt = (line: string): readonly string[] => {
    const found = at(line)
    return found.kind === 'words' ? found.words : []
  }

  it('is a command at first, then its flags, those of all commands included', () => {
    assert.deepEqual(wordsAt(''), ['help', 'run', 'accept', 'edit', 'doctor', 'completion'])
    assert.ok(wordsAt('accept --').includes('--all') && wordsAt('accept --').includes('--server'))
    assert.ok(wordsAt('doctor --').includes('--json') && wordsAt('doctor --').includes('--data-dir'))
    assert.deepEqual(wordsAt('help '), ['run', 'accept', 'edit', 'doctor', 'completion'])
  })

  it('is what a word or the value of a flag names', () => {
    assert.deepEqual(
      [at('accept ').kind, at('accept one ').kind, at('accept --yes one ').kind],
      ['tasks', 'tasks', 'tasks'],
    )
    assert.deepEqual(
      [at('run x --project ').kind, at('run -p ').kind, at('run --agent ').kind],
      ['projects', 'projects', 'agents'],
    )
    assert.deepEqual([at('edit --story ').kind, at('edit --epic ').kind], ['stories', 'epics'])
    assert.deepEqual(wordsAt('accept -o '), ['table', 'name', 'json', 'yaml', 'jsonpath='])
    assert.deepEqual(wordsAt('completion '), ['bash', 'zsh', 'fish'])
  })

  it('is nothing for free text, and for a command that does not exist', () => {
    for (const line of ['run ', 'nonsense ', 'run --name ', 'accept --server '])
      assert.deepEqual(at(line), { kind: 'words', words: [] })
  })
})

describe('the completion of bash', function () {
  let api: Rig
  let folder: string
  before(async () => {
    api = await startRig()
    await api.given(aTask({ name: 'fix-login' }))
    await api.given(aTask({ name: 'fix-logout' }))
    await api.given(aTask({ name: 'other' }))
    folder = await mkdtemp(join(tmpdir(), 'slipway-completion-'))
    await writeFile(join(folder, 'slipway'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`)
    await chmod(join(folder, 'slipway'), 0o755)
  })
  after(async () => {
    await api.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** What bash offers at the end of a line. */
  const offered = async (words: readonly string[], server = api.url): Promise<string[]> => {
    const script = `source <(slipway completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _slipway; printf '%s\\n' "\${COMPREPLY[@]}"`
    const env = {
      PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
      SLIPWAY_SERVER: server,
      SLIPWAY_TOKEN: 'unused',
    }
    const { stdout } = await run('bash', ['-c', script, 'bash', 'slipway', ...words], { env, cwd: folder })
    return stdout.split('\n').filter((line) => line !== '')
  }

  it('offers commands, and the tasks of the server by their beginning', async () => {
    assert.deepEqual(await offered(['acc']), ['accept'])
    // On a slow machine the answer comes after the time that anybody waits for a key: then nothing is offered.
    const isOffered = async () => (await offered(['accept', 'fix-'])).sort().join(' ') === 'fix-login fix-logout'
    await until('the tasks are offered', isOffered)
    assert.deepEqual(await offered(['tasks', '--state', 'REA']), ['READY'])
  })

  it('offers nothing, and says nothing, where no server answers', async () => {
    assert.deepEqual(await offered(['accept', ''], 'http://127.0.0.1:1'), [])
  })
})
