{{- define "fairstream.labels" -}}
{app.kubernetes.io/name: fairstream, app.kubernetes.io/instance: {{ .Release.Name }}}
{{- end }}
{{- define "fairstream.port" -}}
{{ if eq .Values.command "serve" }}8470{{ else }}8468{{ end }}
{{- end }}
{{- define "fairstream.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}
