import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EDITS_MISSING, POLICIES_MISSING } from '../../../core/decision.ts'
import { AGENTS } from '../../../kube/resources.ts'
import { KubeError } from '../../../kube/types.ts'
import { systemClock } from '../../../lib/clock.ts'
import { makeLogger } from '../../../lib/log.ts'
import { type PolicyWatch, watchPolicies } from '../../../operator/admission-policies.ts'
import { anAgent } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'
import { type RolesRig, messageOf, setUpRoles } from './setup.ts'

const run = promisify(execFile)
const UNINSTALL = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'operate', 'uninstall.md')
const agent = anAgent()

/** The command of the page, for the release of a namespace. */
function cleanUpOf(namespace: string): string {
  const found = /^kubectl delete validatingadmissionpolicybinding.*$/m.exec(readFileSync(UNINSTALL, 'utf8'))
  assert.ok(found)
  return found[0].replaceAll('=slipway', (_, at: number, all: string) =>
    all.slice(0, at).endsWith('release-namespace') ? `=${namespace}` : '=slipway',
  )
}

describe('admission policies that somebody deletes', function () {
  let rigs: RolesRig[] = []
  before(async () => {
    rigs = await Promise.all([setUpRoles(), setUpRoles()])
    for (const { apply, namespace } of rigs) await apply({ ...agent, metadata: { name: 'script', namespace } })
  })
  after(async () => {
    for (const rig of rigs) await rig.end()
  })

  /** As the operator of a release, with its rights. */
  const watchAs = (rig: RolesRig): PolicyWatch => {
    const mergePatch = async (_: unknown, { name }: { name: string }, body: object): Promise<never> => {
      const answer = await rig.as('operator', { method: 'PATCH', path: `agents/${name}`, body: body as never })
      if (answer.status >= 300) throw new KubeError(answer.status, '', answer.text)
      return answer.body as never
    }
    const decided = [{ list: () => [agent], resource: AGENTS }]
    const logger = makeLogger('silent')
    return watchPolicies({ client: { mergePatch }, namespace: rig.namespace, decided, clock: systemClock, logger })
  }

  it('are missed by the operator of their namespace, and the command of uninstall.md leaves those of others', async () => {
    const [mine, other] = rigs
    assert.ok(mine && other)
    const [watch, beside] = [watchAs(mine), watchAs(other)]
    for (const one of [watch, beside])
      await until('the policies are in force', async () => {
        await one.look()
        return one.areInForce()
      })
    const edits = `slipway-${other.namespace}-edits`
    await run('kubectl', ['delete', 'validatingadmissionpolicybinding', edits])
    await until('one policy that is gone is missed', async () => {
      await beside.look()
      return beside.missing() === EDITS_MISSING
    })
    await run('sh', ['-c', cleanUpOf(mine.namespace)])
    await until('the policies are missed', async () => {
      await watch.look()
      return watch.missing() === POLICIES_MISSING
    })
    await beside.look()
    assert.ok(beside.areInForce())
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'foreign' } }
    const asked = { method: 'POST', path: 'coordination.k8s.io/v1/leases', body: lease } as const
    assert.match(messageOf(await other.as('operator', asked)), /may write only the Leases/)
  })
})
