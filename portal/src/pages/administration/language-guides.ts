/** Steps to instrument an application. The commands are the same as in docs/getting-started.md, which notes which of them have been tested. */
export interface LanguageGuide {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly { readonly text: string; readonly code: string }[];
}

export const LANGUAGE_GUIDES: readonly LanguageGuide[] = [
  {
    id: 'node',
    title: 'Node.js',
    steps: [
      {
        text: 'No code changes required. Install:',
        code: `npm install @opentelemetry/api @opentelemetry/auto-instrumentations-node`,
      },
      {
        text: 'Then start the application:',
        code: `node --require @opentelemetry/auto-instrumentations-node/register app.js`,
      },
    ],
  },
  {
    id: 'python',
    title: 'Python',
    steps: [
      {
        text: 'No code changes required. Install; the second command adds instrumentation for the installed packages:',
        code: `pip install opentelemetry-distro opentelemetry-exporter-otlp
opentelemetry-bootstrap -a install`,
      },
      {
        text: 'Then start the application, for example with Flask:',
        code: `OTEL_PYTHON_LOGGING_AUTO_INSTRUMENTATION_ENABLED=true opentelemetry-instrument flask --app app run`,
      },
    ],
  },
  {
    id: 'java',
    title: 'Java',
    steps: [
      {
        text: 'No code changes required. Start the application with the agent (opentelemetry-javaagent.jar from Maven Central):',
        code: `java -javaagent:opentelemetry-javaagent.jar -jar checkout.jar`,
      },
    ],
  },
  {
    id: 'go',
    title: 'Go',
    steps: [
      {
        text: 'Go has no agent. The SDK reads the same variables through autoexport:',
        code: `package main

import (
	"context"
	"log"
	"net/http"

	"go.opentelemetry.io/contrib/exporters/autoexport"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"
)

func main() {
	ctx := context.Background()
	spans, err := autoexport.NewSpanExporter(ctx)
	if err != nil {
		log.Fatal(err)
	}
	traces := trace.NewTracerProvider(trace.WithBatcher(spans))
	defer traces.Shutdown(ctx)
	otel.SetTracerProvider(traces)

	reader, err := autoexport.NewMetricReader(ctx)
	if err != nil {
		log.Fatal(err)
	}
	metrics := metric.NewMeterProvider(metric.WithReader(reader))
	defer metrics.Shutdown(ctx)
	otel.SetMeterProvider(metrics)

	pay := func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("paid\\n")) }
	log.Fatal(http.ListenAndServe("127.0.0.1:8001", otelhttp.NewHandler(http.HandlerFunc(pay), "POST /pay")))
}`,
      },
      {
        text: 'Then download the dependencies and start it:',
        code: `go mod tidy
go run .`,
      },
    ],
  },
  {
    id: 'dotnet',
    title: '.NET',
    steps: [
      {
        text: 'Add the packages:',
        code: `dotnet add package OpenTelemetry.Extensions.Hosting
dotnet add package OpenTelemetry.Instrumentation.AspNetCore
dotnet add package OpenTelemetry.Instrumentation.Http
dotnet add package OpenTelemetry.Exporter.OpenTelemetryProtocol`,
      },
      {
        text: 'In Program.cs, add the using lines at the top and the rest before builder.Build():',
        code: `using OpenTelemetry.Logs;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

builder.Services.AddOpenTelemetry()
    .WithTracing(tracing => tracing.AddAspNetCoreInstrumentation().AddHttpClientInstrumentation().AddOtlpExporter())
    .WithMetrics(metrics => metrics.AddAspNetCoreInstrumentation().AddOtlpExporter())
    .WithLogging(logging => logging.AddOtlpExporter());`,
      },
    ],
  },
  {
    id: 'collector',
    title: 'Collector',
    steps: [
      {
        text: 'Add this exporter to your configuration, and set HINDSIGHT_API_KEY to the key:',
        code: `exporters:
  otlphttp/hindsight:
    endpoint: <endpoint>
    headers: { api-key: "\${env:HINDSIGHT_API_KEY}" }
    compression: zstd
    retry_on_failure: { enabled: true }
    sending_queue: { enabled: true }
service:
  pipelines:
    traces: { receivers: [otlp], processors: [batch], exporters: [otlphttp/hindsight] }
    metrics: { receivers: [otlp], processors: [batch], exporters: [otlphttp/hindsight] }
    logs: { receivers: [otlp], processors: [batch], exporters: [otlphttp/hindsight] }`,
      },
    ],
  },
];
