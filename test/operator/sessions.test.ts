import assert from 'node:assert/strict'
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { MAX_COPIED_SESSION_BYTES } from '../../core/agent/session-files.ts'
import { takeExecutionFolder } from '../../operator/volume.ts'
import { copySession, keepSession, readSession, sweepSessions } from '../../operator/sessions.ts'

const ID = '01a22089-2b8e-7a51-904c-d7d48494d8aa'
const session = { task: 'done', uid: 'uid-done', place: 'project shop', execution: 'done-1', id: ID }

describe('the session of accepted work', () => {
  let root = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'slipway-sessions-'))
    write('sandboxes/done.owner', JSON.stringify({ uid: 'uid-done', name: 'done' }))
    write('executions/done-1/owner', JSON.stringify({ uid: 'uid-done-1', task: 'uid-done', place: 'project shop' }))
    mkdirSync(join(root, 'executions', 'more-1'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  const write = (path: string, content: string): string => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
    return join(root, path)
  }
  const home = `sandboxes/done/home/.claude/projects/-x/${ID}.jsonl`
  const kept = () => join(root, 'executions/done-1/session.claude.jsonl')
  const copied = () => join(root, 'executions/more-1/continued.jsonl')
  const copy = (changes = {}) => copySession(root, { session: { ...session, ...changes }, adapter: 'claude' }, 'more-1')

  it('is kept with its execution when the workspace goes, and given from there', async () => {
    write(home, 'said')
    await keepSession(root, session)
    rmSync(join(root, 'sandboxes'), { recursive: true })
    assert.equal(readFileSync(kept(), 'utf8'), 'said')
    await copy()
    assert.equal(readFileSync(copied(), 'utf8'), 'said')
  })

  it('comes from the home while that is there', async () => {
    write(home, 'said')
    await copy()
    assert.equal(readFileSync(copied(), 'utf8'), 'said')
  })

  it('is neither a link, nor a file with a second name, nor one in a linked folder', async () => {
    const secret = write('secret', 'of somebody else')
    const path = write(home, '')
    for (const make of [symlinkSync, linkSync]) {
      rmSync(path)
      make(secret, path)
      await keepSession(root, session)
      await copy()
    }
    write(`elsewhere/projects/-x/${ID}.jsonl`, 'of somebody else')
    rmSync(join(root, 'sandboxes/done/home/.claude'), { recursive: true })
    symlinkSync(join(root, 'elsewhere'), join(root, 'sandboxes/done/home/.claude'))
    await keepSession(root, session)
    await copy()
    assert.deepEqual([existsSync(kept()), existsSync(copied())], [false, false])
  })

  it('is not kept when it is larger than the limit, or of another id', async () => {
    truncateSync(write(home, ''), MAX_COPIED_SESSION_BYTES + 1)
    await keepSession(root, session)
    assert.ok(!existsSync(kept()))
    write(home, 'said')
    await keepSession(root, { ...session, id: ID.replace('0', '1') })
    await keepSession(root, { ...session, id: '../../secret' })
    assert.ok(!existsSync(kept()))
  })

  it('is there again for the task that comes back from the archive, by another uid', async () => {
    write(home, 'said')
    await keepSession(root, session)
    rmSync(join(root, 'sandboxes'), { recursive: true })
    await takeExecutionFolder(root, 'done-1', { uid: 'uid-done-1b', task: 'uid-back' })
    await copy({ uid: 'uid-back' })
    assert.equal(readFileSync(copied(), 'utf8'), 'said')
  })

  it('goes for want of room only where its namespace is served', async () => {
    write(home, 'said')
    write(
      'executions/done-1/owner',
      JSON.stringify({ uid: 'u', task: 'uid-done', place: 'project shop', namespace: 'a' }),
    )
    await keepSession(root, session)
    const room = { workspaceBytes: 0, reviewMs: Infinity }
    const sweep = (namespaces: readonly string[]) =>
      sweepSessions({ root, room, namespaces, others: 0, ended: new AbortController().signal }, new Date())
    assert.deepEqual(await sweep(['b']), { removed: [], leftBytes: 4 })
    assert.ok(existsSync(kept()))
    assert.equal((await sweep(['a'])).leftBytes, 0)
    assert.ok(!existsSync(kept()))
  })

  it('is never that of another task of the name', async () => {
    write(home, 'said')
    await keepSession(root, session)
    assert.equal(await readSession(root, { ...session, uid: 'uid-other' }, 'claude'), undefined)
    await copy({ uid: 'uid-other' })
    assert.ok(!existsSync(copied()))
  })
})
