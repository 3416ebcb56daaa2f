const NAME = 'true'
const TEXTS = { yes: 'true', number: '1e3', time: '12:30', sharp: 'a # b', colon: 'a: b', lines: 'a\nkind: Role' }
const FREE_LABELS = { yes: 'true', number: '1e3', octal: '0777', none: '' }
/** With those that the chart sets itself, which win. */
const LABELS = { ...FREE_LABELS, 'app.kubernetes.io/name': 'other', 'app.kubernetes.io/component': 'other' }

const part = {
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
  priorityClassName: '1e3',
  nodeSelector: LABELS,
  tolerations: [{ key: 'agents', operator: 'Exists' }],
  affinity: { nodeAffinity: {}, podAffinity: {} },
  podLabels: LABELS,
  podAnnotations: { ...TEXTS, 'checksum/config': 'other' },
  env: [{ name: 'HTTPS_PROXY', value: '1' }],
  resources: { requests: { cpu: 1 }, limits: { memory: '1Gi' } },
}

/** Every option of the chart at once, with what YAML reads as something else than text. */
export const ALL_OPTIONS = {
  image: { repository: '123', tag: '1e3', pullPolicy: 'Always' },
  imagePullSecrets: [NAME, '123'],
  config: { scriptsDir: '/slipway/scripts', deployCommand: "echo 'a: b' # c", pushPrivateEndpoints: true },
  logLevel: 'debug',
  runAsUser: 2_000_000_000,
  auth: {
    tokenSecret: { name: '123', key: '1e3' },
    webhookSecret: { name: NAME, key: NAME },
    tokens: [
      { name: 'Alice', scopes: ['read'], secretName: '123' },
      { name: 'alice', scopes: ['admin'], secretName: NAME, secretKey: '1' },
      { name: 'alice_', scopes: ['read'], secretName: NAME },
    ],
  },
  retention: { archiveDays: 365, archiveCount: 0 },
  gitCredentials: [{ host: 'https://git.example.com:8443', secretName: 'git' }],
  operator: { ...part, replicas: 3, podDisruptionBudget: { minAvailable: '50%' } },
  apiServer: {
    ...part,
    replicas: 2,
    publicUrl: 'https://slipway.example.com',
    allowedHosts: ['1e3'],
    trustedProxies: ['10.0.0.0/8'],
    extraVolumes: [{ name: 'ca', configMap: { name: '123' } }],
    extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/ca', readOnly: true }],
    service: { type: 'NodePort', port: 8080, annotations: TEXTS },
    ingress: { enabled: true, className: '123', annotations: TEXTS, host: 'slipway.example.com', tlsSecretName: '1e3' },
    httpRoute: {
      enabled: true,
      parentRefs: [{ name: 'gateway' }],
      hostnames: ['123', '*.example.com'],
      annotations: TEXTS,
    },
  },
  executions: {
    env: [{ name: 'HTTPS_PROXY', value: '1e3' }],
    caBundle: { configMap: '123', key: 'ca.crt' },
    secretNames: ['1e3', NAME],
    queueName: '123',
    jobLabels: LABELS,
    labels: FREE_LABELS,
    annotations: TEXTS,
    nodeSelector: LABELS,
    tolerations: part.tolerations,
    affinity: part.affinity,
    priorityClassName: '123',
  },
  storage: { storageClassName: '1e3', size: '20', keep: false },
  networkPolicy: {
    enabled: true,
    executions: {
      ports: [443],
      except: ['198.51.100.7/32', '2a00:1450::/32'],
      egress: [{ to: [{ podSelector: { matchLabels: LABELS } }], ports: [{ port: 3000, endPort: 3010 }] }],
    },
    dns: { to: [{ ipBlock: { cidr: '169.254.20.10/32' } }], port: 5353 },
    apiServerFrom: [{ namespaceSelector: {} }],
    metricsFrom: [],
  },
  metrics: {
    podMonitor: { enabled: true, labels: LABELS },
    prometheusRule: { enabled: true, labels: LABELS, readyTasks: 1_000_000 },
    dashboard: { enabled: true, labels: LABELS },
  },
  hooks: { uninstallTimeout: '1m30s' },
}

/** Values by what they are for: each is rendered and judged. */
export const VALUES: Readonly<Record<string, object>> = {
  'the default': { auth: { tokenSecret: { name: 'api-token' } } },
  'every option': ALL_OPTIONS,
  'one node': {
    auth: { insecure: true },
    storage: { accessMode: 'ReadWriteOnce', existingClaim: `${'a'.repeat(70)}.1` },
    operator: { affinity: { nodeAffinity: {} } },
    executions: { labels: FREE_LABELS, affinity: { nodeAffinity: {} } },
    networkPolicy: { enabled: true, executions: { egressProxy: { to: [{ ipBlock: { cidr: '10.0.0.7/32' } }] } } },
  },
  'little: one replica, no metrics, no Agents, users of the platform': {
    auth: { tokens: [{ name: 'a', scopes: ['admin'], secretName: 'a' }] },
    runAsUser: null,
    agents: { create: false },
    operator: { replicas: 1 },
    metrics: { enabled: false },
    networkPolicy: { enabled: true, executions: { ports: [] } },
    image: { digest: `sha256:${'0'.repeat(64)}` },
  },
}
