import assert from 'node:assert/strict'
import { Type } from 'typebox'
import { BIDI_CONTROLS } from '../../core/bidi-controls.ts'
import { TaskCreate } from '../../core/kinds/task.ts'
import { compileCheck, MAX_PROBLEMS } from '../../lib/validate.ts'

describe('the validation boundary', () => {
  const Names = Type.Object({ names: Type.Array(Type.Union([Type.String(), Type.Null()]), { maxItems: 10 }) })

  it('tells a bounded number of problems of a value with wrong items without end', () => {
    const checked = compileCheck(Names)({ names: Array.from({ length: 20_000 }, () => 1) })
    assert.ok(!checked.ok)
    assert.equal(checked.problems[0]?.message, 'must have at most 10 entries')
    assert.ok(checked.problems.length > 100 && checked.problems.length <= MAX_PROBLEMS, `${checked.problems.length}`)
  })

  it('tells each field once where a union refuses it', () => {
    const checked = compileCheck(Names)({ names: [1, 2] })
    assert.ok(!checked.ok)
    assert.deepEqual(
      checked.problems.map(({ field }) => field),
      ['names[0]', 'names[1]'],
    )
  })

  it('says of a text that is too long nothing that it would have to read the text for', () => {
    const check = compileCheck(Type.String({ maxLength: 10, pattern: '^[a-z]*$' }))
    const told = (text: string): string[] => {
      const checked = check(text)
      return checked.ok ? [] : checked.problems.map(({ message }) => message)
    }
    assert.deepEqual(told('A'), ['must match pattern "^[a-z]*$"'])
    assert.deepEqual(told('A'.repeat(21)), ['must have at most 10 characters'])
    // Ten characters, twenty units of UTF-16: not too long.
    assert.deepEqual(told('\u{1f600}'.repeat(10)), ['must match pattern "^[a-z]*$"'])
  })

  it('judges the values of a map under every name, also one with a line break', () => {
    const check = compileCheck(Type.Record(Type.String(), Type.String()))
    assert.deepEqual([check({ 'a\nb': 'x' }).ok, check({ 'a\nb': 1 }).ok], [true, false])
  })

  it('refuses a name with any character that turns the direction of text, and says which', () => {
    const check = compileCheck(TaskCreate)
    const controls = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).filter((character) =>
      new RegExp(`[${BIDI_CONTROLS}]`).test(character),
    )
    assert.equal(controls.length, 12)
    for (const control of controls) {
      const checked = check({ name: `fix${control}login` })
      const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
      const message = `must not contain characters that turn the direction of text (here U+${code})`
      assert.deepEqual(checked, { ok: false, problems: [{ field: 'name', message }] })
    }
    assert.ok(check({ name: 'إصلاح تسجيل الدخول', description: 'a \u202e b' }).ok)
  })
})
