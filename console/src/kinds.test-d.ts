import type { FlightdeckEvent } from '@flightdeckhq/sdk'
import type { kinds } from './kinds.ts'

type Subject = FlightdeckEvent['type'] extends infer Type
  ? Type extends `${infer Of}.${string}`
    ? Of
    : never
  : never
type Followed = Extract<(typeof kinds)[keyof typeof kinds], { live: 'whole' | 'part' }>['type']

/** The compiler checks that what events are about is followed: else screens would not show it. */
export const followed = (subject: Subject): Followed => subject
