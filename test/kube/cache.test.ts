import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { ConfigMap } from '../../kube/builtin.ts'
import { createCache } from '../../kube/cache.ts'
import { compareVersions } from '../../kube/keys.ts'
import { configMap } from './fake-api.ts'

const A = { namespace: 'ns', name: 'a' }
const byVersion = { version: ({ data }: ConfigMap) => [data?.['version'] ?? ''] }

function aCache() {
  return createCache<ConfigMap>(byVersion)
}

function versionIn(cache: ReturnType<typeof aCache>): string | undefined {
  return cache.get(A)?.metadata.resourceVersion
}

describe('compareVersions', () => {
  it('orders decimal versions as numbers of any size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 80n }), fc.bigInt({ min: 0n, max: 2n ** 80n }), (a, b) => {
        assert.equal(Math.sign(compareVersions(String(a), String(b))), a < b ? -1 : Number(a > b))
      }),
    )
  })
})

describe('the cache of an informer', () => {
  it('replaces an object only by a newer one', () => {
    const cache = aCache()
    cache.put(configMap('a', '10'))
    assert.deepEqual(cache.put(configMap('a', '9')), [])
    assert.deepEqual(cache.put(configMap('a', '10')), [])
    assert.equal(versionIn(cache), '10')
    assert.equal(cache.put(configMap('a', '11'))[0]?.type, 'update')
  })

  it('does not let a late observe bring back what the watch said is deleted', () => {
    const cache = aCache()
    cache.put(configMap('a', '10'))
    cache.remove(configMap('a', '12'))
    cache.advance('12')
    assert.deepEqual(cache.observe(configMap('a', '11')), [])
    assert.equal(cache.get(A), undefined)
  })

  it('shows what was just written before the watch tells of it', () => {
    const cache = aCache()
    cache.replaceAll([], '10')
    assert.equal(cache.observe(configMap('a', '11'))[0]?.type, 'add')
    assert.deepEqual(cache.put(configMap('a', '11')), [])
  })

  it('keeps what was written after the list that does not hold it', () => {
    const cache = aCache()
    cache.observe(configMap('a', '11'))
    assert.deepEqual(cache.replaceAll([], '10'), [])
    assert.deepEqual(
      cache.replaceAll([], '12').map(({ type }) => type),
      ['delete'],
    )
  })

  it('does not let the deletion of an earlier object of the name remove the present one', () => {
    const cache = aCache()
    cache.put(configMap('a', '10', 'first'))
    cache.observe(configMap('a', '14', 'second'))
    assert.deepEqual(cache.remove(configMap('a', '12', 'first')), [])
    assert.equal(versionIn(cache), '14')
  })

  it('tells a name that was used again as a delete and an add', () => {
    const cache = aCache()
    cache.put(configMap('a', '10', 'first'))
    const types = cache.put(configMap('a', '14', 'second')).map(({ type }) => type)
    assert.deepEqual(types, ['delete', 'add'])
  })

  it('takes over a list of a store that was set back, older versions included', () => {
    const cache = aCache()
    cache.replaceAll([configMap('a', '90'), configMap('b', '91')], '100')
    cache.replaceAll([configMap('a', '20')], '30')
    assert.equal(versionIn(cache), '20')
    assert.equal(cache.list().length, 1)
  })

  it('hides what this process deleted until the server agrees, and shows a new object of that name', () => {
    const cache = aCache()
    cache.put(configMap('a', '10', 'first'))
    assert.equal(cache.conceal(configMap('a', '10', 'first'))[0]?.type, 'delete')
    assert.deepEqual(cache.put(configMap('a', '11', 'first')), [])
    assert.deepEqual(cache.remove(configMap('a', '12', 'first')), [])
    assert.equal(cache.put(configMap('a', '13', 'second'))[0]?.type, 'add')
  })

  it('shows a concealed object again when a list still holds it', () => {
    const cache = aCache()
    cache.put(configMap('a', '10'))
    cache.conceal(configMap('a', '10'))
    cache.replaceAll([configMap('a', '11')], '12')
    assert.equal(versionIn(cache), '11')
  })

  it('finds objects by index, in their present version only', () => {
    const cache = aCache()
    cache.put(configMap('a', '10'))
    cache.put(configMap('a', '11'))
    assert.deepEqual(cache.byIndex('version', '10'), [])
    assert.equal(cache.byIndex('version', '11').length, 1)
    assert.throws(() => cache.byIndex('nonsense', '1'), /no index "nonsense"/)
  })

  it('freezes objects in depth', () => {
    const cache = aCache()
    cache.put(configMap('a', '10'))
    const { data } = cache.get(A) as { data: Record<string, string> }
    assert.throws(() => {
      data['version'] = 'changed'
    }, TypeError)
  })

  it('never goes back in time, whatever arrives in whatever order', () => {
    // The server's true history of one name: versions grow, each state is present or deleted.
    const history = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 })
    const arrivals = fc.array(fc.record({ how: fc.constantFrom('watch', 'observe'), at: fc.nat() }), { maxLength: 40 })
    fc.assert(
      fc.property(history, arrivals, (states, steps) => {
        const cache = aCache()
        let told = 0
        let newest = 0
        for (const { how, at } of steps) {
          if (how === 'watch') {
            if (told === states.length) continue
            const version = String(++told)
            if (states[told - 1] === true) cache.put(configMap('a', version))
            else cache.remove(configMap('a', version))
            cache.advance(version)
          } else {
            const index = at % states.length
            if (states[index] !== true) continue
            cache.observe(configMap('a', String(index + 1)))
          }
          const shown = versionIn(cache)
          if (shown === undefined) {
            assert.ok(told === 0 || states[told - 1] === false, 'absent only when the server said so')
            assert.ok(told >= newest, 'absent only by a deletion newer than what was shown')
          } else {
            assert.ok(Number(shown) >= Math.max(told, newest), `went back to ${shown}`)
            newest = Number(shown)
          }
        }
      }),
    )
  })
})
