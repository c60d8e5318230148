/** The shapes of JSON columns of notifications. */
import type { Actor } from '../../values/organization.ts'

/** An event in words: plain text, of which each way to people escapes what it must. */
export type Notice = {
  title: string
  object: { type: string; id: string; name: string | null }
  actor: Actor
  changes: TextChange[]
  /** The money that it is about. */
  sum: string | null
  reason: string | null
  /** In the console. */
  path: string | null
}

type TextChange = { name: string; before: string; after: string }

/** The events that reach a channel: all members that are given must hold. */
export type ChannelFilter = {
  client_id?: string
  profile_id?: string
  label?: string
  platform?: string
}
