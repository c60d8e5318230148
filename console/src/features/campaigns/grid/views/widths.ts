import { one, type Search } from '../../../../data/search.ts'

export type Widths = Readonly<Record<string, number>>

export const narrowest = 64
export const widest = 800

/** `name:320,labels:90` */
export function widthsOf(search: Search): Widths {
  const pairs = (one(search.widths) ?? '').split(',')
  return Object.fromEntries(
    pairs.flatMap((pair) => {
      const [, id, width] = /^(\w{1,40}):(\d{1,4})$/.exec(pair) ?? []
      return id === undefined ? [] : [[id, inBounds(Number(width))]]
    }),
  )
}

type Size = { id: string; width: number; isOwn: boolean }

/** How far columns of text go where there is room. */
const widestOf: Readonly<Record<string, number>> = {
  name: 520,
  profile: 320,
  client: 280,
  labels: 320,
}

/** Widths of the columns before those that people choose. */
const fixedWidths = [36, 40]

const sum = (one: number, other: number) => one + other

export type Layout = { '--tracks': string; '--least': string }

/** Tracks of the grid; columns of text share what is left, unless they were sized. */
export function layoutOf(sizes: readonly Size[]): Layout {
  const tracks = sizes.map(({ id, width, isOwn }) => {
    const most = isOwn ? width : (widestOf[id] ?? width)
    return most > width ? `minmax(${width}px, ${most}px)` : `${width}px`
  })
  const least = [...fixedWidths, ...sizes.map(({ width }) => width)].reduce(sum)
  return {
    '--tracks': [...fixedWidths.map((width) => `${width}px`), ...tracks].join(' '),
    '--least': `${least}px`,
  }
}

export const inBounds = (width: number): number =>
  Math.min(widest, Math.max(narrowest, Math.round(width)))

export const widthsText = (widths: Widths): string | undefined =>
  Object.entries(widths)
    .map(([id, width]) => `${id}:${width}`)
    .join(',') || undefined
