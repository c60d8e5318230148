import { FieldRow, LongTextField, SelectField, TextField } from '../../../ui/fields/fields.tsx'
import type { Form } from '../../../ui/fields/form.ts'
import { comparisons } from '../words.ts'
import { LogoField } from './logo-field.tsx'
import { PeriodField } from './period-field.tsx'
import { SectionsField } from './sections-field.tsx'
import { SubjectFields } from './subject-fields.tsx'
import type { ReportValues } from './values.ts'

type EditorFieldsProps = { form: Form<ReportValues>; hasLogo: boolean }

export function ReportFields({ form, hasLogo }: EditorFieldsProps) {
  const { field } = form
  return (
    <>
      <TextField label="Name" hint="The title of its page." {...field('name')} />
      <SubjectFields form={form} />
      <FieldRow>
        <PeriodField {...field('period')} />
        <SelectField label="Beside it" choices={comparisons} {...field('compare')} />
      </FieldRow>
      <SectionsField {...field('sections')} />
      <Texts form={form} />
      <LogoField hasLogo={hasLogo} {...field('logo')} />
    </>
  )
}

const texts = [
  { name: 'headline', label: 'Headline', hint: 'Empty: a sentence that the figures propose.' },
  { name: 'why', label: 'Why it was changed', hint: 'Above the changes.' },
  { name: 'next', label: 'What comes next', hint: 'Above what is scheduled.' },
  {
    name: 'notes',
    label: 'Notes',
    hint: 'In all texts, blank lines separate paragraphs, and lines that begin with “- ” are a list.',
  },
] as const

function Texts({ form }: { form: Form<ReportValues> }) {
  const { values, set, faults } = form
  return texts.map(({ name, label, hint }) => (
    <LongTextField
      key={name}
      label={label}
      hint={hint}
      optional
      name={name}
      fault={faults.get(`/texts/${name}`)}
      value={values.texts[name] ?? null}
      onChange={(text) => set({ texts: { ...values.texts, [name]: text } })}
    />
  ))
}
