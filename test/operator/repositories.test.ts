import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ALTERNATES_PATH, formatAlternates } from '../../core/execution/alternates.ts'
import {
  clonePath,
  makingPath,
  mirrorsPath,
  repositoryLockPath,
  repositoryPath,
  sandboxOwnerPath,
} from '../../core/execution/layout.ts'
import { withFileLock } from '../../lib/file-lock.ts'
import { type RepositorySweep, findSurplus, sweepRepositories } from '../../operator/repositories.ts'
import { manualClock } from '../helpers/clock.ts'
import { until } from '../helpers/until.ts'

const [A, B] = ['a'.repeat(32), 'b'.repeat(32)]
const DAY_MS = 86_400_000
const never = new AbortController().signal

describe('the sweep of the repositories that clones borrow from', () => {
  let root = ''
  let clock = manualClock()
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'slipway-repositories-'))
    clock = manualClock(new Date())
  })
  afterEach(() => rm(root, { recursive: true }))

  const at = (path: string): string => join(root, path)
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(at(path)), { recursive: true })
    await writeFile(at(path), text)
  }
  /** As prepare leaves it. */
  const mirror = async (key: string, ...numbers: (number | string)[]): Promise<void> => {
    for (const n of numbers) await write(`${mirrorsPath(key)}/${n}/objects/pack/pack-1.pack`, 'PACK')
    await write(repositoryLockPath(key), '')
    await write(`${repositoryPath(key)}.owner`, JSON.stringify({ uid: key }))
  }
  const usedBefore = (key: string, days: number): Promise<void> => {
    const then = new Date(clock.now().getTime() - days * DAY_MS)
    return utimes(at(`${repositoryPath(key)}.owner`), then, then)
  }
  const mark = (sandbox: string, key?: string): Promise<void> =>
    write(sandboxOwnerPath(sandbox), JSON.stringify({ uid: sandbox, mirror: key }))
  const borrow = (clone: string, text: string): Promise<void> => write(`${clone}/${ALTERNATES_PATH}`, text)
  const clone = async (sandbox: string, key: string, number: number): Promise<void> => {
    await mark(sandbox, key)
    await borrow(clonePath(sandbox), formatAlternates({ key, number }))
  }
  const onFailure = (folder: string, error: unknown): void => assert.fail(`${folder}: ${String(error)}`)
  const sweep = async (options: Partial<RepositorySweep> = {}): Promise<readonly string[]> => {
    const all = { root, clock, maxBytes: Infinity, isMounted: () => false, ended: never, onFailure, ...options }
    return (await sweepRepositories(all)).removed
  }
  const left = async (key: string): Promise<string[]> => (await readdir(at(mirrorsPath(key)))).sort()

  it('keeps the mirror in use and those that a clone names, also one that was put aside, and removes the rest', async () => {
    await mirror(A, 1, 2, 3, 10)
    await clone('task-a', A, 2)
    await clone('task-b', A, 10)
    await borrow(`${clonePath('task-b')}.damaged`, formatAlternates({ key: A, number: 3 }))
    assert.deepEqual(await sweep(), [`${mirrorsPath(A)}/1`])
    assert.deepEqual(await left(A), ['10', '2', '3'])
    await rm(at('sandboxes'), { recursive: true })
    await sweep()
    assert.deepEqual(await left(A), ['10'])
  })

  it('removes nothing below the mirror in use while a clone does not tell what it borrows from', async () => {
    await mirror(A, 1, 2)
    const alternates = at(`${clonePath('task-a')}/${ALTERNATES_PATH}`)
    for (const text of ['/etc\n', 'x'.repeat(1000)]) {
      await mark('task-a', A)
      await borrow(clonePath('task-a'), text)
      assert.deepEqual(await sweep(), [])
    }
    await rm(alternates)
    await symlink('/etc/passwd', alternates)
    assert.deepEqual(await sweep(), [])
    await rm(alternates)
    assert.deepEqual(await sweep(), [`${mirrorsPath(A)}/1`])
  })

  it('removes what an interrupted sweep has left', async () => {
    await mirror(A, 1, '.discarded-7')
    await write('repositories/.discarded-x/mirrors/1/HEAD', '')
    await sweep()
    assert.deepEqual([await left(A), await readdir(at('repositories'))], [['1'], [A, `${A}.owner`]])
  })

  it('removes what a prepare was making when it was killed', async () => {
    await mirror(A, 1)
    await write(`${makingPath(A)}/7/objects/pack/tmp_pack_x`, 'PACK')
    await sweep()
    assert.deepEqual([await left(A), await readdir(at(repositoryPath(A)))], [['1'], ['lock', 'mirrors']])
  })

  it('leaves a repository alone while somebody clones from it', async () => {
    await mirror(A, 1, 2)
    await write(`${makingPath(A)}/7/HEAD`, '')
    await usedBefore(A, 8)
    await withFileLock(at(repositoryLockPath(A)), never, async () => {
      let swept: readonly string[] | undefined
      const sweeping = sweep().then((removed) => void (swept = removed))
      await until('it gives up', async () => (await clock.advance(2000), swept !== undefined))
      await sweeping
      assert.deepEqual(swept, [])
    })
    assert.deepEqual(await left(A), ['1', '2'])
    assert.ok(existsSync(at(`${makingPath(A)}/7/HEAD`)))
    assert.deepEqual(await sweep(), [`${mirrorsPath(A)}/1`, repositoryPath(A)])
  })

  it('keeps a repository from which a clone was made while it waited for the lock', async () => {
    await mirror(A, 1)
    await usedBefore(A, 8)
    const swept: Promise<readonly string[]>[] = []
    await withFileLock(at(repositoryLockPath(A)), never, async () => {
      swept.push(sweep())
      await until('it waits', () => clock.pending() > 0)
      await clone('task-a', A, 1)
    })
    assert.deepEqual(await Promise.all(swept), [[]])
    assert.deepEqual(await left(A), ['1'])
  })

  it('keeps a mirror that was in use when it began, though another takes its place while it waits for the lock', async () => {
    await mirror(A, 1, 2)
    const swept: Promise<readonly string[]>[] = []
    await withFileLock(at(repositoryLockPath(A)), never, async () => {
      swept.push(sweep())
      await until('it waits', () => clock.pending() > 0)
      await clone('task-a', A, 2)
      await mirror(A, 3)
    })
    assert.deepEqual(await Promise.all(swept), [[`${mirrorsPath(A)}/1`]])
    assert.deepEqual(await left(A), ['2', '3'])
  })

  it('clears up the other repositories when the lock of one cannot be opened, and says so once', async () => {
    await mirror(A, 1, 2)
    await mirror(B, 1, 2)
    for (const key of [A, B]) await usedBefore(key, 8)
    await rm(at(repositoryLockPath(A)))
    await symlink('/etc/passwd', at(repositoryLockPath(A)))
    const failures: string[] = []
    const removed = await sweep({ onFailure: (folder, error) => failures.push(`${folder}: ${String(error)}`) })
    assert.deepEqual(removed, [`${mirrorsPath(B)}/1`, repositoryPath(B)])
    assert.equal(failures.length, 1)
    assert.match(failures[0] ?? '', new RegExp(`^${repositoryPath(A)}: Error: ELOOP`))
    assert.deepEqual(await left(A), ['1', '2'])
  })

  it('removes a repository a week after its last use, unless a clone, a mark or a container has it', async () => {
    await mirror(A, 1)
    await usedBefore(A, 6)
    assert.deepEqual(await sweep(), [])
    await usedBefore(A, 8)
    assert.deepEqual(await sweep({ isMounted: (path) => path === repositoryPath(A) }), [])
    await mark('task-a', A)
    assert.deepEqual(await sweep(), [])
    await mark('task-a')
    await borrow(clonePath('task-a'), formatAlternates({ key: A, number: 1 }))
    assert.deepEqual(await sweep(), [])
    await rm(at('sandboxes'), { recursive: true })
    assert.deepEqual(await sweep(), [repositoryPath(A)])
    assert.deepEqual(await readdir(at('repositories')), [])
  })

  it('removes beyond mirrorBytes what was used least lately and nobody borrows from', async () => {
    await mirror(A, 1)
    await mirror(B, 1)
    await usedBefore(A, 2)
    await usedBefore(B, 1)
    assert.deepEqual(await sweep({ maxBytes: 1 }), [repositoryPath(A), repositoryPath(B)])
    await mirror(A, 1)
    await mirror(B, 1)
    await clone('task-a', A, 1)
    assert.deepEqual(await sweep({ maxBytes: 1 }), [repositoryPath(B)])
    assert.ok(existsSync(at(`${mirrorsPath(A)}/1`)))
  })

  it('stops at the room that they may take, the one that was used least lately first', () => {
    const stored = [3, 1, 2].map((day) => ({ key: String(day), bytes: 10, usedAt: new Date(Date.UTC(2026, 0, day)) }))
    const late = manualClock(new Date('2026-01-04T00:00:00Z'))
    const surplus = (maxBytes: number, kept: string) =>
      findSurplus(stored, (key) => key !== kept, { clock: late, maxBytes })
    assert.deepEqual(surplus(30, ''), [])
    assert.deepEqual(surplus(20, ''), ['1'])
    assert.deepEqual(surplus(20, '1'), ['2'])
    assert.deepEqual(surplus(0, '2'), ['1', '3'])
  })
})
