import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { ABSENT, FORBIDDEN, FORBIDDEN_FAMILIES, NEWEST_KNOWN, seccompFilter } from '../../node/seccomp.ts'

/** What the kernel hands to a filter; `architecture` is AUDIT_ARCH_…. */
interface Call {
  readonly architecture: number
  readonly number: number
  readonly argument?: number
}

/** Runs a filter as the kernel does; the answer's upper half is the action, its lower half the errno. */
function answerOf(program: Buffer, { architecture, number, argument = 0 }: Call): number {
  const words = new Map([
    [0, number],
    [4, architecture],
    [16, argument],
  ])
  let accumulator = 0
  for (let at = 0; at < program.length; at += 8) {
    const [code, k] = [program.readUInt16LE(at), program.readUInt32LE(at + 4)]
    if (code === 0x06) return k
    if (code === 0x20) {
      accumulator = words.get(k) ?? assert.fail(`loads from ${k}`)
      continue
    }
    const holds = { 0x15: accumulator === k, 0x25: accumulator > k, 0x45: (accumulator & k) !== 0 }[code]
    assert.notEqual(holds, undefined, `instruction ${code}`)
    at += 8 * program.readUInt8(at + (holds === true ? 2 : 3))
  }
  return assert.fail('the program has no answer')
}

const ALLOW = 0x7fff_0000
const errno = (number: number): number => 0x0005_0000 | number
const [EPERM, ENOSYS, EAFNOSUPPORT] = [errno(1), errno(38), errno(97)]
const UINT32 = { min: 0, max: 0xffff_ffff }

for (const { arch, architecture, column, calls } of [
  {
    arch: 'x64',
    architecture: 0xc000_003e,
    column: 0,
    calls: { read: 0, clone: 56, execve: 59, ptrace: 101, prctl: 157, socket: 41, personality: 135, unlink: 87 },
  },
  {
    arch: 'arm64',
    architecture: 0xc000_00b7,
    column: 1,
    calls: { read: 63, clone: 220, execve: 221, ptrace: 117, prctl: 167, socket: 198, personality: 92, unlinkat: 35 },
  },
] as const) {
  describe(`the filter of system calls on ${arch}`, () => {
    const filter = seccompFilter(arch) ?? assert.fail('there is none')
    const ask = (number: number, argument = 0): number => answerOf(filter, { architecture, number, argument })
    const numbersOf = (table: Readonly<Record<string, readonly (number | undefined)[]>>): Set<number> =>
      new Set(Object.values(table).flatMap((numbers) => numbers[column] ?? []))

    for (const [name, numbers] of Object.entries(FORBIDDEN)) {
      const number = numbers[column]
      if (number !== undefined) it(`forbids ${name}`, () => assert.equal(ask(number), EPERM))
    }

    for (const [name, [number]] of Object.entries(ABSENT)) {
      it(`knows no ${name}`, () => assert.equal(ask(number), ENOSYS))
    }

    it('allows every other call that it was checked against', () => {
      const checked = new Set([...numbersOf(FORBIDDEN), ...numbersOf(ABSENT)])
      const special: readonly number[] = [calls.clone, calls.socket, calls.personality]
      for (let number = 0; number <= NEWEST_KNOWN; number += 1) {
        if (!checked.has(number) && !special.includes(number)) assert.equal(ask(number), ALLOW, `call ${number}`)
      }
    })

    it('knows no call that is newer than its list, or of x32', () => {
      fc.assert(
        fc.property(fc.integer({ min: NEWEST_KNOWN + 1, max: UINT32.max }), fc.integer(UINT32), (number, argument) =>
          assert.equal(ask(number, argument), ENOSYS),
        ),
      )
    })

    it('knows no call of another architecture', () => {
      fc.assert(
        fc.property(fc.integer(UINT32), fc.integer(UINT32), (other, number) => {
          fc.pre(other !== architecture)
          assert.equal(answerOf(filter, { architecture: other, number }), ENOSYS)
        }),
      )
    })

    it('allows clone for processes and threads, and forbids it for namespaces', () => {
      const [thread, vfork, fork] = [0x003d_0f00, 0x4111, 0x0120_0011]
      assert.deepEqual(
        [thread, vfork, fork].map((flags) => ask(calls.clone, flags)),
        [ALLOW, ALLOW, ALLOW],
      )
      for (const flag of [0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000])
        assert.equal(ask(calls.clone, flag | fork), EPERM, flag.toString(16))
    })

    it('allows sockets but of the families that reach keys or the host', () => {
      const families = new Set<number>(Object.values(FORBIDDEN_FAMILIES))
      for (let family = 0; family < 64; family += 1)
        assert.equal(ask(calls.socket, family), families.has(family) ? EAFNOSUPPORT : ALLOW, `family ${family}`)
    })

    it('allows the personalities that Docker allows', () => {
      const allowed = [0, 8, 0x2_0000, 0x2_0008, 0xffff_ffff]
      assert.ok(allowed.every((value) => ask(calls.personality, value) === ALLOW))
      assert.equal(ask(calls.personality, 0x004_0000), EPERM)
    })
  })
}

it('there is no filter of system calls for a machine whose numbers are not known', () => {
  assert.equal(seccompFilter('riscv64'), undefined)
})
