import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

describe('a clone that the agent tampered with', () => {
  let root = ''
  let marker = ''
  let remote: Remote
  beforeEach(() => {
    root = makeFolder()
    marker = join(root, 'ran')
    remote = makeRemote(root, { 'a.txt': 'one\n' })
  })
  afterEach(() => removeFolder(root))

  // Each plants a program that git would run; the marker proves whether it did. The file is written last.
  const PLANTS = {
    'hooks of every kind': `for h in pre-commit post-commit prepare-commit-msg reference-transaction pre-push post-index-change post-checkout; do
      printf '#!/bin/sh\\ntouch MARKER\\n' > .git/hooks/$h; chmod +x .git/hooks/$h; done`,
    'core.hooksPath': `mkdir h; printf '#!/bin/sh\\ntouch MARKER\\n' > h/reference-transaction; chmod +x h/*; git config core.hooksPath "$PWD/h"`,
    'a clean and smudge filter': `git config filter.x.clean 'touch MARKER; cat'; git config filter.x.smudge 'touch MARKER; cat'; echo '* filter=x' > .gitattributes`,
    'a filter in info/attributes': `git config filter.x.clean 'touch MARKER; cat'; mkdir -p .git/info; echo '* filter=x' > .git/info/attributes`,
    'core.fsmonitor': `printf '#!/bin/sh\\ntouch MARKER\\n' > .git/f; chmod +x .git/f; git config core.fsmonitor "$PWD/.git/f"`,
    'core.sshCommand and a remote helper': `git config core.sshCommand 'touch MARKER'; git config remote.origin.url 'ext::touch MARKER'; git config url.'ext::touch MARKER'.insteadOf /`,
    'an external diff and a text converter': `git config diff.external 'touch MARKER'; git config diff.x.textconv 'touch MARKER; cat'; git config diff.x.command 'touch MARKER'; echo '* diff=x' > .gitattributes`,
    'a credential helper': `git config credential.helper '!touch MARKER'`,
    'a signing program': `git config commit.gpgSign true; git config gpg.program 'touch MARKER'`,
    'settings waiting where the runner could make its own repository': `for d in commit view vault; do git init -q --bare "$TMPDIR/$d.git"; git --git-dir="$TMPDIR/$d.git" config filter.x.clean 'touch MARKER; cat'; done; echo '* filter=x' > .gitattributes`,
    'a repository inside with a monitor': `git init -q inner; printf '#!/bin/sh\\ntouch MARKER\\n' > inner/f; chmod +x inner/f; git -C inner config core.fsmonitor "$PWD/inner/f"`,
    'a submodule with a monitor': `git init -q sub; git -C sub -c user.name=x -c user.email=x@x commit -q --allow-empty -m x; git add sub 2>/dev/null; git -c user.name=x -c user.email=x@x commit -q -m sub; printf '#!/bin/sh\\ntouch MARKER\\n' > sub/f; chmod +x sub/f; git -C sub config core.fsmonitor "$PWD/sub/f"`,
  } as const
  for (const [what, plant] of Object.entries(PLANTS)) {
    it(`never runs ${what}, and delivers`, async () => {
      const script = `rm -f MARKER; ${plant}\nrm -f MARKER\necho two > b.txt`.replaceAll('MARKER', marker)
      const execution = makeExecution(root, remote, script)
      await execution.step('prepare')
      await execution.step('agent')
      // The clone's own git commits what is left in the agent's container: there its filters count.
      assert.equal(existsSync(marker), what.includes('filter'), 'the planted program, in the step of the agent')
      rmSync(marker, { force: true })
      const end = await execution.step('deliver')
      assert.equal(existsSync(marker), false, 'the planted program ran')
      assert.equal(end.exitCode, 0, end.stderr)
      assert.equal(remote.git('show', 'slipway/demo:b.txt'), 'two')
    })
  }

  const REFUSED = {
    deleted: ['rm -rf "$PWD"', /the clone is gone/],
    'without .git': ['rm -rf .git', /HEAD/],
    'whose .git is a file': ['mv .git ../moved; echo "gitdir: ../moved" > .git', /not an ordinary file/],
    'whose .git is a link': ['mv .git ../moved; ln -s ../moved .git', /not an ordinary file/],
    'that is a link itself': ['cd ..; mv repo ../moved; ln -s "$PWD/../moved" repo', /not an ordinary file/],
    'whose HEAD is a link': ['rm .git/HEAD; ln -s OUTSIDE .git/HEAD', /HEAD is not an ordinary file/],
    'whose HEAD leads outside': ['echo "ref: refs/../../../../OUTSIDE" > .git/HEAD', /malformed/],
    'whose HEAD goes in circles': [
      'echo "ref: refs/heads/x" > .git/HEAD; mkdir -p .git/refs/heads; echo "ref: refs/heads/x" > .git/refs/heads/x',
      /without end/,
    ],
    'whose branch is a link': ['b=.git/$(git symbolic-ref HEAD); rm "$b"; ln -s OUTSIDE "$b"', /not an ordinary file/],
    'whose branch is a FIFO': ['b=.git/$(git symbolic-ref HEAD); rm "$b"; mkfifo "$b"', /not an ordinary file/],
    'that borrows objects': ['echo OUTSIDE > .git/objects/info/alternates', /borrows objects/],
    'whose objects are a link': ['mv .git/objects ../o; ln -s ../o .git/objects', /link/],
    'with a link among its objects': ['ln -s OUTSIDE .git/objects/pack/pack-x.pack', /link or a special file/],
    'without its objects': ['rm -rf .git/objects/pack .git/objects/??', /./],
    'whose history was rewritten': [
      'git -c user.name=x -c user.email=x@x commit -q --amend -m other',
      /has no commit in common with the default branch .*: its history was begun anew/,
    ],
    'whose base was replaced by a new root': [
      'git checkout -q --orphan new; git -c user.name=x -c user.email=x@x commit -q -m root',
      /has no commit in common/,
    ],
  } as const
  for (const [what, [script, message]] of Object.entries(REFUSED)) {
    it(`fails with category git for one ${what}`, async () => {
      const outside = join(root, 'outside')
      writeFileSync(outside, 'secret of somebody else\n')
      const execution = makeExecution(root, remote, script.replaceAll('OUTSIDE', outside))
      assert.equal((await execution.all()).exitCode, 1)
      const { outcome, error, pushed } = execution.result()
      assert.deepEqual([outcome, error?.category, pushed], ['failed', 'git', false], error?.message)
      assert.match(error?.message ?? '', message)
      assert.ok(!(error?.message ?? '').includes('secret of somebody else'))
      assert.equal(remote.git('branch', '--list', 'slipway/demo'), '')
    })
  }

  it('cuts a diff that would fill the volume, and delivers', async () => {
    const script = `yes 0123456789012345678901234567890 | head -c 70000000 > big`
    const execution = makeExecution(root, remote, script)
    assert.equal((await execution.all()).exitCode, 0)
    const { size } = statSync(join(execution.folder, 'changes.diff'))
    assert.ok(size > 64 * 1024 * 1024 && size < 65 * 1024 * 1024, String(size))
    assert.match(execution.read('changes.diff').slice(-100), /\n\[cut after 67108864 bytes; .*\]\n$/)
    assert.equal(execution.result().changes?.files, 1)
  })

  it('fails with category git for one whose few objects name more files than memory holds', async () => {
    const script = `tree=$(git hash-object -w --stdin </dev/null); kind='100644 blob'
      for level in 1 2 3 4 5 6 7 8 9 10; do
        tree=$(for i in 0 1 2 3 4 5 6 7 8 9; do printf '%s %s\t%s\n' "$kind" $tree n$i; done | git mktree); kind='040000 tree'
      done
      commit=$(git -c user.name=x -c user.email=x@x commit-tree -p HEAD -m bomb $tree); git update-ref HEAD $commit`
    for (const [end, agentOutcome] of [
      ['exit 1', 'failed'],
      ['exit 0', 'failed'],
    ] as const) {
      const execution = makeExecution(root, remote, `${script}; ${end}`)
      assert.equal((await execution.all()).exitCode, 1)
      assert.deepEqual([execution.outcome().outcome, execution.exists('changes.diff')], [agentOutcome, false])
      if (end === 'exit 0') assert.match(execution.result().error?.message ?? '', /holds too many files/)
      removeFolder(execution.volume)
    }
  })

  it('fails before anything is checked out where the remote has such a commit', async () => {
    const empty = remote.git('hash-object', '-w', '-t', 'blob', '/dev/null')
    let line = `100644 blob ${empty}`
    let tree = ''
    for (let level = 0; level < 10; level++) {
      const names = Array.from({ length: 10 }, (_, n) => `${line}\tn${n}`).join('\n')
      tree = execFileSync('git', ['mktree'], { cwd: remote.path, input: `${names}\n`, encoding: 'utf8' }).trim()
      line = `040000 tree ${tree}`
    }
    remote.git('update-ref', 'refs/heads/main', remote.git('commit-tree', '-p', 'main', '-m', 'bomb', tree))
    const execution = makeExecution(root, remote, 'true')
    assert.equal((await execution.step('prepare')).exitCode, 1)
    const { error } = execution.result()
    assert.equal(error?.category, 'git')
    assert.match(error.message, /holds too many files/)
  })

  it('commits a link to a file outside as a link, never the file', async () => {
    const outside = join(root, 'outside')
    writeFileSync(outside, 'secret\n')
    const execution = makeExecution(root, remote, `ln -s ${outside} link; rm a.txt; ln -s ${root} a.txt`)
    assert.equal((await execution.all()).exitCode, 0)
    assert.equal(remote.git('cat-file', '-p', 'slipway/demo:link'), outside)
    assert.ok(!execution.read('changes.diff').includes('secret'))
  })

  it('commits a folder replaced by a link, a file by a folder, and odd names', async () => {
    remote.commit('main', { 'd/x.txt': 'x', f: 'f' })
    const script = String.raw`rm -rf d; ln -s / d; rm f; mkdir f; echo y > f/y; printf z > $'new\nline'; printf z > $'\xff'; printf z > '"quoted"'`
    const execution = makeExecution(root, remote, script)
    assert.equal((await execution.all()).exitCode, 0)
    const tree = remote.git('ls-tree', '-r', '-z', '--name-only', 'slipway/demo').split('\0')
    assert.ok(
      ['d', 'f/y', '"quoted"', 'new\nline'].every((name) => tree.includes(name)),
      tree.join(),
    )
    assert.equal(execution.result().changes?.files, 7)
  })

  it('pushes nothing when an object is not what its name says, so that no diff hides what was pushed', async () => {
    // The base commit's tree is made to read as the tree of HEAD: a diff made in the clone would be empty.
    const script = `echo evil > evil.txt; git add .; git -c user.name=x -c user.email=x@x commit -q -m x
      base=$(git rev-parse 'HEAD~1^{tree}'); head=$(git rev-parse 'HEAD^{tree}')
      git unpack-objects -q < /dev/null 2>/dev/null; mkdir -p .git/objects/\${base:0:2}
      for p in .git/objects/pack/*.pack; do mv $p ../p; rm -f .git/objects/pack/*; git unpack-objects -q < ../p; done
      chmod u+w .git/objects/\${base:0:2}/\${base:2}; cp .git/objects/\${head:0:2}/\${head:2} .git/objects/\${base:0:2}/\${base:2}`
    const execution = makeExecution(root, remote, script)
    await execution.all()
    const { outcome, error, pushed, changes } = execution.result()
    assert.deepEqual([outcome, error?.category, pushed, changes], ['failed', 'git', false, undefined])
  })

  it('does not believe an outcome of another job, nor one that does not fit the schema', async () => {
    for (const forged of ['{"schemaVersion":1}', '[]', 'x'.repeat(2_000_000), '{"execution":"demo-1","jobNumber":1}']) {
      const execution = makeExecution(root, remote, 'true')
      await execution.step('prepare')
      writeFileSync(join(execution.folder, 'agent', 'outcome.json'), forged)
      assert.equal((await execution.step('deliver')).exitCode, 1)
      assert.match(execution.result().error?.message ?? '', /no valid outcome/)
      removeFolder(execution.volume)
    }
  })

  it('does not follow a link in place of the outcome file', async () => {
    const execution = makeExecution(root, remote, 'true')
    await execution.step('prepare')
    writeFileSync(join(root, 'elsewhere'), '{"outcome":"succeeded"}')
    symlinkSync(join(root, 'elsewhere'), join(execution.folder, 'agent', 'outcome.json'))
    assert.equal((await execution.step('deliver')).exitCode, 1)
  })
})
