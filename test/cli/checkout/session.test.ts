import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canPlace, placeSession } from '../../../cli/checkout/session.ts'

const ID = '47c9e0b2-3a0a-4c46-b164-356e5d5c1a85'
const CODEX = { adapter: 'codex', id: ID, file: `2026/11/28/rollout-2026-11-28T01-02-03-${ID}.jsonl` }
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
    assert.deepEqual(placed, { path, typed: `cd '${home}/it'\\''s mine' && claude --resume ${ID}` })
    assert.equal(statSync(path).mode & 0o777, 0o600)
  })

  it('of codex keeps its day and its name', async () => {
    const placed = await placeSession(CODEX, folder, content, { HOME: home, CODEX_HOME: join(home, 'other') })
    assert.equal(placed?.path, join(home, 'other', 'sessions', CODEX.file))
    assert.match(placed?.typed ?? '', new RegExp(` && codex resume ${ID}$`))
  })

  it('replaces no file of the person', async () => {
    const placed = await placeSession(CODEX, folder, content, { HOME: home })
    assert.equal(await placeSession(CODEX, folder, new TextEncoder().encode('x'), { HOME: home }), undefined)
    assert.equal(readFileSync(placed?.path ?? '', 'utf8'), '{}\n')
  })

  for (const [what, offer] of Object.entries({
    'leads out of the folder': { ...CODEX, file: `../../${CODEX.file}` },
    'is of another session': { ...CODEX, id: ID.replace('4', '5') },
    'has no id of a session': { ...CLAUDE, id: '../../.ssh/id' },
    'has an option for an id': { ...CLAUDE, id: '--dangerously-skip-permissions' },
    'is of a program that is not known': { ...CLAUDE, adapter: 'gemini' },
    'is of a program with a name of all objects': { ...CLAUDE, adapter: 'constructor' },
  }))
    it(`is not placed where it ${what}`, () => assert.equal(canPlace(offer, { HOME: home }), false))
})
