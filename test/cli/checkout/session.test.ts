import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { canPlace, noSessionWords, placeSession } from '../../../cli/checkout/session.ts'

const ID = '47c9e0b2-3a0a-4c46-b164-356e5d5c1a85'
const CODEX = { adapter: 'codex', id: ID, file: `2026/11/28/rollout-2026-11-28T01-02-03-${ID}.jsonl` }
const GEMINI = { adapter: 'gemini', id: ID, file: 'repo/chats/session-2026-11-28T01-02-47c9e0b2.jsonl' }
const CLAUDE = { adapter: 'claude', id: ID, file: `-slipway/${ID}.jsonl` }

describe('the session of a checkout', () => {
  let home: string
  let folder: string
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-home-')))
    folder = join(home, "it's mine")
    mkdirSync(folder)
  })
  afterEach(() => rmSync(home, { recursive: true }))
  const content = new TextEncoder().encode('{}\n')

  it('of claude goes where claude looks for that folder, for the person alone', async () => {
    const placed = await placeSession(CLAUDE, folder, content, { HOME: home })
    const path = join(home, '.claude', 'projects', folder.replaceAll(/[^A-Za-z0-9]/g, '-'), `${ID}.jsonl`)
    assert.deepEqual(placed, { path, isNew: true, typed: `cd '${home}/it'\\''s mine' && claude --resume ${ID}` })
    assert.equal(statSync(path).mode & 0o777, 0o600)
  })

  it('of codex keeps its day and its name', async () => {
    const placed = await placeSession(CODEX, folder, content, { HOME: home, CODEX_HOME: join(home, 'other') })
    assert.equal(placed?.path, join(home, 'other', 'sessions', CODEX.file))
    assert.match(placed?.typed ?? '', new RegExp(` && codex resume ${ID}$`))
  })

  describe('of gemini', () => {
    const tmp = () => join(home, '.gemini', 'tmp')
    const place = (into = folder) => placeSession(GEMINI, into, content, { HOME: home })
    const own = (name: string, owner: string): void => {
      mkdirSync(join(tmp(), name), { recursive: true })
      writeFileSync(join(tmp(), name, '.project_root'), owner)
    }

    it('goes to a project of its own, which is marked as that of the folder', async () => {
      own('other', '/elsewhere')
      const placed = await place()
      const project = join(tmp(), `slipway-${ID}`)
      assert.equal(placed?.path, join(project, 'chats', 'session-2026-11-28T01-02-47c9e0b2.jsonl'))
      assert.equal(readFileSync(join(project, '.project_root'), 'utf8'), folder)
      assert.match(placed?.typed ?? '', new RegExp(` && gemini --resume ${ID}$`))
      assert.equal(existsSync(join(home, '.gemini', 'projects.json')), false)
    })

    it('goes to the project that gemini has for that folder already', async () => {
      own('mine', `${folder}\n`)
      assert.match((await place())?.path ?? '', /\/tmp\/mine\/chats\//)
      writeFileSync(join(home, '.gemini', 'projects.json'), JSON.stringify({ projects: { [folder]: 'listed' } }))
      assert.match((await place())?.path ?? '', /\/tmp\/listed\/chats\//)
    })

    it('takes no project of another folder, whatever the list of gemini says', async () => {
      own('taken', '/elsewhere')
      for (const listed of ['taken', '../../..', 7]) {
        writeFileSync(join(home, '.gemini', 'projects.json'), JSON.stringify({ projects: { [folder]: listed } }))
        await place()
      }
      const second = join(home, 'second')
      mkdirSync(second)
      await place(second)
      assert.deepEqual(readdirSync(tmp()).sort(), [`slipway-${ID}`, `slipway-${ID}-2`, 'taken'])
      assert.equal(readFileSync(join(tmp(), `slipway-${ID}`, '.project_root'), 'utf8'), folder)
    })
  })

  it('stays on the server, in words, where its program speaks ACP or there is no file of it', () => {
    assert.match(noSessionWords('acp'), /stays on the server: .* ACP/)
    assert.match(noSessionWords('claude'), /no session comes along: the server keeps no file of it/)
  })

  it('replaces no file of the person', async () => {
    const placed = await placeSession(CODEX, folder, content, { HOME: home })
    const again = await placeSession(CODEX, folder, new TextEncoder().encode('x'), { HOME: home })
    assert.deepEqual(again, { ...placed, isNew: false })
    assert.equal(readFileSync(placed?.path ?? '', 'utf8'), '{}\n')
    assert.equal(readdirSync(dirname(placed?.path ?? '')).length, 1)
  })

  for (const [what, offer] of Object.entries({
    'leads out of the folder': { ...CODEX, file: `../../${CODEX.file}` },
    'is of another session': { ...CODEX, id: ID.replace('4', '5') },
    'has no id of a session': { ...CLAUDE, id: '../../.ssh/id' },
    'has an option for an id': { ...CLAUDE, id: '--dangerously-skip-permissions' },
    'has a name that gemini gives none': { ...GEMINI, file: 'repo/../chats/session-1-47c9e0b2.jsonl' },
    'is of another session of gemini': { ...GEMINI, id: ID.replace('4', '5') },
    'is of a program that is not known': { ...CLAUDE, adapter: 'opencode' },
    'is of a program with a name of all objects': { ...CLAUDE, adapter: 'constructor' },
  }))
    it(`is not placed where it ${what}`, () => assert.equal(canPlace(offer, { HOME: home }), false))
})
