import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDebounced } from '../../../data/debounced.ts'
import { partKey } from '../../../data/keys.ts'
import { flightdeck } from '../../../flightdeck.ts'
import { Skeleton } from '../../../ui/lists/skeleton.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { pageQuery, type Report } from '../queries.ts'
import { Sheet } from '../sheet.tsx'
import { changesIn, type ReportValues } from './values.ts'

const typingPauseMs = 400

type PreviewProps = { report: Report; changes: Partial<ReportValues> }

/** The page as the edits leave it; the service writes it, so it is the one that will be sent. */
export function Preview({ report, changes }: PreviewProps) {
  const edits = useDebounced(JSON.stringify(changesIn(changes)), typingPauseMs)
  const isEdited = edits !== '{}'
  const stored = useQuery({ ...pageQuery(report.id), enabled: !isEdited })
  const edited = useQuery({
    queryKey: partKey('reports', report.id, 'preview', { edits, version: report.version }),
    queryFn: async () => (await flightdeck.reports.preview(report.id, JSON.parse(edits))).html,
    enabled: isEdited,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const { data, error } = isEdited ? edited : stored
  const shown = data ?? stored.data
  return (
    <>
      {error && (
        <ProblemNotice error={error} about="The page shows it as it was before the last edit." />
      )}
      {shown === undefined && !error && <Skeleton rows={12} />}
      {shown !== undefined && <Sheet html={shown} />}
    </>
  )
}
