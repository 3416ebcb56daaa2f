{{- /*
The head of a policy, up to and with the kinds that it judges: dict "root" $ "name" "decisions" "resources" (list …)
"operations" (list …) and, for kinds of others, "group" and "version". Its name carries the namespace, because policies
belong to no namespace.
*/ -}}
{{- define "slipway.policy" -}}
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  {{- include "slipway.policyMetadata" . | nindent 2 }}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
      - apiGroups: [{{ hasKey . "group" | ternary .group "slipway.dev" | quote }}]
        apiVersions: [{{ .version | default "v1alpha1" }}]
        operations: {{ .operations | toJson }}
        resources: {{ .resources | toJson }}
{{- end -}}

{{- /* Puts a policy into force in the namespace of the release: the dict of slipway.policy. */ -}}
{{- define "slipway.policyBinding" -}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  {{- include "slipway.policyMetadata" . | nindent 2 }}
spec:
  policyName: {{ include "slipway.policyName" . }}
  validationActions: [Deny]
  matchResources:
    namespaceSelector:
      matchLabels:
        kubernetes.io/metadata.name: {{ .root.Release.Namespace | quote }}
{{- end -}}

{{- define "slipway.policyName" -}}
slipway-{{ .root.Release.Namespace }}-{{ .name }}
{{- end -}}

{{- define "slipway.policyMetadata" -}}
name: {{ include "slipway.policyName" . }}
labels:
  {{- include "slipway.clusterLabels" .root | nindent 2 }}
{{- end -}}

{{- /* A text of CEL: the user name of one of our accounts. dict "root" $ "account" "operator" */ -}}
{{- define "slipway.user" -}}
'system:serviceaccount:{{ .root.Release.Namespace }}:slipway-{{ .account }}'
{{- end -}}

{{- /* A list of CEL: the annotations that make a decision (docs/specification.md, 4.28 to 4.32). */ -}}
{{- define "slipway.decisionAnnotations" -}}
['slipway.dev/action', 'slipway.dev/action-id', 'slipway.dev/status', 'slipway.dev/comment', 'slipway.dev/answer', 'slipway.dev/agent', 'slipway.dev/mode', 'slipway.dev/by']
{{- end -}}

{{- /* Maps of CEL: annotations after and before the request; before a create there are none. */ -}}
{{- define "slipway.annotations" -}}
dyn(object).metadata.?annotations.orValue({})
{{- end -}}
{{- define "slipway.oldAnnotations" -}}
(oldObject == null ? dyn({}) : dyn(oldObject)).?metadata.?annotations.orValue({})
{{- end -}}

{{- /* A truth value of CEL: who may remove the policies could do without them, so what they forbid is a repair by hand. */ -}}
{{- define "slipway.mayRemovePolicies" -}}
authorizer.group('admissionregistration.k8s.io').resource('validatingadmissionpolicybindings').name('{{ include "slipway.policyName" . }}').check('delete').allowed()
{{- end -}}
