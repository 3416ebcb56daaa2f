import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findStartTime } from '../../../lib/process.ts'
import { anAgent, aStory, aTask } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, itemsOf, startRig } from '../rig.ts'

describe('scripts', () => {
  let api: Rig
  let folder: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-scripts-'))
    api = await startRig({
      scriptsDir: folder,
      deployCommand: 'echo deployed "$VERSION"; exit 4',
      scriptTimeoutMs: 15_000,
    })
  })
  after(async () => {
    await api.stop()
    rmSync(folder, { recursive: true })
  })
  const given = (name: string, text: string, mode = 0o755): void => {
    writeFileSync(join(folder, name), `#!/bin/bash\n${text}\n`)
    chmodSync(join(folder, name), mode)
  }

  it('GET /api/scripts lists files that can be run, and what is built in', async () => {
    given('hello', '# slipway-description: Greets\necho "hi $WHO"')
    given('not-executable', 'echo hi', 0o644)
    given('anybody-writes', 'echo hi', 0o757)
    symlinkSync('/bin/true', join(folder, 'link'))
    const { status, body } = await api.get('/api/scripts')
    assert.equal(status, 200)
    const records = itemsOf(body)
    assert.deepEqual(records[1], { name: 'hello', built_in: false, description: 'Greets', parameters: ['WHO'] })
    assert.deepEqual(
      [records[0], records[2]].map((record) => [at(record, 'name'), at(record, 'built_in'), at(record, 'parameters')]),
      [
        ['deploy', true, itemsOf(at(records[0], 'parameters'))],
        ['start-next-task', true, ['AGENT']],
      ],
    )
    for (const name of ['not-executable', 'anybody-writes', 'link', 'missing', '..%2fhello', '-x'])
      assert.equal((await api.post(`/api/scripts/${name}`)).status, 404, name)
  })

  it('POST /api/scripts/{name} runs it and answers 200, also when it fails', async () => {
    given('fails', 'echo out; echo err >&2; exit 7')
    const { status, body } = await api.post('/api/scripts/fails')
    assert.equal(status, 200)
    assert.deepEqual(
      ['name', 'exit_code', 'stdout', 'stderr'].map((field) => at(body, field)),
      ['fails', 7, 'out\n', 'err\n'],
    )
    assert.ok(Number(at(body, 'duration_seconds')) >= 0)
  })

  it('gives it the parameters in an environment made from nothing', async () => {
    given('environment', 'export -p; printf "[%s]" "$TARGET"')
    const { body } = await api.post(`/api/scripts/environment?target=${encodeURIComponent('a\nb"$(id)')}&token=secret`)
    const text = textAt(body, 'stdout')
    assert.ok(text.endsWith('[a\nb"$(id)]'))
    assert.ok(text.includes(`SLIPWAY_SERVER="${api.url}"`))
    const names = [...text.matchAll(/declare -x (\w+)/g)].map(([, name]) => name)
    const ours = ['HOME', 'LANG', 'PATH', 'SLIPWAY_SERVER', 'TARGET', 'TMPDIR']
    assert.deepEqual(
      names.filter((name) => !['OLDPWD', 'PWD', 'SHLVL'].includes(name ?? '')),
      ours,
    )
  })

  for (const query of [
    'ld_preload=/tmp/x.so',
    'PATH=/tmp',
    'a-b=1',
    'x=%00',
    'a=1&A=2',
    'GIT_SSH=x',
    'a=1&a=2',
    '=1',
  ]) {
    it(`refuses ?${query} with 400 and runs nothing`, async () => {
      given('touch', `touch ${join(folder, 'ran')}`)
      assert.equal((await api.post(`/api/scripts/touch?${query}`)).status, 400)
      assert.equal(existsSync(join(folder, 'ran')), false)
    })
  }

  it('hands on no variable that only the programs it runs would read, and says how to take one', async () => {
    mkdirSync(join(folder, 'files'))
    given('pack', `tar -cf ${join(folder, '.packed')} files`)
    const options = `--checkpoint=1 --checkpoint-action=exec="touch ${join(folder, 'ran')}"`
    const { status, body } = await api.post(`/api/scripts/pack?tar_options=${encodeURIComponent(options)}`)
    const way = 'to take it, it must use $TAR_OPTIONS, or say in a comment: # slipway-parameters: TAR_OPTIONS'
    assert.deepEqual([status, body], [400, { error: `tar_options: the script does not use it; ${way}` }])
    assert.equal(existsSync(join(folder, 'ran')), false)
    assert.equal(at((await api.post('/api/scripts/pack')).body, 'exit_code'), 0)
  })

  it('takes the parameters of its header, also where only what it runs reads them', async () => {
    given('header', '# slipway-parameters: TARGET DRY_RUN\nenv | grep -E "^(TARGET|DRY_RUN)=" | sort')
    const { body } = await api.post('/api/scripts/header?target=a&dry_run=1')
    assert.equal(at(body, 'stdout'), 'DRY_RUN=1\nTARGET=a\n')
    const refused = await api.post('/api/scripts/header?target=a&other=1')
    const error =
      'other: the script takes TARGET, DRY_RUN only; to take it, it must say: # slipway-parameters: TARGET DRY_RUN OTHER'
    assert.deepEqual([refused.status, refused.body], [400, { error }])
  })

  it('takes none for what is built in but what it knows', async () => {
    const { status, body } = await api.post('/api/scripts/start-next-task?agent=auto&force=1')
    assert.deepEqual([status, body], [400, { error: 'force: the script takes AGENT only' }])
    assert.equal((await api.post('/api/scripts/deploy?cc=id')).status, 400)
    assert.equal((await api.post('/api/scripts/none?x=1')).status, 404)
  })

  it('cuts output at 1 MiB each, and lets the script go on', async () => {
    given('loud', 'head -c 3000000 /dev/zero | tr "\\0" x; echo done >&2')
    const { body } = await api.post('/api/scripts/loud')
    assert.deepEqual(
      [textAt(body, 'stdout').length, at(body, 'stderr'), at(body, 'exit_code')],
      [1024 * 1024, 'done\n', 0],
    )
  })

  it('refuses a script that is running with 409, and lets one go on whose caller went', async () => {
    const [began, gate, ended] = ['began', 'gate', 'ended'].map((name) => join(folder, `.${name}`))
    given('slow', `touch ${began}; until [ -e ${gate} ]; do sleep 0.05; done; echo "$N" > ${ended}`)
    const caller = new AbortController()
    const first = fetch(`${api.url}/api/scripts/slow?n=1`, { method: 'POST', signal: caller.signal }).catch(
      () => undefined,
    )
    await until('it runs', () => existsSync(String(began)))
    const { status, body } = await api.post('/api/scripts/slow?n=2')
    assert.deepEqual([status, body], [409, { error: 'script slow is running already' }])
    caller.abort()
    await first
    writeFileSync(String(gate), '')
    await until(
      'it has gone on to its end',
      () => existsSync(String(ended)) && readFileSync(String(ended), 'utf8') === '1\n',
    )
    await until('it can be run again', async () => (await api.post('/api/scripts/slow')).status === 200)
  })

  it('ends a script that takes too long, with all that it started, and answers 504', async () => {
    const quick = await startRig({ scriptsDir: folder, scriptTimeoutMs: 300 })
    try {
      const pidFile = join(folder, '.pid')
      given('endless', `sleep 600 & echo $! > ${pidFile}; wait`)
      const { status, body } = await quick.post('/api/scripts/endless')
      assert.deepEqual([status, body], [504, { error: 'script endless was ended after 0.3 seconds' }])
      // A zombie counts as gone: not every init of a container reaps what it inherits.
      const pid = Number(existsSync(pidFile) ? readFileSync(pidFile, 'utf8') : 0)
      if (pid > 0) assert.equal(await findStartTime(pid), undefined)
    } finally {
      await quick.stop()
    }
  })

  it('deploy runs deployCommand; without one it is 409; a file of that name replaces it', async () => {
    const { body } = await api.post('/api/scripts/deploy?version=1.2')
    assert.deepEqual([at(body, 'stdout'), at(body, 'exit_code')], ['deployed 1.2\n', 4])
    given('deploy', 'echo my own')
    assert.equal(at((await api.post('/api/scripts/deploy')).body, 'stdout'), 'my own\n')
    rmSync(join(folder, 'deploy'))
    const bare = await startRig()
    try {
      const { status, body: refusal } = await bare.post('/api/scripts/deploy')
      assert.deepEqual([status, refusal], [409, { error: 'no deployCommand is configured' }])
      assert.equal(itemsOf((await bare.get('/api/scripts')).body).length, 2)
    } finally {
      await bare.stop()
    }
  })

  it('start-next-task queues the PENDING task of lowest priority, then the oldest, that waits for nothing', async () => {
    const start = async (query = ''): Promise<unknown[]> => {
      const { body } = await api.post(`/api/scripts/start-next-task${query}`)
      return [at(body, 'exit_code'), at(body, 'stdout'), at(body, 'stderr')]
    }
    assert.deepEqual(await start(), [3, '', 'nothing to start\n'])
    await api.given(aTask({ name: 'later', spec: { priority: 5 } }))
    await api.given(aTask({ name: 'first', spec: { priority: -1 } }))
    await api.given(aTask({ name: 'blocked', spec: { priority: -9, dependsOn: ['later'] } }))
    await api.given(aTask({ name: 'resting', spec: { priority: -9, suspend: true } }))
    assert.deepEqual(await start('?agent=auto'), [0, 'first\n', ''])
    assert.equal(at((await api.get('/api/tasks/first')).body, 'state'), 'QUEUED')
    assert.deepEqual(await start('?agent=script'), [0, 'later\n', ''])
    assert.deepEqual(await start(), [3, '', 'nothing to start\n'])
    const unknown = await api.post('/api/scripts/start-next-task?agent=hal')
    assert.deepEqual([unknown.status, unknown.body], [400, { error: 'agent: agent hal does not exist' }])
  })

  it('start-next-task passes over what the agent cannot run and tasks of DONE stories, however low their priority', async () => {
    const start = async (query: string): Promise<unknown[]> => {
      const { status, body } = await api.post(`/api/scripts/start-next-task${query}`)
      return [status, at(body, 'exit_code'), at(body, 'stdout')]
    }
    await api.givenAgent(anAgent({ name: 'claude', spec: { adapter: 'claude' } }))
    await api.givenStory(aStory({ name: 'done', status: { status: 'DONE' } }))
    await api.given(aTask({ name: 'late', spec: { priority: -9, storyId: 'done', agent: {} } }))
    await api.given(aTask({ name: 'a-script', spec: { priority: -5, agent: { type: 'script' } } }))
    await api.given(aTask({ name: 'for-all', spec: { priority: 9, agent: {} } }))
    assert.deepEqual(await start('?agent=claude'), [200, 0, 'for-all\n'])
    assert.deepEqual(await start('?agent=claude'), [200, 3, ''])
    assert.deepEqual(await start('?agent=auto'), [200, 0, 'a-script\n'])
    assert.deepEqual(await start('?agent=auto'), [200, 3, ''])
  })
})
