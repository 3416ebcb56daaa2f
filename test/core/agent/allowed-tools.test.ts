import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { readAllowedTools } from '../../../core/agent/allowed-tools.ts'
import { makePolicy } from '../../../runner/adapters/gemini-policy.ts'

describe('a list of allowed tools', () => {
  it('is read into tools, commands, servers and what only claude can evaluate', () => {
    const list = [
      'Read',
      'Bash(git *)',
      'Bash(npm run test:*)',
      'mcp__wiki',
      'mcp__weather__now',
      'mcp__weather__later',
    ]
    const { names, shellPrefixes, servers, conditional } = readAllowedTools([...list, 'Edit(src/**)', 'Grep(*)'])
    assert.deepEqual([...names], ['Read', 'Grep'])
    assert.deepEqual(shellPrefixes, ['git', 'npm run test'])
    assert.deepEqual(Object.fromEntries(servers), { wiki: 'all', weather: ['now', 'later'] })
    assert.deepEqual(conditional, ['Edit(src/**)'])
  })

  for (const command of ['git', '', 'git*', '* ', 'git * push', ':*', ' *']) {
    it(`takes Bash(${command}) for no prefix, which would allow more than it says`, () => {
      assert.deepEqual(readAllowedTools([`Bash(${command})`]).shellPrefixes, [])
      assert.equal(readAllowedTools([`Bash(${command})`]).names.has('Bash'), false)
    })
  }

  it('allows a whole tool only where its name stands alone or with a star', () => {
    const condition = fc.string().filter((text) => text !== '*')
    fc.assert(
      fc.property(fc.constantFrom('Bash', 'Write', 'Edit'), condition, (tool, text) => {
        assert.equal(readAllowedTools([`${tool}(${text})`]).names.has(tool), false)
      }),
    )
  })

  it('names in a policy of gemini no tool beside those of the list', () => {
    const known = fc.constantFrom('Read', 'Write', 'Edit', 'Grep', 'Glob', 'LS', 'WebFetch')
    fc.assert(
      fc.property(fc.array(known), fc.string(), (list, unknown) => {
        const policy = makePolicy(readAllowedTools([...list, unknown]))
        assert.equal(policy.includes('"write_file"'), list.includes('Write') || unknown === 'Write')
        assert.equal(policy.includes('run_shell_command'), false)
        assert.match(policy, /^\[\[rule\]\]\ntoolName = "\*"\ndecision = "deny"\npriority = 998\n/)
      }),
    )
  })

  it('gives nothing to names that every object has', () => {
    const policy = makePolicy(readAllowedTools(['constructor', 'toString', '__proto__']))
    assert.match(policy, /toolName = \["update_topic"\]/)
  })
})
