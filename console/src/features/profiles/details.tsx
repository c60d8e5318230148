import { useQuery } from '@tanstack/react-query'
import { nameOf } from '../../data/choices.ts'
import { countryName } from '../../data/values/countries.ts'
import type { Profile } from '../../flightdeck.ts'
import { useMay } from '../../session.tsx'
import { Card, Facts } from '../../ui/page.tsx'
import { ObjectLink } from '../../ui/values/object-link.tsx'
import { Copy, Labels } from '../../ui/values/text.tsx'
import { By } from '../../ui/values/time.tsx'
import { proxyQuery } from '../proxies/queries.ts'
import { Cap } from './cap.tsx'

export function Details({ profile }: { profile: Profile }) {
  const { currency } = profile
  return (
    <>
      <Card>
        <Facts
          facts={[
            ['Platform', nameOf(profile.platform)],
            [
              'Client',
              profile.client_id && (
                <ObjectLink key="client" type="client" id={profile.client_id}>
                  {profile.client}
                </ObjectLink>
              ),
            ],
            ['Account', profile.account_ref],
            ['Currency', currency ?? 'Any'],
            [
              'Daily cap',
              <Cap key="daily" minor={profile.daily_budget_cap_minor} currency={currency} />,
            ],
            [
              'Monthly cap',
              <Cap key="monthly" minor={profile.monthly_spend_cap_minor} currency={currency} />,
            ],
            ['Time zone', profile.time_zone],
            ['Country', profile.country && countryName(profile.country)],
            ['Proxy', profile.proxy_id && <ProxyName key="proxy" id={profile.proxy_id} />],
            ['Campaigns', profile.campaign_counts.total],
            ['Labels', <Labels key="labels" labels={profile.labels} />],
            ['Credential reference', profile.credential_ref],
          ]}
        />
      </Card>
      <Card>
        <Facts
          facts={[
            ...Object.entries(profile.metadata).map(([key, value]) => [key, value] as const),
            ['External id', profile.external_id],
            ['Id', <Copy key="id" text={profile.id} />],
            ['Created', <By key="by" time={profile.created_at} name={profile.created_by_name} />],
            ['Changed', <By key="by" time={profile.updated_at} name={profile.updated_by_name} />],
            ['Notes', profile.notes && <p key="notes">{profile.notes}</p>],
          ]}
        />
      </Card>
    </>
  )
}

/** The name of a proxy, for roles that may read it. */
export function ProxyName({ id }: { id: string }) {
  const may = useMay('getProxy')
  const { data } = useQuery({ ...proxyQuery(id), enabled: may })
  return (
    <ObjectLink type="proxy" id={id}>
      {data?.name ?? id}
    </ObjectLink>
  )
}
