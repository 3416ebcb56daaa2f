import assert from 'node:assert/strict'
import { api, GIT_SERVER, makeProject, MINUTE, podsOf, submit, untilState } from './cluster.ts'

/** Prints one line per question, so that the test can compare what a script finds with what it may find. */
const PROBE = `
say() { printf '%s: %s\\n' "$1" "$(eval "$2" 2>/dev/null | sort | tr '\\n' ' ')"; }
can_write() { for path in "$@"; do if touch "$path/.written"; then echo "$path"; fi; done; }
say user 'id -u; id -g'
say groups 'id -G'
say token 'find / -xdev -path "*serviceaccount*" ; ls -A /var/run/secrets'
say volume 'ls -A /slipway'
say executions 'ls -A /slipway/executions /slipway/sandboxes'
say own 'ls -A /slipway/executions/probe-1 | sed -E "s/-[0-9a-f]{64}//"'
say others 'cat /slipway/executions/other-1/result.json /slipway/sandboxes/other/repo/README.md'
say credentials 'ls -A /var/run/slipway; cat .git/config | grep -iE "helper|extraheader|password"; env | grep -iE "password|token|secret"'
say writable 'can_write / /app /etc /usr/local/bin /slipway /slipway/executions /slipway/executions/probe-1 /slipway/sandboxes /home /root /run /var/tmp /slipway/repositories /slipway/repositories/* /slipway/repositories/*/mirrors /slipway/repositories/*/mirrors/*'
say places 'can_write "$TMPDIR" "$HOME" "$PWD" "$SERVICE_DROP_DIR"'
say prompt 'echo forged > /slipway/executions/probe-1/given-*.json && echo written'
say processes 'ls /proc | grep -c -E "^[0-9]+$" | grep -qE "^[0-9]$|^1[0-9]$" && echo few'
say privileges 'grep -E "^(CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/self/status | tr -s "\\t" " "'
`

describe('the script of a task, in its pod', () => {
  let found: Map<string, string>

  before(async () => {
    await makeProject('isolation', { remote_url: `http://${GIT_SERVER}/sample.git` })
    await submit('other', 'isolation', 'echo other')
    await untilState('other', 'READY', 2 * MINUTE)
    await submit('probe', 'isolation', PROBE)
    await untilState('probe', 'READY', 2 * MINUTE)
    const lines = (await api.getExecutionStdout({ params: { id: 'probe-1' } }))
      .split('\n')
      .filter((line) => line !== '')
    found = new Map(lines.map((line) => [line.replace(/: .*/, ''), line.replace(/^[^:]*: /, '').trim()]))
  })

  const answers: readonly (readonly [title: string, question: string, answer: string])[] = [
    ['runs as uid and gid 10001', 'user', '10001 10001'],
    ['is in no other group', 'groups', '10001'],
    ['finds no service account token', 'token', ''],
    ['sees of the data volume the folders of its mounts', 'volume', 'drops executions repositories sandboxes'],
    ["sees no other execution's files and no other sandbox", 'others', ''],
    ['sees of its execution what it is told and what it may write', 'own', 'agent given.json'],
    ['finds no git credentials and no secret in its environment', 'credentials', ''],
    ['can write nowhere outside its mounts', 'writable', ''],
    ['cannot write over the prompt', 'prompt', ''],
    ['sees the processes of its own pod only', 'processes', 'few'],
    [
      'has no capability and can gain none, under the seccomp profile of the runtime',
      'privileges',
      'CapBnd: 0000000000000000 CapEff: 0000000000000000 NoNewPrivs: 1 Seccomp: 2',
    ],
  ]
  for (const [title, question, answer] of answers) {
    it(title, () => assert.equal(found.get(question), answer))
  }

  it('sees its own execution and its own sandbox only', () => {
    const names = (found.get('executions') ?? '').split(' ').filter((name) => !name.endsWith(':') && name !== '')
    assert.deepEqual(names, ['probe', 'probe-1'])
  })

  it('can write to its clone, its home, its temporary folder and the drops', () => {
    assert.equal((found.get('places') ?? '').split(' ').length, 4)
  })

  it('left nothing on the node: its pod mounts no hostPath and shares no namespace of the host', async () => {
    const [pod] = await podsOf('probe')
    assert.doesNotMatch(JSON.stringify(pod?.['spec']), /hostPath|"host(Network|PID|IPC)":true/)
  })
})
