/** OpenTelemetry variables that the library does not read itself. */
export type TraceSettings = { readonly sampler: string; readonly samplerArgument: string }

type Environment = Readonly<Record<string, string | undefined>>

const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']

/** Null unless the environment configures an exporter endpoint. */
export function traceSettings(env: Environment): TraceSettings | null {
  const hasEndpoint = endpoints.some((name) => env[name]?.trim())
  const isOff = env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none'
  if (!hasEndpoint || isOff) return null
  return {
    sampler: env.OTEL_TRACES_SAMPLER?.trim() || 'parentbased_always_on',
    samplerArgument: env.OTEL_TRACES_SAMPLER_ARG?.trim() || '1',
  }
}
