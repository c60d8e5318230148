import type { Transport } from './transport.ts'

export type Wire = { baseUrl: string; transport: Transport }

export type Query = Readonly<Record<string, unknown>>

/** Parameters that are null or undefined are left out; a list sends one several times. */
export function searchOf(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    valuesOf(value).flatMap((each) => (each == null ? [] : [[name, String(each)]])),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Sent once, a value with commas is a list; sent twice, it is taken whole. */
function valuesOf(value: unknown): unknown[] {
  const values = [value].flat()
  const isOneWithCommas =
    Array.isArray(value) && values.length === 1 && `${values[0]}`.includes(',')
  return isOneWithCommas ? [...values, ...values] : values
}
