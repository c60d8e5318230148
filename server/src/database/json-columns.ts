/** What the JSON columns hold; the generated row types name these. */
import type { Actor, RequestFacts } from '../values/organization.ts'

export type Metadata = Record<string, string>

export type { Actor, RequestFacts }

export type Resource = { type: string; id: string | null; name: string | null }

export type Changes = { field: string; before: unknown; after: unknown }[]

/** Wall-clock windows in the campaign's time zone. */
export type Schedule = readonly {
  readonly day: 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'
  readonly start: string
  readonly end: string
}[]

export type LastCheck = {
  at: string
  ok: boolean
  latency_ms: number | null
  egress_ip: string | null
  error: string | null
}
