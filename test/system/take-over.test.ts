import assert from 'node:assert/strict'
import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Remote, gitIn, makeRemote } from '../helpers/repository.ts'
import { runSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, makeInstallation } from './installation.ts'

describe('the whole program, where a person takes work over', function () {
  let installation: Installation
  let server: Server
  let remote: Remote
  let home: string
  let work: string

  before(async () => {
    installation = makeInstallation()
    remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
    home = join(installation.folder, 'home')
    work = join(installation.folder, 'work')
    for (const folder of [home, work]) mkdirSync(folder)
    // Filters that a person has, which attributes in a tree can choose.
    writeFileSync(
      join(home, 'gitconfig'),
      [
        '[filter "own"]',
        ...['smudge', 'clean', 'process'].map((kind) => `\t${kind} = "${canary(`own-${kind}`)}; cat"`),
        `[diff "own"]\n\ttextconv = "${canary('own-textconv')}; cat"\n\tcommand = "${canary('own-diff')}"`,
        `[merge "own"]\n\tdriver = "${canary('own-merge')}"\n`,
      ].join('\n'),
    )
    server = await installation.start()
    const project = { id: 'shop', name: 'Shop', remote_url: remote.path }
    assert.equal((await server.call('POST', '/api/projects', project)).status, 201)
  })
  after(() => installation.dispose())

  /** A command that leaves a file where git of the person runs it; what the agent's own step runs leaves none. */
  const canary = (name: string): string => `test -z $OF_PERSON || touch ${join(home, `ran-${name}`)}`
  const slipway = (cwd: string, ...args: string[]) =>
    runSlipway(
      args,
      {
        SLIPWAY_SERVER: server.program.url,
        HOME: home,
        GIT_CONFIG_GLOBAL: join(home, 'gitconfig'),
        GIT_CONFIG_NOSYSTEM: '1',
        OF_PERSON: '1',
        // As some have it: what lies in the working folder is found first.
        PATH: `.::bin:${process.env['PATH'] ?? ''}`,
      },
      cwd,
    )
  const checkout = async (id: string, ...more: string[]): Promise<string> => {
    const { code, output } = await slipway(work, 'checkout', id, ...more)
    assert.equal(code, 0, output)
    return output
  }
  const commit = (folder: string, file: string): string => {
    writeFileSync(join(folder, file), `${file}\n`)
    gitIn(folder, 'add', file)
    gitIn(folder, 'commit', '--quiet', '--message', `by hand: ${file}`)
    return gitIn(folder, 'rev-parse', 'HEAD')
  }
  const executed = async (id: string, count: number) => {
    const isDone = async (): Promise<boolean> => {
      const found = await server.executions(id)
      return found.length === count && found.every(({ finished_at }) => finished_at !== undefined)
    }
    await until(() => `${count} executions of ${id} have ended`, isDone)
  }

  it('holds the task meanwhile, and makes it READY at exactly the commits that were handed back, then revises it', async () => {
    await server.create('one', 'echo "$(date +%s%N)" >> runs.txt; echo one > one.txt', { project: 'shop' })
    await server.run('one')
    await server.reaches('one', 'READY')
    await checkout('one')
    const folder = join(work, 'one')
    assert.equal(readFileSync(join(folder, 'one.txt'), 'utf8'), 'one\n')
    const held = await server.task('one')
    assert.match(String(held['waiting_for']), /^checked out by /)
    const again = await server.call('POST', '/api/tasks/one/revise', { comment: 'more' })
    assert.equal(again.status, 202)
    assert.match(String((await server.task('one'))['waiting_for']), /^checked out by /)

    writeFileSync(join(folder, 'left.txt'), 'x')
    const dirty = await slipway(folder, 'handback', 'one')
    assert.equal(dirty.code, 2)
    assert.match(dirty.output, /changes that are not committed:\n\?\? left\.txt\nCommit them/)
    gitIn(folder, 'clean', '-fdq')
    commit(folder, 'two.txt')
    const head = commit(folder, 'three.txt')
    const { code, output } = await slipway(folder, 'handback', 'one')
    assert.equal(code, 0, output)
    await executed('one', 2)
    const task = await server.reaches('one', 'READY')
    assert.deepEqual([task['checked_out'], task['foreign_commit_count']], [undefined, 2])
    assert.equal(remote.git('rev-parse', 'slipway/one'), head)
    assert.match(JSON.stringify(task['head']), new RegExp(head))
    const diff = await server.call('GET', `/api/executions/one-2/diff`)
    for (const file of ['one.txt', 'two.txt', 'three.txt'])
      assert.match(diff.text, new RegExp(`\\+${file.slice(0, -4)}`))
    assert.equal(remote.git('show', 'slipway/one:runs.txt').split('\n').length, 1, 'no agent has run')

    await checkout('one', join(work, 'again'))
    const four = commit(join(work, 'again'), 'four.txt')
    const asked = await slipway(join(work, 'again'), 'handback', 'one', '-m', 'Go on')
    assert.equal(asked.code, 0, asked.output)
    await executed('one', 3)
    await server.reaches('one', 'READY')
    assert.equal(remote.git('show', 'slipway/one:runs.txt').split('\n').length, 2, 'the agent has run again')
    assert.equal(remote.git('rev-parse', 'slipway/one^'), four)
  })

  it('has what was handed back checked like all work, and asks no agent to mend it', async () => {
    const checks = [{ name: 'test', run: 'test ! -e broken.txt' }]
    const project = { id: 'checked', name: 'Checked', remote_url: remote.path, checks }
    assert.equal((await server.call('POST', '/api/projects', project)).status, 201)
    await server.create('checked-one', 'echo one > checked.txt', { project: 'checked' })
    await server.run('checked-one')
    await server.reaches('checked-one', 'READY')
    await checkout('checked-one')
    const folder = join(work, 'checked-one')
    commit(folder, 'fine.txt')
    assert.equal((await slipway(folder, 'handback', 'checked-one')).code, 0)
    await executed('checked-one', 2)
    const green = await server.reaches('checked-one', 'READY')
    assert.match(JSON.stringify(green['checks']), /"passed"/)

    await checkout('checked-one', join(work, 'broken'))
    commit(join(work, 'broken'), 'broken.txt')
    assert.equal((await slipway(join(work, 'broken'), 'handback', 'checked-one')).code, 0)
    await executed('checked-one', 3)
    const red = await server.reaches('checked-one', 'FAILED')
    assert.equal(red['error_category'], 'checks')
    const [last] = await server.executions('checked-one')
    assert.equal(last?.['rounds'], undefined, 'the agent is not asked')

    // Somebody puts the branch elsewhere: what was handed back is not rebased onto that.
    gitIn(join(work, 'broken'), 'reset', '--quiet', '--hard', 'HEAD^')
    const theirs = commit(join(work, 'broken'), 'theirs.txt')
    gitIn(join(work, 'broken'), 'push', '--quiet', '--force', remote.path, 'HEAD:slipway/checked-one')
    assert.equal((await server.call('POST', '/api/tasks/checked-one/resume')).status, 202)
    await executed('checked-one', 4)
    const moved = await server.reaches('checked-one', 'FAILED')
    assert.match(
      String(moved['error']),
      /was handed back, but the branch is at .*: check the task out and hand it back again/,
    )
    assert.equal(remote.git('rev-parse', 'slipway/checked-one'), theirs)
  })

  it('takes along what was not committed, from where the remote is out of reach, and runs nothing of it then or at handback', async () => {
    const settings = [
      'core.fsmonitor',
      'core.sshCommand',
      'core.gitProxy',
      'core.askPass',
      'core.editor',
      'gpg.program',
    ]
    const configure = (name: string, file: string): string[] => [
      ...settings.map((key) => `git config --file ${file} ${key} '${canary(`${name}-${key}`)}; false'`),
      ...['smudge', 'clean'].map(
        (kind) => `git config --file ${file} filter.own.${kind} '${canary(`${name}-${kind}`)}; cat'`,
      ),
      `git config --file ${file} credential.helper '!${canary(`${name}-credential`)}'`,
      `git config --file ${file} diff.external '${canary(`${name}-diff`)}'`,
      `git config --file ${file} alias.push '!${canary(`${name}-alias`)}'`,
      `git config --file ${file} push.gpgSign if-asked`,
    ]
    const plant = (path: string): string =>
      `printf '#!/bin/sh\\n${canary(path.replaceAll('/', '-'))}\\n' > ${path}; chmod +x ${path}`
    const hooks = [
      'post-checkout',
      'pre-push',
      'reference-transaction',
      'post-index-change',
      'pre-commit',
      'post-commit',
    ]
    const script = [
      'echo committed > done.txt; git add done.txt; git commit -qm half',
      // Of the clone alone:
      ...hooks.map((hook) => plant(`.git/hooks/${hook}`)),
      ...configure('clone', '.git/config'),
      ...configure('included', '.git/evil'),
      'git config include.path evil; git config includeIf.gitdir:/.path evil; git config core.hooksPath .git/hooks',
      'echo "* filter=own diff=own merge=own" > .git/info/attributes',
      // Of the tree:
      'echo "* filter=own diff=own merge=own" > .gitattributes',
      `printf '[lfs]\\n\\turl = ext::x\\n[lfs "customtransfer.x"]\\n\\tpath = ./git-lfs\\n' > .lfsconfig`,
      `printf '[submodule "s"]\\n\\tpath = s\\n\\turl = ext::sh -c "${canary('submodule')}"\\n\\tupdate = !${canary('update')}\\n' > .gitmodules`,
      'mkdir -p bin',
      ...['git', 'git-lfs', 'ssh', 'bin/git', 'bin/git-lfs', 'bin/sh', 'sh', '.envrc'].map(plant),
      // A folder that git could take for a repository, and a note of a checkout in it.
      'git init -q --bare bare; rm -rf bare/hooks bare/description; touch bare/refs/x bare/objects/x',
      'git config --file bare/config core.bare false; git config --file bare/config core.worktree ..',
      ...configure('bare', 'bare/config'),
      `printf '{"task":"two","url":"ssh://git@localhost:1/x","branch":"main","isShared":false,"hasTip":true}' > bare/slipway-checkout.json`,
      `ln -s ${home} outside; mkfifo pipe; mkdir -p nested && git init -q nested; echo x > nested/x`,
      ...configure('nested', 'nested/.git/config'),
      'echo changed >> README.md; echo new > new.txt; exit 1',
    ].join('\n')
    await server.create('two', script, { project: 'shop' })
    await server.run('two')
    await server.reaches('two', 'FAILED')
    renameSync(remote.path, `${remote.path}.away`)
    const output = await checkout('two').finally(() => renameSync(`${remote.path}.away`, remote.path))
    const ran = () => readdirSync(home).filter((name) => name.startsWith('ran-'))
    assert.match(output, /out of reach/)
    const folder = join(work, 'two')
    assert.equal(readFileSync(join(folder, 'done.txt'), 'utf8'), 'committed\n')
    assert.equal(readFileSync(join(folder, 'README.md'), 'utf8'), '# Sample\nchanged\n')
    assert.equal(readFileSync(join(folder, 'new.txt'), 'utf8'), 'new\n')
    assert.ok(lstatSync(join(folder, 'outside')).isSymbolicLink())
    assert.deepEqual([existsSync(join(folder, 'pipe')), existsSync(join(folder, 'nested'))], [false, false])
    assert.deepEqual(ran(), [])
    assert.equal(existsSync(join(folder, '.git', 'hooks', 'post-checkout')), false)
    assert.doesNotMatch(readFileSync(join(folder, '.git', 'config'), 'utf8'), /evil|fsmonitor|ran/)
    assert.match(gitIn(folder, 'log', '--format=%s'), /^half$/m)

    assert.ok(existsSync(join(folder, 'bare', 'HEAD')), 'the tree has what looks like a repository')
    const inside = await slipway(join(folder, 'bare'), 'handback', 'two')
    assert.deepEqual([inside.code, ran()], [2, []], inside.output)
    assert.match(inside.output, /this folder is no checkout of a task/)
    const below = await slipway(join(folder, 'bare'), 'checkout', 'two', join(work, 'below'))
    assert.deepEqual([below.code, ran()], [0, []], below.output)
    const released = await slipway(work, 'checkout', 'two', '--release')
    assert.equal(released.code, 0, released.output)
    assert.equal((await server.task('two'))['checked_out'], undefined)

    const again = join(work, 'two-again')
    await checkout('two', again)
    const dirty = await slipway(again, 'handback', 'two')
    assert.match(dirty.output, /changes that are not committed:\n M README\.md\n/)
    gitIn(again, 'add', '--all')
    gitIn(again, 'commit', '--quiet', '--message', 'all of it')
    const back = await slipway(again, 'handback', 'two')
    assert.deepEqual([back.code, ran()], [0, []], back.output)
    assert.equal(remote.git('rev-parse', 'slipway/two'), gitIn(again, 'rev-parse', 'HEAD'))
    await executed('two', 2)
  })

  it('adds a worktree to a clone of the repository, and moves no branch of the person', async () => {
    await server.create('three', 'echo three > three.txt', { project: 'shop' })
    await server.run('three')
    await server.reaches('three', 'READY')
    const clone = join(work, 'clone')
    gitIn(work, 'clone', '--quiet', remote.path, clone)
    gitIn(clone, 'branch', 'slipway/three', 'main')
    const mine = gitIn(clone, 'rev-parse', 'slipway/three')
    const { code, output } = await slipway(clone, 'checkout', 'three')
    assert.equal(code, 0, output)
    const folder = join(work, 'clone-three')
    assert.equal(gitIn(folder, 'rev-parse', '--abbrev-ref', 'HEAD'), 'slipway/three-2')
    assert.equal(gitIn(clone, 'rev-parse', 'slipway/three'), mine)
    const again = await slipway(clone, 'checkout', 'three')
    assert.equal(again.code, 0)
    assert.match(again.output, /clone-three already, where nothing is changed/)
    // Nothing was changed, so nothing is to be reviewed anew.
    const back = await slipway(folder, 'handback', 'three')
    assert.match(back.output, /task released: nothing was changed/)
    assert.equal((await server.executions('three')).length, 1)
  })
})
