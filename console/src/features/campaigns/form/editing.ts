import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { nameOf } from '../../../data/choices.ts'
import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import type { Form } from '../../../ui/fields/form.ts'
import { storedIn } from '../../../ui/forms/stored.ts'
import { campaignStates } from '../queries.ts'
import type { Fixed } from './fields.tsx'
import { templateQuery } from './templates.ts'
import { type CampaignValues, valuesOf } from './values.ts'

/** Shows what others change, as long as nothing is edited: edits stay on what they began with. */
export function useNewest(form: Form<CampaignValues>, campaign: Campaign): void {
  const { version } = campaign
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another version changes it.
  useEffect(() => {
    if (!form.isChanged) form.rebase(valuesOf(campaign), version)
  }, [version])
}

/** Reads the stored campaign, for a comparison with edits. */
export async function storedCampaign(id: string) {
  return storedIn(await flightdeck.campaigns.get(id), valuesOf)
}

/** Fixed by the status, or by the template as it was when the campaign was made. */
export function useFixed({ status, template_id, template_version }: Campaign): Fixed {
  const { data: states } = useQuery(campaignStates)
  const { data: template } = useQuery({
    ...templateQuery(template_id ?? ''),
    enabled: template_id !== null,
  })
  const editable = states?.statuses.find((each) => each.status === status)?.editable_fields
  const locked: readonly string[] =
    template?.version === template_version ? template.locked_fields : []
  return (field) => {
    if (editable && !editable.includes(field))
      return `Cannot be changed while it is ${nameOf(status).toLowerCase()}.`
    return locked.includes(field) ? 'Fixed by its template.' : null
  }
}
