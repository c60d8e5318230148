import { type Client, flightdeck } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { History } from '../../ui/objects/history.tsx'
import { ClientStatus } from '../../ui/values/object-status.tsx'
import { Labels } from '../../ui/values/text.tsx'

export const ClientHistory = ({ client }: { client: Client }) => (
  <History
    kind="clients"
    object={client}
    resource={flightdeck.clients}
    blocked={useBlocked('revertClient')}
    reading={{
      show: (field, value) => {
        if (field === 'status') return <ClientStatus status={`${value}`} />
        if (field === 'labels' && Array.isArray(value)) return <Labels labels={value} />
        return undefined
      },
    }}
  />
)
