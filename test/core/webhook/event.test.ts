import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import type { Project } from '../../../core/crd/types.ts'
import { type CiFailure, readCiEvent } from '../../../core/webhook/event.ts'
import { appendFailure, fixDescription, fixTitle } from '../../../core/webhook/fix-task.ts'
import { baseName, matchProject } from '../../../core/webhook/match-project.ts'
import { aProject } from '../../helpers/build.ts'
import { runs } from '../../helpers/runs.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

function fixture(name: string): Record<string, Record<string, unknown>> {
  return JSON.parse(readFileSync(join(ROOT, 'test', 'fixtures', 'webhooks', `${name}.json`), 'utf8'))
}

function failureOf(name: 'check_run' | 'workflow_run', changes: Record<string, unknown> = {}): CiFailure {
  const event = fixture(name)
  const read = readCiEvent(name, { ...event, [name]: { ...event[name], ...changes } })
  assert.equal(read.kind, 'failed')
  return read.kind === 'failed' ? read.failure : assert.fail()
}

describe('an event of a code-hosting service', () => {
  for (const kind of ['check_run', 'workflow_run'] as const) {
    for (const conclusion of ['failure', 'timed_out', 'startup_failure', 'action_required']) {
      it(`is a failure when a ${kind} ends in ${conclusion}`, () => {
        assert.equal(failureOf(kind, { conclusion }).conclusion, conclusion)
      })
    }
    for (const conclusion of ['success', 'skipped', 'neutral', 'cancelled', 'stale', 'unheard_of', null, undefined]) {
      it(`is ignored when a ${kind} ends in ${String(conclusion)}`, () => {
        const event = fixture(kind)
        const body = { ...event, [kind]: { ...event[kind], conclusion } }
        assert.deepEqual(readCiEvent(kind, body), { kind: 'ignored' })
      })
    }
    it(`is ignored while a ${kind} is not completed, whatever else it says`, () => {
      const event = fixture(kind)
      assert.deepEqual(readCiEvent(kind, { ...event, action: 'created' }), { kind: 'ignored' })
      const running = { ...event, [kind]: { ...event[kind], status: 'in_progress' } }
      assert.deepEqual(readCiEvent(kind, running), { kind: 'ignored' })
    })
    it(`is read by its shape when a ${kind} comes without a header`, () => {
      assert.deepEqual(readCiEvent(undefined, fixture(kind)), readCiEvent(kind, fixture(kind)))
    })
  }

  it('is ignored when it is a ping, or of a kind that nobody reads', () => {
    for (const name of ['ping', undefined]) assert.deepEqual(readCiEvent(name, fixture('ping')), { kind: 'ignored' })
    assert.deepEqual(readCiEvent('push', { ref: 'refs/heads/main' }), { kind: 'ignored' })
  })

  it('is unreadable without the parts that a task is made of', () => {
    for (const body of [[], null, 'text', {}, { check_run: 1 }])
      assert.equal(readCiEvent(undefined, body).kind, 'unreadable')
    const event = fixture('check_run')
    const missing = [{ id: undefined }, { id: 'x' }, { id: -1 }, { head_sha: undefined }, { head_sha: '--help' }]
    for (const changes of missing) {
      const body = { ...event, check_run: { ...event['check_run'], ...changes } }
      assert.equal(readCiEvent('check_run', body).kind, 'unreadable', JSON.stringify(changes))
    }
    assert.equal(readCiEvent('check_run', { ...event, repository: {} }).kind, 'unreadable')
  })

  it('tells attempts of a workflow run apart, and names the repository', () => {
    const { id, attempt, repository } = failureOf('workflow_run', { run_attempt: 3 })
    assert.deepEqual([id, attempt, repository.name], ['9876543210', 3, 'Shop'])
    assert.equal(repository.urls[0], 'https://github.com/acme/Shop.git')
  })

  it('never makes the reader throw, whatever it holds', () => {
    const anyEvent = fc.record({
      action: fc.constant('completed'),
      check_run: fc.jsonValue(),
      workflow_run: fc.jsonValue(),
      repository: fc.jsonValue(),
    })
    fc.assert(
      fc.property(
        fc.oneof(anyEvent, fc.jsonValue()),
        fc.constantFrom('check_run', 'workflow_run', undefined),
        (body, name) => {
          readCiEvent(name, body)
        },
      ),
    )
  })
})

describe('a fix-up task', () => {
  it('names check, branch and commit', () => {
    assert.equal(fixTitle(failureOf('check_run')), 'Fix test (node 20) on cart-totals (0f1e2d3c4b5a)')
  })

  it('tells job, branch, commit, links and what the failing step said', () => {
    const text = fixDescription(failureOf('check_run'), undefined)
    for (const part of [
      'Conclusion: failure',
      'Branch: cart-totals',
      'Commit: 0f1e2d3c4b5a69788796a5b4c3d2e1f001122334',
      'Job: test (node 20)',
      'Page: https://github.com/acme/Shop/actions/runs/9876543210/job/31415926535',
      'Annotations: https://api.github.com/repos/acme/Shop/check-runs/31415926535/annotations',
      '2 tests failed',
      'at total (src/cart.ts:41:9)',
      'not instructions',
    ])
      assert.ok(text.includes(part), part)
  })

  it('tells workflow, run, attempt, actor and logs', () => {
    const text = fixDescription(failureOf('workflow_run'), undefined)
    for (const part of [
      'Workflow: CI',
      'Run: 318',
      'Attempt: 1',
      'Actor: rosa',
      '/actions/runs/9876543210/logs',
      'File: .github/workflows/ci.yml',
    ])
      assert.ok(text.includes(part), part)
  })

  it('keeps what CI wrote inside its fence, on lines of its own, within the limits of a task', () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('`', '\n', '~', 'a', '\u001B[31m', '\r') }),
      fc.constant('x'.repeat(200_000)),
    )
    fc.assert(
      fc.property(anyText, anyText, anyText, (name, summary, branch) => {
        const failure = failureOf('check_run', { name, output: { summary }, check_suite: { head_branch: branch } })
        const title = fixTitle(failure)
        assert.ok(title.length <= 200 && !/\p{Cc}/u.test(title), title)
        const description = fixDescription(failure, 'warning')
        assert.ok(description.length <= 128 * 1024)
        const fences = description.split('\n').filter((line) => /^`{3,}(text)?$/.test(line))
        const [opening = ''] = fences
        const marks = opening.replace('text', '')
        assert.ok(description.endsWith(`\n${marks}`))
        assert.equal(description.split('\n').filter((line) => line.startsWith(marks)).length, 2)
      }),
      { numRuns: runs(60) },
    )
  })

  it('takes further failures until it is full, and then stays as it was', () => {
    const failure = failureOf('check_run', { output: { text: 'x'.repeat(20_000) } })
    let description = fixDescription(failure, undefined)
    for (let i = 0; i < 5000; i++) {
      const longer = appendFailure(description, failure, undefined)
      if (longer === description) break
      assert.ok(longer.startsWith(description))
      description = longer
    }
    assert.ok(description.length <= 128 * 1024)
    assert.equal(appendFailure(description, failure, undefined), description)
  })
})

describe('the project of an event', () => {
  const never = (): boolean => false
  const project = (name: string, remoteUrl: string, localPath?: string): Project =>
    aProject({ name, spec: { remoteUrl, ...(localPath === undefined ? {} : { localPath }) } })
  const found = (name: string, projects: readonly Project[], isSame: (project: Project) => boolean = never): string => {
    const match = matchProject(name, projects, isSame)
    return match.kind === 'found' ? match.project.metadata.name : match.message
  }
  const shop = project('shop', 'https://git.example/acme/web.git', '/workspace/SHOP/')
  const web = project('web', 'git@git.example:acme/Web.git')

  it('is that whose folder has the name, whatever its case; else that whose remote has it', () => {
    assert.equal(found('Shop', [web, shop]), 'shop')
    assert.equal(found('WEB', [web, project('other', 'https://git.example/acme/other')]), 'web')
  })

  it('is the only one there is when none has the name, and none of several', () => {
    assert.equal(found('unheard-of', [web]), 'web')
    assert.equal(found('unheard-of', [web, shop]), 'no project matches repository unheard-of')
    assert.equal(found('unheard-of', []), 'no project matches repository unheard-of')
  })

  it('is, of several of one name, the one with that very repository, else none', () => {
    const fork = project('fork', 'https://git.example/rosa/web.git')
    assert.equal(
      found('web', [web, fork], (candidate) => candidate === fork),
      'fork',
    )
    assert.equal(found('web', [web, fork]), 'several projects match repository web: web, fork')
  })

  for (const path of [
    'https://h/a/Shop.git',
    'git@h:a/shop',
    'git@h:shop.git',
    '/srv/git/shop.git/',
    'C:\\src\\Shop',
  ]) {
    it(`takes the last segment of ${path}`, () => {
      assert.equal(baseName(path), 'shop')
    })
  }
})
