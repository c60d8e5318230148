import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { Search } from '../address.ts'

export type { Search }

/** Plain `name=value` pairs; a name may repeat. */
export function parseSearch(text: string): Search {
  const byName = Map.groupBy(new URLSearchParams(text), ([name]) => name)
  return Object.fromEntries(
    [...byName].map(([name, pairs]) => {
      const [first = '', ...more] = pairs.map(([, value]) => value)
      return [name, more.length === 0 ? first : [first, ...more]]
    }),
  )
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

/** Changes a part of the state in the address. */
export function useSetSearch(): SetSearch {
  const navigate = useNavigate()
  return useCallback(
    (changes, { replace = true } = {}) => {
      void navigate({
        to: '.',
        search: (before: Search) => ({ ...before, ...changes }),
        replace,
        resetScroll: false,
      })
    },
    [navigate],
  )
}

/**
 * The state in the address, and how to change a part of it. The router draws a change later: until
 * then it is kept here, so that the control that made it shows it at once.
 */
export function useScreenState(): readonly [Search, SetSearch] {
  const inAddress: Search = useSearch({ strict: false })
  const setSearch = useSetSearch()
  const [ahead, setAhead] = useState({ of: inAddress, search: inAddress })
  const now = ({ of, search }: typeof ahead) => (of === inAddress ? search : inAddress)
  const set: SetSearch = (changes, options) => {
    setAhead((before) => ({ of: inAddress, search: asRead({ ...now(before), ...changes }) }))
    setSearch(changes, options)
  }
  return [now(ahead), set]
}

const asRead = (search: Search): Search => parseSearch(stringifySearch(search))

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
