import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { editCommand } from '../../../cli/commands/edit.ts'
import { asRecord } from '../../../core/json.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { aStory, aTask } from '../../helpers/build.ts'
import { type Circumstances, runCommand } from './run-command.ts'

const AT_TERMINAL: Circumstances = { ask: async () => undefined, style: { isTerminal: true } }

describe('editing on the command line', () => {
  let api: Rig
  let folder: string
  const variables = { EDITOR: process.env['EDITOR'], VISUAL: process.env['VISUAL'], TMPDIR: process.env['TMPDIR'] }
  before(async () => {
    api = await startRig()
    folder = await mkdtemp(join(tmpdir(), 'slipway-editor-'))
  })
  after(async () => {
    for (const [name, value] of Object.entries(variables)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    await rm(folder, { recursive: true })
    await api.stop()
  })
  beforeEach(async () => {
    // What is left of an edit is looked for here.
    process.env['TMPDIR'] = await mkdtemp(join(folder, 'tmp-'))
    delete process.env['VISUAL']
  })

  const leftOver = async (): Promise<string[]> => readdir(process.env['TMPDIR'] ?? '')

  /** An editor that runs one script for each time it is opened, and keeps what it was shown. */
  const edit = async (scripts: readonly string[], words: readonly string[], circumstances = AT_TERMINAL) => {
    const home = await mkdtemp(join(folder, 'run-'))
    const cases = scripts.map((script, i) => `${i + 1}) ${script} ;;`).join('\n')
    const program = [
      '#!/bin/sh',
      `n=$(($(ls '${home}' | grep -c '^seen-') + 1))`,
      `cp "$1" '${home}'/seen-$n`,
      `case $n in`,
      cases,
      'esac',
    ].join('\n')
    await writeFile(join(home, 'editor'), program)
    await chmod(join(home, 'editor'), 0o755)
    process.env['EDITOR'] = join(home, 'editor')
    const result = await runCommand(editCommand, words, api.url, circumstances)
    const files = (await readdir(home)).filter((name) => name.startsWith('seen-')).sort()
    return { ...result, seen: await Promise.all(files.map((name) => readFile(join(home, name), 'utf8'))) }
  }
  const taskOf = async (id: string): Promise<Record<string, unknown>> =>
    asRecord((await api.get(`/api/tasks/${id}`)).body)

  it('shows the fields that can be changed, sends those that were, and clears one that was removed', async () => {
    await api.post('/api/tasks', { id: 'fix', name: 'Fix it', description: 'one\ntwo\n', priority: 3 })
    const script = `sed -i -e '/^priority/d' -e 's/^name: .*/name: Fix it all/' "$1"`
    const { code, out, err, seen } = await edit([script], ['fix'])
    assert.deepEqual([code, out, err], [0, 'fix: changed name, priority\n', ''])
    const [shown = ''] = seen
    assert.match(shown, /^# task fix of http:/)
    assert.match(shown, /^# Fields that are not set: project, /m)
    assert.match(shown, /^description: \|\n {2}one\n {2}two\n/m)
    assert.doesNotMatch(shown, /^(id|state|created_at):/m)
    const { name, description, priority } = await taskOf('fix')
    assert.deepEqual([name, description, priority], ['Fix it all', 'one\ntwo\n', undefined])
    assert.deepEqual(await leftOver(), [])
  })

  it('changes nothing when the file stays as it is, is emptied, or says the same', async () => {
    await api.post('/api/tasks', { id: 'same', name: 'Same' })
    for (const script of [':', ': > "$1"', `echo '# a thought' >> "$1"`]) {
      const { code, out, err } = await edit([script], ['same'])
      assert.deepEqual([code, out, err], [0, '', 'same: no change\n'])
    }
    assert.deepEqual(await leftOver(), [])
  })

  it('comes back with what the server refused, and what was typed', async () => {
    await api.post('/api/tasks', { id: 'refused', name: 'Refused' })
    const wrong = `sed -i -e 's/^name: .*/name: Good/' "$1"; echo 'state: READY' >> "$1"`
    const { code, out, seen } = await edit([wrong, `sed -i '/^state/d' "$1"`], ['refused'])
    assert.deepEqual([code, out], [0, 'refused: changed name\n'])
    assert.match(seen[1] ?? '', /^# NOT SAVED: state is read-only\n/)
    assert.match(seen[1] ?? '', /^name: Good$/m)
    assert.deepEqual(await leftOver(), [])
  })

  it('keeps what was typed in a file when it is left as it was refused', async () => {
    await api.post('/api/tasks', { id: 'kept', name: 'Kept' })
    const { code, err, seen } = await edit([`echo 'name: [' >> "$1"`, ':'], ['kept'])
    assert.equal(code, 1)
    assert.match(seen[1] ?? '', /^# NOT SAVED: this is no YAML: /)
    const path = /^What you typed is in (\S+)$/m.exec(err)?.[1] ?? ''
    assert.match(await readFile(path, 'utf8'), /^name: \[$/m)
    assert.equal((await taskOf('kept'))['name'], 'Kept')
  })

  it('says once what is wrong, and never the same twice', async () => {
    await api.post('/api/tasks', { id: 'twice', name: 'Twice' })
    const add = `echo 'priority: much' >> "$1"`
    const { seen } = await edit([add, `sed -i 's/much/more/' "$1"`, `sed -i 's/more/7/' "$1"`], ['twice'])
    assert.equal(seen[2]?.match(/NOT SAVED/g)?.length, 1)
    assert.equal((await taskOf('twice'))['priority'], 7)
  })

  it('tells what somebody else has changed meanwhile, and then changes only its own fields', async () => {
    await api.post('/api/tasks', { id: 'raced', name: 'Raced', priority: 1 })
    const url = `${api.url}/api/tasks/raced`
    const put = `curl -s -X PUT -H 'Content-Type: application/json' -d '{"priority":9}' ${url} > /dev/null`
    const own = `sed -i 's/^name: .*/name: Mine/' "$1"`
    const { code, out, seen } = await edit([`${put}; ${own}`, `sed -i '/^#/d' "$1"`], ['raced'])
    assert.deepEqual([code, out], [0, 'raced: changed name\n'])
    assert.match(seen[1] ?? '', /^# NOT SAVED: raced has changed since it was read, in priority: .*\n# priority: 9\n/)
    const { name, priority } = await taskOf('raced')
    assert.deepEqual([name, priority], ['Mine', 9])
  })

  it('keeps what was typed when the record has gone, or the editor fails', async () => {
    for (const [id, script] of [
      ['gone', `curl -s -X DELETE ${api.url}/api/tasks/gone; echo 'priority: 4' >> "$1"`],
      ['fails', `echo 'priority: 4' >> "$1"; exit 3`],
    ] as const) {
      await api.post('/api/tasks', { id, name: 'Lost?' })
      await assert.rejects(edit([script], [id]), /task not found|the editor \(.*\) ended with 3/)
      const [left = ''] = await leftOver()
      assert.match(await readFile(join(process.env['TMPDIR'] ?? '', left, `${id}.yaml`), 'utf8'), /^priority: 4$/m)
      await rm(join(process.env['TMPDIR'] ?? '', left), { recursive: true })
    }
  })

  it('edits a story, and warns when a manifest may undo it', async () => {
    await api.givenStory(aStory({ name: 'checkout', spec: { title: 'Checkout' } }))
    const { out, err } = await edit(
      [`echo 'priority: 5' >> "$1"; sed -i '/^priority: [^5]/d' "$1"`],
      ['--story', 'checkout'],
    )
    assert.equal(out, 'checkout: changed priority\n')
    assert.match(err, /^warning: /)
  })

  it('needs a terminal and one record', async () => {
    await api.given(aTask({ name: 'one' }))
    await assert.rejects(edit([], ['one'], {}), {
      name: 'UsageError',
      message: /slipway api -X PUT \/api\/tasks\/one -F/,
    })
    await assert.rejects(edit([], []), { name: 'UsageError', message: /name one record: a task, or --story/ })
    await assert.rejects(edit([], ['one', '--agent', 'script']), { name: 'UsageError' })
  })
})
