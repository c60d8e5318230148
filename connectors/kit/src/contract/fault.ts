import type { Schema } from '@flightdeckhq/sdk'

type ErrorCode = Schema<'DeploymentErrorInput'>['code']

export type FieldFault = { pointer: string; message: string }

export type NetworkSays = {
  code?: string | null
  subcode?: string | null
  request_id?: string | null
}

type More = {
  /** The code that the service knows it by, where the kind does not say it. */
  code?: ErrorCode
  errors?: readonly FieldFault[]
  network?: NetworkSays
  retryAfterSeconds?: number
}

/**
 * transient: may succeed later. conflict: another changed it; read again. rate_limited: the
 * account waits. credential: it does not work. blocked: a person must act. invalid: the network
 * refuses these values. unknown_outcome: a write whose answer was lost.
 */
export type FaultKind =
  | 'transient'
  | 'conflict'
  | 'rate_limited'
  | 'credential'
  | 'blocked'
  | 'invalid'
  | 'unknown_outcome'

const codes: Readonly<Record<FaultKind, ErrorCode>> = {
  transient: 'transient',
  conflict: 'transient',
  rate_limited: 'rate_limited',
  credential: 'credential',
  blocked: 'invalid',
  invalid: 'invalid',
  unknown_outcome: 'unknown_outcome',
}

/** A fault of the network, as adapters throw it. */
export class NetworkFault extends Error {
  override readonly name = 'NetworkFault'
  readonly kind: FaultKind
  readonly code: ErrorCode
  readonly errors: readonly FieldFault[]
  readonly network: NetworkSays | null
  readonly retryAfterSeconds: number | null

  constructor(kind: FaultKind, message: string, more: More = {}) {
    super(message)
    this.kind = kind
    this.code = more.code ?? codes[kind]
    this.errors = more.errors ?? []
    this.network = more.network ?? null
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
  }
}
