{{- define "slipway.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "slipway.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") | trunc 63 | trimSuffix "-" | quote }}
app.kubernetes.io/name: slipway
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | replace "+" "_" | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
{{- end -}}

{{- /* Of what belongs to no namespace: releases of one name in several namespaces are told apart by it. */ -}}
{{- define "slipway.clusterLabels" -}}
{{ include "slipway.labels" . }}
slipway.dev/release-namespace: {{ .Release.Namespace | quote }}
{{- end -}}

{{- /*
Metadata of an object: dict "root" $ "name" …, and where they are wanted "component", "labels" and "annotations" (maps).
Labels of the chart win over those of a value, so that no key stands twice.
*/ -}}
{{- define "slipway.metadata" -}}
{{- $labels := include "slipway.labels" .root | fromYaml -}}
{{- with .component }}{{ $_ := set $labels "app.kubernetes.io/component" . }}{{ end -}}
name: {{ .name | quote }}
namespace: {{ .root.Release.Namespace | quote }}
labels:
  {{- merge $labels (.labels | default dict) | toYaml | nindent 2 }}
{{- with .annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* Labels that select the pods of a part; they never change between versions. */ -}}
{{- define "slipway.selector" -}}
app.kubernetes.io/name: slipway
app.kubernetes.io/component: {{ . }}
{{- end -}}

{{- define "slipway.claim" -}}
{{ .Values.storage.existingClaim | default "slipway-data" }}
{{- end -}}

{{- define "slipway.isOneNode" -}}
{{- if eq .Values.storage.accessMode "ReadWriteOnce" }}true{{ end -}}
{{- end -}}

{{- /*
A pod that mounts a ReadWriteOnce volume carries this label and goes where another one runs. A claim's name may be longer
than the value of a label.
*/ -}}
{{- define "slipway.volumeLabel" -}}
{{- $claim := include "slipway.claim" . -}}
slipway.dev/data-volume: {{ gt (len $claim) 63 | ternary (sha256sum $claim | trunc 63) $claim | quote }}
{{- end -}}

{{- define "slipway.volumeAffinity" -}}
podAffinity:
  requiredDuringSchedulingIgnoredDuringExecution:
    - topologyKey: kubernetes.io/hostname
      labelSelector:
        matchLabels:
          {{- include "slipway.volumeLabel" . | nindent 10 }}
{{- end -}}

{{- define "slipway.podSecurityContext" -}}
runAsNonRoot: true
{{- if not (kindIs "invalid" .Values.runAsUser) }}
runAsUser: {{ int64 .Values.runAsUser }}
runAsGroup: {{ int64 .Values.runAsUser }}
fsGroup: {{ int64 .Values.runAsUser }}
{{- end }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "slipway.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- /*
What the spec of every pod of ours begins with: dict "root" $ "part" .Values.operator. Service links would put variables
named SLIPWAY_… of the Service's into each container.
*/ -}}
{{- define "slipway.pod" -}}
enableServiceLinks: false
securityContext:
  {{- include "slipway.podSecurityContext" .root | nindent 2 }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- with .part.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with .part.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .part.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* How the replicas of a part lie on nodes: dict "root" $ "part" .Values.operator "component" "operator" */ -}}
{{- define "slipway.placement" -}}
{{- $isOneNode := include "slipway.isOneNode" .root -}}
{{- $affinity := .part.affinity -}}
{{- if $isOneNode }}{{ $affinity = merge (include "slipway.volumeAffinity" .root | fromYaml) $affinity }}{{ end -}}
{{- with $affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if .part.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- toYaml .part.topologySpreadConstraints | nindent 2 }}
{{- else if not $isOneNode }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "slipway.selector" .component | nindent 8 }}
{{- end }}
{{- end -}}

{{- /*
The budget of a part: dict "root" $ "part" .Values.operator "component" "operator". None on one node: what replaces an
evicted pod must come back to that node, so a budget would block its drain for ever.
*/ -}}
{{- define "slipway.podDisruptionBudget" -}}
{{- $budget := .part.podDisruptionBudget -}}
{{- if and $budget.enabled (gt (int .part.replicas) 1) (not (include "slipway.isOneNode" .root)) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "slipway.metadata" (dict "root" .root "name" (printf "slipway-%s" .component) "component" .component) | nindent 2 }}
spec:
  minAvailable: {{ $budget.minAvailable }}
  # A pod that does not work already is no reason to keep a node.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "slipway.selector" .component | nindent 6 }}
{{- end }}
{{- end -}}

{{- /* Seconds of a duration of minutes and seconds, such as 1m30s. */ -}}
{{- define "slipway.seconds" -}}
{{- $seconds := 0 -}}
{{- range regexFindAll "[0-9]+[ms]" . -1 -}}
{{- $amount := regexFind "[0-9]+" . | atoi -}}
{{- $seconds = add $seconds (hasSuffix "m" . | ternary (mul 60 $amount) $amount) -}}
{{- end -}}
{{- $seconds -}}
{{- end -}}

{{- /* The token that may do everything, as a reference of a variable; empty if there is none. For `helm test`. */ -}}
{{- define "slipway.adminToken" -}}
{{- $found := dict -}}
{{- range .Values.auth.tokens -}}
{{- if and (has "admin" .scopes) (not $found) }}{{ $found = dict "name" .secretName "key" (.secretKey | default "token") }}{{ end -}}
{{- end -}}
{{- with .Values.auth.tokenSecret }}{{ if .name }}{{ $found = dict "name" .name "key" .key }}{{ end }}{{ end -}}
{{- with $found }}{{ toJson . }}{{ end -}}
{{- end -}}

{{- /* The configuration file of operator and API server; Secrets reach them by variables and files. */ -}}
{{- define "slipway.config" -}}
{{- $pods := omit .Values.executions "queueName" "labels" "jobLabels" "affinity" "priorityClassName" "nodeSelector" "tolerations" "annotations" "secretNames" "env" "caBundle" -}}
{{- $e := .Values.executions -}}
{{- $labels := $e.labels -}}
{{- $affinity := $e.affinity -}}
{{- if include "slipway.isOneNode" . -}}
{{- $labels = merge (include "slipway.volumeLabel" . | fromYaml) $labels -}}
{{- $affinity = merge (include "slipway.volumeAffinity" . | fromYaml) $affinity -}}
{{- end -}}
{{- $jobLabels := $e.jobLabels -}}
{{- with $e.queueName }}{{ $jobLabels = merge (dict "kueue.x-k8s.io/queue-name" .) $jobLabels }}{{ end -}}
{{- with $labels }}{{ $_ := set $pods "labels" . }}{{ end -}}
{{- with $jobLabels }}{{ $_ := set $pods "jobLabels" . }}{{ end -}}
{{- with $affinity }}{{ $_ := set $pods "affinity" . }}{{ end -}}
{{- with $e.annotations }}{{ $_ := set $pods "annotations" . }}{{ end -}}
{{- with $e.nodeSelector }}{{ $_ := set $pods "nodeSelector" . }}{{ end -}}
{{- with $e.tolerations }}{{ $_ := set $pods "tolerations" . }}{{ end -}}
{{- with $e.priorityClassName }}{{ $_ := set $pods "priorityClassName" . }}{{ end -}}
{{- with $e.env }}{{ $_ := set $pods "env" . }}{{ end -}}
{{- if $e.caBundle.configMap }}{{ $_ := set $pods "caBundle" $e.caBundle }}{{ end -}}
{{- with .Values.imagePullSecrets }}{{ $_ := set $pods "imagePullSecrets" . }}{{ end -}}
{{- $_ := set $pods "runAsUser" .Values.runAsUser -}}
{{- $own := dict
  "namespace" .Release.Namespace
  "image" (include "slipway.image" .)
  "logLevel" .Values.logLevel
  "volumeRoot" "/slipway"
  "volumeClaim" (include "slipway.claim" .)
  "listen" "0.0.0.0:8080"
  "healthListen" "0.0.0.0:8081"
  "executionPods" $pods
-}}
{{- if .Values.metrics.enabled }}{{ $_ := set $own "metricsListen" "0.0.0.0:9464" }}{{ end -}}
{{- with .Values.gitCredentials }}{{ $_ := set $own "gitCredentials" . }}{{ end -}}
{{- $retention := dict -}}
{{- range $key, $value := .Values.retention }}{{ if not (kindIs "invalid" $value) }}{{ $_ := set $retention $key $value }}{{ end }}{{ end -}}
{{- $_ := set $own "retention" $retention -}}
{{- with .Values.apiServer.publicUrl }}{{ $_ := set $own "publicUrl" . }}{{ end -}}
{{- with .Values.apiServer.trustedProxies }}{{ $_ := set $own "trustedProxies" . }}{{ end -}}
{{- $hosts := list "slipway-api-server" (printf "slipway-api-server.%s" .Release.Namespace) (printf "slipway-api-server.%s.svc" .Release.Namespace) -}}
{{- with .Values.apiServer.ingress }}{{ if and .enabled .host }}{{ $hosts = append $hosts .host }}{{ end }}{{ end -}}
{{- with .Values.apiServer.httpRoute }}{{ if .enabled }}{{ $hosts = concat $hosts .hostnames }}{{ end }}{{ end -}}
{{- $_ := set $own "allowedHosts" (concat $hosts .Values.apiServer.allowedHosts | uniq) -}}
{{- with .Values.auth.tokens }}
{{- $tokens := list -}}
{{- range . }}{{ $tokens = append $tokens (dict "name" .name "scopes" .scopes "tokenFile" (printf "/var/run/slipway/tokens/%s" .name)) }}{{ end -}}
{{- $_ := set $own "tokens" $tokens -}}
{{- end -}}
{{- $identity := dict -}}
{{- with .Values.identity.kubernetes }}{{ if .enabled }}{{ $_ := set $identity "kubernetes" (dict "audience" .audience) }}{{ end }}{{ end -}}
{{- with .Values.identity.oidc }}{{ if .issuer -}}
{{- $oidc := merge (dict "issuer" .issuer "clientId" .clientId) .settings -}}
{{- if .clientSecret.name }}{{ $_ := set $oidc "clientSecretFile" "/var/run/slipway/oidc/client-secret" }}{{ end -}}
{{- if .sessionKey.name }}{{ $_ := set $oidc "sessionKeyFile" "/var/run/slipway/oidc/session-key" }}{{ end -}}
{{- if .caBundle.configMap }}{{ $_ := set $oidc "caBundle" "/var/run/slipway/oidc/ca.crt" }}{{ end -}}
{{- $_ := set $identity "oidc" $oidc -}}
{{- end }}{{ end -}}
{{- with $identity }}{{ $_ := set $own "identity" . }}{{ end -}}
{{- if .Values.admissionPolicies.enabled }}{{ $_ := set $own "admissionPolicies" true }}{{ end -}}
{{- if .Values.admissionPolicies.fourEyes }}{{ $_ := set $own "fourEyes" true }}{{ end -}}
{{- if .Values.auth.insecure }}{{ $_ := set $own "insecure" true }}{{ end -}}
{{- toYaml (merge $own .Values.config) -}}
{{- end -}}

{{- /*
"true" if a cluster answers: every namespace has this account. All lookups are empty for `helm template` and for a
namespace that does not exist yet.
*/ -}}
{{- define "slipway.hasCluster" -}}
{{- if lookup "v1" "ServiceAccount" .Release.Namespace "default" }}true{{ end -}}
{{- end -}}

{{- /* What the cluster holds already and Helm would stumble over, or wait for in vain. */ -}}
{{- define "slipway.checkCluster" -}}
{{- $release := .Release -}}
{{- /* A chart around this one may bring the definitions itself. */ -}}
{{- if and .Chart.IsRoot (include "slipway.hasCluster" .) (not (.Capabilities.APIVersions.Has "slipway.dev/v1alpha1")) -}}
{{- fail "the custom resources of Slipway are not defined in this cluster. Install their chart first, once per cluster:\n\n  helm install slipway-crds <chart slipway-crds>\n" -}}
{{- end -}}
{{- with include "slipway.otherRelease" (dict "release" $release "object" (lookup "apps/v1" "Deployment" $release.Namespace "slipway-operator")) -}}
{{- fail (printf "release %s serves namespace %s already, and only one release fits there: upgrade that one, or name another --namespace" . $release.Namespace) -}}
{{- end -}}
{{- with include "slipway.otherRelease" (dict "release" $release "object" (lookup "v1" "Secret" $release.Namespace "slipway-push-vapid")) -}}
{{- fail (printf "release %s was uninstalled from namespace %s and left its data there. Go on with it by installing under that name, or give it to this release:\n\n  kubectl -n %s annotate pvc,secret,configmap,lease -l app.kubernetes.io/instance=%s meta.helm.sh/release-name=%s --overwrite\n" . $release.Namespace $release.Namespace . $release.Name) -}}
{{- end -}}
{{- include "slipway.checkClaim" . -}}
{{- end -}}

{{- /* The name of the release that an object belongs to; empty if it is this one or none: dict "release" .Release "object" … */ -}}
{{- define "slipway.otherRelease" -}}
{{- $annotations := dig "metadata" "annotations" dict .object | default dict -}}
{{- $name := get $annotations "meta.helm.sh/release-name" -}}
{{- if ne $name .release.Name }}{{ $name }}{{ end -}}
{{- end -}}

{{- /* Neither mode nor class of a claim can be changed. */ -}}
{{- define "slipway.checkClaim" -}}
{{- $claim := include "slipway.claim" . -}}
{{- $storage := .Values.storage -}}
{{- with lookup "v1" "PersistentVolumeClaim" .Release.Namespace $claim -}}
{{- $way := "set that, or name another claim in storage.existingClaim" -}}
{{- if and (eq (dig "status" "phase" "" .) "Pending") (not $storage.existingClaim) -}}
{{- $way = printf "it got no volume, so it holds nothing. Delete it, and repeat this:\n\n  kubectl -n %s delete pvc %s\n" $.Release.Namespace $claim -}}
{{- end -}}
{{- if not (has $storage.accessMode .spec.accessModes) -}}
{{- fail (printf "storage.accessMode: is %s, but the claim %s exists and has %s; %s" $storage.accessMode $claim (join ", " .spec.accessModes) $way) -}}
{{- end -}}
{{- $class := dig "spec" "storageClassName" "" . -}}
{{- if and $storage.storageClassName (not $storage.existingClaim) (ne $storage.storageClassName $class) -}}
{{- fail (printf "storage.storageClassName: is %s, but the claim %s exists and has %s; %s" $storage.storageClassName $claim ($class | default "none") $way) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* The Secrets that values name and the namespace lacks, or whose key is absent: one line each, for NOTES.txt. */ -}}
{{- define "slipway.missingSecrets" -}}
{{- $auth := .Values.auth -}}
{{- $wanted := list -}}
{{- range .Values.imagePullSecrets }}{{ $wanted = append $wanted (dict "value" "imagePullSecrets" "name" .) }}{{ end -}}
{{- range $value, $secret := dict "auth.tokenSecret" $auth.tokenSecret "auth.webhookSecret" $auth.webhookSecret -}}
{{- if $secret.name }}{{ $wanted = append $wanted (dict "value" $value "name" $secret.name "key" $secret.key) }}{{ end -}}
{{- end -}}
{{- $oidc := .Values.identity.oidc -}}
{{- range $value, $secret := dict "identity.oidc.clientSecret" $oidc.clientSecret "identity.oidc.sessionKey" $oidc.sessionKey -}}
{{- if and $oidc.issuer $secret.name }}{{ $wanted = append $wanted (dict "value" $value "name" $secret.name "key" $secret.key) }}{{ end -}}
{{- end -}}
{{- range $auth.tokens }}{{ $wanted = append $wanted (dict "value" "auth.tokens" "name" .secretName "key" (.secretKey | default "token")) }}{{ end -}}
{{- range .Values.gitCredentials }}{{ $wanted = append $wanted (dict "value" "gitCredentials" "name" .secretName) }}{{ end -}}
{{- range $wanted -}}
{{- $found := lookup "v1" "Secret" $.Release.Namespace .name -}}
{{- if not $found }}
  {{ .value }}: Secret {{ .name }}{{ with .key }} with the key {{ . }}{{ end }}
{{- else if and .key (not (hasKey ($found.data | default dict) .key)) }}
  {{ .value }}: the key {{ .key }} of Secret {{ .name }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* What no schema can judge. Included by the template that is always rendered. */ -}}
{{- define "slipway.check" -}}
{{- include "slipway.checkCluster" . -}}
{{- $auth := .Values.auth -}}
{{- if not (or $auth.tokenSecret.name $auth.tokens $auth.insecure .Values.identity.kubernetes.enabled .Values.identity.oidc.issuer) -}}
{{- $way := "helm … --set auth.tokenSecret.name=slipway-api-token" -}}
{{- if .Release.IsUpgrade -}}
{{- $way = print $way "\n\nIf the release has one already: --set and --values alone forget its values. Keep them by --reset-then-reuse-values" -}}
{{- end -}}
{{- fail (printf "auth.tokenSecret.name: the API server needs a token. Create one, in a namespace that exists, and name it:\n\n  kubectl -n %s create secret generic slipway-api-token --from-literal=token=\"$(openssl rand -hex 24)\"\n  %s\n" .Release.Namespace $way) -}}
{{- end -}}
{{- with .Values.admissionPolicies -}}
{{- if and .fourEyes (not (and .enabled .requireBy)) -}}
{{- fail "admissionPolicies.fourEyes: needs admissionPolicies.enabled and admissionPolicies.requireBy, or nobody would know who accepts: helm … --set admissionPolicies.requireBy=true" -}}
{{- end -}}
{{- end -}}
{{- with .Values.identity.oidc }}{{ if .issuer -}}
{{- if not .clientId }}{{ fail "identity.oidc.clientId: is needed with identity.oidc.issuer" }}{{ end -}}
{{- if not (hasPrefix "https://" $.Values.apiServer.publicUrl) }}{{ fail "apiServer.publicUrl: must begin with https:// for identity.oidc: the provider sends people back to it" }}{{ end -}}
{{- if not (or .clientSecret.name .sessionKey.name) }}{{ fail "identity.oidc.clientSecret.name: is needed, or sessionKey.name for a client without a secret" }}{{ end -}}
{{- if not (or .settings.roles $.Values.identity.kubernetes.enabled) }}{{ fail "identity.oidc.settings.roles: name at least one user or group, or enable identity.kubernetes" }}{{ end -}}
{{- end }}{{ end -}}
{{- if regexMatch ":[^/]*$" .Values.image.repository -}}
{{- fail (printf "image.repository: %s ends in a tag; name it in image.tag instead" .Values.image.repository) -}}
{{- end -}}
{{- $names := list -}}
{{- range $auth.tokens -}}
{{- if has .name $names }}{{ fail (printf "auth.tokens: two are named %s; each person and program needs a name of its own" .name) }}{{ end -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- if and .Values.apiServer.ingress.enabled .Values.apiServer.ingress.tlsSecretName (hasPrefix "http://" .Values.apiServer.publicUrl) -}}
{{- fail "apiServer.publicUrl: begins with http://, but apiServer.ingress.tlsSecretName serves https" -}}
{{- end -}}
{{- range $name, $part := dict "operator" .Values.operator "apiServer" .Values.apiServer -}}
{{- $min := $part.podDisruptionBudget.minAvailable -}}
{{- if kindIs "string" $min }}{{ $min = divf (mulf (trimSuffix "%" $min) $part.replicas) 100 | ceil }}{{ end -}}
{{- if and $part.podDisruptionBudget.enabled (gt (int $part.replicas) 1) (ge (int $min) (int $part.replicas)) -}}
{{- fail (printf "%s.podDisruptionBudget.minAvailable: must be less than %s.replicas, or no node could be drained" $name $name) -}}
{{- end -}}
{{- end -}}
{{- if include "slipway.isOneNode" . -}}
{{- range $name, $part := dict "operator" .Values.operator "apiServer" .Values.apiServer -}}
{{- if $part.topologySpreadConstraints }}{{ fail (printf "%s.topologySpreadConstraints: with storage.accessMode ReadWriteOnce every pod runs on the node of the volume; use ReadWriteMany to spread them" $name) }}{{ end -}}
{{- if hasKey $part.affinity "podAffinity" }}{{ fail (printf "%s.affinity.podAffinity: with storage.accessMode ReadWriteOnce the chart sets it, so that every pod runs on the node of the volume" $name) }}{{ end -}}
{{- end -}}
{{- if hasKey .Values.executions.affinity "podAffinity" }}{{ fail "executions.affinity.podAffinity: with storage.accessMode ReadWriteOnce the chart sets it, so that every pod runs on the node of the volume" }}{{ end -}}
{{- end -}}
{{- range $key, $_ := .Values.executions.labels }}
{{- if regexMatch "^(slipway\\.dev/|batch\\.kubernetes\\.io/|(app\\.kubernetes\\.io/(name|instance|component)|job-name|controller-uid)$)" $key }}{{ fail (printf "executions.labels: %s selects pods of Slipway itself; choose another key" $key) }}{{ end -}}
{{- end -}}
{{- $names := list -}}
{{- range .Values.executions.env }}
{{- if regexMatch "^(SLIPWAY_.*|SERVICE_.*|GIT_.*|HOME|PATH|TMPDIR|TERM|SSH_AUTH_SOCK)$" .name }}{{ fail (printf "executions.env: Slipway sets %s itself; choose another name" .name) }}{{ end -}}
{{- if and $.Values.executions.caBundle.configMap (has .name (list "NODE_EXTRA_CA_CERTS" "SSL_CERT_FILE" "GIT_SSL_CAINFO" "CURL_CA_BUNDLE" "REQUESTS_CA_BUNDLE" "CARGO_HTTP_CAINFO")) }}{{ fail (printf "executions.env: executions.caBundle sets %s; leave one of the two out" .name) }}{{ end -}}
{{- if has .name $names }}{{ fail (printf "executions.env: %s stands there twice" .name) }}{{ end -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- with .Values.apiServer.ingress }}{{ if and .enabled (not .host) }}{{ fail "apiServer.ingress.host: name the host that people use" }}{{ end }}{{ end -}}
{{- with .Values.apiServer.httpRoute }}{{ if and .enabled (not .parentRefs) }}{{ fail "apiServer.httpRoute.parentRefs: name the Gateway" }}{{ end }}{{ end -}}
{{- end -}}
