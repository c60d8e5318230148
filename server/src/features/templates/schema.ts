import { Type } from 'typebox'
import {
  bodyOf,
  changesOf,
  choice,
  ExternalId,
  idOf,
  Labels,
  Metadata,
  moneyOut,
  Notes,
  nameLike,
  orNull,
  pageOfSchema,
  readOnlyOf,
  stamps,
  text,
  time,
} from '../../schema/fields.ts'
import { Campaign, campaignFields } from '../campaigns/schema.ts'
import { TargetOut } from '../campaigns/target/schema.ts'
import { templateIds } from './resource.ts'

// External ids are unique per campaign, and templates do not nest.
const { external_id: _, template_id: __, ...presettable } = campaignFields

const Defaults = bodyOf(Type.Partial(Type.Object(presettable)).properties, {
  title: 'TemplateDefaultsInput',
  description:
    'Campaign fields, validated as in a campaign; nulls are dropped. Replaced as a whole, or merged by a merge patch. Amounts have the decimals of `currency`, else of the profile’s currency, else at most three.',
  examples: [{ objective: 'sales', daily_budget: 33.51, currency: 'USD' }],
})

const Description = Type.String({ maxLength: 2000, description: 'Free text.' })

const lockedField = Type.String({
  title: 'LockedField',
  minLength: 1,
  maxLength: 64,
  stated: { enum: Object.keys(presettable) },
})

const LockedFields = Type.Array(lockedField, {
  maxItems: Object.keys(presettable).length,
  uniqueItems: true,
  description: 'Fields of `defaults` that campaigns created from the template cannot override.',
  examples: [['objective']],
})

/** Fields that clients can write. */
const templateFields = {
  name: nameLike('Always-on search'),
  description: orNull(Description),
  defaults: Defaults,
  locked_fields: orNull(LockedFields),
  external_id: orNull(ExternalId),
  labels: orNull(Labels),
  metadata: orNull(Metadata),
}

const shown = Campaign.properties

const reply = {
  id: idOf(templateIds, 'Template identifier.'),
  name: text('Name of the template.'),
  description: orNull(text('Free text.')),
  defaults: Type.Partial(
    Type.Object({
      name: shown.name,
      objective: shown.objective,
      profile_id: shown.profile_id,
      daily_budget: moneyOut('The most to spend in a day.'),
      lifetime_budget: moneyOut('The most to spend in all.'),
      currency: shown.currency,
      start_at: time('When it starts.'),
      end_at: time('When it ends.'),
      time_zone: shown.time_zone,
      schedule: shown.schedule,
      labels: shown.labels,
      metadata: shown.metadata,
      notes: Notes,
      target: TargetOut,
    }),
    {
      title: 'TemplateDefaults',
      description: 'The fields that campaigns created from it get unless they are sent.',
    },
  ),
  locked_fields: Type.Array(choice(Object.keys(presettable)), {
    description: 'Fields of `defaults` that such campaigns cannot override.',
  }),
  external_id: orNull(ExternalId),
  labels: Labels,
  metadata: Metadata,
  ...stamps,
}

export const Template = Type.Object(reply, {
  title: 'Template',
  description: 'Fields for new campaigns.',
})
export type Template = Type.Static<typeof Template>

export const TemplateList = pageOfSchema(Template)

/** Response fields that only the service writes. */
export const readOnlyFields = readOnlyOf(Template, templateFields)

const { name, ...others } = templateFields

export const TemplateBody = bodyOf(
  { name, ...Type.Partial(Type.Object(others)).properties },
  { title: 'TemplateInput', readOnlyFields },
)
export type TemplateInput = Type.Static<typeof TemplateBody>

export const TemplateChanges = changesOf(templateFields, readOnlyFields, 'TemplateChanges')
export type TemplateChanges = Type.Static<typeof TemplateChanges>

export const SaveAsTemplateBody = bodyOf(
  { name, locked_fields: Type.Optional(orNull(LockedFields)) },
  { title: 'SaveAsTemplateInput' },
)
export type SaveAsTemplateInput = Type.Static<typeof SaveAsTemplateBody>
