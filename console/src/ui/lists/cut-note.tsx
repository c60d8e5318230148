import { formatCount } from '../../data/values/numbers.ts'

type CutNoteProps = { shown: number; total?: number | undefined }

/** Said on paper where a list goes on. */
export const CutNote = ({ shown, total }: CutNoteProps) => (
  <p className="print-only">
    {total === undefined
      ? `The first ${formatCount(shown)} rows; there are more.`
      : `The first ${formatCount(shown)} of ${formatCount(total)} rows.`}{' '}
    Narrow the filters, or export the whole list.
  </p>
)
