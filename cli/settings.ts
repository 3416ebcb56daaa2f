/** Which settings count for which program of a cluster. The types of what they start hold them to that. */
import type { Config } from '../lib/config-schema.ts'

type Keys = readonly (keyof Config)[]

/** For commands that talk to a cluster and end. */
export const CLUSTER_SETTINGS = ['namespace', 'kubeconfig', 'logLevel', 'logFormat'] as const satisfies Keys

/** For backups. */
export const BACKUP_SETTINGS = [...CLUSTER_SETTINGS, 'dataDir', 'volumeRoot'] as const satisfies Keys

export const OPERATOR_SETTINGS = [
  ...CLUSTER_SETTINGS,
  'healthListen',
  'metricsListen',
  'image',
  'volumeRoot',
  'volumeClaim',
  'executionPods',
  'gitCredentials',
  'maxPushSize',
  'retention',
  'admissionPolicies',
  'fourEyes',
  'branchPrefix',
  'hostCi',
] as const satisfies Keys
export type OperatorConfig = Pick<Config, (typeof OPERATOR_SETTINGS)[number]>

export const API_SETTINGS = [
  ...CLUSTER_SETTINGS,
  'listen',
  'metricsListen',
  'token',
  'tokens',
  'identity',
  'webhookSecret',
  'admissionPolicies',
  'fourEyes',
  'branchPrefix',
  'image',
  'insecure',
  'publicUrl',
  'allowedHosts',
  'trustedProxies',
  'allowPrivateAddresses',
  'volumeRoot',
  'workspaceRoot',
  'scriptsDir',
  'deployCommand',
  'vapidPrivateKey',
  'vapidSubject',
  'pushPrivateEndpoints',
] as const satisfies Keys
export type ApiConfig = Pick<Config, (typeof API_SETTINGS)[number]>
