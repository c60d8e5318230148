import { useQuery } from '@tanstack/react-query'
import { Skeleton } from '../../ui/lists/skeleton.tsx'
import { ReadFailed } from '../../ui/notice.tsx'
import { useBeforePrint } from '../../ui/printing/printing.ts'
import { pageQuery } from './queries.ts'
import { Sheet } from './sheet.tsx'

type ShownProps = { id: string; snapshot?: string }

/** The page of a report as a link opens it. */
export function Shown({ id, snapshot }: ShownProps) {
  const { data, error, refetch } = useQuery(pageQuery(id, snapshot))
  useBeforePrint(async () => data === undefined && refetch())
  if (data !== undefined) return <Sheet html={data} />
  if (error) return <ReadFailed error={error} retry={() => void refetch()} />
  return <Skeleton rows={12} />
}
