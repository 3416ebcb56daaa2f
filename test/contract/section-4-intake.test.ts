/** Section 4, what comes in from elsewhere: validation, scripts, push, drops and the webhook. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aClaude, playOperator } from '../api-server/queries/query-operator.ts'
import { type Rig, itemsOf, startRig } from '../api-server/rig.ts'
import { aBrowser } from '../helpers/push-service.ts'
import { at, textAt } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'
import { row } from './contract.ts'
import { aCheckRun, aWorkflowRun } from './events.ts'

describe('the contract, section 4: what comes in', () => {
  let api: Rig
  let scripts: string
  before(async () => {
    scripts = mkdtempSync(join(tmpdir(), 'slipway-contract-'))
    api = await startRig({ scriptsDir: scripts, deployCommand: 'echo deployed' })
  })
  after(async () => {
    await api.stop()
    rmSync(scripts, { recursive: true })
  })

  const upload = (name: string, content: string) => {
    const form = new FormData()
    form.append('file', new Blob([content]), name)
    return fetch(`${api.url}/api/drops`, { method: 'POST', body: form })
  }
  const deliver = (kind: string, event: object) => api.post('/api/webhooks/vcshost', event, { 'X-GitHub-Event': kind })

  row(
    '4.tasks.validate',
    'answers 200 with valid, errors, warnings, questions and suggestions, stores nothing',
    async () => {
      const good = await api.post('/api/tasks/validate', { name: 'Good', repository_url: 'https://git.example/r.git' })
      assert.equal(good.status, 200, good.text)
      assert.deepEqual([at(good.body, 'valid'), at(good.body, 'errors')], [true, []])
      for (const list of ['warnings', 'questions', 'suggestions']) assert.ok(Array.isArray(at(good.body, list)), list)
      const bad = await api.post('/api/tasks/validate', { name: 'Bad', depends_on: ['nobody'] })
      assert.deepEqual([bad.status, at(bad.body, 'valid')], [200, false])
      const [error] = itemsOf(at(bad.body, 'errors'))
      assert.match(textAt(error, 'field'), /depends_on/)
      assert.match(textAt(error, 'message'), /nobody/)
      assert.deepEqual((await api.get('/api/tasks')).body, [])
    },
  )

  row(
    '4.tasks.elaborate',
    'turns a prompt into a draft that create takes, and logs it only with project_dir',
    async () => {
      await api.givenAgent(aClaude())
      await until('claude is known', async () => (await api.get('/api/agents/claude')).status === 200)
      const folder = join(api.workspaceRoot, 'shop')
      mkdirSync(folder)
      const operator = playOperator(api)
      const elaborate = async (request: object) => {
        const asked = api.post('/api/tasks/elaborate', request)
        const { name } = await operator.next()
        await operator.answer(name, { name: 'Print CSV', description: 'In report.ts.' })
        const { status, body } = await asked
        assert.equal(status, 200)
        return body
      }
      const draft = await elaborate({ prompt: 'I want CSV' })
      assert.deepEqual(draft, { name: 'Print CSV', description: 'In report.ts.', elaboration_input: 'I want CSV' })
      const created = await api.post('/api/tasks', draft)
      assert.equal(created.status, 201, created.text)
      assert.equal((await api.delete(`/api/tasks/${textAt(created.body, 'id')}`)).status, 204)
      await elaborate({ prompt: 'And XML', project_dir: folder })
      assert.match(readFileSync(join(folder, 'NARRATIVE.md'), 'utf8'), /^(?!.*CSV).*And XML\n$/s)
    },
  )

  row(
    '4.scripts',
    'POST /api/scripts/{name} runs it with the query as environment, 200 also when it fails',
    async () => {
      writeFileSync(join(scripts, 'greet'), '#!/bin/bash\necho "hello $WHO"; echo oops >&2; exit 3\n', { mode: 0o755 })
      assert.ok(JSON.stringify((await api.get('/api/scripts')).body).includes('greet'))
      const { status, body } = await api.post('/api/scripts/greet?who=world')
      assert.equal(status, 200)
      assert.deepEqual(
        ['name', 'exit_code', 'stdout', 'stderr'].map((field) => at(body, field)),
        ['greet', 3, 'hello world\n', 'oops\n'],
      )
      assert.equal(typeof at(body, 'duration_seconds'), 'number')
      assert.equal((await api.post('/api/scripts/none')).status, 404)
      for (const name of ['PATH', 'LD_PRELOAD', 'NODE_OPTIONS', 'BASH_ENV', 'a-b', '1a'])
        assert.equal((await api.post(`/api/scripts/greet?${name}=x`)).status, 400, name)
      assert.match(textAt((await api.post('/api/scripts/deploy')).body, 'stdout'), /deployed/)
    },
  )

  row(
    '4.scripts',
    'start-next-task starts the lowest priority, then the oldest, for the agent chosen; exit 3 when none',
    async () => {
      for (const agent of ['claude', 'gemini']) await api.post('/api/agents', { id: agent, adapter: agent })
      for (const [id, priority] of [
        ['later', 5],
        ['sooner', 1],
      ])
        await api.post('/api/tasks', { id, name: id, priority })
      const start = async (agent: string) => {
        const { status, body } = await api.post(`/api/scripts/start-next-task?agent=${agent}`)
        assert.equal(status, 200)
        return [at(body, 'exit_code'), `${textAt(body, 'stdout')}${textAt(body, 'stderr')}`.trim()]
      }
      assert.deepEqual(await start('claude'), [0, 'sooner'])
      assert.deepEqual(await start('auto'), [0, 'later'])
      const sooner = (await api.get('/api/tasks/sooner')).body
      assert.deepEqual([at(sooner, 'state'), at(sooner, ['agent', 'type'])], ['QUEUED', 'claude'])
      assert.deepEqual(await start('gemini'), [3, 'nothing to start'])
    },
  )

  row('4.push.key', 'is the public key that a browser subscribes with: 65 bytes of P-256', async () => {
    const { status, body } = await api.get('/api/push/vapid-key')
    assert.equal(status, 200)
    const key = Buffer.from(textAt(body, 'public_key'), 'base64url')
    assert.deepEqual([key.length, key[0]], [65, 4])
    assert.deepEqual((await api.get('/api/push/vapid-key')).body, body)
  })

  row(
    '4.push.subscribe',
    'takes what a browser gives: 201, once more for the same endpoint; a bad endpoint is 400',
    async () => {
      const { subscription } = aBrowser('https://push.example/browser')
      assert.equal((await api.post('/api/push/subscribe', subscription)).status, 201)
      const again = aBrowser('https://push.example/browser').subscription
      assert.equal((await api.post('/api/push/subscribe', again)).status, 201)
      for (const endpoint of ['no url', 'ftp://push.example/x', '']) {
        const { status, body } = await api.post('/api/push/subscribe', { ...subscription, endpoint })
        assert.equal(status, 400, endpoint)
        assert.equal(typeof at(body, 'error'), 'string')
      }
    },
  )

  row('4.push.unsubscribe', 'takes {endpoint}: 204', async () => {
    const { subscription } = aBrowser('https://push.example/leaving')
    await api.post('/api/push/subscribe', subscription)
    const { status, text } = await api.request('DELETE', '/api/push/subscribe', { endpoint: subscription.endpoint })
    assert.deepEqual([status, text], [204, ''])
  })

  row('4.push.worker', 'is JavaScript that may control the whole origin', async () => {
    const { status, headers, text } = await api.get('/api/push/sw.js')
    assert.deepEqual([status, headers.get('service-worker-allowed')], [200, '/'])
    assert.match(headers.get('content-type') ?? '', /javascript/)
    assert.match(text, /push/)
  })

  row(
    '4.drops.post',
    'stores multipart files: 201 with name, size and modified_at; a name with a leading dot is 400',
    async () => {
      const response = await upload('notes.txt', 'remember')
      const [stored] = itemsOf(JSON.parse(await response.text()))
      assert.deepEqual([response.status, at(stored, 'name'), at(stored, 'size')], [201, 'notes.txt', 8])
      assert.match(textAt(stored, 'modified_at'), /^\d{4}-.*Z$/)
      assert.equal((await upload('.hidden', 'x')).status, 400)
    },
  )

  row('4.drops.list', 'lists name, size and modified_at of each file', async () => {
    await upload('listed.txt', '12345')
    const { status, body } = await api.get('/api/drops')
    const file = itemsOf(body).find((entry) => at(entry, 'name') === 'listed.txt')
    assert.deepEqual([status, at(file, 'size'), typeof at(file, 'modified_at')], [200, 5, 'string'])
  })

  row('4.drops.get', 'gives the bytes as an attachment, a range of them with 206, 404 for none', async () => {
    await upload('data.bin', '0123456789')
    const whole = await api.get('/api/drops/data.bin')
    assert.deepEqual([whole.status, whole.text], [200, '0123456789'])
    assert.match(whole.headers.get('content-disposition') ?? '', /^attachment.*data\.bin/)
    assert.equal(whole.headers.get('x-content-type-options'), 'nosniff')
    const part = await api.get('/api/drops/data.bin', { Range: 'bytes=2-4' })
    assert.deepEqual([part.status, part.text, part.headers.get('content-range')], [206, '234', 'bytes 2-4/10'])
    assert.equal((await api.get('/api/drops/none.bin')).status, 404)
  })

  row('4.webhook.event', 'a failure makes a task: 201; delivered again it is 200 with the same task', async () => {
    await api.post('/api/projects', { id: 'shop', name: 'Shop', remote_url: 'https://github.com/acme/shop.git' })
    for (const [kind, event] of [
      ['check_run', aCheckRun('failure')],
      ['workflow_run', aWorkflowRun('timed_out')],
    ] as const) {
      const { status, body, text } = await deliver(kind, event)
      assert.equal(status, 201, text)
      const task = (await api.get(`/api/tasks/${textAt(body, 'task_id')}`)).body
      assert.deepEqual([at(task, 'state'), at(task, 'project')], ['PENDING', 'shop'])
      assert.match(textAt(task, 'repository_url'), /acme\/shop/)
      const again = await deliver(kind, event)
      assert.deepEqual([again.status, again.body], [200, body])
      await api.post(`/api/tasks/${textAt(body, 'task_id')}/cancel`)
    }
  })

  row('4.webhook.event', 'other outcomes are 204 and make none', async () => {
    const before = itemsOf((await api.get('/api/tasks')).body).length
    for (const outcome of ['success', 'skipped', 'neutral', 'cancelled']) {
      assert.equal((await deliver('check_run', aCheckRun(outcome))).status, 204, outcome)
      assert.equal((await deliver('workflow_run', aWorkflowRun(outcome))).status, 204, outcome)
    }
    assert.equal((await deliver('ping', { zen: 'x' })).status, 204)
    assert.equal(itemsOf((await api.get('/api/tasks')).body).length, before)
  })

  row('4.webhook.project', 'is found by the repository name without case, is the only one, or 422', async () => {
    const projectOf = async (id: number, repository: string) => {
      const { status, body, text } = await deliver('check_run', aCheckRun('failure', { id, repository }))
      if (status !== 201) return status
      const task = (await api.get(`/api/tasks/${textAt(body, 'task_id')}`)).body
      return at(task, 'project') ?? text
    }
    assert.equal(await projectOf(11, 'other'), 'shop')
    const site = { id: 'site', name: 'Site', remote_url: 'https://github.com/acme/web.git' }
    const made = await api.post('/api/projects', { ...site, local_path: join(api.workspaceRoot, 'Site-Repo') })
    assert.equal(made.status, 201, made.text)
    assert.equal(await projectOf(12, 'SITE-repo'), 'site')
    assert.equal(await projectOf(13, 'SHOP'), 'shop')
    assert.equal(await projectOf(14, 'nobody'), 422)
  })
})
