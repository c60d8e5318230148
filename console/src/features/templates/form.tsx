import { doubtsOf } from '../../data/typed.ts'
import { flightdeck, type Template } from '../../flightdeck.ts'
import { CheckField, LongTextField, TextField } from '../../ui/fields/fields.tsx'
import { type Form, useForm } from '../../ui/fields/form.ts'
import { LabelsField } from '../../ui/fields/labels-field.tsx'
import { More } from '../../ui/fields/more.tsx'
import { MetadataField } from '../../ui/fields/pairs-field.tsx'
import fieldStyles from '../../ui/fields.module.css'
import { bodyOf } from '../../ui/forms/body.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { storedIn } from '../../ui/forms/stored.ts'
import { Section } from '../../ui/page.tsx'
import { Soft } from '../../ui/values/text.tsx'
import { CampaignFields } from '../campaigns/form/fields.tsx'
import { type CampaignValues, fieldNames } from '../campaigns/form/values.ts'
import { defaultNames, defaultsBody, defaultsIn } from './defaults.ts'

type TemplateFormProps = {
  template?: Template
  onDone: (template: Template) => void
  onClose: () => void
}

const valuesOf = (template?: Template) => ({
  name: template?.name ?? '',
  description: template?.description ?? null,
  defaults: defaultsIn(template),
  locked_fields: [...(template?.locked_fields ?? [])] as readonly string[],
  external_id: template?.external_id ?? null,
  labels: template?.labels ?? [],
  metadata: template?.metadata ?? {},
})

type TemplateValues = ReturnType<typeof valuesOf>

const doubtsIn = ({ defaults: { daily_budget, lifetime_budget, currency } }: TemplateValues) =>
  doubtsOf(
    { '/defaults/daily_budget': daily_budget, '/defaults/lifetime_budget': lifetime_budget },
    currency,
  )

/** Only a field with a default can be locked. */
function changesIn(
  { defaults, ...changes }: Partial<TemplateValues>,
  { locked_fields, ...values }: TemplateValues,
) {
  if (!defaults) return changes
  const names: readonly string[] = defaultNames(values.defaults)
  return {
    ...changes,
    defaults: defaultsBody(defaults),
    locked_fields: locked_fields.filter((field) => names.includes(field)),
  }
}

/** Creates a template, or changes one. */
export function TemplateForm({ template, onDone, onClose }: TemplateFormProps) {
  const form = useForm({
    draft: `template ${template?.id ?? 'new'}`,
    initial: valuesOf(template),
    version: template?.version ?? null,
    check: doubtsIn,
  })
  return (
    <FormDialog
      title={template ? `Edit ${template.name}` : 'New template'}
      submitLabel={template ? 'Save' : 'Create template'}
      wide
      form={form}
      isNew={!template}
      onDone={onDone}
      onClose={onClose}
      submit={(changes, write) => {
        const sent = changesIn(changes, form.values)
        return template
          ? flightdeck.templates.update(template.id, bodyOf(sent), write)
          : flightdeck.templates.create(bodyOf(sent), write)
      }}
      stored={async () => storedIn(await flightdeck.templates.get(template?.id ?? ''), valuesOf)}
    >
      <TemplateFields form={form} />
    </FormDialog>
  )
}

function TemplateFields({ form }: { form: Form<TemplateValues> }) {
  const { field } = form
  return (
    <>
      <TextField label="Name of the template" {...field('name')} />
      <LongTextField label="Description" optional {...field('description')} />
      <Section title="Defaults of its campaigns">
        <div className={fieldStyles.form}>
          <CampaignFields form={defaultsForm(form)} fixed={() => null} isTemplate />
        </div>
      </Section>
      <Section title="Locked in its campaigns">
        <Locks form={form} />
      </Section>
      <Section title="The template itself">
        <div className={fieldStyles.form}>
          <LabelsField label="Labels of the template" optional {...field('labels')} />
          <More about="external id, metadata" fields={[field('external_id'), field('metadata')]}>
            <TextField
              label="External id"
              optional
              hint="Its id in your own systems."
              {...field('external_id')}
            />
            <MetadataField
              label="Metadata of the template"
              hint="Your own keys and values."
              {...field('metadata')}
            />
          </More>
        </div>
      </Section>
    </>
  )
}

/** The fields of a campaign, as a part of the form. */
function defaultsForm(
  form: Form<TemplateValues>,
): Pick<Form<CampaignValues>, 'field' | 'values' | 'initial' | 'set'> {
  const { defaults } = form.values
  const set = (changes: Partial<CampaignValues>) =>
    form.set({ defaults: { ...defaults, ...changes } })
  return {
    values: defaults,
    initial: form.initial.defaults,
    set,
    field: (name) => ({
      name: `defaults.${name}`,
      value: defaults[name],
      onChange: (value) => set({ [name]: value } as Partial<CampaignValues>),
      fault: faultAt(form.faults, `/defaults/${name}`),
    }),
  }
}

function faultAt(faults: ReadonlyMap<string, string>, at: string): string | undefined {
  for (const [pointer, message] of faults)
    if (pointer === at || pointer.startsWith(`${at}/`)) return message
  return undefined
}

function Locks({ form }: { form: Form<TemplateValues> }) {
  const { defaults, locked_fields: locked } = form.values
  const names = defaultNames(defaults)
  if (names.length === 0) return <Soft>Only fields with a default can be locked.</Soft>
  return (
    <div className={fieldStyles.row}>
      {names.map((name) => (
        <CheckField
          key={name}
          name={name}
          label={`Lock ${fieldNames[name].toLowerCase()}`}
          fault={undefined}
          value={locked.includes(name)}
          onChange={(isLocked) =>
            form.set({
              locked_fields: isLocked
                ? [...locked, name]
                : locked.filter((field) => field !== name),
            })
          }
        />
      ))}
    </div>
  )
}
