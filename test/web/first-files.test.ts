/** What a browser loads before a view's first picture, as the build lists it. */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../cli/installation.ts'
import { parseObject } from '../../core/json.ts'

const BUDGET_BYTES = 180_000

describe('the first files of a view', () => {
  const folder = join(packageFolder(), 'dist', 'ui')
  const filesOf = (view: string): readonly string[] => {
    const files = parseObject(readFileSync(join(folder, 'preload.json'), 'utf8'))[view]
    assert.ok(Array.isArray(files), view)
    return files.filter((name) => typeof name === 'string')
  }

  it('are within the budget of the board, as gzip, which browsers ask for without TLS', () => {
    const scripts = filesOf('/stories').filter((name) => name.endsWith('.js'))
    assert.ok(scripts.length > 3)
    const bytes = scripts.reduce((sum, name) => sum + statSync(join(folder, `${name}.gz`)).size, 0)
    assert.ok(bytes <= BUDGET_BYTES, `${bytes} bytes of JavaScript, more than ${BUDGET_BYTES}`)
  })

  for (const view of ['/stories', '/tasks'])
    it(`have neither a form nor a dialog at ${view}`, () => {
      const files = filesOf(view)
      assert.ok(files.some((name) => name.startsWith('/assets/parts-')))
      assert.deepEqual(
        files.filter((name) => /^\/assets\/(forms|dialog)-/.test(name)),
        [],
      )
    })

  it('have what their view needs of these elsewhere', () => {
    for (const [view, name] of [
      ['/tasks/new', 'forms'],
      ['/', 'dialog'],
    ] as const)
      assert.ok(
        filesOf(view).some((file) => file.startsWith(`/assets/${name}-`)),
        view,
      )
  })
})
