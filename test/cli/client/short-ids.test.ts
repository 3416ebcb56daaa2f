import assert from 'node:assert/strict'
import { DECISION_COMMANDS } from '../../../cli/commands/decisions.ts'
import { deleteCommand } from '../../../cli/commands/delete.ts'
import { showCommand } from '../../../cli/commands/show.ts'
import { waitCommand } from '../../../cli/commands/wait.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { aTask } from '../../helpers/build.ts'
import { runCommand } from './run-command.ts'

describe('the id of a task on the command line', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    for (const name of ['add-a-page', 'add-a-page-2', 'add-tests', 'fix']) await api.given(aTask({ name }))
  })
  after(() => api.stop())

  const shown = async (id: string): Promise<string> => {
    const { out } = await runCommand(showCommand, [id], api.url, { form: 'json' })
    return /"id": "([^"]+)"/.exec(out)?.[1] ?? out
  }

  it('may be cut to a beginning that no other task has; a whole one wins', async () => {
    assert.equal(await shown('f'), 'fix')
    assert.equal(await shown('add-t'), 'add-tests')
    assert.equal(await shown('add-a-page'), 'add-a-page')
    const { out } = await runCommand(waitCommand, ['fi', 'add-t', '--for', 'PENDING'], api.url)
    assert.match(out, /fix PENDING[^]*add-tests PENDING/)
  })

  it('names the tasks that begin so, and is refused as it stands where none does', async () => {
    await assert.rejects(shown('add'), {
      message: /^several tasks begin with add: (?=.*add-a-page\b)(?=.*add-a-page-2)(?=.*add-tests)/,
    })
    await assert.rejects(shown('none'), { message: 'task not found' })
  })

  it('is needed whole to cancel and to delete', async () => {
    const cancel = DECISION_COMMANDS.find(({ name }) => name === 'cancel')
    assert.ok(cancel)
    const named = { message: 'there is no task fi; the whole id is needed here, and these begin so: fix' }
    await assert.rejects(runCommand(cancel, ['fi'], api.url), named)
    await assert.rejects(runCommand(deleteCommand, ['fi', '--yes'], api.url), named)
    await assert.rejects(runCommand(deleteCommand, ['none', '--yes'], api.url), { message: 'task not found' })
    assert.equal(await shown('fix'), 'fix')
  })
})
