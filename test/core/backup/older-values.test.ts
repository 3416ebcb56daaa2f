import assert from 'node:assert/strict'
import { mendOlderValues } from '../../../core/backup/older-values.ts'

const CASES: readonly (readonly [field: string, value: string, mended: string | undefined])[] = [
  ['remoteUrl', 'https://ghp_token@github.com/acme/shop.git', 'https://github.com/acme/shop.git'],
  ['repositoryUrl', 'https://github.com/acme/shop.git#main', 'https://github.com/acme/shop.git'],
  ['repositoryUrl', 'https://github.com/acme/shop/tree/main', 'https://github.com/acme/shop'],
  ['repositoryUrl', 'https://git@github.com/acme/shop.git', 'https://git@github.com/acme/shop.git'],
  ['repositoryUrl', 'ssh://deploy@github.com/acme/shop.git', 'ssh://deploy@github.com/acme/shop.git'],
  ['remoteUrl', '/srv/git/a#b', '/srv/git/a#b'],
  ['defaultBranch', 'ma in', undefined],
  ['defaultBranch', 'HEAD', undefined],
  ['defaultBranch', 'feature/x', 'feature/x'],
  ['defaultModel', '-opus', undefined],
  ['containerImage', 'node\n:20', undefined],
]

describe('values that earlier versions took', () => {
  for (const [field, value, mended] of CASES)
    it(`${mended === value ? 'keeps' : 'mends'} ${field} ${JSON.stringify(value)}`, () => {
      const { object, fields } = mendOlderValues({ kind: 'Any', spec: { title: 'a', [field]: value } })
      assert.deepEqual(object.spec, { title: 'a', ...(mended !== undefined && { [field]: mended }) })
      assert.deepEqual(fields, mended === value ? [] : [`spec.${field}`])
    })

  it('mends the model that a task asks of its agent, and leaves the rest of it', () => {
    const { object, fields } = mendOlderValues({ spec: { agent: { type: 'claude', model: '-opus' } } })
    assert.deepEqual([object, fields], [{ spec: { agent: { type: 'claude' } } }, ['spec.agent.model']])
  })
})
