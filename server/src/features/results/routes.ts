import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { exportTypes } from '../../query/file-formats.ts'
import { listParameters } from '../../query/list.ts'
import { exampleId } from '../../values/ids.ts'
import { campaignIds } from '../campaigns/resource.ts'
import { deleteSource, deletionParameters } from './delete-source.ts'
import { removalEvents, reportEvents, restatementEvents } from './event-types.ts'
import { moveSums } from './move.ts'
import { costOfRows, reportResults } from './report/report.ts'
import {
  admitSources,
  deleteSources,
  readResults,
  sourceNames,
  tag,
  writeResults,
} from './resource.ts'
import { ResultsBody, ResultsRemoval, ResultsReply } from './schema.ts'
import {
  CampaignResults,
  campaignResultParameters,
  campaignResults,
} from './summary/campaign-results.ts'
import { exportParameters, exportResults } from './summary/export.ts'
import { listSources, ResultSourceList, sourceList } from './summary/sources.ts'
import { ResultGroupList, resultList, summarizeResults } from './summary/summary.ts'

export const results: Feature = {
  tag,
  permissions: [readResults, writeResults, admitSources, deleteSources],
  ids: { sources: sourceNames },
  tables: [
    {
      name: 'results',
      isEmptied: true,
      countSql: 'select coalesce(sum(row_count), 0) from result_months where organization_id = $1',
    },
    { name: 'result_months', isEmptied: true },
    { name: 'result_days', isEmptied: true },
    { name: 'result_labels', isEmptied: true },
    { name: 'result_source_totals', isEmptied: true },
    { name: 'result_sources', isEmptied: true },
  ],
  evenWhenFull: {
    'results.source_deleted': true,
  },
  endpoints: [
    endpoint({
      operation: 'reportResults',
      tag,
      summary: 'Report results',
      description:
        'The figures of up to 1,000 days of campaigns, as totals: reports may be repeated and arrive in any order. Rows succeed or fail one by one; a failed one has a `problem`, such as `row_final` or `results_source_taken`. `additional` needs an editor: 403 for a `reporter`.',
      method: 'POST',
      path: '/results',
      permission: writeResults,
      action: 'results.reported',
      body: ResultsBody,
      example: {
        source: 'google_ads',
        reported_at: '2025-11-21T06:00:00Z',
        complete_through: '2025-11-20',
        rows: [
          {
            campaign_id: exampleId(campaignIds),
            date: '2025-11-20',
            spend: 33.51,
            impressions: 12_400,
            clicks: 310,
            conversions: 12.5,
            conversion_value: 840,
            is_final: true,
          },
        ],
      },
      carriesMany: true,
      cost: costOfRows,
      status: 207,
      reply: ResultsReply,
      run: (ctx, { body }) => reportResults(ctx, body),
    }),
    endpoint({
      operation: 'listResults',
      tag,
      summary: 'Sum up results',
      description: 'Never adds up currencies. Ratios are null where they are not defined.',
      method: 'GET',
      path: '/results',
      permission: readResults,
      query: listParameters(resultList),
      reply: ResultGroupList,
      run: (ctx, { query }) => summarizeResults(ctx, query),
    }),
    endpoint({
      operation: 'listResultSources',
      tag,
      summary: 'List sources of results',
      method: 'GET',
      path: '/results/sources',
      permission: readResults,
      query: listParameters(sourceList),
      reply: ResultSourceList,
      run: (ctx, { query }) => listSources(ctx, query),
    }),
    endpoint({
      operation: 'deleteResultSource',
      tag,
      summary: 'Delete a source of results',
      description:
        'Deletes all that the source has reported, or what it has reported of some campaigns. Sums, pacing and caps follow at once; what a cap has paused can then be resumed. At most 100,000 days of 1,000 campaigns at once: 409 `limit_exceeded` for more. It cannot be undone; the source may report again.',
      method: 'DELETE',
      path: '/results/sources/:source',
      permission: deleteSources,
      action: 'results.source_deleted',
      query: deletionParameters,
      deletes: ResultsRemoval,
      status: 204,
      problems: ['limit_exceeded'],
      run: (ctx, { innerId, query }) => deleteSource(ctx, innerId, query),
    }),
    endpoint({
      operation: 'exportResults',
      tag,
      summary: 'Export results',
      description:
        'Every matching day, streamed: by campaign, day and source, with the fields of a report. As with other exports one runs per organization.',
      method: 'GET',
      path: '/results/export',
      permission: readResults,
      query: exportParameters,
      streams: exportTypes,
      noStore: true,
      run: (ctx, { query }) => exportResults(ctx, query),
    }),
    endpoint({
      operation: 'getCampaignResults',
      tag,
      summary: 'Get results of a campaign',
      description: 'Days are those of its time zone. Sources are added up.',
      method: 'GET',
      path: '/campaigns/:id/results',
      permission: readResults,
      query: campaignResultParameters,
      reply: CampaignResults,
      run: (ctx, { id, query }) => campaignResults(ctx, id, query),
    }),
  ],
  events: [reportEvents, restatementEvents, removalEvents],
  atCommit: moveSums,
}
