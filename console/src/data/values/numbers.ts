const formats = new Map<number, Intl.NumberFormat>()

/** A share of 1 as people write it: `0.29` → `29%`. */
export function formatPercent(share: number, digits = 0): string {
  let format = formats.get(digits)
  if (!format) {
    format = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: digits })
    formats.set(digits, format)
  }
  return format.format(share)
}

const whole = new Intl.NumberFormat()

/** `1,234`, in the notation of the browser's language. */
export const formatCount = (count: number): string => whole.format(count)
