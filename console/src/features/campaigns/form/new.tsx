import type { Body } from '@flightdeckhq/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { one, useScreenState, useSetSearch } from '../../../data/search.ts'
import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import type { Form } from '../../../ui/fields/form.ts'
import { ObjectField } from '../../../ui/fields/object-field.tsx'
import { bodyOf } from '../../../ui/forms/body.ts'
import { FormPage } from '../../../ui/forms/form-page.tsx'
import { say } from '../../../ui/layers/toast.tsx'
import { ObjectScreen } from '../../../ui/objects/object-screen.tsx'
import { campaignQuery } from '../queries.ts'
import { CampaignFields, type Fixed } from './fields.tsx'
import { useProfilePreset } from './preset.ts'
import { templateQuery } from './templates.ts'
import { Trial } from './trial.tsx'
import { useCampaignForm } from './use-campaign-form.ts'
import {
  amountsIn,
  type CampaignValues,
  fieldNames,
  noValues,
  valuesOfCopy,
  valuesOfTemplate,
} from './values.ts'

/** A new campaign: from nothing, from a template, or as a copy of another. */
export default function NewCampaign() {
  const [search] = useScreenState()
  const copy = one(search.copy)
  return copy === undefined ? (
    <NewForm template={one(search.template) ?? null} profile={one(search.profile) ?? null} />
  ) : (
    <CopyForm key={copy} id={copy} />
  )
}

type NewFormProps = { template: string | null; profile: string | null }

function NewForm({ template: template_id, profile }: NewFormProps) {
  const setSearch = useSetSearch()
  const form = useCampaignForm({ draft: 'campaign new', initial: noValues })
  const navigate = useNavigate()
  const onMade = useOnMade()
  const locked = useTemplate(form, template_id)
  useProfilePreset(form, profile)
  const fixed: Fixed = (field) => (locked.includes(field) ? 'Fixed by the template.' : null)
  const bodyWith = (changes: Partial<CampaignValues>): Body<'createCampaign'> =>
    bodyOf({ ...changes, template_id }, amountsIn(form.values))
  return (
    <FormPage
      title="New campaign"
      within={{ to: '/campaigns', name: 'Campaigns' }}
      submitLabel="Create campaign"
      blocked={useBlocked('createCampaign')}
      isNew
      form={form}
      labels={fieldNames}
      submit={(_, write) => flightdeck.campaigns.create(bodyWith(form.changes), write)}
      onDone={(made) => onMade(made, template_id)}
      onClose={() => void navigate({ to: '/campaigns' })}
    >
      <ObjectField
        label="Template"
        optional
        hint="Fills in what it has; what it locks cannot be changed."
        kind="templates"
        find={(q) => flightdeck.templates.list({ q, sort: 'name', limit: 20 })}
        get={(id) => flightdeck.templates.get(id)}
        about={({ description }) => description}
        {...form.field('template_id')}
        value={template_id}
        onChange={(id) => setSearch({ template: id ?? undefined })}
      />
      <CampaignFields form={form} fixed={fixed} />
      <Trial
        of={`new ${template_id}`}
        changes={form.changes}
        isReady={isWhole(form.values)}
        run={(changes) => flightdeck.campaigns.create(bodyWith(changes)).dryRun()}
      />
    </FormPage>
  )
}

/** Shows what was made, and offers the next one of the same profile and template. */
function useOnMade() {
  const navigate = useNavigate()
  return ({ id, name, profile_id }: Campaign, template_id: string | null) => {
    void navigate({ to: '/campaigns/$id', params: { id } })
    const search = { profile: profile_id, template: template_id ?? undefined }
    const run = () => void navigate({ to: '/campaigns/new', search })
    say(`${name} is created`, { action: { name: 'Another like it', run } })
  }
}

/** Before that, the service would only say what is still to come. */
const isWhole = (values: CampaignValues): boolean =>
  Boolean(values.name && values.objective && values.profile_id && values.currency) &&
  Boolean(values.daily_budget ?? values.lifetime_budget)

/** Puts what was typed on top of the template's fields; answers those that it locks. */
function useTemplate(form: Form<CampaignValues>, id: string | null): readonly string[] {
  const { data: template } = useQuery({ ...templateQuery(id ?? ''), enabled: id !== null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another template changes it.
  useEffect(() => {
    if (id === null) return form.rebase(noValues, null)
    if (!template) return
    const filled = valuesOfTemplate(template)
    form.rebase(filled, null)
    const locked: readonly string[] = template.locked_fields
    form.set(Object.fromEntries(Object.entries(filled).filter(([field]) => locked.includes(field))))
  }, [id, template])
  return id !== null && template ? template.locked_fields : []
}

function CopyForm({ id }: { id: string }) {
  return (
    <ObjectScreen query={useQuery(campaignQuery(id))}>
      {(campaign) => <Copy campaign={campaign} />}
    </ObjectScreen>
  )
}

const nothingFixed: Fixed = (field) => (field === 'template_id' ? 'A copy has no template.' : null)

function Copy({ campaign }: { campaign: Campaign }) {
  const { id } = campaign
  const form = useCampaignForm({ draft: `campaign copy ${id}`, initial: valuesOfCopy(campaign) })
  const navigate = useNavigate()
  const bodyWith = ({
    template_id: _,
    ...changes
  }: Partial<CampaignValues>): Body<'duplicateCampaign'> =>
    bodyOf({ name: form.values.name, ...changes }, amountsIn(form.values))
  return (
    <FormPage
      title={`Copy ${campaign.name}`}
      within={{ to: '/campaigns', name: 'Campaigns' }}
      submitLabel="Create copy"
      blocked={useBlocked('duplicateCampaign')}
      isNew
      form={form}
      labels={fieldNames}
      submit={(_, write) => flightdeck.campaigns.duplicate(id, bodyWith(form.changes), write)}
      onDone={(made) => void navigate({ to: '/campaigns/$id', params: { id: made.id } })}
      onClose={() => void navigate({ to: '/campaigns/$id', params: { id } })}
    >
      <CampaignFields form={form} fixed={nothingFixed} />
      <Trial
        of={`copy ${id}`}
        changes={form.changes}
        isReady={isWhole(form.values)}
        run={(changes) => flightdeck.campaigns.duplicate(id, bodyWith(changes)).dryRun()}
      />
    </FormPage>
  )
}
