import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { homePath } from '../../core/execution/layout.ts'
import { SECRETS } from '../../kube/resources.ts'
import { KubeError } from '../../kube/types.ts'
import { takeBackCredentials } from '../../operator/write-back.ts'
import { anAgent, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

describe('renewed credentials of an agent that come from a Secret', () => {
  const renewed = '{"token":"new"}'
  const credentials = { secretName: 'login', files: [{ key: 'file', path: '.login.json' }], writeBack: true }
  const used = { agent: anAgent({ spec: { credentials } }), sandbox: 'task', since: '2026-01-01T00:00:00Z' }
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    const stored = { metadata: { name: 'login', namespace: NAMESPACE }, data: { file: base64('{"token":"old"}') } }
    world.kube.put(SECRETS, stored)
    const home = join(world.volumeRoot, homePath('task'))
    await mkdir(home, { recursive: true })
    await writeFile(join(home, '.login.json'), renewed)
  })
  afterEach(() => world.close())

  const refuseWith = (error: Error) => {
    const replace = async () => {
      throw error
    }
    return takeBackCredentials({ ...world.context, client: { ...world.kube, replace } }, used)
  }

  it('are stored there', async () => {
    await takeBackCredentials(world.context, used)
    assert.equal(world.kube.all(SECRETS)[0]?.data?.['file'], base64(renewed))
    assert.deepEqual(world.events, [])
  })

  it('and may not be stored are told of in an Event, and hold up nothing', async () => {
    await refuseWith(new KubeError(403, 'Forbidden', 'secrets "login" is forbidden'))
    const told = world.events.map(({ reason, message }) => `${reason}: ${message}`)
    assert.deepEqual(told, ['CredentialsNotStored: the renewed file was not stored: secrets "login" is forbidden'])
  })

  it('and that somebody else changed meanwhile are tried again', async () => {
    await assert.rejects(refuseWith(new KubeError(409, 'Conflict', 'changed')), /changed/)
    assert.deepEqual(world.events, [])
  })
})

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
