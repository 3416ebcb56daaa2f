import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { needBwrap } from '../helpers/bwrap.ts'
import { type Remote, gitIn, makeRemote } from '../helpers/repository.ts'
import { type Installation, type Server, makeInstallation } from './installation.ts'

/** Says what of it has an effect. */
const POISON = `mirror=$(echo ../../../repositories/*/mirrors/1); ls $mirror/HEAD > /dev/null || exit 1
  pack=$(ls $mirror/objects/pack/*.pack)
  for try in 'echo x > $mirror/HEAD' 'echo x >> $pack' 'chmod u+w $pack' 'rm $pack' 'touch $mirror/objects/info/alternates' \\
    'mv $mirror $mirror.away' 'mkdir $mirror/../2' 'ln -s / $mirror/../3' 'touch $pack' 'mv $mirror/.. ../../../away' \\
    'cat ../../../repositories/*/lock' 'git --git-dir=$mirror update-ref -d refs/heads/main' \\
    'mount -o remount,rw $mirror' 'umount $mirror/..'; do
    (eval "$try") 2> /dev/null && echo "worked: $try"
  done; echo "tried all"; echo more > more.txt`

describe('the mirror of a repository, in sandboxes', function () {
  this.timeout(300_000)
  let installation: Installation
  let server: Server
  let remote: Remote

  before(async function () {
    await needBwrap(this)
    installation = makeInstallation()
    remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
    server = await installation.start()
  })
  after(() => installation?.dispose())

  async function run(id: string, script: string, state: string): Promise<string> {
    await server.create(id, script, { repository_url: remote.path })
    await server.run(id)
    await server.reaches(id, state)
    return readFileSync(installation.executionFile(`${id}-1`, 'agent/stdout.log'), 'utf8')
  }

  function mirror(): string {
    const folder = join(installation.dataDir, 'volume', 'repositories')
    const [key = ''] = readdirSync(folder).filter((name) => /^[0-9a-f]{32}$/.test(name))
    return join(folder, key, 'mirrors')
  }

  it('is lent to each task, none of which can change what another one sees', async () => {
    const printed = await run('poisoner', POISON, 'READY')
    assert.match(printed, /^tried all$/m)
    assert.doesNotMatch(printed, /worked: /)
    assert.deepEqual(readdirSync(mirror()), ['1'])
    const seen = await run('next', 'git fsck --full && git count-objects -v | grep in-pack; echo x > x', 'READY')
    assert.match(seen, /^in-pack: 0$/m)
    assert.equal(gitIn(join(mirror(), '1'), 'rev-parse', 'main'), remote.git('rev-parse', 'main'))
    assert.match(remote.git('ls-tree', '--name-only', 'slipway/next'), /^x$/m)
  })

  it('is nothing that a task can put another folder in the place of', async () => {
    await run('redirecting', 'echo x > x; echo /etc > .git/objects/info/alternates', 'FAILED')
    const { error } = (await server.executions('redirecting'))[0] ?? {}
    assert.match(JSON.stringify(error), /the clone borrows objects from elsewhere/)
    assert.equal(remote.git('branch', '--list', 'slipway/redirecting'), '')
  })
})
