import type { Body } from '@flightdeckhq/sdk'
import { bodyOf } from '../../ui/forms/body.ts'
import type { Channel } from './queries.ts'

export type Filter = NonNullable<Channel['filter']>

export const valuesOf = (channel?: Channel) => ({
  kind: channel?.kind ?? 'slack',
  name: channel?.name ?? '',
  // No answer shows it: null keeps the one that is stored.
  target: null as string | null,
  events: channel?.events ?? [],
  digest: channel?.digest ?? 'none',
  filter: channel?.filter ?? null,
})

export type ChannelValues = ReturnType<typeof valuesOf>

export const labels = { digest: 'Messages' }

export const bodyOfNew = (values: Partial<ChannelValues>): Body<'createNotificationChannel'> =>
  bodyOf({ ...values, target: values.target ?? '' })

/** The filter replaces the one before as a whole. */
export const changesOf = ({
  kind: _,
  ...changes
}: Partial<ChannelValues>): Body<'updateNotificationChannel'> => bodyOf(changes)
