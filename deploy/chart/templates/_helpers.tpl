{{- define "fairstream.labels" -}}
{app.kubernetes.io/name: fairstream{{ if ne .Release.Name "fairstream" }}, app.kubernetes.io/instance: {{ .Release.Name }}{{ end }}}
{{- end }}
{{- define "fairstream.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}
