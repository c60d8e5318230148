import type { Body } from '@flightdeckhq/sdk'
import type { Template } from '../../flightdeck.ts'
import { bodyOf } from '../../ui/forms/body.ts'
import {
  amountsIn,
  type CampaignValues,
  noValues,
  valuesOfTemplate,
} from '../campaigns/form/values.ts'

/** Fields of a campaign that a template may preset: neither its external id nor another template. */
export type Default = Exclude<keyof CampaignValues, 'external_id' | 'template_id'>

const isDefault = (field: string): field is Default =>
  field in noValues && field !== 'external_id' && field !== 'template_id'

/** The defaults that have a value, in the order of the form. */
export function defaultNames(defaults: object): readonly Default[] {
  const set = new Map(Object.entries(defaults))
  return Object.keys(noValues)
    .filter(isDefault)
    .filter((field) => !isEmpty(set.get(field)))
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

export const defaultsIn = (template: Template | undefined): CampaignValues =>
  template ? { ...valuesOfTemplate(template), template_id: null } : noValues

type Defaults = NonNullable<Body<'updateTemplate'>['defaults']>

/** As the API takes them: those without a value are left out. */
export function defaultsBody(values: CampaignValues): Defaults {
  const names: readonly string[] = defaultNames(values)
  const set = Object.entries(values).filter(([field]) => names.includes(field))
  return bodyOf<Defaults, Partial<Pick<CampaignValues, Default>>>(
    Object.fromEntries(set),
    amountsIn(values),
  )
}
