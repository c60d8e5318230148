export type Attributes = Readonly<Record<string, string | number | boolean>>

/** One step of what is done, with its times, for whoever collects such. */
export type Span = {
  set(attributes: Attributes): void
  fail(): void
  end(): void
  /** Runs the work so that its spans are inside this one. */
  enter<T>(work: () => T): T
}

/** Null in `Services` where nobody collects spans: then nothing is loaded for them, or measured. */
export type Tracing = {
  /** The span of a request, inside that of its client where the headers name one. */
  ofRequest(name: string, headers: Readonly<Record<string, unknown>>): Span
  /** Of a call to another service, inside the present span. */
  ofCall<T>(name: string, work: (span: Span) => Promise<T>): Promise<T>
  /** The same for what is told inside another span only. */
  step<T>(name: string, work: (span: Span) => Promise<T>): Promise<T>
  /** Once everything has been handed over, or cannot be. */
  close(): Promise<void>
}
