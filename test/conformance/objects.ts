import assert from 'node:assert/strict'
import { at, textAt } from '../helpers/kube-http.ts'
import { type Rig, aConfigMap, assertStatus, aWidget, CORE, given, GROUP, LEASES, MERGE, WIDGETS } from './rig.ts'

/** Create, read, update and list: what every client does, worded as wire.md B1 and B3 have it. */
export function describeObjects(rig: () => Rig): void {
  const widgets = (): string => WIDGETS(rig().namespace)
  const maps = (): string => CORE(rig().namespace, 'configmaps')
  const send = (...args: Parameters<Rig['http']['send']>) => rig().http.send(...args)

  describe('create', () => {
    it('sets uid, resourceVersion, creationTimestamp and generation 1', async () => {
      const { metadata } = await given(rig(), widgets(), aWidget('created'))
      assert.match(textAt(metadata, 'uid'), /^[0-9a-f-]{36}$/)
      assert.match(textAt(metadata, 'resourceVersion'), /^\d+$/)
      assert.match(textAt(metadata, 'creationTimestamp'), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      assert.equal(at(metadata, 'generation'), 1)
      assert.equal(at(metadata, 'namespace'), rig().namespace)
    })

    it('ignores uid, generation and status sent along', async () => {
      const object = { ...aWidget('ignored', {}, { uid: 'mine', generation: 7 }), status: { phase: 'Sent' } }
      const made = await given(rig(), widgets(), object)
      assert.notEqual(at(made, 'metadata.uid'), 'mine')
      assert.deepEqual([at(made, 'metadata.generation'), made['status']], [1, undefined])
    })

    it('completes generateName with five characters', async () => {
      const made = await given(rig(), maps(), {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { generateName: 'gen-' },
      })
      assert.match(textAt(made, 'metadata.name'), /^gen-[a-z0-9]{5}$/)
    })

    it('refuses a name that is taken with 409 AlreadyExists', async () => {
      await given(rig(), widgets(), aWidget('twice'))
      const answer = await send('POST', widgets(), aWidget('twice'))
      assertStatus(answer, 409, 'AlreadyExists', `widgets.${GROUP} "twice" already exists`)
      assert.deepEqual(answer.body['details'], { name: 'twice', group: GROUP, kind: 'widgets' })
    })

    it('refuses a missing namespace with 404', async () => {
      const answer = await send('POST', WIDGETS('no-such-namespace'), aWidget('lost'))
      assertStatus(answer, 404, 'NotFound', 'namespaces "no-such-namespace" not found')
    })

    it('refuses an object without a name with 422', async () => {
      const answer = await send('POST', maps(), { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} })
      assertStatus(answer, 422, 'Invalid')
      assert.equal(at(answer.body, 'details.causes.0.field'), 'metadata.name')
    })

    it('refuses a name that is no DNS subdomain with 422', async () => {
      assertStatus(await send('POST', widgets(), aWidget('Not_A_Name')), 422, 'Invalid')
    })

    it('refuses a namespace other than the one of the path with 400', async () => {
      const answer = await send('POST', widgets(), aWidget('elsewhere', {}, { namespace: 'other' }))
      assertStatus(
        answer,
        400,
        'BadRequest',
        'the namespace of the provided object does not match the namespace sent on the request',
      )
    })

    it('refuses broken JSON with 400', async () => {
      assertStatus(await send('POST', widgets(), '{"a":', { 'content-type': 'application/json' }), 400, 'BadRequest')
    })

    it('writes nothing with dryRun=All', async () => {
      const answer = await send('POST', `${widgets()}?dryRun=All`, aWidget('dry'))
      assert.equal(answer.status, 201)
      assert.equal((await send('GET', `${widgets()}/dry`)).status, 404)
    })
  })

  describe('read', () => {
    it('answers 404 with a Status for an object that is not there', async () => {
      const answer = await send('GET', `${widgets()}/none`)
      assertStatus(answer, 404, 'NotFound', `widgets.${GROUP} "none" not found`)
      assert.deepEqual(answer.body['details'], { name: 'none', group: GROUP, kind: 'widgets' })
    })

    it('answers a plain 404 for a path that is not served', async () => {
      const answer = await send('GET', `/apis/${GROUP}/v1/namespaces/${rig().namespace}/gadgets`)
      assert.deepEqual([answer.status, answer.text.trim()], [404, '404 page not found'])
      assert.match(String(answer.headers['content-type']), /^text\/plain/)
    })

    it('refuses a wrong token with 401', async () => {
      assertStatus(
        await send('GET', widgets(), undefined, { authorization: 'Bearer wrong' }),
        401,
        'Unauthorized',
        'Unauthorized',
      )
    })

    it('refuses a verb that the resource has not with 405', async () => {
      assertStatus(await send('POST', '/api/v1/configmaps', aConfigMap('nowhere')), 405, 'MethodNotAllowed')
    })
  })

  describe('update', () => {
    it('is refused with 409 Conflict when the object has changed', async () => {
      const made = await given(rig(), widgets(), aWidget('stale'))
      const changed = await send('PUT', `${widgets()}/stale`, { ...made, spec: { size: 'large' } })
      assert.equal(changed.status, 200)
      const answer = await send('PUT', `${widgets()}/stale`, { ...made, spec: { size: 'small' } })
      const why = 'the object has been modified; please apply your changes to the latest version and try again'
      assertStatus(answer, 409, 'Conflict', `Operation cannot be fulfilled on widgets.${GROUP} "stale": ${why}`)
    })

    it('raises generation for the spec, and not for labels', async () => {
      const made = await given(rig(), widgets(), aWidget('generation'))
      const spec = await send('PUT', `${widgets()}/generation`, { ...made, spec: { size: 'large' } })
      assert.equal(at(spec.body, 'metadata.generation'), 2)
      const metadata = { ...(spec.body['metadata'] as object), labels: { a: 'b' } }
      const labels = await send('PUT', `${widgets()}/generation`, { ...spec.body, metadata })
      assert.equal(at(labels.body, 'metadata.generation'), 2)
      assert.notEqual(at(labels.body, 'metadata.resourceVersion'), at(spec.body, 'metadata.resourceVersion'))
    })

    it('that changes nothing keeps the resourceVersion', async () => {
      const made = await given(rig(), widgets(), aWidget('same', { size: 'small' }))
      const answer = await send('PUT', `${widgets()}/same`, made)
      assert.equal(at(answer.body, 'metadata.resourceVersion'), at(made, 'metadata.resourceVersion'))
    })

    it('of a custom resource needs a resourceVersion', async () => {
      await given(rig(), widgets(), aWidget('versionless'))
      assertStatus(await send('PUT', `${widgets()}/versionless`, aWidget('versionless')), 422, 'Invalid')
    })

    it('refuses a name other than the one of the path with 400', async () => {
      const made = await given(rig(), widgets(), aWidget('named'))
      const metadata = { ...(made['metadata'] as object), name: 'other' }
      const answer = await send('PUT', `${widgets()}/named`, { ...made, metadata })
      assertStatus(
        answer,
        400,
        'BadRequest',
        'the name of the object (other) does not match the name on the URL (named)',
      )
    })
  })

  describe('status', () => {
    it('is written through its subresource alone, and the spec is not', async () => {
      const made = await given(rig(), widgets(), aWidget('status', { size: 'small' }))
      const written = await send('PUT', `${widgets()}/status/status`, {
        ...made,
        spec: { size: 'large' },
        status: { phase: 'On' },
      })
      assert.deepEqual(
        [written.status, at(written.body, 'spec.size'), at(written.body, 'status.phase')],
        [200, 'small', 'On'],
      )
      assert.equal(at(written.body, 'metadata.generation'), 1)
      const main = await send('PUT', `${widgets()}/status`, {
        ...written.body,
        spec: { size: 'large' },
        status: { phase: 'Off' },
      })
      assert.deepEqual([at(main.body, 'spec.size'), at(main.body, 'status.phase')], ['large', 'On'])
    })

    it('is a compare-and-swap too', async () => {
      const made = await given(rig(), widgets(), aWidget('swap'))
      assert.equal((await send('PUT', `${widgets()}/swap/status`, { ...made, status: { count: 1 } })).status, 200)
      assertStatus(await send('PUT', `${widgets()}/swap/status`, { ...made, status: { count: 2 } }), 409, 'Conflict')
    })
  })

  describe('a Lease', () => {
    it('is taken by one of two holders that read the same version', async () => {
      const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'slot' }, spec: {} }
      const free = await given(rig(), LEASES(rig().namespace), lease)
      const take = (holder: string) =>
        send('PUT', `${LEASES(rig().namespace)}/slot`, {
          ...free,
          spec: { holderIdentity: holder, leaseDurationSeconds: 15 },
        })
      const answers = await Promise.all([take('one'), take('two')])
      assert.deepEqual(
        answers.map(({ status }) => status).sort((a, b) => a - b),
        [200, 409],
      )
    })
  })

  describe('an Event', () => {
    it('is kept and found by its involved object', async () => {
      const { namespace } = rig()
      const involvedObject = { apiVersion: `${GROUP}/v1`, kind: 'Widget', name: 'watched', namespace, uid: 'uid-1' }
      const event = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { generateName: 'watched.' },
        involvedObject,
        reason: 'Tested',
        message: 'It was tested',
        type: 'Normal',
      }
      await given(rig(), CORE(namespace, 'events'), event)
      const selector = encodeURIComponent(
        'involvedObject.kind=Widget,involvedObject.name=watched,involvedObject.uid=uid-1',
      )
      const found = await send('GET', `${CORE(namespace, 'events')}?fieldSelector=${selector}`)
      assert.equal(at(found.body, 'items.0.reason'), 'Tested')
    })
  })

  it('a ConfigMap or Secret that is immutable keeps its data, and stays immutable', async () => {
    const patch = { immutable: false, data: { key: 'Yg==' } }
    for (const [kind, plural] of [
      ['ConfigMap', 'configmaps'],
      ['Secret', 'secrets'],
    ] as const) {
      const path = CORE(rig().namespace, plural)
      const kept = { ...aConfigMap('kept', {}, { key: 'YQ==' }), kind, immutable: true }
      await given(rig(), path, kept)
      const answer = await send('PATCH', `${path}/kept`, patch, MERGE)
      const why = 'Forbidden: field is immutable when `immutable` is set'
      assertStatus(answer, 422, 'Invalid', `${kind} "kept" is invalid: [immutable: ${why}, data: ${why}]`)
      assert.equal((await send('PATCH', `${path}/kept`, { metadata: { labels: { a: 'b' } } }, MERGE)).status, 200)
    }
  })

  it('a Secret keeps its type', async () => {
    const path = CORE(rig().namespace, 'secrets')
    await given(rig(), path, { ...aConfigMap('typed'), kind: 'Secret', type: 'example.com/a' })
    const answer = await send('PATCH', `${path}/typed`, { type: 'example.com/b' }, MERGE)
    const why = 'type: Invalid value: "example.com/b": field is immutable'
    assertStatus(answer, 422, 'Invalid', `Secret "typed" is invalid: ${why}`)
  })

  it('a ConfigMap is created, read and deleted at once', async () => {
    await given(rig(), maps(), aConfigMap('plain', {}, { key: 'value' }))
    assert.equal(at((await send('GET', `${maps()}/plain`)).body, 'data.key'), 'value')
    const answer = await send('DELETE', `${maps()}/plain`)
    assert.deepEqual([answer.status, answer.body['status'], at(answer.body, 'details.name')], [200, 'Success', 'plain'])
    assert.equal((await send('GET', `${maps()}/plain`)).status, 404)
  })
}
