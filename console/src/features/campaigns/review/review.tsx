import { useQuery } from '@tanstack/react-query'
import { partKey } from '../../../data/keys.ts'
import type { Tone } from '../../../data/words.ts'
import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import { Card, Section } from '../../../ui/page.tsx'
import { Status } from '../../../ui/values/status.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import { Time } from '../../../ui/values/time.tsx'
import { ApprovedTerms } from '../terms.tsx'

const outcomes: Readonly<Record<string, { tone: Tone; name: string }>> = {
  pending: { tone: 'warn', name: 'Waits for approval' },
  approved: { tone: 'good', name: 'Approved' },
  rejected: { tone: 'bad', name: 'Rejected' },
  withdrawn: { tone: 'neutral', name: 'Withdrawn' },
}

/** The last submission, and how its terms differ from what was approved. */
export function Review({ campaign }: { campaign: Campaign }) {
  const { review, approved } = campaign
  if (!review) return null
  const { tone, name } = outcomes[review.state] ?? { tone: 'neutral', name: review.state }
  return (
    <Section title="Review">
      <Card>
        <div>
          <Status tone={tone}>{name}</Status>
        </div>
        <p>
          Submitted by <PersonName id={review.submitted_by} campaign={campaign} />,{' '}
          <Time time={review.submitted_at} />
        </p>
        {review.decided_at && (
          <p>
            {name} by <PersonName id={review.decided_by} campaign={campaign} />,{' '}
            <Time time={review.decided_at} />
          </p>
        )}
        {review.reason && <blockquote>{review.reason}</blockquote>}
        {approved && (
          <>
            <h3>
              Now, beside what was approved <Time time={approved.at} />
            </h3>
            <ApprovedTerms campaign={campaign} />
          </>
        )}
      </Card>
    </Section>
  )
}

/** The name of a person: reviews have only the id, and the campaign's history has the names. */
export function PersonName({ id, campaign }: { id: string | null; campaign: Campaign }) {
  const { created_by, created_by_name, updated_by, updated_by_name } = campaign
  const known =
    id === created_by ? created_by_name : id === updated_by ? updated_by_name : undefined
  const { data } = useQuery({
    queryKey: partKey('campaigns', campaign.id, 'people'),
    queryFn: async () => {
      const { data } = await flightdeck.campaigns.getHistory(campaign.id, { limit: 100 })
      return new Map(data.map(({ actor }) => [actor?.id ?? null, actor?.name ?? null]))
    },
    enabled: known === undefined && id !== null,
  })
  return known ?? data?.get(id) ?? <Soft>a former member</Soft>
}
