import { one, useScreenState } from './search.ts'

/** The one client that all screens are narrowed to, as lists take it; empty for all. */
export type OnlyClient = { client_id?: string }

/** The client in the address, where it stays from screen to screen until it is left. */
export function useOnlyClient(): OnlyClient {
  const [search] = useScreenState()
  const id = one(search.client_id)
  return id === undefined ? {} : { client_id: id }
}

const keyOf = (organizationId: string) => `flightdeck client ${organizationId}`

/** The client of the last visit, in this browser. */
export const rememberedClient = (organizationId: string): string | null =>
  localStorage.getItem(keyOf(organizationId))

export function rememberClient(organizationId: string, id: string | undefined): void {
  if (id === undefined) localStorage.removeItem(keyOf(organizationId))
  else localStorage.setItem(keyOf(organizationId), id)
}
