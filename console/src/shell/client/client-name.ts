import { useQuery } from '@tanstack/react-query'
import { objectKey } from '../../data/keys.ts'
import { flightdeck } from '../../flightdeck.ts'

/** The name of a client; its id where there is none to read. */
export function useClientName(id: string | undefined): string {
  const { data, isPending } = useQuery({
    queryKey: objectKey('clients', id ?? ''),
    queryFn: async () => flightdeck.clients.get(id ?? ''),
    enabled: id !== undefined,
  })
  return data?.name ?? (isPending ? '…' : `${id}`)
}
