import { type TSchema, Type } from 'typebox'
import type {
  ReportFilter,
  ReportPeriod,
  ReportSection,
  ReportTexts,
} from '../../database/tables/json-columns.ts'
import {
  bodyOf,
  changesOf,
  choice,
  idOf,
  nameLike,
  orNull,
  pageOfSchema,
  readOnlyOf,
  referenceTo,
  stamps,
  text,
} from '../../schema/fields.ts'
import { StatusName } from '../campaigns/lifecycle/names.ts'
import { clientIds } from '../clients/resource.ts'
import { Platform } from '../profiles/schema.ts'
import { comparisons, periods } from '../results/summary/period.ts'
import { logoTypes, maxLogoText } from './logo.ts'
import { reportIds } from './resource.ts'

export const sectionKinds = [
  ...(['headline', 'changes', 'next', 'summary', 'plan', 'pacing', 'daily'] as const),
  ...(['by_platform', 'by_profile', 'by_campaign', 'notes'] as const),
] as const satisfies readonly ReportSection[]

export const SectionName = choice(sectionKinds, {
  description: 'Kind of a section.',
})

const one: TSchema = Type.String({ minLength: 1, maxLength: 255 })

const several = (description: string, item = one) =>
  Type.Optional(
    Type.Array(item, { ...{ minItems: 1, maxItems: 20, uniqueItems: true }, description }),
  )

const filterFields = {
  client_id: several('Clients.', Type.String({ minLength: 1, maxLength: 64 })),
  profile_id: several('Profiles.', Type.String({ minLength: 1, maxLength: 64 })),
  platform: several('Platforms.', Platform),
  label: several('Campaigns with one of these labels.'),
  currency: several('Currencies.', Type.String({ minLength: 1, maxLength: 8 })),
  status: several('Statuses of campaigns.', StatusName),
}

const Filter = Type.Unsafe<ReportFilter>(
  bodyOf(filterFields, {
    title: 'ReportFilter',
    minProperties: 1,
    description: 'What it is about, in place of `client_id`: results that meet all members given.',
  }),
)

const day = (description: string) => Type.String({ format: 'date', description })

const Period = Type.Unsafe<ReportPeriod>({
  type: ['string', 'object'],
  title: 'ReportPeriod',
  description:
    'Its days: by name, in the time zone of the client, else the organization’s; or half-open.',
  maxLength: 32,
  names: periods,
  properties: { from: day('The first day.'), to: day('The day after the last one.') },
  required: ['from', 'to'],
  additionalProperties: false,
  examples: ['last_month'],
})

const Compare = orNull(
  choice(comparisons, { description: 'Beside as many days before, or the same a year before.' }),
)

const Sections = Type.Array(SectionName, {
  ...{ minItems: 1, maxItems: sectionKinds.length, uniqueItems: true },
  description: 'Its parts, in this order. Default: all.',
})

const maxText = 10_000

const paragraphs = (description: string) => orNull(Type.String({ maxLength: maxText, description }))

const textFields = {
  headline: paragraphs('In place of the proposed sentence.'),
  why: paragraphs('Beside the changes.'),
  next: paragraphs('Beside what is scheduled.'),
  notes: paragraphs('Notes.'),
}
const Texts = Type.Unsafe<Partial<ReportTexts>>(
  bodyOf(Type.Partial(Type.Object(textFields)).properties, {
    title: 'ReportTexts',
    description: 'Blank lines separate paragraphs; items of lists begin with `- `.',
  }),
)

const Logo = orNull(
  Type.String({
    minLength: 1,
    maxLength: maxLogoText,
    writeOnly: true,
    description: 'Base64 of a PNG or JPEG of at most 200,000 bytes.',
  }),
)

/** Fields that clients can write. */
const reportFields = {
  name: nameLike('Northwind, monthly'),
  client_id: orNull(referenceTo(clientIds, 'Its client; null: see `filter`.')),
  filter: orNull(Filter),
  period: Period,
  compare: Compare,
  sections: Sections,
  texts: Texts,
  logo: Logo,
}

const reply = {
  id: idOf(reportIds, 'Report identifier.'),
  name: text('Name of the report.'),
  client_id: orNull(text('Its client.')),
  filter: orNull(Filter),
  period: Period,
  compare: Compare,
  sections: Type.Array(SectionName, { description: 'Its parts, in order.' }),
  texts: Type.Unsafe<ReportTexts>(Texts),
  logo_type: orNull(
    choice(logoTypes, { description: 'Media type of its logo; null if it has none.' }),
  ),
  logo_bytes: orNull(Type.Integer({ description: 'Size of its logo.' })),
  ...stamps,
}

export const Report = Type.Object(reply, {
  title: 'Report',
  description: 'What clients see of results.',
})
export type Report = Type.Static<typeof Report>

export const ReportList = pageOfSchema(Report)

/** Response fields that only the service writes. */
export const readOnlyFields = readOnlyOf(Report, reportFields)

const { name, period, ...others } = reportFields

export const ReportBody = bodyOf(
  { name, period, ...Type.Partial(Type.Object(others)).properties },
  { title: 'ReportInput', readOnlyFields },
)
export type ReportInput = Type.Static<typeof ReportBody>

export const ReportChanges = changesOf(reportFields, readOnlyFields, 'ReportChanges')
export type ReportChanges = Type.Static<typeof ReportChanges>
