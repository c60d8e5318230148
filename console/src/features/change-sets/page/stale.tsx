import { useQuery } from '@tanstack/react-query'
import type { Schema } from '../../../flightdeck.ts'
import { Table } from '../../../ui/lists/table.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ObjectLink } from '../../../ui/values/object-link.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import { Age } from '../../../ui/values/time.tsx'
import { campaignFacts } from '../queries.ts'

type Stale = Schema<'StaleOperation'>

/** The changes since the trial, and when; applying is refused until it is tried again. */
export function StaleNotice({ stale }: { stale: readonly Stale[] }) {
  const ids = stale.flatMap(({ resource, id }) => (resource === 'campaign' && id ? [id] : []))
  const campaigns = useQuery(campaignFacts([...new Set(ids)].slice(0, 100))).data
  return (
    <Notice tone="warn" title="Some of it has changed since it was tried out.">
      <p>
        Try it out again to see what it does now. An approval counts only for what was approved.
      </p>
      <Table
        caption="What has changed meanwhile"
        rows={stale.map((each) => ({ ...each, key: each.id, id: `${each.index}` }))}
        columns={[
          { id: 'edit', header: 'Edit', align: 'end', cell: ({ index }) => index + 1 },
          {
            id: 'object',
            header: 'Object',
            cell: ({ key, resource }) =>
              key === null ? (
                <Soft>new</Soft>
              ) : (
                <ObjectLink type={resource} id={key}>
                  {campaigns?.get(key)?.name ?? key}
                </ObjectLink>
              ),
          },
          {
            id: 'version',
            header: 'Version',
            cell: ({ version_seen, current_version }) =>
              `${version_seen ?? '–'} → ${current_version ?? 'deleted'}`,
          },
          {
            id: 'at',
            header: 'Changed',
            cell: ({ changed_at }) => <Age time={changed_at} none="–" />,
          },
        ]}
      />
    </Notice>
  )
}
