import assert from 'node:assert/strict'
import { findPathProblem, isBackedUp, isOwnerMark, mayBeLink, targetPath } from '../../../core/backup/paths.ts'

describe('a path of a backup', () => {
  const kept = [
    'archive',
    'archive/default/2026-11/a.jsonl.gz',
    'drops/page.html',
    'executions/a-1/agent/.hidden',
    'executions/a-1/owner',
    'executions/a-1/rounds/2/test/output.log',
    'plans/s.json',
    'sandboxes/a/repo/.git/HEAD',
    'sandboxes/a.owner',
  ]
  const left = [
    'archive/default/2026-11/.a.tmp',
    'archive/other/2026-11/a.jsonl.gz',
    'executions/.discarded-a',
    'executions/a-1/.owner.7.tmp',
    'importing',
    'mirrors/x',
    'sandboxes/.discarded-a.repo',
    'executions/a-1/checkouts/test/repo/a',
    'executions/a-1/staged.git/HEAD',
    'sandboxes/aside.0f8f/repo',
  ]
  for (const path of kept) it(`is taken along: ${path}`, () => assert.ok(isBackedUp(path, 'default', true)))
  for (const path of left) it(`is left: ${path}`, () => assert.ok(!isBackedUp(path, 'default', true)))
  it('is left where it is of a clone and these are not wanted', () => {
    assert.ok(!isBackedUp('sandboxes/a/repo', 'default', false))
  })

  for (const path of [
    '',
    '/etc/passwd',
    '../x',
    'drops/../../x',
    'drops//x',
    'drops/.',
    'drops/a\\b',
    'drops/a\0',
    'store/x',
  ])
    it(`is refused: ${JSON.stringify(path)}`, () => assert.ok(findPathProblem(path)))
  it('is good where it stays in its place', () => {
    assert.deepEqual(
      kept.map((path) => findPathProblem(path)),
      kept.map(() => undefined),
    )
  })

  it('may be a link inside a clone alone', () => {
    const paths = ['sandboxes/a/repo/link', 'sandboxes/a', 'drops/link', 'executions/a-1/agent/link']
    assert.deepEqual(paths.map(mayBeLink), [true, false, false, false])
  })

  it('is a mark of an owner only where operators write these', () => {
    const paths = ['executions/a-1/owner', 'sandboxes/a.owner', 'executions/a-1/agent/owner', 'sandboxes/a/x.owner']
    assert.deepEqual(paths.map(isOwnerMark), [true, true, false, false])
  })

  it('goes to the namespace of its target, and to the name that holds the new uid', () => {
    const uids = new Map([['0f8f0000-0000-4000-8000-00000000000a', '11110000-0000-4000-8000-00000000000b']])
    const moved = (path: string): string => targetPath(path, uids, 'default', 'team')
    assert.equal(moved('archive/default/2026-11/a.jsonl.gz'), 'archive/team/2026-11/a.jsonl.gz')
    assert.equal(
      moved('executions/evaluate-0f8f00000000400080000000000000 0a'.replace(' ', '')),
      'executions/evaluate-0f8f00000000400080000000000000 0a'
        .replace(' ', '')
        .replace(/0f8f\w+/, '1111000000004000800000000000000b'),
    )
    assert.equal(moved('drops/default'), 'drops/default')
  })
})
