{{- /* The pod of a role: `.role`, `.resources`, `.root`. Only /data and /tmp are written to. */ -}}
{{- define "hindsight.pod" -}}
{{- $values := .root.Values -}}
metadata:
  labels:
    {{- include "hindsight.selector" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
    {{- with $values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    # Changed settings replace the pods.
    checksum/settings: {{ include (print .root.Template.BasePath "/settings.yaml") .root | sha256sum }}
    {{- with $values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "hindsight.name" .root }}
  automountServiceAccountToken: false
  # Requests have 10 s to finish after the Service has stopped sending new ones (5 s), then the stores close.
  terminationGracePeriodSeconds: 45
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- with $values.image.pullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  containers:
    - name: hindsight
      image: "{{ $values.image.repository }}:{{ $values.image.tag | default .root.Chart.AppVersion }}"
      imagePullPolicy: {{ $values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      envFrom:
        - configMapRef:
            name: {{ include "hindsight.name" .root }}
        {{- with $values.secretName }}
        - secretRef:
            name: {{ . }}
        {{- end }}
      env:
        # A folder that the process creates: the root of a volume belongs to root, whatever fsGroup is, and cannot be made private.
        - name: DATA_DIR
          value: /data/hindsight
        {{- if ne .role "single" }}
        - name: ROLES
          value: {{ .role }}
        {{- end }}
      ports:
        - name: http
          containerPort: 8080
        {{- if has .role (list "single" "ingest") }}
        - name: otlp-grpc
          containerPort: 4317
        - name: otlp-http
          containerPort: 4318
        {{- end }}
      # The first start of a new build may migrate read models; /live answers meanwhile.
      startupProbe:
        httpGet: { path: /live, port: http }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /live, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
      readinessProbe:
        httpGet: { path: /ready, port: http }
        periodSeconds: 5
        timeoutSeconds: {{ $values.readinessTimeoutSeconds }}
      lifecycle:
        preStop:
          exec:
            command: [node, -e, 'setTimeout(() => undefined, 5000)']
      resources:
        {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
        {{- if $values.tls.secretName }}
        - name: tls
          mountPath: /tls
          readOnly: true
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if ne .role "single" }}
    # Of this pod alone: its lock, the operator's socket. What counts is in the engines.
    - name: data
      emptyDir: {}
    {{- end }}
    {{- with $values.tls.secretName }}
    - name: tls
      secret:
        secretName: {{ . }}
    {{- end }}
  {{- if ne .role "single" }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "hindsight.selector" .root | nindent 10 }}
          app.kubernetes.io/component: {{ .role }}
  {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
