import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTokens, TokenUnreadable } from '../../../api-server/auth/tokens.ts'
import { manualClock } from '../../helpers/clock.ts'
import { recordingLogger } from '../../helpers/log.ts'

describe('tokens in files', () => {
  let folder: string
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'slipway-tokens-'))))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const setUp = (tokenFile: string) => {
    const clock = manualClock()
    const { logger, lines } = recordingLogger()
    const tokens = createTokens({ tokens: [{ name: 'ci', tokenFile, scopes: ['read'] }], clock, logger })
    return { clock, who: (token: string) => tokens.find(token)?.name, logged: () => lines.map(({ msg }) => msg) }
  }

  it('are read without the white space around them', () => {
    writeFileSync(join(folder, 'ci'), '  first-token\n')
    assert.equal(setUp(join(folder, 'ci')).who('first-token'), 'ci')
  })

  it('are read again when they have changed, and the old one counts no more', async () => {
    const path = join(folder, 'ci')
    writeFileSync(path, 'first-token')
    const { clock, who } = setUp(path)
    writeFileSync(path, 'other-token')
    await clock.advance(1000)
    assert.deepEqual([who('other-token'), who('first-token')], ['ci', undefined])
  })

  it('are read again when a link to them is turned, as Kubernetes does with a mounted Secret', async () => {
    writeFileSync(join(folder, 'one'), 'first-token')
    writeFileSync(join(folder, 'two'), 'other-token')
    symlinkSync('one', join(folder, 'ci'))
    const { clock, who } = setUp(join(folder, 'ci'))
    rmSync(join(folder, 'ci'))
    symlinkSync('two', join(folder, 'ci'))
    await clock.advance(1000)
    assert.deepEqual([who('other-token'), who('first-token')], ['ci', undefined])
  })

  it('are nobody’s while the file is gone or too short, and come back with it', async () => {
    const path = join(folder, 'ci')
    writeFileSync(path, 'first-token')
    const { clock, who } = setUp(path)
    rmSync(path)
    await clock.advance(1000)
    assert.equal(who('first-token'), undefined)
    writeFileSync(path, 'short')
    await clock.advance(1000)
    assert.deepEqual([who('short'), who('')], [undefined, undefined])
    writeFileSync(path, 'first-token')
    await clock.advance(1000)
    assert.equal(who('first-token'), 'ci')
  })

  it('must be there at the start', () => {
    assert.throws(() => setUp(join(folder, 'none')), TokenUnreadable)
    writeFileSync(join(folder, 'short'), 'short')
    assert.throws(() => setUp(join(folder, 'short')), /ci: .*short: holds fewer than 8 characters/)
  })

  it('are refused at the start, and nobody’s later, while everybody can change the file', async () => {
    const path = join(folder, 'ci')
    writeFileSync(path, 'first-token')
    chmodSync(path, 0o602)
    assert.throws(() => setUp(path), {
      message: `tokens: ci: ${path}: can be changed by everybody on this machine, who could let themselves in with it: chmod o-w ${path}`,
    })
    chmodSync(path, 0o600)
    const { clock, who, logged } = setUp(path)
    assert.deepEqual([who('first-token'), logged()], ['ci', []])
    chmodSync(path, 0o606)
    await clock.advance(1000)
    assert.equal(who('first-token'), undefined)
  })

  it('are told of when everybody can read the file', () => {
    const path = join(folder, 'ci')
    writeFileSync(path, 'first-token')
    chmodSync(path, 0o644)
    const { who, logged } = setUp(path)
    assert.equal(who('first-token'), 'ci')
    assert.deepEqual(logged(), [`token file holds a secret that everybody on this machine can read: chmod o-r ${path}`])
  })
})
