import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import * as api from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TraceSettings } from '../config/trace-settings.ts'
import { version } from '../version.ts'
import type { Attributes, Span, Tracing } from './tracing.ts'

/** On shutdown, how long to wait for a collector that hangs. */
const closeWithinMs = 3_000

/** Tracing by OpenTelemetry's library, without its global state or module patching. */
export function startOpenTelemetry(settings: TraceSettings): Tracing {
  const provider = new TracerProvider({
    resource: resource(),
    sampler: samplerOf(settings),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const tracer = provider.getTracer('flightdeck', version)
  const current = new AsyncLocalStorage<api.Context>()
  const propagator = new W3CTraceContextPropagator()

  function begin(name: string, kind: api.SpanKind, parent: api.Context): Span {
    const span = tracer.startSpan(name, { kind }, parent)
    const inside = api.trace.setSpan(parent, span)
    return {
      set: (attributes: Attributes) => void span.setAttributes(attributes),
      fail: () => void span.setStatus({ code: api.SpanStatusCode.ERROR }),
      end: () => span.end(),
      enter: (work) => current.run(inside, work),
    }
  }

  return {
    ofRequest: (name, headers) => {
      const parent = propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter)
      return begin(name, api.SpanKind.SERVER, parent)
    },
    ofCall: (name, work) => {
      const parent = current.getStore() ?? api.ROOT_CONTEXT
      return run(begin(name, api.SpanKind.CLIENT, parent), work)
    },
    step: (name, work) => {
      const parent = current.getStore()
      return parent ? run(begin(name, api.SpanKind.CLIENT, parent), work) : work(notExported)
    },
    close: async () => {
      const flushed = provider.shutdown().catch(() => {})
      await Promise.race([flushed, sleep(closeWithinMs, undefined, { ref: false })])
    },
  }
}

async function run<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await span.enter(() => work(span))
  } catch (error) {
    span.fail()
    throw error
  } finally {
    span.end()
  }
}

const notExported: Span = { set() {}, fail() {}, end() {}, enter: (work) => work() }

/** OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME override our defaults. */
const resource = () =>
  defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'flightdeck', 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }))

function samplerOf({ sampler, samplerArgument }: TraceSettings): Sampler {
  const ratio = () => new TraceIdRatioBasedSampler(Number(samplerArgument))
  const isParentBased = sampler.startsWith('parentbased_')
  const root = rootSampler(sampler.replace('parentbased_', ''), ratio)
  return isParentBased ? new ParentBasedSampler({ root }) : root
}

function rootSampler(name: string, ratio: () => Sampler): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler()
  return name === 'traceidratio' ? ratio() : new AlwaysOnSampler()
}
