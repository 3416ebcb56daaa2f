import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { isScriptName, toScriptVariables } from '../../core/script.ts'

describe('the parameters of a script', () => {
  it('become variables in upper case, values as they are', () => {
    const { variables } = { variables: {}, ...toScriptVariables({ target: 'a b\n$(id)', _x1: '' }) }
    assert.deepEqual(variables, { TARGET: 'a b\n$(id)', _X1: '' })
  })

  const dangerous = [
    'PATH',
    'ld_preload',
    'Ld_Library_Path',
    'NODE_OPTIONS',
    'bash_env',
    'ENV',
    'ifs',
    'PYTHONPATH',
    'git_ssh_command',
    'HOME',
    'slipway_server',
    'BASH_FUNC_ls',
    'DYLD_INSERT_LIBRARIES',
    'PERL5OPT',
    'SHELLOPTS',
    'KUBECONFIG',
    'xdg_config_home',
    'OPENSSL_CONF',
  ]
  for (const name of [...dangerous, '1A', 'A-B', 'A B', '', 'A=B', 'BASH_FUNC_x%%', 'é', 'A\nB']) {
    it(`may not be named ${JSON.stringify(name)}, and the refusal names it`, () => {
      const checked = toScriptVariables({ ok: '1', [name]: 'x' })
      assert.ok(!checked.ok && checked.message.startsWith(`${name}: `))
    })
  }

  it('may neither hold NUL nor differ in case alone', () => {
    for (const query of [{ a: 'x\0y' }, { a: '1', A: '2' }, { a: 'x'.repeat(32 * 1024 + 1) }])
      assert.equal(toScriptVariables(query).ok, false)
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`P${i}`, '']))
    assert.equal(toScriptVariables(many).ok, false)
  })

  it('when accepted, never name a variable that loads code, whatever their case', () => {
    const prefix = fc.constantFrom('LD_', 'ld_', 'NODE_', 'Git_', 'PYTHON', 'path', 'ENV', '')
    fc.assert(
      fc.property(prefix, fc.string({ unit: fc.constantFrom('a', 'B', '_', '1', '=', '%') }), (start, rest) => {
        const checked = toScriptVariables({ [start + rest]: 'x' })
        if (!checked.ok) return
        for (const name of Object.keys(checked.variables)) {
          assert.match(name, /^[A-Z_][A-Z0-9_]*$/)
          assert.doesNotMatch(name, /^(LD_|NODE_|GIT_|PYTHON|PATH$|ENV$)/)
        }
      }),
    )
  })
})

describe('the name of a script', () => {
  for (const name of ['deploy', 'start-next-task', 'nightly_2.sh']) {
    it(`may be ${name}`, () => {
      assert.equal(isScriptName(name), true)
    })
  }
  for (const name of ['', '.', '..', '../x', 'a/b', '-rf', '.hidden', 'a b', 'a\0', 'a;b', 'x'.repeat(65)]) {
    it(`is never ${JSON.stringify(name)}`, () => {
      assert.equal(isScriptName(name), false)
    })
  }
})
