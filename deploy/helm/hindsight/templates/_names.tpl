{{- /* Names and labels. `.role` is "single", "ingest", "project" or "api"; `.root` is the top-level context. */ -}}
{{- define "hindsight.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "hindsight.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "hindsight.labels" -}}
{{ include "hindsight.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- /* Roles of the process behind a Service: with one process, the same for both. */ -}}
{{- define "hindsight.roleOf" -}}
{{- if eq .root.Values.mode "single" }}single{{ else }}{{ .role }}{{ end -}}
{{- end -}}
