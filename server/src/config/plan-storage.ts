import { hasKey, recordOf } from '../values/objects.ts'
import { type Plan, plans } from '../values/plans.ts'

/** The most bytes that an organization may store, by plan; null where there is no end. */
export type PlanStorage = Readonly<Record<Plan, number | null>>

export const defaultPlanStorage = 'free=200MB,operator=2GB,captain=20GB,zion=none'

/** Pairs such as `free=200MB`; a plan that is not among them keeps its default. */
export function readPlanStorage(text: string): PlanStorage {
  const sizes = new Map([...sizesIn(defaultPlanStorage), ...sizesIn(text)])
  return Object.freeze(recordOf(plans, (plan) => sizes.get(plan) ?? null))
}

const sizesIn = (text: string): [string, number | null][] =>
  text
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => {
      const [plan = '', size = ''] = pair.split('=').map((side) => side.trim())
      if (!plans.some((known) => known === plan)) {
        throw new Error(`must be one of ${plans.join(', ')}`)
      }
      return [plan, bytesIn(size)]
    })

const units = { '': 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }
const maxBytes = 1e15

function bytesIn(size: string): number | null {
  if (size === 'none') return null
  const [, digits = '', unit = ''] = /^(\d{1,16})([kMGT]B)?$/.exec(size) ?? []
  const bytes = hasKey(units, unit) ? Number(digits) * units[unit] : 0
  if (bytes < 1 || bytes > maxBytes) {
    throw new Error('must be none, or a size such as 500000, 200MB or 2GB, up to 1000TB')
  }
  return bytes
}
