import { sql } from 'kysely'
import { type Filter, hasAny } from '../../query/filters.ts'

const byLabels = hasAny('labels')

/** By the campaign's labels; the index has them with the organization. */
export const labelFilter: Filter = {
  ...byLabels,
  read(labels, name, received) {
    const read = byLabels.read(labels, name, received)
    if ('fault' in read) return read
    return {
      ...read,
      byIndex: (organizationId) => sql<boolean>`(labels <> '{}' and
        labels_within(organization_id, labels) && labels_within(${organizationId}, ${labels}::text[]))`,
    }
  },
}
