import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord } from '../core/json.ts'

describe('package-lock.json', () => {
  const lock: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8'))
  const packages = Object.entries(asRecord(asRecord(lock)['packages']))
    .filter(([path]) => path !== '')
    .map(([path, entry]) => ({ path, ...asRecord(entry) }))
  const pathsWhere = (isOdd: (entry: Readonly<Record<string, unknown>>) => boolean): string[] =>
    packages.filter(isOdd).map(({ path }) => path)

  it('knows what every package must hold, also those of other platforms, which npm leaves out where a registry lacks them', () => {
    assert.ok(packages.length > 100)
    assert.deepEqual(
      pathsWhere(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(String(integrity))),
      [],
    )
  })

  it('names no registry, so that each machine takes its own', () => {
    assert.deepEqual(
      pathsWhere((entry) => 'resolved' in entry),
      [],
    )
  })

  it('holds no package whose install script package.json does not refuse, and package.json refuses no other', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'))
    const named = pathsWhere(({ hasInstallScript }) => hasInstallScript === true).map((path) =>
      path.replace(/^.*node_modules\//, ''),
    )
    const refused = Object.fromEntries([...new Set(named)].map((name) => [name, false]))
    assert.deepEqual(asRecord(manifest)['allowScripts'], refused)
  })
})
