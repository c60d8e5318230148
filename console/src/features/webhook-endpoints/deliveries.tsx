import { useInfiniteQuery } from '@tanstack/react-query'
import { useScreenState } from '../../data/search.ts'
import { Page } from '../../ui/page.tsx'
import { DeliveryFilters, DeliveryList } from './delivery-list.tsx'
import { allDeliveries, useEndpoints } from './queries.ts'
import { Sections } from './sections.tsx'

/** Deliveries to all endpoints: what failed anywhere, or where one event went. */
export default function Deliveries() {
  const [search] = useScreenState()
  const endpoints = useEndpoints()
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]))
  const choices = endpoints.map(({ id, url }) => ({ value: id, name: url }))
  return (
    <Page title="Deliveries" about="What was sent to your webhook endpoints, and how it went.">
      <Sections />
      <DeliveryFilters more={[{ name: 'endpoint_id', label: 'Endpoint', choices }]} />
      <DeliveryList
        query={useInfiniteQuery(allDeliveries(search))}
        nameOfEndpoint={(id) => urls.get(id) ?? id}
      />
    </Page>
  )
}
