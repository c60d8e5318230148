import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Search } from '../address.ts'

export type { Search }

/** Plain `name=value` pairs; a name may repeat. */
export function parseSearch(text: string): Search {
  const search: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const before = search[name]
    search[name] = before === undefined ? value : [before, value].flat()
  }
  return search
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const each of [value].flat()) {
      if (each !== undefined && each !== null && each !== '') params.append(name, `${each}`)
    }
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

export type SetSearch = (changes: Search, options?: { replace?: boolean }) => void

/** The state in the address, and how to change a part of it. */
export function useScreenState(): readonly [Search, SetSearch] {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const set: SetSearch = (changes, { replace = true } = {}) => {
    void navigate({
      to: '.',
      search: (before: Search) => ({ ...before, ...changes }),
      replace,
      resetScroll: false,
    })
  }
  return [search, set]
}

/** One value of a name that may repeat. */
export const one = (value: Search[string]): string | undefined =>
  typeof value === 'string' ? value : value?.[0]

export const many = (value: Search[string]): readonly string[] =>
  value === undefined ? [] : [value].flat()

/** The members of the search that a list of the API takes. */
export const queryOf = (
  search: Search,
  names: readonly string[],
): Record<string, string | string[]> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name]
      return value === undefined || value.length === 0 ? [] : [[name, [...[value].flat()]]]
    }),
  )
