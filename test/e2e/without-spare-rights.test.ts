import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NAMESPACE } from './cluster.ts'
import { type AccountRequest, type RightsReport, compareRights, readRequests, readRoles } from './least-rights.ts'

const ROLES = join(import.meta.dirname, '..', '..', '..', 'charts', 'slipway', 'files', 'roles')
const OWNERSHIP =
  'the plug-in OwnerReferencesPermissionEnforcement asks for it inside the API server, so no request shows it'

/** Rights that no test makes use of, and why the parts have them all the same. */
const UNSEEN: Readonly<Record<string, string>> = {
  'slipway-operator: update tasks/finalizers': OWNERSHIP,
  'slipway-operator: update executions/finalizers': OWNERSHIP,
  'slipway-operator: update stories/finalizers': OWNERSHIP,
  'slipway-api-server: update stories/finalizers': OWNERSHIP,
  'slipway-operator: get storyevents': 'an operator was killed between the create of an event and its next look',
}

// The last file by name, so that the log holds what all tests did. test/e2e/run starts its cluster with such a log.
describe('the rights of the chart', function () {
  const path = process.env['SLIPWAY_E2E_AUDIT_LOG']
  let requests: readonly AccountRequest[]
  let report: RightsReport
  before(function () {
    if (path === undefined) this.skip()
    requests = readRequests(readFileSync(path, 'utf8'))
    report = compareRights(readRoles(ROLES), requests)
    // Evidence for whoever reads the log of a run.
    for (const [right, count] of report.used) process.stdout.write(`${String(count).padStart(7)} ${right}\n`)
  })

  it('were each used, or have a reason', () => {
    const unused = report.unused.filter((right) => UNSEEN[right] === undefined)
    assert.deepEqual(unused, [], 'remove it from charts/slipway/files/roles, or test what needs it')
  })

  it('have a reason only where they exist', () => {
    const known = [...report.unused, ...report.used.keys()]
    const stale = Object.keys(UNSEEN).filter((right) => !known.includes(right))
    assert.deepEqual(stale, [])
  })

  it('have no wildcard', () => {
    assert.deepEqual(report.wildcards, [])
  })

  it('were enough: nothing was refused', () => {
    const own = requests.filter(({ namespace }) => namespace === NAMESPACE)
    assert.deepEqual(compareRights({}, own).refused, [])
  })
})
