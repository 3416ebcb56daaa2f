import assert from 'node:assert/strict'

import type { RunSpec } from '../../core/execution/run-spec.ts'
import { expand } from '../../node/environment.ts'
import { anAgent } from '../helpers/build.ts'
import { build, mounts, podOf, run, settings, step } from './build-job.ts'

const DIGEST = 'd'.repeat(64)

describe('the Job of an execution', () => {
  it('runs prepare and agent one after another, then deliver', () => {
    const pod = podOf()
    assert.deepEqual(
      pod.initContainers?.map(({ name }) => name),
      ['prepare', 'agent'],
    )
    assert.deepEqual(
      pod.containers.map(({ name, command }) => [name, command]),
      [['deliver', ['slipway-runner', 'deliver']]],
    )
  })

  it('is never retried by Kubernetes, ends by itself, and belongs to its Execution', () => {
    const { metadata, spec } = build()
    assert.equal(metadata.name, 'task-a-1-run')
    assert.equal(metadata.ownerReferences?.[0]?.uid, 'uid-task-a-1')
    assert.deepEqual(
      [spec.backoffLimit, spec.podReplacementPolicy, spec.activeDeadlineSeconds, spec.template.spec.restartPolicy],
      [0, 'Failed', 1800 + 40 * 60, 'Never'],
    )
    assert.equal(spec.template.spec.terminationGracePeriodSeconds, 30)
  })

  it('satisfies PodSecurity restricted in every container and holds no Kubernetes credential', () => {
    const pod = podOf({ agent: anAgent({ spec: { image: 'other:1' } }) })
    assert.deepEqual([pod.automountServiceAccountToken, pod.securityContext?.runAsNonRoot], [false, true])
    for (const { name, securityContext } of [...(pod.initContainers ?? []), ...pod.containers]) {
      assert.equal(securityContext?.allowPrivilegeEscalation, false, name)
      assert.deepEqual(securityContext.capabilities?.drop, ['ALL'], name)
      assert.equal(securityContext.seccompProfile?.type, 'RuntimeDefault', name)
      assert.equal(securityContext.readOnlyRootFilesystem, true, name)
    }
  })

  it("is evicted neither by autoscalers nor by Karpenter, and shows the agent's log by default", () => {
    const annotations = build().spec.template.metadata?.annotations
    assert.equal(annotations?.['cluster-autoscaler.kubernetes.io/safe-to-evict'], 'false')
    assert.equal(annotations?.['karpenter.sh/do-not-disrupt'], 'true')
    assert.equal(annotations?.['kubectl.kubernetes.io/default-container'], 'agent')
  })

  it('lets each step see only what it needs', () => {
    const pod = podOf({ run: { ...run, given: DIGEST } })
    assert.deepEqual(mounts('prepare', pod), ['/slipway/sandboxes/task-a', '/slipway/executions/task-a-1'])
    assert.deepEqual(mounts('agent', pod), [
      '/slipway/sandboxes/task-a',
      '/slipway/executions/task-a-1/agent',
      `/slipway/executions/task-a-1/given-${DIGEST}.json ro`,
      '/slipway/drops',
    ])
    assert.deepEqual(mounts('deliver', pod), ['/slipway/sandboxes/task-a ro', '/slipway/executions/task-a-1'])
  })

  it('lets prepare write the mirrors that the clone borrows from, and the other steps read them, never their lock', () => {
    const key = 'a'.repeat(32)
    const pod = podOf({ run: { ...run, mirror: key } })
    const repository = `/slipway/repositories/${key}`
    const ofRepository = (name: string, of = pod) => mounts(name, of).filter((path) => path.includes('repositories'))
    assert.deepEqual(ofRepository('prepare'), [repository])
    assert.deepEqual(ofRepository('agent'), [`${repository}/mirrors ro`])
    assert.deepEqual(ofRepository('deliver'), [`${repository}/mirrors ro`])
    const kept = podOf({ run: { ...run, mirror: key, checkout: { borrow: false } } })
    assert.deepEqual(ofRepository('prepare', kept), [`${repository}/mirrors ro`])
  })

  it('gives git credentials and local repositories to prepare and deliver, never to agent', () => {
    const gitDir = '/var/run/slipway/task-a-1/git'
    const pod = podOf({
      run: { ...run, gitCredentialsDir: gitDir },
      gitSecret: 'git',
      localRepository: ['/srv/repo', '/srv/main/.git'],
    })
    assert.deepEqual(mounts('prepare', pod).slice(2), [`${gitDir} ro`, '/srv/repo ro', '/srv/main/.git ro'])
    assert.deepEqual(mounts('deliver', pod).slice(2), [`${gitDir} ro`, '/srv/repo', '/srv/main/.git'])
    assert.ok(!mounts('agent', pod).some((path) => path.startsWith(gitDir) || path.startsWith('/srv')))
  })

  it('shows the user’s own git to prepare and deliver, to read alone, and never to agent', () => {
    const socket = '/run/user/1/agent'
    const ownGit = { home: '/home/me', paths: ['/home/me/.ssh', socket], env: { SSH_AUTH_SOCK: socket } }
    const pod = podOf({ run: { ...run, gitHome: '/home/me' }, ownGit })
    for (const name of ['prepare', 'deliver']) {
      assert.deepEqual(mounts(name, pod).slice(2), ['/home/me/.ssh ro', `${socket} ro`])
      assert.deepEqual(step(name, pod).env?.slice(1), [{ name: 'SSH_AUTH_SOCK', value: socket }])
    }
    assert.ok(!mounts('agent', pod).some((path) => path.startsWith('/home') || path.startsWith('/run')))
    assert.ok(!step('agent', pod).env?.some(({ name }) => name === 'SSH_AUTH_SOCK'))
    assert.deepEqual(
      pod.volumes?.flatMap(({ hostPath }) => hostPath?.path ?? []),
      ['/home/me/.ssh', socket],
    )
  })

  it('gives the keys that servers need to agent alone, by reference', () => {
    const agent = anAgent({ spec: { adapter: 'claude', credentials: { secretName: 'model' } } })
    const pod = podOf({ agent, secrets: [{ name: 'SLIPWAY_MCP_0', key: 'weather' }] })
    const secretKeyRef = { name: 'model', key: 'weather' }
    assert.deepEqual(step('agent', pod).env?.slice(1), [{ name: 'SLIPWAY_MCP_0', valueFrom: { secretKeyRef } }])
    for (const name of ['prepare', 'deliver']) assert.equal(step(name, pod).env?.length, 1)
  })

  it("gives the model's credentials to agent alone", () => {
    const credentials = {
      secretName: 'model',
      files: [{ key: 'token', path: '.token' }],
      env: [{ name: 'KEY', key: 'key' }],
    }
    const pod = podOf({ agent: anAgent({ spec: { credentials } }) })
    assert.ok(mounts('agent', pod).includes('/var/run/slipway/task-a-1/agent ro'))
    assert.deepEqual(
      step('agent', pod).env?.map(({ name }) => name),
      ['SLIPWAY_RUN', 'KEY'],
    )
    for (const name of ['prepare', 'deliver']) {
      assert.deepEqual(
        step(name, pod).env?.map((variable) => variable.name),
        ['SLIPWAY_RUN'],
      )
      assert.ok(!mounts(name, pod).some((path) => path.includes('/agent')))
    }
  })

  for (const [dropsAccess, expected] of [
    ['readOnly', ['/slipway/drops ro']],
    ['none', []],
  ] as const) {
    it(`mounts the drops as ${dropsAccess} says`, () => {
      const drops = mounts('agent', podOf({ agent: anAgent({ spec: { dropsAccess } }) })).filter((path) =>
        path.includes('drops'),
      )
      assert.deepEqual(drops, expected)
    })
  }

  it('keeps a password in the repository URL out of the agent’s environment', () => {
    const pod = podOf({ run: { ...run, repositoryUrl: 'https://bob:secret@git.example/repo.git' } })
    const knows = (name: string): boolean => JSON.stringify(step(name, pod).env).includes('secret')
    assert.deepEqual(['prepare', 'agent', 'deliver'].map(knows), [true, false, true])
  })

  it('tells prepare and deliver whom to trust at the remote, and the agent not', () => {
    const pod = podOf({ run: { ...run, gitCaBundle: 'the authority' } })
    const knows = (name: string): boolean => JSON.stringify(step(name, pod).env).includes('the authority')
    assert.deepEqual(['prepare', 'agent', 'deliver'].map(knows), [true, false, true])
  })

  it('passes on what people typed as it is, though Kubernetes expands references in variables', () => {
    const typed = { ...run, title: 'costs $$5 in $(PATH) $(SLIPWAY_RUN) "$HOME"' }
    for (const name of ['prepare', 'agent', 'deliver']) {
      const value = step(name, podOf({ run: typed })).env?.[0]?.value ?? ''
      assert.deepEqual(JSON.parse(expand(value, { PATH: '"', SLIPWAY_RUN: 'x' })), typed)
    }
  })

  it('lets no runner begin an agent that does not know the file of what it is given', () => {
    const pod = podOf({ run: { ...run, given: DIGEST } })
    const versions = ['prepare', 'agent', 'deliver'].map(
      (name) => (JSON.parse(step(name, pod).env?.[0]?.value ?? '') as RunSpec).schemaVersion,
    )
    assert.deepEqual(versions, [1, 2, 1])
  })

  it('cuts the text of a pull request that a variable has no room for', () => {
    const delivery = { kind: 'PullRequest', branch: 'slipway/a', text: '$'.repeat(32_768) } as const
    const value = step('deliver', podOf({ run: { ...run, delivery } })).env?.[0]?.value ?? ''
    assert.ok(Buffer.byteLength(value) < 128 * 1024, `${Buffer.byteLength(value)}`)
    assert.match((JSON.parse(value) as RunSpec).delivery?.text ?? '', /^\${7000,}…$/)
  })

  it('copies the runner into an image of others, and only there', () => {
    const foreign = podOf({ containerImage: 'project:1' })
    assert.equal(foreign.initContainers?.[0]?.name, 'copy-runner')
    assert.equal(step('agent', foreign).image, 'project:1')
    assert.deepEqual([step('prepare', foreign).image, step('deliver', foreign).image], ['slipway:1', 'slipway:1'])
    assert.equal(podOf().initContainers?.length, 2)
  })

  it('leaves users to the machine when it runs on one of our own', () => {
    const pod = podOf({ settings: { ...settings, embedded: true } })
    assert.deepEqual([pod.securityContext?.runAsUser, pod.securityContext?.fsGroup], [undefined, undefined])
    assert.deepEqual([podOf().securityContext?.runAsUser, podOf().securityContext?.fsGroup], [10001, 10001])
  })

  it('goes to the nodes that the installation names and the Agent chooses among, whatever the Agent tolerates', () => {
    const podTemplate = { nodeSelector: { disk: 'ssd', host: 'anywhere' }, tolerations: [{ key: 'gpu' }] }
    const pods = { nodeSelector: { host: 'here' }, tolerations: [{ key: 'own', operator: 'Exists' }] }
    for (const spec of [{ podTemplate }, {}]) {
      const pod = podOf({ settings: { ...settings, pods }, agent: anAgent({ spec }) })
      assert.equal(pod.nodeSelector?.['host'], 'here')
      assert.equal(pod.nodeSelector?.['disk'], spec.podTemplate?.nodeSelector.disk)
      assert.deepEqual(pod.tolerations?.at(-1), { key: 'own', operator: 'Exists' })
    }
  })

  it('keeps each kind of affinity of the installation, and adds those that only the Agent has', () => {
    const own = { podAffinity: { anywhere: true }, nodeAffinity: { disk: 'ssd' } }
    const pods = { affinity: { podAffinity: { volume: true } } }
    const agent = anAgent({ spec: { podTemplate: { affinity: own } } })
    assert.deepEqual(podOf({ settings: { ...settings, pods }, agent }).affinity, { ...own, ...pods.affinity })
    assert.deepEqual(podOf({ agent }).affinity, own)
    assert.ok(!('affinity' in podOf()))
  })

  it('gives every container what the installation says, and the Agent the last word on its own step', () => {
    const amounts = { requests: { cpu: 1 }, limits: { memory: '1Gi' } }
    const resources = { 'copy-runner': amounts, prepare: amounts, agent: amounts, deliver: amounts }
    const own = { podTemplate: { resources: { limits: { memory: '4Gi' } } } }
    const pods = { resources, tmpSizeLimit: '2Gi' }
    const input = { settings: { ...settings, pods }, agent: anAgent({ spec: own }), containerImage: 'project:1' }
    const pod = podOf(input)
    for (const name of ['copy-runner', 'prepare', 'deliver'])
      assert.deepEqual(step(name, pod).resources, { requests: { cpu: '1' }, limits: { memory: '1Gi' } })
    assert.deepEqual(step('agent', pod).resources, { requests: { cpu: '1' }, limits: { memory: '4Gi' } })
    assert.deepEqual(
      pod.volumes?.filter(({ emptyDir }) => emptyDir).map(({ emptyDir }) => emptyDir),
      [{ sizeLimit: '2Gi' }, { sizeLimit: '512Mi' }],
    )
    assert.equal(step('agent', podOf()).resources, undefined)
  })

  it('asks for no more than its limit where the Agent names one of the two and the installation the other', () => {
    const usual = { requests: { cpu: '250m', memory: '512Mi' }, limits: { cpu: '2', memory: '4Gi' } }
    const pods = { resources: { agent: usual } }
    const resourcesFor = (resources: object) =>
      step(
        'agent',
        podOf({ settings: { ...settings, pods }, agent: anAgent({ spec: { podTemplate: { resources } } }) }),
      ).resources
    assert.deepEqual(resourcesFor({ requests: { cpu: 4, memory: '1Gi' } }), {
      requests: { cpu: '4', memory: '1Gi' },
      limits: { cpu: '4', memory: '4Gi' },
    })
    assert.deepEqual(resourcesFor({ limits: { cpu: '0.5', memory: '256Mi' } }), {
      requests: { cpu: '250m', memory: '256Mi' },
      limits: { cpu: '0.5', memory: '256Mi' },
    })
    const contradiction = { requests: { cpu: '3' }, limits: { cpu: '1' } }
    assert.equal(
      resourcesFor(contradiction)?.requests?.['cpu'],
      '3',
      'left to the API server, which says what is wrong',
    )
  })

  it('leaves user and group to the platform where the installation says so', () => {
    const { securityContext } = podOf({ settings: { ...settings, pods: { runAsUser: null } } })
    assert.deepEqual(
      Object.keys(securityContext ?? {}).filter((key) => /User|Group$/.test(key)),
      [],
    )
    assert.equal(securityContext?.runAsNonRoot, true)
    assert.equal(podOf({ settings: { ...settings, pods: { runAsUser: 7 } } }).securityContext?.fsGroup, 7)
  })

  it('carries the labels, priority and registries of the installation, which cannot pass for our own', () => {
    const pods = {
      jobLabels: { 'kueue.x-k8s.io/queue-name': 'agents', 'slipway.dev/execution': 'forged' },
      labels: { team: 'a' },
      annotations: { note: 'b' },
      priorityClassName: 'batch',
      imagePullSecrets: ['registry'],
    }
    const { metadata, spec } = build({ settings: { ...settings, pods } })
    assert.equal(metadata.labels?.['kueue.x-k8s.io/queue-name'], 'agents')
    assert.equal(metadata.labels?.['slipway.dev/execution'], 'task-a-1')
    assert.equal(spec.template.metadata?.labels?.['team'], 'a')
    assert.equal(spec.template.metadata?.annotations?.['note'], 'b')
    assert.equal(spec.template.spec.priorityClassName, 'batch')
    assert.deepEqual(spec.template.spec.imagePullSecrets, [{ name: 'registry' }])
  })

  it('gives variables and certificates of the installation to every step, and the Agent has the last word', () => {
    const pods = {
      env: [
        { name: 'HTTPS_PROXY', value: 'http://a:$(b)@proxy.example' },
        { name: 'NO_PROXY', value: '.svc' },
      ],
      caBundle: { configMap: 'authorities', key: 'bundle.pem' },
    }
    const credentials = { secretName: 'model', env: [{ name: 'NO_PROXY', key: 'none' }] }
    const pod = podOf({ settings: { ...settings, pods }, agent: anAgent({ spec: { credentials } }) })
    for (const name of ['prepare', 'agent', 'deliver']) {
      const { env = [], volumeMounts = [] } = step(name, pod)
      const of = (variable: string) => env.filter((one) => one.name === variable)
      assert.deepEqual(
        of('HTTPS_PROXY').map(({ value = '' }) => expand(value, { b: 'no' })),
        ['http://a:$(b)@proxy.example'],
      )
      const noProxy =
        name === 'agent' ? { valueFrom: { secretKeyRef: { name: 'model', key: 'none' } } } : { value: '.svc' }
      assert.deepEqual(of('NO_PROXY'), [{ name: 'NO_PROXY', ...noProxy }])
      const mount = volumeMounts.find((one) => one.name === 'authorities')
      assert.equal(mount?.readOnly, true)
      assert.equal(of('NODE_EXTRA_CA_CERTS')[0]?.value, `${mount.mountPath}/ca.crt`)
    }
    const configMap = { name: 'authorities', items: [{ key: 'bundle.pem', path: 'ca.crt' }], defaultMode: 0o444 }
    assert.deepEqual(
      pod.volumes?.filter(({ name }) => name === 'authorities'),
      [{ name: 'authorities', configMap }],
    )
  })

  it('can pull the image of prepare and deliver too when the Agent names a Secret for its own', () => {
    const pods = { imagePullSecrets: ['ours', 'both'] }
    const imagePullSecrets = [{ name: 'theirs' }, { name: 'both' }]
    const pod = podOf({
      settings: { ...settings, pods },
      agent: anAgent({ spec: { podTemplate: { imagePullSecrets } } }),
    })
    assert.deepEqual(pod.imagePullSecrets, [{ name: 'theirs' }, { name: 'both' }, { name: 'ours' }])
  })

  it('keeps the labels that pods are selected by, whatever the Agent says', () => {
    const volume = { 'slipway.dev/data-volume': 'slipway-data' }
    const labels = {
      'slipway.dev/data-volume': 'elsewhere',
      'slipway.dev/more': 'forged',
      'app.kubernetes.io/name': 'slipway',
      'app.kubernetes.io/instance': 'slipway',
      'app.kubernetes.io/component': 'api-server',
      'app.kubernetes.io/managed-by': 'somebody',
      'batch.kubernetes.io/job-name': 'other',
      'controller-uid': 'other',
      'job-name': 'other',
      'app.kubernetes.io/part-of': 'a team',
      team: 'a',
    }
    const pods = { labels: { ...volume, team: 'all' } }
    const { spec } = build({
      settings: { ...settings, pods },
      agent: anAgent({ spec: { podTemplate: { labels } } }),
    })
    const { metadata } = build({ settings: { ...settings, pods }, agent: anAgent() }).spec.template
    const more = { 'app.kubernetes.io/part-of': 'a team', team: 'a' }
    assert.deepEqual(spec.template.metadata?.labels, { ...metadata?.labels, ...more })
    assert.equal(metadata?.labels?.['slipway.dev/data-volume'], 'slipway-data')
  })

  it('takes from the Agent only what its pod template may say', () => {
    const podTemplate = {
      labels: { 'slipway.dev/execution': 'forged', team: 'a' },
      annotations: { 'karpenter.sh/do-not-disrupt': 'false' },
      nodeSelector: { disk: 'ssd' },
      resources: { limits: { memory: '1Gi', cpu: 2 } },
      serviceAccountName: 'admin',
      hostNetwork: true,
    }
    const { template } = build({ agent: anAgent({ spec: { podTemplate } }) }).spec
    assert.equal(template.metadata?.labels?.['slipway.dev/execution'], 'task-a-1')
    assert.equal(template.metadata?.labels?.['team'], 'a')
    assert.equal(template.metadata?.annotations?.['karpenter.sh/do-not-disrupt'], 'true')
    assert.deepEqual(template.spec.nodeSelector, { disk: 'ssd' })
    assert.deepEqual(step('agent', template.spec).resources?.limits, { memory: '1Gi', cpu: '2' })
    assert.ok(!('serviceAccountName' in template.spec) && !('hostNetwork' in template.spec))
  })

  it('names each Job of an execution by its number', () => {
    assert.equal(build({ run: { ...run, jobNumber: 2 } }).metadata.name, 'task-a-1-run-2')
  })
})
