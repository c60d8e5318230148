import { UsageError } from '../faults.ts'

const percentage = /^([+-])(\d{1,4})(?:\.(\d{1,4}))?%$/

export const isPercentage = (text: string): boolean => percentage.test(text)

/**
 * An amount raised or lowered by a percentage such as `+10%`, rounded half up to the smallest unit of
 * its currency; in major units, as the API takes it.
 */
export function byPercentage(text: string, minor: number, exponent: number): string {
  const [, sign, whole = '', part = ''] = percentage.exec(text) ?? []
  const scale = 10n ** BigInt(part.length)
  const share = BigInt(whole + part) * (sign === '-' ? -1n : 1n)
  const hundred = 100n * scale
  const changed = (BigInt(minor) * (hundred + share) * 2n + hundred) / (2n * hundred)
  if (changed <= 0n) throw new UsageError(`${text} leaves nothing of it.`)
  return major(changed, exponent)
}

/** An amount in major units. */
export function major(minor: bigint, exponent: number): string {
  const digits = minor.toString().padStart(exponent + 1, '0')
  if (exponent === 0) return digits
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}
