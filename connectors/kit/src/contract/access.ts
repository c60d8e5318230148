import type { Schema } from '@flightdeckhq/sdk'

/** The way of an adapter to its account: address, credential, proxy, deadline and redaction are in it. */
export type Access = {
  readonly accountRef: string
  readonly profile: Schema<'ConnectorProfile'>
  /** Lost answers of writes are thrown as `unknown_outcome`, of reads as `transient`. */
  fetch(path: string, options?: FetchOptions): Promise<NetworkAnswer>
  /** Takes the credential out of a text. */
  redact(text: string): string
}

export type FetchOptions = {
  method?: string
  /** Sent as JSON; `URLSearchParams` as a form. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** Marks a request other than GET that changes nothing. */
  isRead?: boolean
  /** Goes without the account's credential, as when a token is asked for. */
  isOpen?: boolean
}

export type NetworkAnswer = {
  status: number
  header(name: string): string | null
  /** Throws the fault of an answer that is none where it is not JSON. */
  json(): unknown
  text: string
}

export type Authorization = {
  headers: Readonly<Record<string, string>>
  /** Real time; null: until they are refused. */
  expiresAt: number | null
  /** Parts of the credential that texts must not have, beside it and the headers. */
  secrets?: readonly string[]
}
