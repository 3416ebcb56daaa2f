import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import {
  isScriptName,
  checkByCommand,
  checkByFile,
  checkByNames,
  describeCommand,
  describeFile,
  toScriptVariables,
} from '../../core/script-parameters.ts'

/** A script that takes whatever may be taken at all. */
const all = (): undefined => undefined

describe('the parameters of a script', () => {
  it('become variables in upper case, values as they are', () => {
    const { variables } = { variables: {}, ...toScriptVariables({ target: 'a b\n$(id)', _x1: '' }, all) }
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
      const checked = toScriptVariables({ ok: '1', [name]: 'x' }, all)
      assert.ok(!checked.ok && checked.message.startsWith(`${name}: `))
    })
  }

  it('may neither hold NUL nor differ in case alone', () => {
    for (const query of [{ a: 'x\0y' }, { a: '1', A: '2' }, { a: 'x'.repeat(32 * 1024 + 1) }])
      assert.equal(toScriptVariables(query, all).ok, false)
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`P${i}`, '']))
    assert.equal(toScriptVariables(many, all).ok, false)
  })

  it('when accepted, never name a variable that loads code, whatever their case', () => {
    const prefix = fc.constantFrom('LD_', 'ld_', 'NODE_', 'Git_', 'PYTHON', 'path', 'ENV', '')
    fc.assert(
      fc.property(prefix, fc.string({ unit: fc.constantFrom('a', 'B', '_', '1', '=', '%') }), (start, rest) => {
        const checked = toScriptVariables({ [start + rest]: 'x' }, all)
        if (!checked.ok) return
        for (const name of Object.keys(checked.variables)) {
          assert.match(name, /^[A-Z_][A-Z0-9_]*$/)
          assert.doesNotMatch(name, /^(LD_|NODE_|GIT_|PYTHON|PATH$|ENV$)/)
        }
      }),
    )
  })
})

describe('the parameters that a script takes', () => {
  const TEXTS: readonly (readonly [string, string])[] = [
    ['a shell', '#!/bin/sh\nmake "$TARGET" ${TARGET:-x} "${#TARGET}"'],
    ['Python', '#!/usr/bin/env python3\nimport os\nos.environ["TARGET"]'],
    ['Node', '#!/usr/bin/env node\nprocess.env.TARGET'],
    ['Perl', '#!/usr/bin/perl\n$ENV{TARGET}'],
    ['a header', '#!/bin/sh\n# slipway-parameters: OTHER, target\nmake'],
    ['a header of JavaScript', '#!/usr/bin/env node\n// slipway-parameters: TARGET\n'],
  ]
  for (const [what, text] of TEXTS)
    it(`are those that it names as ${what} does`, () => {
      assert.equal(checkByFile(text)('TARGET'), undefined)
      assert.notEqual(checkByFile(text)('TAR_OPTIONS'), undefined)
    })

  it('are none that it does not name as a whole, in capitals', () => {
    const check = checkByFile('#!/bin/sh\necho $TARGETS $target MY_TARGET "a TARGET b" $TARGET_DIR')
    assert.equal(
      check('TARGET'),
      'the script does not use it; to take it, it must use $TARGET, or say in a comment: # slipway-parameters: TARGET',
    )
  })

  it('are those of its header alone where it has one, and the refusal says what to write there', () => {
    const check = checkByFile('#!/bin/sh\n# slipway-parameters: TARGET DRY_RUN\necho $OTHER')
    assert.deepEqual([check('TARGET'), check('DRY_RUN')], [undefined, undefined])
    assert.equal(
      check('OTHER'),
      'the script takes TARGET, DRY_RUN only; to take it, it must say: # slipway-parameters: TARGET DRY_RUN OTHER',
    )
    assert.match(checkByFile('#!/bin/sh\n# slipway-parameters:\n')('X') ?? '', /^the script takes no parameters; /)
  })

  it('are none for a program, whose words are those of all that it is made of', () => {
    assert.match(checkByFile('\u007fELF $TAR_OPTIONS')('TAR_OPTIONS') ?? '', /begins with #!/)
  })

  it('are those that a command uses, or those of a list', () => {
    assert.equal(checkByCommand('deploy --version "$VERSION"')('VERSION'), undefined)
    assert.equal(checkByCommand('make deploy')('CC'), 'deployCommand does not use it; to take it, it must use $CC')
    assert.deepEqual(
      [checkByNames(['AGENT'])('AGENT'), checkByNames(['AGENT'])('X')],
      [undefined, 'the script takes AGENT only'],
    )
  })

  it('are never such as load code, whoever names them', () => {
    const checked = toScriptVariables({ ld_preload: 'x' }, checkByFile('#!/bin/sh\n# slipway-parameters: LD_PRELOAD\n'))
    assert.deepEqual(checked, { ok: false, message: 'ld_preload: is not for callers to set' })
  })
})

describe('what a script tells about itself', () => {
  it('is its description, and the parameters that it declares', () => {
    const text = '#!/bin/sh\n# slipway-description: Deploy it \n# slipway-parameters: TARGET dry_run\necho $OTHER'
    assert.deepEqual(describeFile(text), { description: 'Deploy it', parameters: ['TARGET', 'DRY_RUN'] })
  })

  it('is what it uses where it declares nothing, without what callers may not set', () => {
    assert.deepEqual(describeFile('#!/bin/sh\necho $WHO ${HOW:-x} $WHO $HOME'), { parameters: ['WHO', 'HOW'] })
    assert.deepEqual(describeFile('#!/bin/sh\n# slipway-parameters:\necho $WHO'), { parameters: [] })
    assert.deepEqual(describeCommand('deploy "$VERSION" $PATH'), ['VERSION'])
  })

  it('is nothing of a program', () => {
    assert.deepEqual(describeFile('\u007fELF # slipway-description: x'), { parameters: [] })
  })

  it('names exactly parameters that are taken', () => {
    const word = fc.constantFrom('$WHO', '${HOW}', '$PATH', 'WHO', '\n# slipway-parameters: A B', '\n', '$LD_X', '$1')
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const text = `#!/bin/sh\n${words.join(' ')}`
        for (const name of describeFile(text).parameters)
          assert.deepEqual(toScriptVariables({ [name]: 'x' }, checkByFile(text)), {
            ok: true,
            variables: { [name]: 'x' },
          })
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
