import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import {
  type OnlyClient,
  rememberClient,
  rememberedClient,
  useOnlyClient,
} from '../../data/only-client.ts'
import { useSetSearch } from '../../data/search.ts'
import { useSession } from '../../session.tsx'

/**
 * The client that screens are narrowed to. Who comes to the start without one goes on with that of
 * the last visit; any other address says itself what it shows.
 */
export function useKeptClient(): OnlyClient {
  const { organization } = useSession()
  const only = useOnlyClient()
  const setSearch = useSetSearch()
  const isStart = useRouterState({ select: ({ location }) => location.pathname === '/' })
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another client changes it.
  useEffect(() => {
    const kept = isFirst.current && isStart && !only.client_id && rememberedClient(organization.id)
    isFirst.current = false
    if (kept) setSearch({ client_id: kept })
    else rememberClient(organization.id, only.client_id)
  }, [only.client_id])
  return only
}
