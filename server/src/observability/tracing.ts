export type Attributes = Readonly<Record<string, string | number | boolean>>

/** An OpenTelemetry span. */
export type Span = {
  set(attributes: Attributes): void
  fail(): void
  end(): void
  /** Runs the work with this span as the parent of its spans. */
  enter<T>(work: () => T): T
}

/** Null in `Services` when tracing is off: nothing is loaded or measured. */
export type Tracing = {
  /** The span of a request; its parent is the client's span if the headers name one. */
  ofRequest(name: string, headers: Readonly<Record<string, unknown>>): Span
  /** The span of a call to another service, with the current span as its parent. */
  ofCall<T>(name: string, work: (span: Span) => Promise<T>): Promise<T>
  /** As `ofCall`, but only inside another span. */
  step<T>(name: string, work: (span: Span) => Promise<T>): Promise<T>
  /** Resolves when all spans are exported, or after a timeout. */
  close(): Promise<void>
}
