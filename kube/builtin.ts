/**
 * The parts of Kubernetes' own kinds that Slipway reads or writes; the server may send more, and what is not
 * named here survives a read-modify-write, because objects are spread, never rebuilt.
 *
 * Source: Kubernetes API reference v1.34.
 */
import type { ObjectMeta } from '../core/crd/types.ts'
import type { KubeObject } from './types.ts'

/** One container of a pod; paths and commands are those inside its image. */
export interface Container {
  readonly name: string
  readonly image?: string
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never'
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly workingDir?: string
  readonly env?: readonly EnvVar[]
  readonly envFrom?: readonly EnvFromSource[]
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[]
  readonly resources?: ResourceRequirements
  readonly volumeMounts?: readonly VolumeMount[]
  readonly securityContext?: SecurityContext
  readonly terminationMessagePath?: string
  readonly terminationMessagePolicy?: 'File' | 'FallbackToLogsOnError'
  /** Of an init container: it runs beside those that follow, until the pod ends. */
  readonly restartPolicy?: 'Always'
  readonly startupProbe?: Probe
}

/** How the kubelet finds out that a container has started; one of `exec` and `tcpSocket`. */
export interface Probe {
  readonly exec?: { readonly command: readonly string[] }
  readonly tcpSocket?: { readonly port: number }
  readonly periodSeconds?: number
  readonly failureThreshold?: number
}

/** `value` and `valueFrom` exclude each other. */
export interface EnvVar {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: {
    readonly secretKeyRef?: KeySelector
    readonly configMapKeyRef?: KeySelector
    readonly fieldRef?: { readonly fieldPath: string }
  }
}

/** All keys of one object as variables. */
export interface EnvFromSource {
  readonly prefix?: string
  readonly secretRef?: { readonly name: string; readonly optional?: boolean }
  readonly configMapRef?: { readonly name: string; readonly optional?: boolean }
}

/** One key of a Secret or ConfigMap of the namespace; missing, it keeps the pod from starting unless `optional`. */
export interface KeySelector {
  readonly name: string
  readonly key: string
  readonly optional?: boolean
}

/** Quantities as Kubernetes writes them (`500m`, `2Gi`). */
export interface ResourceRequirements {
  readonly limits?: Readonly<Record<string, string>>
  readonly requests?: Readonly<Record<string, string>>
}

/** `name` is that of a volume of the pod, `subPath` relative to its root. */
export interface VolumeMount {
  readonly name: string
  readonly mountPath: string
  readonly subPath?: string
  readonly readOnly?: boolean
}

/** A container's; wins over the pod's. */
export interface SecurityContext {
  readonly runAsUser?: number
  readonly runAsGroup?: number
  readonly runAsNonRoot?: boolean
  readonly readOnlyRootFilesystem?: boolean
  readonly allowPrivilegeEscalation?: boolean
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] }
  readonly seccompProfile?: SeccompProfile
}

/** `localhostProfile` goes with `Localhost` only. */
export interface SeccompProfile {
  readonly type: 'RuntimeDefault' | 'Unconfined' | 'Localhost'
  readonly localhostProfile?: string
}

/** For all containers of a pod; `fsGroup` owns its volumes. */
export interface PodSecurityContext {
  readonly runAsUser?: number
  readonly runAsGroup?: number
  readonly runAsNonRoot?: boolean
  readonly fsGroup?: number
  readonly fsGroupChangePolicy?: 'OnRootMismatch' | 'Always'
  readonly seccompProfile?: SeccompProfile
}

/** Exactly one source is set. */
export interface Volume {
  readonly name: string
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: string }
  readonly persistentVolumeClaim?: { readonly claimName: string; readonly readOnly?: boolean }
  readonly hostPath?: { readonly path: string; readonly type?: string }
  readonly configMap?: { readonly name: string; readonly items?: readonly KeyToPath[]; readonly defaultMode?: number }
  readonly secret?: {
    readonly secretName: string
    readonly items?: readonly KeyToPath[]
    readonly defaultMode?: number
    readonly optional?: boolean
  }
}

/** Where one key appears as a file, relative to the mount. */
export interface KeyToPath {
  readonly key: string
  readonly path: string
  readonly mode?: number
}

/** `initContainers` run one after another before `containers` start. */
export interface PodSpec {
  readonly containers: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly volumes?: readonly Volume[]
  readonly nodeName?: string
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never'
  readonly serviceAccountName?: string
  readonly automountServiceAccountToken?: boolean
  readonly activeDeadlineSeconds?: number
  readonly terminationGracePeriodSeconds?: number
  readonly securityContext?: PodSecurityContext
  readonly imagePullSecrets?: readonly { readonly name: string }[]
  readonly priorityClassName?: string
  readonly runtimeClassName?: string
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly tolerations?: readonly object[]
  readonly affinity?: object
  readonly topologySpreadConstraints?: readonly object[]
  readonly schedulerName?: string
  readonly enableServiceLinks?: boolean
}

/** Pending lasts until every init container has succeeded. */
export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'

/** At most one member is set; none means waiting. */
export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string }
  readonly running?: { readonly startedAt?: string }
  readonly terminated?: {
    readonly exitCode: number
    readonly signal?: number
    readonly reason?: string
    readonly message?: string
    /** Null where the kubelet has missed the container (reason ContainerStatusUnknown). */
    readonly startedAt?: string | null
    readonly finishedAt?: string | null
  }
}

/** What the kubelet last saw of one container. */
export interface ContainerStatus {
  readonly name: string
  readonly state?: ContainerState
  readonly lastState?: ContainerState
  readonly ready: boolean
  readonly restartCount: number
  readonly image: string
  readonly imageID: string
  readonly started?: boolean
}

/** A condition of a built-in kind; ours are typed by their CRDs. */
export interface BuiltinCondition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
}

/** Written by the kubelet; `reason` and `message` say why a pod as a whole failed (Evicted, DeadlineExceeded). */
export interface PodStatus {
  readonly phase?: PodPhase
  readonly reason?: string
  readonly message?: string
  readonly conditions?: readonly BuiltinCondition[]
  readonly initContainerStatuses?: readonly ContainerStatus[]
  readonly containerStatuses?: readonly ContainerStatus[]
  readonly hostIP?: string
  readonly podIP?: string
  readonly startTime?: string
}

/** Its spec is immutable but for a few fields. */
export interface Pod extends KubeObject {
  readonly spec: PodSpec
  readonly status?: PodStatus
}

/** core/v1; without a selector its endpoints are made by somebody else. */
export interface Service extends KubeObject {
  readonly spec?: {
    readonly selector?: Readonly<Record<string, string>>
    readonly ports?: readonly ServicePort[]
  }
}

/** `targetPort` names a port of the pods' containers, or is its number; default `port`. */
export interface ServicePort {
  readonly name?: string
  readonly port: number
  readonly targetPort?: number | string
}

/** What a Job makes its pods from. */
export interface PodTemplate {
  readonly metadata?: Omit<ObjectMeta, 'name'>
  readonly spec: PodSpec
}

/** batch/v1; finished at condition Complete or Failed, not at FailureTarget. */
export interface Job extends KubeObject {
  readonly spec: {
    readonly template: PodTemplate
    readonly backoffLimit?: number
    readonly parallelism?: number
    readonly completions?: number
    readonly activeDeadlineSeconds?: number
    readonly ttlSecondsAfterFinished?: number
    readonly podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed'
    readonly suspend?: boolean
  }
  readonly status?: {
    readonly conditions?: readonly BuiltinCondition[]
    readonly active?: number
    readonly succeeded?: number
    readonly failed?: number
    readonly startTime?: string
    readonly completionTime?: string
  }
}

/** Times are MicroTime: RFC 3339 with six decimals. */
export interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string
    readonly leaseDurationSeconds?: number
    readonly acquireTime?: string
    readonly renewTime?: string
    readonly leaseTransitions?: number
  }
}

/** What an Event, or a reference in general, points at. */
export interface ObjectReference {
  readonly apiVersion?: string
  readonly kind?: string
  readonly name?: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly fieldPath?: string
}

/** core/v1, which `kubectl describe` reads. */
export interface Event extends KubeObject {
  readonly involvedObject: ObjectReference
  readonly type?: 'Normal' | 'Warning'
  readonly reason?: string
  readonly message?: string
  readonly count?: number
  readonly firstTimestamp?: string
  readonly lastTimestamp?: string
  readonly source?: { readonly component?: string; readonly host?: string }
  readonly reportingComponent?: string
  readonly reportingInstance?: string
  readonly action?: string
}

/** `data` values are base 64. */
export interface Secret extends KubeObject {
  readonly type?: string
  readonly data?: Readonly<Record<string, string>>
  readonly stringData?: Readonly<Record<string, string>>
  readonly immutable?: boolean
}

/** Values of `data` are text. */
export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
  /** Values are base 64. */
  readonly binaryData?: Readonly<Record<string, string>>
  readonly immutable?: boolean
}

/** Cluster-scoped; alive while the Lease of its name in kube-node-lease is renewed. */
export interface Node extends KubeObject {
  readonly spec?: {
    readonly unschedulable?: boolean
    readonly podCIDR?: string
    readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[]
  }
  readonly status?: {
    readonly conditions?: readonly (BuiltinCondition & { readonly lastHeartbeatTime?: string })[]
    readonly addresses?: readonly { readonly type: string; readonly address: string }[]
    readonly capacity?: Readonly<Record<string, string>>
    readonly allocatable?: Readonly<Record<string, string>>
    readonly nodeInfo?: Readonly<Record<string, string>>
    readonly daemonEndpoints?: { readonly kubeletEndpoint?: { readonly Port: number } }
  }
}

/** Cluster-scoped; Terminating until everything in it is gone. */
export interface Namespace extends KubeObject {
  readonly status?: { readonly phase?: 'Active' | 'Terminating' }
}

/** Whose token pods would carry; ours carry none. */
export interface ServiceAccount extends KubeObject {
  readonly automountServiceAccountToken?: boolean
  readonly imagePullSecrets?: readonly { readonly name: string }[]
}

/** Schemas are opaque here: embedded/ reads them, others only wait for `Established`. */
export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string
    readonly scope: 'Namespaced' | 'Cluster'
    readonly names: {
      readonly kind: string
      readonly plural: string
      readonly singular?: string
      readonly listKind?: string
      readonly shortNames?: readonly string[]
      readonly categories?: readonly string[]
    }
    readonly versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[]
  }
  readonly status?: { readonly conditions?: readonly BuiltinCondition[] }
}

/** Whom a request is from, as authenticators tell it. */
export interface UserInfo {
  readonly username?: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** A question that is answered at once and stored nowhere: whose token is that, and is it for one of these audiences? */
export interface TokenReview extends KubeObject {
  readonly spec: { readonly token: string; readonly audiences: readonly string[] }
  readonly status?: {
    readonly authenticated?: boolean
    readonly user?: UserInfo
    /** Those of the question that the token is for. */
    readonly audiences?: readonly string[]
    readonly error?: string
  }
}

/** A question that is answered at once and stored nowhere: may this user do that? */
export interface SubjectAccessReview extends KubeObject {
  readonly spec: {
    readonly user: string
    readonly uid?: string
    readonly groups: readonly string[]
    readonly extra?: Readonly<Record<string, readonly string[]>>
    readonly resourceAttributes: Readonly<Record<string, string>>
  }
  readonly status?: { readonly allowed: boolean; readonly reason?: string }
}
