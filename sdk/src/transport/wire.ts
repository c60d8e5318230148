import type { Transport } from './transport.ts'

export type Wire = { baseUrl: string; transport: Transport }

export type Query = Readonly<Record<string, unknown>>

/** Parameters that are null or undefined are left out; a list sends one several times. */
export function searchOf(query: Query, isFilter: IsFilter = Array.isArray): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    valuesOf(value, isFilter(value, name)).flatMap((each) =>
      each == null ? [] : [[name, String(each)]],
    ),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Whether the parameter takes several values. */
type IsFilter = (value: unknown, name: string) => boolean

/** Sent once, a value with commas would be a list; sent twice, it is taken whole. */
function valuesOf(value: unknown, isFilter: boolean): unknown[] {
  const values = [value].flat()
  const [first] = values
  const isOneWithCommas = isFilter && values.length === 1 && String(first).includes(',')
  return isOneWithCommas ? [first, first] : values
}
