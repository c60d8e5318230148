import { useQuery } from '@tanstack/react-query'
import { nameOf } from '../../data/choices.ts'
import { objectKey } from '../../data/keys.ts'
import { flightdeck } from '../../flightdeck.ts'
import { Card, Facts } from '../../ui/page.tsx'
import { ObjectLink } from '../../ui/values/object-link.tsx'
import { Copy, Labels } from '../../ui/values/text.tsx'
import { Age, Time } from '../../ui/values/time.tsx'
import type { Channel } from './queries.ts'
import { nameOfDigest, nameOfKind } from './words.ts'

export const Details = ({ channel }: { channel: Channel }) => (
  <Card>
    <Facts
      facts={[
        ['Kind', nameOfKind(channel.kind)],
        ['Target', channel.target],
        ['Messages', nameOfDigest(channel.digest)],
        [
          'Events',
          channel.events.includes('*') ? 'All' : <Labels key="events" labels={channel.events} />,
        ],
        ...filterFacts(channel.filter),
        ['Last success', <Age key="success" time={channel.last_success_at} />],
        ['Last failure', <Age key="failure" time={channel.last_failure_at} />],
        ['Last error', channel.last_error],
        ['Created', <Time key="created" time={channel.created_at} />],
        ['Changed', <Time key="changed" time={channel.updated_at} />],
        ['Id', <Copy key="id" text={channel.id} />],
      ]}
    />
  </Card>
)

function filterFacts(filter: Channel['filter']) {
  const { client_id, profile_id, label, platform } = filter ?? {}
  return [
    ...(client_id
      ? [['Only of the client', <ClientName key="client" id={client_id} />] as const]
      : []),
    ...(profile_id
      ? [['Only of the profile', <ProfileName key="profile" id={profile_id} />] as const]
      : []),
    ...(label ? [['Only with the label', label] as const] : []),
    ...(platform ? [['Only of the platform', nameOf(platform)] as const] : []),
  ]
}

function ClientName({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: objectKey('clients', id),
    queryFn: async () => flightdeck.clients.get(id),
  })
  return (
    <ObjectLink type="client" id={id}>
      {data?.name ?? id}
    </ObjectLink>
  )
}

function ProfileName({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: objectKey('profiles', id),
    queryFn: async () => flightdeck.profiles.get(id),
  })
  return (
    <ObjectLink type="profile" id={id}>
      {data?.name ?? id}
    </ObjectLink>
  )
}
