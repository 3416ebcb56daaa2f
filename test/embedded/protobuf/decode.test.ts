/** Bodies as Go clients write them: every field that is not a pointer is there, empty or not. */
import assert from 'node:assert/strict'
import { assert as check, constantFrom, property, uint8Array } from 'fast-check'
import protobuf from 'protobufjs/minimal.js'
import { BadProtobuf, decodeProtobuf, UnreadableKind } from '../../../embedded/protobuf/decode.ts'
import { MESSAGES } from '../../../embedded/protobuf/messages.ts'
import { runs } from '../../helpers/runs.ts'

const { Writer } = protobuf
type Fields = readonly (readonly [id: number, value: string | number | boolean | Uint8Array])[]

/** A message of texts, messages (type 2) and numbers (type 0). */
function message(fields: Fields): Uint8Array {
  const writer = Writer.create()
  for (const [id, value] of fields) {
    if (typeof value === 'number') writer.uint32(id << 3).int64(value)
    else if (typeof value === 'boolean') writer.uint32(id << 3).bool(value)
    else if (typeof value === 'string') writer.uint32((id << 3) | 2).string(value)
    else writer.uint32((id << 3) | 2).bytes(value)
  }
  return writer.finish()
}

function body(apiVersion: string, kind: string, raw: Uint8Array): Buffer {
  const type = message([
    [1, apiVersion],
    [2, kind],
  ])
  return Buffer.concat([
    Buffer.from('k8s\0'),
    message([
      [1, type],
      [2, raw],
      [3, ''],
      [4, ''],
    ]),
  ])
}

/** As Go writes the metadata of a new object. */
const metadata = (name: string): Uint8Array =>
  message([
    [1, name],
    [2, ''],
    [3, ''],
    [4, ''],
    [5, ''],
    [6, ''],
    [7, 0],
    [8, message([])],
  ])

describe('a protobuf body', () => {
  it('is read as the object that it stands for, without the zeros that Go writes', () => {
    const data = message([
      [1, 'KEY'],
      [2, Buffer.from([0, 255])],
    ])
    const secret = body(
      'v1',
      'Secret',
      message([
        [1, metadata('a')],
        [2, data],
        [3, 'Opaque'],
      ]),
    )
    assert.deepEqual(decodeProtobuf(secret), {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a' },
      data: { KEY: 'AP8=' },
      type: 'Opaque',
    })
  })

  it('keeps a zero and a false where absent means something else', () => {
    const spec = message([
      [1, 0],
      [10, false],
    ])
    const job = body(
      'batch/v1',
      'Job',
      message([
        [1, metadata('a')],
        [2, spec],
      ]),
    )
    assert.deepEqual(decodeProtobuf(job)['spec'], { parallelism: 0, suspend: false })
  })

  it('puts what Go inlines into the message around it, and reads quantities, times and ports as JSON has them', () => {
    const source = message([[2, message([])]])
    const limits = message([
      [1, 'cpu'],
      [2, message([[1, '500m']])],
    ])
    const probe = message([
      [
        1,
        message([
          [
            2,
            message([
              [1, '/'],
              [
                2,
                message([
                  [1, 1],
                  [2, 0],
                  [3, 'http'],
                ]),
              ],
            ]),
          ],
        ]),
      ],
    ])
    const container = message([
      [1, 'c'],
      [8, message([[1, limits]])],
      [10, probe],
    ])
    const spec = message([
      [
        1,
        message([
          [1, 'tmp'],
          [2, source],
        ]),
      ],
      [2, container],
    ])
    const at = message([
      [1, 1_700_000_000],
      [2, 0],
    ])
    const meta = message([
      [1, 'a'],
      [8, at],
    ])
    assert.deepEqual(
      decodeProtobuf(
        body(
          'v1',
          'Pod',
          message([
            [1, meta],
            [2, spec],
          ]),
        ),
      ),
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'a', creationTimestamp: '2023-11-14T22:13:20Z' },
        spec: {
          volumes: [{ name: 'tmp', emptyDir: {} }],
          containers: [
            {
              name: 'c',
              resources: { limits: { cpu: '500m' } },
              livenessProbe: { httpGet: { path: '/', port: 'http' } },
            },
          ],
        },
      },
    )
  })

  it('reads the labels of a Lease and the microseconds of its times', () => {
    const renewed = message([
      [1, 1_700_000_000],
      [2, 123_000_000],
    ])
    const lease = body(
      'coordination.k8s.io/v1',
      'Lease',
      message([
        [1, metadata('a')],
        [2, message([[4, renewed]])],
      ]),
    )
    assert.deepEqual(decodeProtobuf(lease)['spec'], { renewTime: '2023-11-14T22:13:20.123000Z' })
  })

  it('takes time by its length, also for a long list and a map of many keys', () => {
    const keys = Array.from(
      { length: 100_000 },
      (_, i) =>
        [
          2,
          message([
            [1, `k${i}`],
            [2, Buffer.from('v')],
          ]),
        ] as const,
    )
    const finalizers = Array.from({ length: 100_000 }, () => [14, 'a'] as const)
    const raw = message([[1, message([[1, 'a'], ...finalizers])], ...keys, [2, message([[1, '__proto__']])]])
    const { metadata: meta, data } = decodeProtobuf(body('v1', 'Secret', raw))
    assert.equal((meta as { finalizers: string[] }).finalizers.length, 100_000)
    assert.equal(Object.keys(data as object).length, 100_001)
  })

  it('is refused with the kind that is not read', () => {
    assert.throws(() => decodeProtobuf(body('apps/v1', 'Deployment', message([]))), UnreadableKind)
    assert.throws(() => decodeProtobuf(body('v1', '__proto__', message([]))), UnreadableKind)
  })

  it('is refused, whatever bytes it has, by no other error than ours', () => {
    const kinds = Object.keys(MESSAGES).filter((name) => name.startsWith('core.v1.'))
    check(
      property(constantFrom(...kinds), uint8Array({ maxLength: 200 }), (name, raw) => {
        try {
          assert.equal(typeof decodeProtobuf(body('v1', name.slice('core.v1.'.length), raw)), 'object')
        } catch (error) {
          assert.ok(error instanceof BadProtobuf, String(error))
        }
      }),
      { numRuns: runs(2000) },
    )
  })

  it('is refused when it is cut anywhere', () => {
    const data = message([
      [1, 'KEY'],
      [2, Buffer.from('a value')],
    ])
    const raw = message([
      [1, metadata('a')],
      [2, data],
    ])
    for (let end = raw.length - 1; end > raw.length - data.length; end--)
      assert.throws(() => decodeProtobuf(body('v1', 'Secret', raw.subarray(0, end))), BadProtobuf, String(end))
  })
})
