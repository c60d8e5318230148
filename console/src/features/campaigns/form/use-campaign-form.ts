import { useCurrencies } from '../../../data/values/currencies.ts'
import { type Form, useForm } from '../../../ui/fields/form.ts'
import { type CampaignValues, doubtsIn } from './values.ts'

type CampaignFormOptions = { draft: string; initial: CampaignValues; version?: number }

/** The form of a campaign, which sends no amount that reads two ways. */
export function useCampaignForm(options: CampaignFormOptions): Form<CampaignValues> {
  // Amounts are read again with the decimals of their currency.
  useCurrencies()
  return useForm({ ...options, check: doubtsIn })
}
