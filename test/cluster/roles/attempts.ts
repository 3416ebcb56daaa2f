/** Tables of who may do what: a row for each attempt, a column for each person. */
import assert from 'node:assert/strict'
import type { JsonValue } from '../../../embedded/schema/json.ts'
import { at } from '../../charts/render.ts'
import { type Letter, PEOPLE, userOf } from './people.ts'
import { type Request, type RolesRig, outcomeOf, SLIPWAY } from './setup.ts'

/** What is tried, as a user; `resourceVersion` is that of the task `a`, which `maker` has made. */
export type Attempts = Readonly<Record<string, (user: string, resourceVersion: string, maker: string) => Request>>

/** A merge patch. */
export const patch = (path: string, body: JsonValue): Request => ({ method: 'PATCH', path, body })
/** Creates an object of ours, named `new`. */
export const make = (path: string, kind: string, spec: JsonValue, annotations: JsonValue = {}): Request => ({
  method: 'POST',
  path,
  body: { ...SLIPWAY, kind, metadata: { name: 'new', annotations }, spec },
})
/** Sets or removes annotations. */
export const annotate = (path: string, annotations: JsonValue): Request => patch(path, { metadata: { annotations } })
/** A decision by annotation, in the name of a user. */
export const decide = (
  path: string,
  user: string,
  action: string,
  more: Readonly<Record<string, string>> = {},
): Request => annotate(path, { 'slipway.dev/action': action, 'slipway.dev/by': user, ...more })

export interface Table {
  readonly letters: readonly Letter[]
  /** What each attempt comes to, a word for each person. */
  readonly rows: ReadonlyMap<string, string>
}

/**
 * `+` passes, `r` is refused by roles, a capital by a policy: Authors, Decisions, Edits, Hosts of repositories, Images, Leases,
 * Number of annotations, Records,
 * Secrets; `x` by two of them, of which either may say so. Columns: viewer, author, approver, both, admin, approver of another namespace, a role with wildcards,
 * the accounts of operator, API server and uninstall, the garbage collector, cluster-admin.
 */
export function readTable(table: string): Table {
  const [head = '', ...rows] = table.trim().split('\n')
  const letters = head.split(' ').filter((word): word is Letter => word in PEOPLE)
  const width = 2 * letters.length
  return { letters, rows: new Map(rows.map((row) => [row.slice(width + 1), row.slice(0, width).trim()])) }
}

/** Tests that each attempt of a table comes to what its row says. */
export function tryAttempts(table: string, attempts: Attempts, rig: () => RolesRig): void {
  const { letters, rows } = readTable(table)
  let resourceVersion: string
  before(async () => {
    const { body } = await rig().as('cluster-admin', { method: 'GET', path: 'tasks/a' })
    resourceVersion = String(at(body, 'metadata', 'resourceVersion'))
  })

  it('names every attempt', () => {
    assert.deepEqual([...rows.keys()], Object.keys(attempts))
  })

  for (const [what, attempt] of Object.entries(attempts))
    it(what, async () => {
      const outcomes = letters.map(async (letter) => {
        const person = PEOPLE[letter]
        return outcomeOf(
          await rig().as(person, attempt(userOf(person, rig()), resourceVersion, userOf('cluster-admin', rig()))),
        )
      })
      const wanted = rows.get(what)?.split(' ') ?? []
      const found = (await Promise.all(outcomes)).map((outcome, i) =>
        wanted[i] === 'x' && /^[A-Z]$/.test(outcome) ? 'x' : outcome,
      )
      assert.equal(found.join(' '), wanted.join(' '))
    })
}
