/** An object of the API, or its id. A write sends the version of an object as `If-Match`. */
export type Target = string | { readonly id: string; readonly version?: number }

export type CallOptions = {
  /** Ends the request, and the wait before a retry. */
  signal?: AbortSignal | undefined
  /** Milliseconds that one attempt may take. */
  timeoutMs?: number | undefined
  /** How often a transient failure is retried. */
  retries?: number | undefined
  /** Further headers. */
  headers?: Readonly<Record<string, string>> | undefined
}

export type WriteOptions = CallOptions & {
  /** Replaces the generated `Idempotency-Key`. */
  idempotencyKey?: string | undefined
  /** The version to change, instead of the target's own; null for whichever it has now. */
  ifMatch?: number | null | undefined
  /** For the audit log: `X-Audit-Reason`. */
  reason?: string | undefined
  /** The reason for exceeding a guardrail: `X-Override-Reason`. */
  overrideReason?: string | undefined
}
