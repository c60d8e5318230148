import type { Tone } from './words.ts'

export type Level = { tone: Tone; word: string }

/** How near a limit is, in a word. */
export function levelOf(used: number, limit: number): Level {
  if (used >= limit) return { tone: 'bad', word: 'Full' }
  if (used >= limit * nearShare) return { tone: 'warn', word: 'Nearly full' }
  return { tone: 'good', word: 'Room left' }
}

const nearShare = 0.8

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** `1.2 MB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** power)
}
