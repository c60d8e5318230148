import { asidesOf, dateFormats, formatsIn } from '@flightdeckhq/sdk/results-file'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useMemo } from 'react'
import { formatCount } from '../../../data/values/numbers.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { CheckField, FieldRow, SelectField, TextField } from '../../../ui/fields/fields.tsx'
import type { Form } from '../../../ui/fields/form.ts'
import fieldStyles from '../../../ui/fields.module.css'
import { Card, Section } from '../../../ui/page.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import { sourcesQuery } from '../queries.ts'
import { Outcome } from './outcome.tsx'
import type { Settings } from './settings.ts'
import { missingIn, type Sheet } from './sheet.ts'
import { useImport } from './use-import.ts'

type ReportProps = {
  sheet: Sheet
  form: Form<Settings>
  onSource: (source: string) => void
}

export function ReportSection({ sheet, form, onSource }: ReportProps) {
  const { file, columns } = sheet
  const run = useImport(sheet, form)
  const formats = useMemo(() => formatsIn(file, columns), [file, columns])
  const count = useMemo(() => file.rows.length - asidesOf(file, columns).length, [file, columns])
  const mayNot = useBlocked('reportResults')
  const blocked = mayNot ?? missingIn(columns) ?? missingSetting(form.values, formats)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (blocked === null && !run.isBusy) void run.check()
  }
  return (
    <Section title="Report">
      <Card>
        <form className={fieldStyles.form} noValidate onSubmit={submit}>
          <FieldRow>
            <Source form={form} onSource={onSource} />
            <Notation form={form} formats={formats} />
          </FieldRow>
          <CheckField
            label="These figures are final"
            hint="The network will not change these days any more."
            {...form.field('is_final')}
          />
          <CheckField
            label="Add to another source"
            hint="Only where two sources report different spend of one campaign."
            {...form.field('additional')}
          />
          <div>
            <Button type="submit" look="primary" blocked={blocked} busy={run.isBusy}>
              Check and import {count === 1 ? '1 row' : `${formatCount(count)} rows`}
            </Button>
            {blocked !== null && (
              <p>
                <Soft>{blocked}</Soft>
              </p>
            )}
          </div>
        </form>
        <Outcome sheet={sheet} run={run} total={count} />
      </Card>
    </Section>
  )
}

function missingSetting({ source, date_format }: Settings, formats: readonly string[]) {
  if (source.trim() === '') return 'Name the source.'
  const isDoubtful = date_format === null && formats.length > 1
  return isDoubtful ? `Choose how days are written: ${formats.join(' or ')}.` : null
}

/** Existing sources are offered: another name for one would count its spend twice. */
function Source({ form, onSource }: Omit<ReportProps, 'sheet'>) {
  const { data = [] } = useQuery(sourcesQuery)
  const id = useId()
  return (
    <>
      <TextField
        label="Source"
        hint={
          data.length === 0
            ? 'A name of your choice, such as google_ads; always the same for the same network.'
            : `Always the same for the same network. There is ${data
                .map(({ source }) => source)
                .join(', ')
                .slice(0, 120)}.`
        }
        list={id}
        {...form.field('source')}
        onChange={(source) => onSource(source ?? '')}
      />
      <datalist id={id}>
        {data.map(({ source }) => (
          <option key={source} value={source} />
        ))}
      </datalist>
    </>
  )
}

type NotationProps = { form: Form<Settings>; formats: readonly string[] }

/** How days and amounts are written: found out where the file leaves no doubt. */
function Notation({ form, formats }: NotationProps) {
  const [format, other] = formats
  const found = other === undefined ? format : undefined
  return (
    <>
      <SelectField
        label="Days"
        choices={[
          { value: null, name: found ? `As they are: ${found}` : 'As they are' },
          ...dateFormats.map((each) => ({ value: each, name: each })),
        ]}
        {...form.field('date_format')}
        fault={
          other !== undefined && form.values.date_format === null
            ? `They read as ${formats.join(' or as ')}.`
            : undefined
        }
      />
      <SelectField
        label="Decimals"
        choices={[
          { value: null, name: 'As the amounts show' },
          { value: '.', name: 'Point: 1,234.50' },
          { value: ',', name: 'Comma: 1.234,50' },
        ]}
        {...form.field('decimal')}
      />
    </>
  )
}
