import type { Services } from '../../kernel/context.ts'

const minuteMs = 60_000

/**
 * When the service checks a proxy next; randomized, so that proxies created together do not stay in
 * step.
 */
const between = ({ clock }: Services, [least, most]: [number, number]): string => {
  const minutes = least + Math.random() * (most - least)
  return new Date(clock.now().getTime() + minutes * minuteMs).toISOString()
}

/** For a new or moved proxy: delayed, as its configuration may still be in progress. */
export const firstCheckAt = (services: Services): string => between(services, [1, 2])

export const nextCheckAt = (services: Services): string => between(services, [9, 11])
