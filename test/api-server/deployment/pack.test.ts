import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_PACKS, packMirror } from '../../../api-server/deployment/fetch.ts'
import { type Mirrors, createMirrors, mirrorName } from '../../../api-server/deployment/mirrors.ts'
import { manualClock } from '../../helpers/clock.ts'
import { measureFolder } from '../../helpers/folder-size.ts'
import { recordingLogger } from '../../helpers/log.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'

describe('the packs of a mirror', function () {
  let folder: string
  let remote: Remote
  let mirrors: Mirrors
  let stopping: AbortController
  let log: ReturnType<typeof recordingLogger>
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-pack-'))
    remote = makeRemote(folder, { 'a.txt': 'one' })
    stopping = new AbortController()
    log = recordingLogger()
    mirrors = createMirrors({
      folder: join(folder, 'mirrors'),
      reach: { allowPrivate: false, user: { home: folder, env: {} } },
      onAnswers: () => undefined,
      stop: stopping.signal,
      clock: manualClock(),
      logger: log.logger,
    })
  })
  afterEach(async () => {
    stopping.abort()
    await mirrors.ended()
    await rm(folder, { recursive: true, force: true })
  })

  const ask = (commit: string, deployed: string): Promise<boolean> =>
    mirrors.of({ url: remote.path }).ask({ commit, deployed })
  const gitDir = (): string => join(folder, 'mirrors', mirrorName(remote.path))
  const files = async (): Promise<string[]> =>
    (await readdir(gitDir(), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
  /** As many packs as so many fetches leave, of an object that nothing refers to; answers its name. */
  const leavePacks = (count: number): string => {
    const script = `
      object=$(echo unreferenced | git hash-object -w --stdin)
      pack=objects/pack/pack-$(echo "$object" | git pack-objects -q objects/pack/pack)
      git prune-packed
      for n in $(seq 2 "$1"); do
        for end in pack idx; do cp "$pack.$end" "objects/pack/pack-$(printf %040d "$n").$end"; done
      done
      echo "$object"`
    const made = execFileSync('sh', ['-ec', script, 'sh', String(count)], { cwd: gitDir(), encoding: 'utf8' })
    return made.trim()
  }

  for (const filter of ['true', 'false']) {
    it(`become one, and forget nothing, of a remote that ${filter === 'true' ? 'leaves out' : 'sends'} trees`, async () => {
      remote.git('config', 'uploadpack.allowFilter', filter)
      const forgotten = remote.commit('side', { 'b.txt': 'two' })
      const base = remote.git('rev-parse', 'main')
      assert.equal(await ask(base, forgotten), true)
      remote.git('branch', '-D', 'side')
      const unreferenced = leavePacks(MAX_PACKS)
      assert.ok((await files()).length > 2 * MAX_PACKS)
      const { bytes } = await measureFolder(gitDir())
      const later = remote.commit('main', { 'c.txt': 'three' })
      assert.equal(await ask(base, later), true)
      const left = await files()
      assert.ok(left.length <= 12, left.join(' '))
      assert.ok((await measureFolder(gitDir())).bytes < bytes)
      assert.ok(left.filter((name) => name.endsWith('.pack')).length <= 2, left.join(' '))
      for (const object of [base, forgotten, later, unreferenced])
        execFileSync('git', ['cat-file', '-e', object], { cwd: gitDir(), stdio: 'pipe' })
      assert.deepEqual([await ask(later, base), log.lines], [false, []])
    })
  }

  it('become one though the configuration names no remote that promises what is missing', async () => {
    remote.git('config', 'uploadpack.allowFilter', 'true')
    const base = remote.git('rev-parse', 'main')
    assert.equal(await ask(base, remote.commit('main', { 'b.txt': 'two' })), true)
    leavePacks(MAX_PACKS)
    await packMirror(gitDir(), log.logger, stopping.signal, manualClock())
    const packs = (await files()).filter((name) => name.endsWith('.pack'))
    assert.ok(packs.length <= 2, packs.join(' '))
    assert.deepEqual(log.lines, [])
  })
})
