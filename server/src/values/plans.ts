/** What an organization can be on; each has its limit of requests. */
export const plans = ['free', 'operator', 'captain', 'zion'] as const
export type Plan = (typeof plans)[number]
