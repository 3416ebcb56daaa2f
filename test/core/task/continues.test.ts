import assert from 'node:assert/strict'
import { copiedSessionPath } from '../../../core/agent/session-files.ts'
import { decideContinuation, findContinuesProblem, findSessionHolder } from '../../../core/task/continues.ts'
import { findSpentSessions } from '../../../core/task/workspaces.ts'
import { anExecution, aStory, aTask } from '../../helpers/build.ts'

const ID = '01a22089-2b8e-7a51-904c-d7d48494d8aa'
const source = aTask({ name: 'done', spec: { project: 'shop' }, status: { state: 'COMPLETED' } })
const own = aTask({ name: 'more', spec: { project: 'shop', continues: 'done' } })

describe('a task that goes on from another one', () => {
  it('does so from accepted work of its project', () => {
    assert.equal(findContinuesProblem({ task: own }, { task: source }), undefined)
  })

  it('does so from a task whose project is that of its story', () => {
    const ofStory = { ...source, spec: { title: 'x', storyId: 'story-a' } }
    const story = aStory({ name: 'story-a', spec: { projectId: 'shop' } })
    assert.equal(findContinuesProblem({ task: own }, { task: ofStory, story }), undefined)
    assert.match(findContinuesProblem({ task: own }, { task: ofStory }) ?? '', /belongs to no project/)
  })

  it('is refused for another project, another repository, itself, and work that nobody has accepted', () => {
    const other = aTask({ name: 'other', spec: { project: 'site' }, status: { state: 'COMPLETED' } })
    const bare = (name: string, repositoryUrl: string) =>
      aTask({ name, spec: { repositoryUrl }, status: { state: 'COMPLETED' } })
    const problems = [
      findContinuesProblem({ task: own }, { task: other }),
      findContinuesProblem({ task: bare('a', '/srv/a') }, { task: bare('b', '/srv/b') }),
      findContinuesProblem({ task: own }, { task: own }),
      findContinuesProblem({ task: own }, { task: { ...source, status: { state: 'READY' } } }),
    ]
    const expected = [
      /belongs to project site, and this one to project shop/,
      /repository \/srv\/b/,
      /itself/,
      /is READY/,
    ]
    for (const [n, problem] of problems.entries()) assert.match(problem ?? '', expected[n] ?? /never/)
  })

  it('begins with the session only where one is kept for its program, and says why else', () => {
    const decide = (change: object, adapter = 'claude') =>
      decideContinuation(
        { task: own },
        { name: 'done', source: { task: source }, sessionId: ID, isKept: true, ...change },
        adapter,
      )
    assert.deepEqual(decide({}), { kind: 'session', task: 'done', sessionId: ID })
    const told = [
      decide({ isKept: false }),
      decide({ sessionId: undefined }),
      decide({ source: undefined }),
      decide({}, 'gemini'),
      decide({ source: { task: { ...source, spec: { title: 'x', project: 'site' } } } }),
    ]
    assert.deepEqual(
      told.map(({ kind }) => kind),
      told.map(() => 'told'),
    )
  })

  it('takes the session that the work ended with', () => {
    const run = (name: string, sessionId?: string) =>
      anExecution({ name, status: { state: 'COMPLETED', ...(sessionId === undefined ? {} : { sessionId }) } })
    const holder = findSessionHolder(source, [run('done-1', 'a'), run('done-2', 'b'), run('done-3')])
    assert.equal(holder?.metadata.name, 'done-2')
  })
})

describe('the file of a copied session', () => {
  it('lies where claude looks for the sessions of the new folder, and codex for the id', () => {
    assert.equal(
      copiedSessionPath('claude', ID, '/v/sandboxes/a.b/repo'),
      `.claude/projects/-v-sandboxes-a-b-repo/${ID}.jsonl`,
    )
    assert.match(copiedSessionPath('codex', ID, '/v'), new RegExp(`^\\.codex/sessions/.*rollout-.*-${ID}\\.jsonl$`))
  })
})

describe('kept sessions', () => {
  const DAY_MS = 86_400_000
  const now = new Date('2026-06-30T00:00:00Z')
  const kept = (path: string, days: number) => ({ path, bytes: 10, at: new Date(now.getTime() - days * DAY_MS) })
  const spent = (workspaceBytes: number, others = 0) =>
    findSpentSessions(
      [kept('new', 1), kept('old', 15), kept('older', 2)],
      { workspaceBytes, reviewMs: 14 * DAY_MS },
      now,
      others,
    ).map(({ path }) => path)

  it('go when they are old, and the oldest first while all takes more room than it may', () => {
    assert.deepEqual(spent(Infinity), ['old'])
    assert.deepEqual(spent(15), ['old', 'older'])
    assert.deepEqual(spent(30, 15), ['old', 'older'])
  })
})
