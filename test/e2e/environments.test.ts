import assert from 'node:assert/strict'
import type { Container } from '../../kube/builtin.ts'
import { until } from '../helpers/until.ts'
import {
  api,
  commitOnServer,
  dig,
  endedExecution,
  kubectlWith,
  labelled,
  makeProject,
  MINUTE,
  NAMESPACE,
  records,
  submit,
  untilState,
} from './cluster.ts'
import { makeRepository } from './holds.ts'

const TOKEN = 'registry-token-of-the-cluster'

/** As a package manager does: what is installed tells from which lock file, and whether the registry knew who asks. */
const SETUP = `set -e
lock=$(cat package-lock.json 2>/dev/null || echo none)
mkdir -p node_modules ~/.store
echo "installed $lock, token of \${#REGISTRY_TOKEN} characters" > node_modules/lock
echo "stored $lock" > ~/.store/lock
ln node_modules/lock node_modules/same
ln -s /etc node_modules/etc`

/** Everything that an agent can think of; fails where one of it works. */
const POISON = `set -e
cat node_modules/lock ~/.store/lock
echo poisoned > node_modules/lock
for way in 'touch ~/.store/x' 'rm ~/.store/lock' 'chmod u+w ~/.store/lock' 'mv ~/.store ~/.elsewhere' 'ln ~/.store/lock node_modules/link' \\
  'mount -o remount,rw ~/.store' 'umount ~/.store' 'unshare -Ur mount -o remount,bind,rw ~/.store'; do
  if sh -c "$way" 2>/dev/null; then echo "$way works"; exit 9; fi
done
test ! -e "$(dirname "$(dirname "$(dirname "$PWD")")")/environments" && echo clean`

const SECRET = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'registry', namespace: NAMESPACE, labels: { 'slipway.dev/usable-by': 'setup' } },
  stringData: { token: TOKEN },
}

describe('a project that prepares an environment', () => {
  before(async () => {
    await kubectlWith(JSON.stringify(SECRET), 'apply', '-f', '-')
    const remote_url = await makeRepository('prepared')
    await makeProject('prepared', {
      remote_url,
      environment: {
        setup: SETUP,
        env: [{ name: 'REGISTRY_TOKEN', secret_key: { name: 'registry', key: 'token' } }],
        cache: [{ path: 'node_modules' }, { path: '~/.store', mode: 'read_only' }],
        keys: ['package-lock.json'],
      },
    })
  })

  const stdout = (id: string) => api.getExecutionStdout({ params: { id: `${id}-1` } })

  it('has tasks begin with it, none of which can change it for another', async () => {
    const found = `installed none, token of ${TOKEN.length} characters\nstored none\n`
    for (const id of ['finds-first', 'finds-second']) {
      await submit(id, 'prepared', POISON)
      await untilState(id, 'READY', 4 * MINUTE)
      assert.equal(await stdout(id), `${found}clean\n`)
    }
    const { environments = [] } = await api.getProject({ params: { id: 'prepared' } })
    assert.deepEqual(
      environments.map(({ execution, state }) => [execution, state]),
      [['prepared-e1', 'ready']],
    )
    const { phases } = await endedExecution('finds-second-1')
    assert.ok(phases.some(({ name }) => name === 'environment'))
  })

  it('gives its setup the secrets of the project alone, and no other step or task any', async () => {
    const [job] = await labelled('jobs', 'slipway.dev/execution=prepared-e1')
    const steps = [
      ...records(dig(job, 'spec', 'template', 'spec', 'initContainers')),
      ...records(dig(job, 'spec', 'template', 'spec', 'containers')),
    ] as unknown as Container[]
    const named = (word: string) => steps.flatMap((one) => (JSON.stringify(one).includes(word) ? [one.name] : []))
    assert.deepEqual(named('secretKeyRef'), ['agent', 'deliver'])
    const log = await api.getExecutionStdout({ params: { id: 'prepared-e1' } })
    assert.doesNotMatch(
      `${log}${JSON.stringify(await api.getProject({ params: { id: 'prepared' } }))}`,
      /registry-token/,
    )
  })

  it('prepares a branch of its own for the task that changed a key file, without the secrets', async () => {
    await commitOnServer('prepared', 'slipway/finds-third', 'package-lock.json', 'of the branch')
    await submit('finds-third', 'prepared', 'cat node_modules/lock ~/.store/lock')
    await untilState('finds-third', 'READY', 4 * MINUTE)
    assert.equal(await stdout('finds-third'), 'installed of the branch, token of 0 characters\nstored of the branch\n')
    await submit('finds-fourth', 'prepared', 'cat node_modules/lock')
    await untilState('finds-fourth', 'READY', 4 * MINUTE)
    assert.equal(await stdout('finds-fourth'), `installed none, token of ${TOKEN.length} characters\n`)
  })

  it('is built anew for whoever asks, and gone when it is removed', async () => {
    const params = { id: 'prepared' }
    await api.buildEnvironment({ params })
    const shared = async () =>
      (await api.getProject({ params })).environments?.filter(({ only_for }) => only_for === undefined) ?? []
    await until('another one is ready', async () => {
      const [newest, ...older] = await shared()
      return newest?.state === 'ready' && older.length > 0
    })
    await api.deleteEnvironment({ params: { ...params, execution: 'prepared-e1' } })
    await until('it is gone', async () => !(await shared()).some(({ execution }) => execution === 'prepared-e1'))
  })
})
