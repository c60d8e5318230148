/** The plans of organizations; each has its own request limit. */
export const plans = ['free', 'operator', 'captain', 'zion'] as const
export type Plan = (typeof plans)[number]
