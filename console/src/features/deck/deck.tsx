import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useOnlyClient } from '../../data/only-client.ts'
import { organizationQuery } from '../../data/organization.ts'
import type { Operation } from '../../rights.ts'
import { useMay } from '../../session.tsx'
import { Skeleton } from '../../ui/lists/skeleton.tsx'
import { ReadFailed } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Soft } from '../../ui/values/text.tsx'
import { limitsQuery } from '../organization/queries.ts'
import { sourcesQuery } from '../results/queries.ts'
import { LatestChanges } from './latest-changes.tsx'
import { NeedList } from './need-list.tsx'
import {
  approvalNeeds,
  blockedAccountNeeds,
  changeSetNeeds,
  deploymentNeeds,
  endingNeeds,
  endpointNeeds,
  idleNeeds,
  limitNeeds,
  type Need,
  organizationNeeds,
  proxyNeeds,
  silentNeeds,
  stoppedNeeds,
} from './needs.ts'
import { WorstPacing } from './pacing.tsx'
import {
  blockedAccountsQuery,
  changeSetsQuery,
  deploymentsQuery,
  endingQuery,
  endpointsQuery,
  idleQuery,
  proxiesQuery,
  stoppedQuery,
  waitingQuery,
} from './queries.ts'
import { ThisMonth } from './this-month.tsx'

/** The start: what needs a person now, and what has just been changed. */
export default function Deck() {
  const mayReadPacing = useMay('listPacing')
  const mayReadResults = useMay('listResults')
  return (
    <Page title="Deck" about="What needs you now, and what has just been changed.">
      <Needs />
      {mayReadPacing && <WorstPacing />}
      {mayReadResults && <ThisMonth />}
      <LatestChanges />
    </Page>
  )
}

function Needs() {
  const only = useOnlyClient()
  const answers = [
    useNeeds('getOrganization', organizationQuery, organizationNeeds),
    useNeeds('listCampaigns', waitingQuery(only), approvalNeeds),
    useNeeds('listChangeSets', changeSetsQuery, changeSetNeeds),
    useNeeds('listCampaigns', idleQuery(only), idleNeeds),
    useNeeds('listCampaigns', stoppedQuery(only), stoppedNeeds),
    useNeeds('listDeployments', deploymentsQuery(only), deploymentNeeds),
    useNeeds('getProfileConnection', blockedAccountsQuery(only), blockedAccountNeeds),
    useNeeds('getProfileConnection', endingQuery(only), endingNeeds),
    useNeeds('listProxies', proxiesQuery, proxyNeeds),
    useNeeds('listWebhookEndpoints', endpointsQuery, endpointNeeds),
    useNeeds('listResultSources', sourcesQuery, silentNeeds),
    useNeeds('getLimits', limitsQuery, limitNeeds),
  ]
  const needs = answers.flatMap(({ data = [] }) => data)
  const failed = answers.find(({ error }) => error)
  const isPending = answers.some(({ isLoading }) => isLoading)
  return (
    <Section title="Needs you">
      {failed?.error && (
        <ReadFailed
          error={failed.error}
          retry={() => answers.forEach((each) => void each.refetch())}
        />
      )}
      {needs.length > 0 && <NeedList needs={needs} />}
      {isPending && <Skeleton rows={3} />}
      {!isPending && !failed && needs.length === 0 && (
        <p>
          Nothing needs you now. <Soft>What waits for you or fails appears here by itself.</Soft>
        </p>
      )}
    </Section>
  )
}

/** The needs in an answer; none if the role may not ask. */
function useNeeds<Data, Key extends QueryKey>(
  operation: Operation,
  query: UseQueryOptions<Data, Error, Data, Key>,
  needsOf: (data: Data) => Need[],
) {
  const enabled = useMay(operation)
  return useQuery({ ...query, enabled, select: needsOf })
}
