import type { Services } from '../../kernel/context.ts'

const minuteMs = 60_000

/** When the service checks a proxy by itself: spread, so that proxies made together part company. */
const between = ({ clock }: Services, [least, most]: [number, number]): string => {
  const minutes = least + Math.random() * (most - least)
  return new Date(clock.now().getTime() + minutes * minuteMs).toISOString()
}

/** Of a proxy that is new, or has moved: whoever made it may still be at it. */
export const firstCheckAt = (services: Services): string => between(services, [1, 2])

export const nextCheckAt = (services: Services): string => between(services, [9, 11])
