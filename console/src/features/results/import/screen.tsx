import { useState } from 'react'
import { useSession } from '../../../session.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { useForm } from '../../../ui/fields/form.ts'
import fieldStyles from '../../../ui/fields.module.css'
import { Card, Page } from '../../../ui/page.tsx'
import { ColumnsSection } from './columns.tsx'
import { columnsLike, rememberedIn } from './remembered.ts'
import { ReportSection } from './report.tsx'
import { initial, type Settings } from './settings.ts'
import { readSheet, type Sheet } from './sheet.ts'

/** Holds for one file, and is not kept for the next. */
const decidedAnew = ['is_final', 'additional'] as const

/** A file of any network's export: what its columns are is found out, and shown before it is stored. */
export default function ImportResults() {
  const { organization } = useSession()
  const form = useForm({ draft: 'results import', secrets: decidedAnew, initial })
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const [fault, setFault] = useState<string>()
  const take = (bytes: Uint8Array, headerLine?: number) => {
    const read = readSheet(bytes, headerLine)
    setFault('fault' in read ? read.fault : undefined)
    if ('fault' in read) return setSheet(null)
    const { columns, ...settings } = knownAs(read, organization.id, form.values)
    setSheet({ ...read, columns })
    form.set(settings)
  }
  const chooseSource = (source: string) => {
    form.set({ source })
    const known = rememberedIn(organization.id)[source]
    const columns = sheet && known && columnsLike(known, sheet.file)
    if (!columns) return
    setSheet({ ...sheet, columns })
    form.set({ date_format: known.dateFormat, decimal: known.decimal })
  }
  return (
    <Page
      title="Import results"
      about="What was spent each day, from a CSV file: an export of a network, or any other."
    >
      <Card>
        <FileField fault={fault} onTake={take} />
      </Card>
      {sheet && (
        <>
          <ColumnsSection
            sheet={sheet}
            columns={sheet.columns}
            onChange={(columns) => setSheet({ ...sheet, columns })}
            onHeader={(line) => take(sheet.bytes, line)}
          />
          <ReportSection sheet={sheet} form={form} onSource={chooseSource} />
        </>
      )}
    </Page>
  )
}

type FileFieldProps = { fault: string | undefined; onTake: (bytes: Uint8Array) => void }

const FileField = ({ fault, onTake }: FileFieldProps) => (
  <Field
    label="CSV file"
    fault={fault}
    hint="One row for each campaign and day. Exports of Google Ads, Meta, TikTok, Microsoft and LinkedIn are known."
  >
    {(parts) => (
      <input
        {...parts}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        className={fieldStyles.input}
        onChange={({ target }) => void opened(target.files?.[0], onTake)}
      />
    )}
  </Field>
)

async function opened(file: File | undefined, take: (bytes: Uint8Array) => void): Promise<void> {
  if (file) take(new Uint8Array(await file.arrayBuffer()))
}

/** As a file of the same source was read before; else the network's name is proposed. */
function knownAs({ file, columns }: Sheet, organization: string, given: Settings) {
  const all = Object.entries(rememberedIn(organization))
  const like = all.flatMap(([source, known]) => {
    const found = (given.source === '' || source === given.source) && columnsLike(known, file)
    const { dateFormat: date_format, decimal } = known
    return found ? [{ source, columns: found, date_format, decimal }] : []
  })
  return like.at(-1) ?? { columns, source: given.source || (file.network ?? '') }
}
