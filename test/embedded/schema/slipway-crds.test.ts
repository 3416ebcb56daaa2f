import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { TASK_TRANSITIONS } from '../../../core/task/transitions.ts'
import type { JsonObject } from '../../../embedded/schema/json.ts'
import { type StructuralSchema, compileSchema } from '../../../embedded/schema/structural.ts'
import { findGrowth } from '../../helpers/growth.ts'

const CRDS = new URL('../../../../crds/', import.meta.url)

function compileCrd(file: string): StructuralSchema {
  const crd = parse(readFileSync(new URL(file, CRDS), 'utf8')) as {
    spec: { versions: { schema: { openAPIV3Schema: JsonObject } }[] }
  }
  return compileSchema(crd.spec.versions[0]?.schema.openAPIV3Schema ?? {})
}

function aTask(state: string | undefined, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Task',
    metadata: { name: 'task-1' },
    spec: { title: 'A task', ...spec },
    ...(state !== undefined && { status: { state } }),
  }
}

describe('the CRDs of Slipway', () => {
  for (const file of readdirSync(CRDS).filter((name) => name.endsWith('.yaml'))) {
    it(`${file} compiles with all its rules`, () => void compileCrd(file))
  }

  it('refuses a task that depends on itself', () => {
    const errors = compileCrd('slipway.dev_tasks.yaml').validate(aTask(undefined, { dependsOn: ['task-1'] }))
    assert.match(JSON.stringify(errors), /dependsOn/)
  })

  it('refuses a name over 50 characters', () => {
    const task = { ...aTask(undefined), metadata: { name: 'a'.repeat(51) } }
    const [error] = compileCrd('slipway.dev_tasks.yaml').validate(task)
    assert.equal(error?.message, 'Invalid value: "object": metadata.name must be at most 50 characters')
  })
})

describe('the state-move rule of Task', () => {
  const schema = compileCrd('slipway.dev_tasks.yaml')
  const states = Object.keys(TASK_TRANSITIONS)
  const moves: Readonly<Record<string, Readonly<Record<string, string>>>> = TASK_TRANSITIONS
  for (const from of states) {
    for (const to of states) {
      const allowed = from === to || Object.values(moves[from] ?? {}).includes(to)
      it(`${allowed ? 'lets a task move' : 'refuses to move a task'} from ${from} to ${to}`, () => {
        const errors = schema.validate(aTask(to), aTask(from))
        assert.deepEqual(
          errors.map(({ message }) => message.includes(`cannot move from ${from} to ${to}`)),
          allowed ? [] : [true],
        )
      })
    }
    it(`refuses to take the state ${from} away`, () =>
      assert.equal(schema.validate(aTask(undefined), aTask(from)).length, 1))
    it(`lets a task without state become ${from}`, () =>
      assert.deepEqual(schema.validate(aTask(from), aTask(undefined)), []))
  }

  it('refuses a title that is too long by its length alone, however long it is', async () => {
    const schema = compileCrd('slipway.dev_tasks.yaml')
    const validate = (size: number) => schema.validate(aTask(undefined, { title: `${'x'.repeat(size)}\u0001` }))
    assert.deepEqual(
      validate(1_000_000).map(({ field, reason }) => [field, reason]),
      [
        ['spec.title', 'FieldValueTooLong'],
        ['<nil>', 'FieldValueInvalid'],
      ],
    )
    assert.equal(await findGrowth(validate, { sizes: [500_000], suspiciousMs: 100 }), undefined)
  })
})
