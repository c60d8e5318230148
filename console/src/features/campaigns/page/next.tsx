import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Campaign, Schema } from '../../../flightdeck.ts'
import { Card, Section } from '../../../ui/page.tsx'
import { CampaignStatus } from '../../../ui/values/object-status.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import { Time } from '../../../ui/values/time.tsx'
import { actionWords } from '../acting/action-words.ts'
import { campaignStates } from '../queries.ts'
import { blockedText } from '../reasons.ts'
import styles from './overview.module.css'

const clocks = ['start_at', 'end_at'] as const

type States = Schema<'CampaignStates'>
type Transition = States['transitions'][number]

/** The statuses that it can go to from here: by an action, and by the clock. */
export function Next({ campaign }: { campaign: Campaign }) {
  const { data } = useQuery(campaignStates)
  if (!data) return null
  const byAction = campaign.available_actions.flatMap((available) => {
    const transition = data.transitions.find(({ action }) => action === available.action)
    return transition ? [{ transition, blocked: blockedText(available.blocked_by) }] : []
  })
  const byClock = clocks.flatMap((field) => {
    const found = data.timed_transitions.find(({ at }) => at === field)
    const applies = found?.from.includes(campaign.status) && campaign[field] !== null
    return found && applies ? [{ ...found, time: campaign[field] }] : []
  })
  return (
    <Section title="What can happen next">
      <Card>
        <ul className={styles.steps}>
          {byAction.map(({ transition, blocked }) => (
            <Step
              key={transition.action}
              name={actionWords[transition.action].verb}
              to={transition.to}
            >
              {blocked ?? about(transition)}
            </Step>
          ))}
          {byClock.map(({ at, time, to, checked }) => (
            <Step key={at} name={<Time time={time} zone={campaign.time_zone} />} to={[to]}>
              By itself{checked && ', if nothing stands against it then'}.
            </Step>
          ))}
        </ul>
      </Card>
    </Section>
  )
}

const performers: Readonly<Record<string, string>> = {
  approver: 'By an approver.',
  submitter: 'By the person who submitted it.',
}

/** Notes of the lifecycle on an action that is possible. */
function about({ checked, by }: Transition): string {
  const who = performers[by] ?? ''
  return [who, checked ? 'Its profile, dates and guardrails are checked first.' : '']
    .filter(Boolean)
    .join(' ')
}

type StepProps = { name: ReactNode; to: readonly string[]; children: ReactNode }

const Step = ({ name, to, children }: StepProps) => (
  <li className={styles.step}>
    <span className={styles.stepName}>{name}</span>
    <span className={styles.stepTo}>
      <span aria-hidden>→</span>
      <span className="visually-hidden">leads to</span>
      {to.map((status) => (
        <CampaignStatus key={status} status={status} />
      ))}
    </span>
    <Soft>{children}</Soft>
  </li>
)
