import type { Result } from '@flightdeckhq/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cache } from '../../../data/cache.ts'
import { flightdeck, type Profile } from '../../../flightdeck.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/fields/fields.tsx'
import { LabelsField } from '../../../ui/fields/labels-field.tsx'
import fieldStyles from '../../../ui/fields.module.css'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { Notice, ProblemNotice } from '../../../ui/notice.tsx'
import { countOf } from '../../../ui/values/scope.ts'
import { Soft } from '../../../ui/values/text.tsx'
import styles from '../bulk/bulk.module.css'
import { type NetworkRow, rereadDeployments } from '../queries.ts'
import { type ManagedField, managedFields, policyChoices } from '../words.ts'

type TakeOverProps = { profile: Profile; campaigns: readonly NetworkRow[]; onClose: () => void }
type TakenOver = Result<'takeOverCampaigns'>['results'][number]

const keepers = [
  { value: 'status', name: 'Whether it runs, and nothing else' },
  { value: 'all', name: 'All that it can hold' },
] as const

type Policy = (typeof policyChoices)[number]['value']
type Keeper = (typeof keepers)[number]['value']

type ChosenTerms = { keeper: Keeper; policy: Policy; labels: readonly string[] }

const safest: ChosenTerms = { keeper: 'status', policy: 'report', labels: [] }

/** A first step that can break little: the network keeps all but the status. */
const managedBy: Readonly<Record<Keeper, ManagedField[]>> = {
  status: ['status'],
  all: [...managedFields],
}

/** Tries the take-over out, shows what it comes to, and makes the campaigns. */
export default function TakeOver({ profile, campaigns, onClose }: TakeOverProps) {
  const [all] = useState(campaigns)
  const [terms, setTerms] = useState<ChosenTerms>(safest)
  const taking = useTaking(profile, {
    network_object_ids: all.map(({ id }) => id),
    managed_fields: managedBy[terms.keeper],
    drift_policy: terms.policy,
    labels: terms.labels.length > 0 ? [...terms.labels] : null,
  })
  const { tried, error, results } = taking
  const possible = tried?.filter(({ outcome }) => outcome === 'created').length ?? 0
  const nothing = possible === 0 ? 'None of them can be taken over.' : null
  const shown = results ?? tried
  return (
    <Dialog
      title={`Take over ${countOf(all.length, 'campaign')}`}
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{results ? 'Close' : 'Cancel'}</Button>
          {!results && (
            <Button
              look="primary"
              busy={taking.isBusy}
              blocked={tried ? nothing : 'It is being tried out.'}
              onClick={() => void taking.run()}
            >
              Take over {possible}
            </Button>
          )}
        </>
      }
    >
      <div className={fieldStyles.form}>
        <p>
          Each becomes a campaign here, with the values and the status that it has. Nothing is sent
          to the network.
        </p>
        {error ? <ProblemNotice error={error} /> : null}
        {!results && <TermFields terms={terms} onChange={setTerms} />}
        {!shown && !error && <Soft>Trying it out…</Soft>}
        {shown && <Outcomes results={shown} isDone={results !== null} campaigns={all} />}
      </div>
    </Dialog>
  )
}

type TermFieldsProps = { terms: ChosenTerms; onChange: (terms: ChosenTerms) => void }

const TermFields = ({ terms, onChange }: TermFieldsProps) => (
  <>
    <SelectField
      label="What the connector keeps from now on"
      choices={keepers}
      name="managed_fields"
      fault={undefined}
      value={terms.keeper}
      onChange={(keeper: Keeper) => onChange({ ...terms, keeper })}
    />
    <SelectField
      label="What is changed in the network by others"
      choices={policyChoices}
      name="drift_policy"
      fault={undefined}
      value={terms.policy}
      onChange={(policy: Policy) => onChange({ ...terms, policy })}
    />
    <LabelsField
      label="Labels"
      optional
      hint="Given to all of them."
      name="labels"
      fault={undefined}
      value={terms.labels}
      onChange={(labels) => onChange({ ...terms, labels })}
    />
  </>
)

type Terms = Parameters<typeof flightdeck.profiles.takeOverCampaigns>[1]

function useTaking(profile: Profile, terms: Terms) {
  const [results, setResults] = useState<readonly TakenOver[] | null>(null)
  const [refused, setRefused] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const take = () => flightdeck.profiles.takeOverCampaigns(profile.id, terms)
  const trial = useQuery({
    queryKey: ['try', 'take over', profile.id, terms],
    queryFn: () => take().dryRun(),
    enabled: results === null,
    retry: false,
    staleTime: 0,
  })
  const run = async () => {
    setBusy(true)
    setRefused(null)
    try {
      setResults((await take()).results)
      await rereadDeployments()
      await cache.invalidateQueries({ queryKey: ['profiles'] })
    } catch (error) {
      setRefused(error)
    }
    setBusy(false)
  }
  return { tried: trial.data?.results, error: refused ?? trial.error, results, isBusy, run }
}

type OutcomesProps = {
  results: readonly TakenOver[]
  campaigns: readonly NetworkRow[]
  isDone: boolean
}

function Outcomes({ results, campaigns, isDone }: OutcomesProps) {
  const nameAt = (id: string) => campaigns.find((each) => each.id === id)?.name ?? id
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  const warned = results.filter(({ warnings }) => warnings.length > 0)
  const fine = results.length - failed.length
  return (
    <div aria-live="polite" className={fieldStyles.form}>
      {fine > 0 && (
        <Notice
          tone="good"
          title={`${countOf(fine, 'campaign')} ${isDone ? 'taken over' : 'can be taken over'}`}
        />
      )}
      {failed.length > 0 && (
        <Notice
          tone="warn"
          title={`${countOf(failed.length, 'campaign')} cannot be held as they are`}
        >
          <ul className={styles.outcomes}>
            {failed.map(({ network_object_id: id, problem }) => (
              <li key={id}>
                {nameAt(id)}: {faultOf(problem)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {warned.length > 0 && (
        <Notice title={`${countOf(warned.length, 'campaign')} beyond a guardrail or a cap`}>
          <ul className={styles.outcomes}>
            {warned.map(({ network_object_id: id, warnings }) => (
              <li key={id}>
                {nameAt(id)}: {warnings.map(({ message }) => message).join(' ')}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}

/** The faults of its fields, where there are some. */
function faultOf(problem: TakenOver['problem']): string {
  const faults = problem?.errors ?? []
  if (faults.length === 0) return problem?.detail ?? 'refused'
  return faults.map(({ pointer, message }) => `${pointer ?? ''} ${message}`.trim()).join('; ')
}
