import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type DraftStore, createDraftStore } from '../../../web/api/draft-store.ts'

const ADA = { person: 'ada', name: 'new-task' }

/** Tabs of one browser: each hears what the others do to the storage, as browsers tell it. */
function makeBrowser() {
  const kept = new Map<string, string>()
  const tabs = new Map<string, DraftStore>()
  let nowMs = 0
  let isFull = false
  const open = (tab: string): DraftStore => {
    const tellOthers = (key: string, newValue: string | null): void => {
      for (const [name, other] of tabs) if (name !== tab) other.onStorage({ key, newValue })
    }
    const store = createDraftStore({
      tab,
      nowMs: () => (nowMs += 1),
      storage: {
        get length() {
          return kept.size
        },
        key: (index) => [...kept.keys()][index] ?? null,
        getItem: (key) => kept.get(key) ?? null,
        setItem(key, value) {
          if (isFull) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
          kept.set(key, value)
          tellOthers(key, value)
        },
        removeItem(key) {
          if (kept.delete(key)) tellOthers(key, null)
        },
      },
    })
    tabs.set(tab, store)
    return store
  }
  return { kept, open, close: (tab: string) => tabs.delete(tab), fill: () => (isFull = true) }
}

describe('drafts', () => {
  it('survive a reload, and are forgotten when they are sent', () => {
    const { open, kept } = makeBrowser()
    open('one').write(ADA, 'Fix the login')
    const again = open('one')
    assert.equal(again.read(ADA), 'Fix the login')
    again.write(ADA, '')
    assert.equal(open('one').read(ADA), '')
    assert.equal(kept.size, 0)
  })

  it('typed before it is known who this is are stored for nobody, and are that person’s then', () => {
    const { open, kept } = makeBrowser()
    const nobodys = { ...ADA, person: '' }
    const one = open('one')
    one.write(nobodys, 'Typed early')
    assert.equal(kept.size, 0)
    one.claim(ADA)
    assert.deepEqual([one.read(ADA), one.read(nobodys)], ['Typed early', ''])
    const again = open('one')
    again.claim(ADA)
    assert.equal(again.read(ADA), 'Typed early')
  })

  it('of two tabs do not overwrite one another', () => {
    const { open } = makeBrowser()
    const [one, two] = [open('one'), open('two')]
    one.write(ADA, 'one')
    assert.equal(two.read(ADA), 'one')
    two.write(ADA, 'two')
    assert.deepEqual([one.read(ADA), two.read(ADA)], ['one', 'two'])
    assert.deepEqual([open('one').read(ADA), open('two').read(ADA)], ['one', 'two'])
    // What was put back is as old as it was.
    assert.equal(open('three').read(ADA), 'two')
  })

  it('of a closed tab are found by the next one, newest first, and not again once they are sent', () => {
    const { open, close } = makeBrowser()
    for (const name of ['old', 'new']) {
      open(name).write({ ...ADA, name: `for ${name}` }, 'x')
      open(name).write(ADA, name)
    }
    close('old')
    close('new')
    const next = open('next')
    assert.equal(next.read(ADA), 'new')
    next.write(ADA, 'new and more')
    // Nothing of others appears under what a person is typing.
    next.write(ADA, '')
    assert.equal(next.read(ADA), '')
    const last = open('last')
    assert.equal(last.read(ADA), 'old')
    last.write(ADA, '')
    assert.equal(open('other').read(ADA), '')
  })

  it('are of one person, and go when that person signs out, in every tab', () => {
    const { open } = makeBrowser()
    const bob = { ...ADA, person: 'bob' }
    const [one, two] = [open('one'), open('two')]
    one.write(ADA, 'secret')
    two.write(ADA, 'another')
    two.write(bob, 'of bob')
    assert.equal(one.read({ ...ADA, person: 'eve' }), '')
    two.forgetPerson('ada')
    assert.deepEqual([one.read(ADA), two.read(ADA), open('three').read(ADA)], ['', '', ''])
    assert.equal(open('two').read(bob), 'of bob')
  })

  it('that were sent are forgotten in every tab, and do not come back', () => {
    const { open, kept } = makeBrowser()
    const [one, two] = [open('one'), open('two')]
    const other = { ...ADA, name: 'another' }
    one.write(ADA, 'Reject it')
    one.write(other, 'stays')
    two.forget(ADA)
    assert.deepEqual([one.read(ADA), two.read(ADA), open('three').read(ADA)], ['', '', ''])
    assert.equal(open('one').read(ADA), '')
    assert.equal(one.read(other), 'stays')
    assert.equal(
      [...kept.values()].some((text) => text.includes('Reject')),
      false,
    )
    one.write(ADA, 'Once more')
    assert.deepEqual([one.read(ADA), open('one').read(ADA)], ['Once more', 'Once more'])
  })

  it('of another tab stay where they say something else than what was sent, and not where that began so', () => {
    const { open } = makeBrowser()
    const [one, two, three] = [open('one'), open('two'), open('three')]
    one.write(ADA, 'Not')
    two.write(ADA, 'Not so')
    three.write(ADA, 'Say why')
    two.forget(ADA)
    assert.deepEqual([one.read(ADA), two.read(ADA), three.read(ADA)], ['Say why', '', 'Say why'])
    assert.equal(open('three').read(ADA), 'Say why')
    three.forget(ADA)
    assert.deepEqual([one.read(ADA), three.read(ADA), open('four').read(ADA)], ['', '', ''])
  })

  it('stay on the page when there is no room to keep them', () => {
    const { open, close, fill } = makeBrowser()
    open('one').write(ADA, 'begun')
    close('one')
    const two = open('two')
    let told = 0
    two.subscribe(() => (told += 1))
    fill()
    two.write(ADA, 'begun and more')
    assert.deepEqual([two.read(ADA), told], ['begun and more', 1])
    assert.equal(open('three').read(ADA), 'begun')
  })

  it('show in each tab what was written there last, whatever the others write', () => {
    const step = fc.tuple(fc.constantFrom('one', 'two', 'three'), fc.stringMatching(/^[a-z]{1,5}$/), fc.boolean())
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { open } = makeBrowser()
        const tabs = new Map(['one', 'two', 'three'].map((name) => [name, open(name)]))
        const last = new Map<string, string>()
        for (const [name, text, isReload] of steps) {
          if (isReload) tabs.set(name, open(name))
          tabs.get(name)?.write(ADA, text)
          last.set(name, text)
        }
        for (const [name, text] of last) assert.equal(open(name).read(ADA), text)
      }),
    )
  })
})
