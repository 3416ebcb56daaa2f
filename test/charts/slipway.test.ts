import assert from 'node:assert/strict'
import { parse } from 'yaml'
import { Config } from '../../lib/config-schema.ts'
import { compileCheck } from '../../lib/validate.ts'
import { isConfig } from '../../lib/config-validator.ts'
import { ALL_OPTIONS, VALUES } from './options.ts'
import { type Rendered, at, configOf, find, lint, list, needHelm, podSpecs, render, TOKEN } from './render.ts'

/** Kinds that no namespace holds. */
const CLUSTER_SCOPED = /^(Cluster|Namespace$|CustomResource|PersistentVolume$|PriorityClass|StorageClass|.*Webhook)/

for (const [title, values] of Object.entries(VALUES)) {
  describe(`the chart with ${title}`, function () {
    let objects: Rendered[]
    before(async function () {
      needHelm(this)
      // A name that YAML reads as a number.
      objects = await render(values, { namespace: '123' })
    })

    it('makes nothing outside of its namespace but admission policies for it, and nothing twice', () => {
      for (const { kind, metadata } of objects) {
        if (kind.startsWith('ValidatingAdmissionPolicy')) {
          assert.match(metadata.name, /^slipway-123-/)
          continue
        }
        assert.doesNotMatch(kind, CLUSTER_SCOPED)
        assert.equal(metadata.namespace, '123')
      }
      const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
      assert.deepEqual(names, [...new Set(names)])
    })

    it('says of everything to which release it belongs, in texts that Kubernetes takes', () => {
      for (const { metadata } of objects) {
        assert.equal(metadata.labels?.['app.kubernetes.io/instance'], 'agents')
        assert.equal(metadata.labels['app.kubernetes.io/name'], 'slipway')
        for (const value of Object.values(metadata.labels)) assert.match(String(value), /^[\w.-]{0,63}$/)
      }
      // A number or a truth value in their place is refused by the API server.
      for (const object of objects) assert.deepEqual(notTexts(object), [], `${object.kind} ${object.metadata.name}`)
    })

    it('runs every container as PodSecurity restricted wants it, with requests and limits', () => {
      for (const [name, spec] of podSpecs(objects)) {
        assert.equal(at(spec, 'securityContext', 'runAsNonRoot'), true, name)
        assert.equal(at(spec, 'securityContext', 'seccompProfile', 'type'), 'RuntimeDefault', name)
        assert.equal(at(spec, 'enableServiceLinks'), false, name)
        for (const container of list(spec, 'containers')) {
          assert.deepEqual(at(container, 'securityContext'), {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          })
          assert.deepEqual(Object.keys(Object(at(container, 'resources'))).sort(), ['limits', 'requests'], name)
        }
        for (const volume of list(spec, 'volumes')) {
          assert.equal(at(volume, 'hostPath'), undefined)
          if (at(volume, 'emptyDir') !== undefined) assert.ok(at(volume, 'emptyDir', 'sizeLimit'), name)
        }
      }
    })

    it('gives rights verb by verb, and no wildcard', () => {
      const rules = objects.filter(({ kind }) => kind === 'Role').flatMap((role) => list(role, 'rules'))
      assert.ok(rules.length > 0)
      for (const rule of rules) assert.doesNotMatch(JSON.stringify(rule), /\*/)
    })

    it('holds no secret: Secrets are made empty and named', () => {
      for (const { kind, data, stringData } of objects)
        if (kind === 'Secret') assert.deepEqual([data, stringData], [undefined, undefined])
      for (const [, spec] of podSpecs(objects))
        for (const container of list(spec, 'containers'))
          for (const variable of list(container, 'env'))
            if (/TOKEN|SECRET/.test(String(at(variable, 'name')))) assert.ok(at(variable, 'valueFrom', 'secretKeyRef'))
    })

    it('writes a configuration that operator and API server take', () => {
      const text = at(find(objects, 'ConfigMap', 'slipway-config'), 'data', 'config.yaml')
      const config: unknown = parse(String(text))
      const defaults = {
        dataDir: '/tmp',
        tokens: [],
        branchPrefix: 'slipway/',
        hostCi: true,
        maxPushSize: '1Gi',
        gitCredentials: [],
        identity: {},
        insecure: false,
        admissionPolicies: false,
        fourEyes: false,
        runtime: 'auto',
        toolFolders: [],
        pushPrivateEndpoints: false,
        logFormat: 'auto',
      }
      const others = { trustedProxies: [], ...defaults, ...Object(config) }
      const checked = compileCheck(Config, isConfig)(others)
      assert.ok(checked.ok, JSON.stringify(checked))
    })
  })
}

describe('the chart with tokens of the cluster', function () {
  before(function () {
    needHelm(this)
  })

  it('lets the API server ask who a caller is and what they may do, and nothing else; without, not even that', async () => {
    const objects = await render({ identity: { kubernetes: { enabled: true, audience: 'ours' } } })
    const rules = (kind: string) =>
      list(
        objects.find((object) => object.kind === kind && /identity/.test(object.metadata.name)),
        'rules',
      )
    assert.deepEqual(rules('ClusterRole'), [
      { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    ])
    assert.deepEqual(rules('Role'), [
      { apiGroups: ['authorization.k8s.io'], resources: ['localsubjectaccessreviews'], verbs: ['create'] },
    ])
    const config = configOf(objects)
    assert.deepEqual(at(config, 'identity'), { kubernetes: { audience: 'ours' } })
    const without = await render(TOKEN)
    assert.ok(without.every(({ metadata }) => !metadata.name.includes('identity')))
  })
})

describe('the chart on one node', function () {
  before(function () {
    needHelm(this)
  })

  it('keeps every pod that mounts the volume where another one runs, by a label that fits', async () => {
    const objects = await render(VALUES['one node'] ?? {})
    const config = configOf(objects)
    const executions = at(config, 'executionPods')
    const pods = ['operator', 'api-server'].map((part) => {
      const template = at(find(objects, 'Deployment', `slipway-${part}`), 'spec', 'template')
      return [at(template, 'metadata', 'labels'), at(template, 'spec', 'affinity')]
    })
    for (const [labels, affinity] of [...pods, [at(executions, 'labels'), at(executions, 'affinity')]]) {
      const [term] = list(affinity, 'podAffinity', 'requiredDuringSchedulingIgnoredDuringExecution')
      assert.equal(at(term, 'topologyKey'), 'kubernetes.io/hostname')
      const wanted = at(term, 'labelSelector', 'matchLabels', 'slipway.dev/data-volume')
      assert.equal(at(labels, 'slipway.dev/data-volume'), wanted)
      assert.match(String(wanted), /^[\w.-]{1,63}$/)
    }
    assert.deepEqual(at(executions, 'affinity', 'nodeAffinity'), {})
  })

  it('lets its node be drained', async () => {
    const objects = await render(VALUES['one node'] ?? {})
    assert.deepEqual(
      objects.filter(({ kind }) => kind === 'PodDisruptionBudget'),
      [],
    )
  })
})

describe('the chart', function () {
  before(function () {
    needHelm(this)
  })

  it('passes helm lint --strict', async () => {
    await lint('slipway', '--set', 'auth.tokenSecret.name=api-token')
    await lint('slipway-crds')
  })

  it('leaves the data volume and what push notifications need when it is uninstalled, unless storage.keep is false', async () => {
    const kept = async (values: object): Promise<string[]> =>
      (await render({ ...TOKEN, ...values }))
        .filter(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'] === 'keep')
        .map(({ metadata }) => metadata.name)
        .sort()
    const all = [
      'slipway-data',
      'slipway-push',
      'slipway-push-sent',
      'slipway-push-subscriptions',
      'slipway-push-vapid',
    ]
    assert.deepEqual(await kept({}), all)
    assert.deepEqual(await kept({ storage: { keep: false } }), [])
  })

  it('gives the hook of an uninstall longer than the executions have', async () => {
    for (const [uninstallTimeout, seconds] of [
      ['60s', 60],
      ['1m30s', 90],
      ['08m', 480],
    ] as const) {
      const job = find(await render({ ...TOKEN, hooks: { uninstallTimeout } }), 'Job', 'slipway-stop-executions')
      assert.ok(Number(at(job, 'spec', 'activeDeadlineSeconds')) > seconds)
      assert.ok(list(job, 'spec', 'template', 'spec', 'containers', 0, 'args').includes(uninstallTimeout))
    }
  })

  it('lets the operator read Secrets by name, all or those that values name, and list none', async () => {
    const rulesFor = async (values: object): Promise<unknown[]> => {
      const rules = list(find(await render({ ...TOKEN, ...values }), 'Role', 'slipway-operator'), 'rules')
      return rules.filter((rule) => list(rule, 'resources').includes('secrets'))
    }
    const rule = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] }
    const gitCredentials = [{ host: 'git.example.com', secretName: 'git' }]
    assert.deepEqual(await rulesFor({ gitCredentials }), [rule])
    const narrowed = await rulesFor({ gitCredentials, executions: { secretNames: ['claude', '1e3'] } })
    assert.deepEqual(narrowed, [{ ...rule, resourceNames: ['claude', '1e3', 'git'] }])
  })

  it('leaves the API server time to stop after it has left the Service', async () => {
    const pod = at(find(await render(TOKEN), 'Deployment', 'slipway-api-server'), 'spec', 'template', 'spec')
    const sleep = Number(at(pod, 'containers', 0, 'lifecycle', 'preStop', 'sleep', 'seconds'))
    assert.ok(sleep > 0)
    // 25 s is what the program takes for a stop at most (cli/main.ts).
    assert.ok(Number(at(pod, 'terminationGracePeriodSeconds')) > sleep + 25)
  })

  it('gives the default Agents the images that a value allows', async () => {
    const argsOf = async (values: object) => {
      const job = find(await render({ ...TOKEN, ...values }), 'Job', 'slipway-create-agents')
      return list(job, 'spec', 'template', 'spec', 'containers', 0, 'args').slice(3)
    }
    assert.deepEqual(await argsOf({}), [])
    assert.deepEqual(await argsOf({ agents: { allowedImages: [] } }), ['--allowed-images='])
    const allowedImages = ['registry.example.com/team/**', 'node:24']
    assert.deepEqual(await argsOf({ agents: { allowedImages } }), [
      '--allowed-images=registry.example.com/team/**,node:24',
    ])
  })

  it('gives executions their variables and certificates, and the API server its volumes, only if values name some', async () => {
    const podsOf = (objects: readonly Rendered[]): unknown => at(configOf(objects), 'executionPods')
    const [all, none] = [await render(ALL_OPTIONS), await render(TOKEN)]
    assert.deepEqual(at(podsOf(all), 'env'), [{ name: 'HTTPS_PROXY', value: '1e3' }])
    assert.deepEqual(at(podsOf(all), 'caBundle'), { configMap: '123', key: 'ca.crt' })
    assert.deepEqual([at(podsOf(none), 'env'), at(podsOf(none), 'caBundle')], [undefined, undefined])
    const specOf = (objects: readonly Rendered[]): unknown =>
      at(find(objects, 'Deployment', 'slipway-api-server'), 'spec', 'template', 'spec')
    const namesOf = (found: unknown[]): unknown[] => found.map((one) => at(one, 'name'))
    assert.ok(namesOf(list(specOf(all), 'volumes')).includes('ca'))
    assert.ok(namesOf(list(specOf(all), 'containers', 0, 'volumeMounts')).includes('ca'))
    assert.ok(!namesOf(list(specOf(none), 'volumes')).includes('ca'))
  })

  it('runs helm test with a token that may do everything', async () => {
    const tokenOf = (objects: readonly Rendered[]): unknown => {
      const env = list(find(objects, 'Pod', 'slipway-self-test'), 'spec', 'containers', 0, 'env')
      return at(
        env.find((variable) => at(variable, 'name') === 'SLIPWAY_TOKEN'),
        'valueFrom',
        'secretKeyRef',
      )
    }
    const { tokens } = ALL_OPTIONS.auth
    assert.deepEqual(tokenOf(await render(ALL_OPTIONS)), { name: '123', key: '1e3' })
    assert.deepEqual(tokenOf(await render({ auth: { tokens } })), { name: 'true', key: '1' })
    assert.equal(tokenOf(await render({ auth: { insecure: true } })), undefined)
  })

  it('bounds the archive by what values say, and by nothing without', async () => {
    const retentionOf = async (values: object): Promise<unknown> => {
      const config = at(find(await render(values), 'ConfigMap', 'slipway-config'), 'data', 'config.yaml')
      const { archiveDays, archiveCount } = Object(at(parse(String(config)), 'retention'))
      return [archiveDays, archiveCount]
    }
    assert.deepEqual(await retentionOf(TOKEN), [undefined, undefined])
    assert.deepEqual(await retentionOf(ALL_OPTIONS), [365, 0])
  })

  const refused: readonly (readonly [string, object, RegExp])[] = [
    ['no token', {}, /auth\.tokenSecret\.name: the API server needs a token/],
    [
      'spread replicas on a volume of one node',
      { ...TOKEN, storage: { accessMode: 'ReadWriteOnce' }, operator: { topologySpreadConstraints: [{ maxSkew: 1 }] } },
      /operator\.topologySpreadConstraints: with storage\.accessMode ReadWriteOnce/,
    ],
    [
      'a pod affinity of its own on a volume of one node',
      { ...TOKEN, storage: { accessMode: 'ReadWriteOnce' }, executions: { affinity: { podAffinity: {} } } },
      /executions\.affinity\.podAffinity: with storage\.accessMode ReadWriteOnce/,
    ],
    [
      'a budget that no node can be drained under',
      { ...TOKEN, operator: { podDisruptionBudget: { minAvailable: '51%' } } },
      /operator\.podDisruptionBudget\.minAvailable: must be less than operator\.replicas/,
    ],
    [
      'two tokens of one name',
      { auth: { tokens: [1, 2].map(() => ({ name: 'a', scopes: ['read'], secretName: 'a' })) } },
      /auth\.tokens: two are named a/,
    ],
    [
      'a URL of people that its Ingress does not serve',
      {
        ...TOKEN,
        apiServer: { publicUrl: 'http://a.example', ingress: { enabled: true, host: 'a.example', tlsSecretName: 'a' } },
      },
      /apiServer\.publicUrl: begins with http:/,
    ],
    ['an Ingress without host', { ...TOKEN, apiServer: { ingress: { enabled: true } } }, /apiServer\.ingress\.host/],
    [
      'an HTTPRoute without Gateway',
      { ...TOKEN, apiServer: { httpRoute: { enabled: true } } },
      /apiServer\.httpRoute\.parentRefs/,
    ],
    ['a secret in config', { ...TOKEN, config: { token: 'a secret of mine' } }, /'\/config'.*'token' not allowed/],
    [
      'a tag in the name of the image',
      { ...TOKEN, image: { repository: 'registry.example.com:5000/slipway:1.2' } },
      /image\.repository: .* ends in a tag; name it in image\.tag/,
    ],
    ['a size that is none', { ...TOKEN, storage: { size: '4GB' } }, /storage\/size'.*pattern/],
    ['values of an earlier version', { ...TOKEN, hooks: { uninstallTimeout: null } }, /'uninstallTimeout'/],
    ['a misspelt value', { ...TOKEN, opertor: { replicas: 1 } }, /'opertor' not allowed/],
    ['a label that is no text', { ...TOKEN, operator: { podLabels: { a: true } } }, /podLabels\/a'.*want string/],
    [
      'a path in the host of git credentials',
      { ...TOKEN, gitCredentials: [{ host: 'https://git.example.com/team', secretName: 'git' }] },
      /gitCredentials\/0\/host'.*pattern/,
    ],
    [
      'four eyes without names',
      { ...TOKEN, admissionPolicies: { fourEyes: true } },
      /admissionPolicies\.fourEyes: needs .*--set admissionPolicies\.requireBy=true/,
    ],
    [
      'four eyes without policies',
      { ...TOKEN, admissionPolicies: { enabled: false, requireBy: true, fourEyes: true } },
      /admissionPolicies\.fourEyes: needs admissionPolicies\.enabled/,
    ],
    [
      'a pattern of images',
      { ...TOKEN, admissionPolicies: { images: ["a.example/*'"] } },
      /admissionPolicies\/images\/0'.*pattern/,
    ],
    [
      'a host of repositories that is an expression',
      { ...TOKEN, admissionPolicies: { repositoryHosts: ['a.example|.*'] } },
      /repositoryHosts\/0'.*pattern/,
    ],
    [
      'a label by which a Service selects its pods',
      { ...TOKEN, executions: { labels: { 'app.kubernetes.io/name': 'slipway' } } },
      /executions\.labels: app\.kubernetes\.io\/name selects pods of Slipway itself/,
    ],
    [
      'a variable that Slipway sets itself',
      { ...TOKEN, executions: { env: [{ name: 'GIT_SSL_NO_VERIFY', value: '1' }] } },
      /executions\.env: Slipway sets GIT_SSL_NO_VERIFY itself/,
    ],
    [
      'a variable of certificates beside their ConfigMap',
      { ...TOKEN, executions: { env: [{ name: 'SSL_CERT_FILE', value: '/a' }], caBundle: { configMap: 'ca' } } },
      /executions\.env: executions\.caBundle sets SSL_CERT_FILE/,
    ],
    [
      'a variable twice',
      { ...TOKEN, executions: { env: ['1', '2'].map((value) => ({ name: 'A', value })) } },
      /executions\.env: A stands there twice/,
    ],
    ['an archive of no days', { ...TOKEN, retention: { archiveDays: 0 } }, /retention\/archiveDays'.*minimum/],
    ['a host that is any', { ...TOKEN, apiServer: { allowedHosts: ['*'] } }, /allowedHosts\/0'.*pattern/],
    ['lines in a name', { ...TOKEN, apiServer: { ingress: { className: 'a\nb' } } }, /className'.*pattern/],
  ]
  for (const [title, values, message] of refused)
    it(`refuses ${title}, and says which value`, async () => {
      await assert.rejects(render(values), message)
    })
})

describe('the chart of the CRDs', function () {
  before(function () {
    needHelm(this)
  })

  it('holds all of them, kept on an uninstall, and nothing else but roles', async () => {
    const objects = await render({ roles: { create: false } }, { chart: 'slipway-crds' })
    assert.equal(objects.length, 7)
    for (const { kind, metadata } of objects) {
      assert.equal(kind, 'CustomResourceDefinition')
      assert.equal(metadata.annotations?.['helm.sh/resource-policy'], 'keep')
    }
    const others = (await render({}, { chart: 'slipway-crds' })).slice(objects.length)
    assert.deepEqual([...new Set(others.map(({ kind }) => kind))], ['ClusterRole'])
  })

  it('gives rights verb by verb, to nobody, and none to write what Slipway alone writes but to who installs it', async () => {
    const objects = await render({}, { chart: 'slipway-crds' })
    const isForPeople = ({ kind, metadata }: Rendered) =>
      kind === 'ClusterRole' && metadata.name !== 'slipway-installer'
    const roles = objects.filter(isForPeople)
    const rules = roles.flatMap((role) => list(role, 'rules'))
    assert.ok(rules.length > 0)
    for (const rule of rules) {
      assert.doesNotMatch(JSON.stringify(rule), /\*|\/status/)
      if (/executions|storyevents/.test(JSON.stringify(rule)))
        assert.deepEqual(at(rule, 'verbs'), ['get', 'list', 'watch'])
    }
    for (const { metadata } of roles) assert.doesNotMatch(JSON.stringify(metadata), /rbac\.authorization/)
  })

  it('adds the rights to the roles of Kubernetes where a value says so', async () => {
    const objects = await render({ roles: { aggregateToDefaultRoles: true } }, { chart: 'slipway-crds' })
    const label = (part: string): string[] =>
      Object.keys(find(objects, 'ClusterRole', `slipway-part-${part}`).metadata.labels ?? {}).filter((name) =>
        name.startsWith('rbac.'),
      )
    const to = (role: string): string[] => [`rbac.authorization.k8s.io/aggregate-to-${role}`]
    assert.deepEqual(['viewer', 'author', 'approver', 'admin'].map(label), [
      to('view'),
      to('edit'),
      to('admin'),
      to('admin'),
    ])
  })
})

/** Paths of labels, annotations, node selectors and names whose value is no text. */
function notTexts(value: unknown, path = '', isText = false): string[] {
  if (typeof value !== 'object' || value === null) return isText && typeof value !== 'string' ? [path] : []
  return Object.entries(value).flatMap(([key, inner]) => {
    const isName = /^(name|namespace|secretName|claimName|host|image|storageClassName|\w+ClassName)$/.test(key)
    const isMap = /(^|\.)(labels|annotations|nodeSelector|matchLabels)$/.test(path)
    return notTexts(inner, `${path}.${key}`, isMap || (isName && typeof inner !== 'object'))
  })
}
