import { queryOptions, useQuery } from '@tanstack/react-query'
import { useScreenState } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'
import { useMay } from '../../session.tsx'
import { EditButton } from '../../ui/objects/object-actions.tsx'
import { ObjectScreen } from '../../ui/objects/object-screen.tsx'
import { Card, Page, Section } from '../../ui/page.tsx'
import { Age } from '../../ui/values/time.tsx'
import { ChangesOf } from '../audit-log/changes-of.tsx'
import { GuardrailsForm } from './form.tsx'
import { Sentences } from './sentences.tsx'
import { type Guardrails, valuesOf } from './values.ts'

// Its events are those of the organization.
const guardrailsQuery = queryOptions({
  queryKey: ['organization', 'guardrails'],
  queryFn: async () => flightdeck.organization.getGuardrails(),
})

export default function GuardrailsScreen() {
  return (
    <ObjectScreen query={useQuery(guardrailsQuery)}>
      {(rules) => <GuardrailsPage rules={rules} />}
    </ObjectScreen>
  )
}

function GuardrailsPage({ rules }: { rules: Guardrails }) {
  const [search, setSearch] = useScreenState()
  const mayAudit = useMay('listAuditLogs')
  const close = () => setSearch({ open: undefined })
  return (
    <Page
      title="Guardrails"
      about="Limits that hold for everybody, so that a typing error does not spend ten times the budget."
      actions={<EditButton needs="updateGuardrails" look="primary" />}
    >
      <Card>
        <Sentences values={valuesOf(rules)} />
        <p>Roles that may exceed a guardrail do so with a reason, which the audit log keeps.</p>
        {rules.updated_at && (
          <p>
            Changed <Age time={rules.updated_at} />
            {rules.updated_by_name && ` by ${rules.updated_by_name}`}.
          </p>
        )}
      </Card>
      {mayAudit && (
        <Section title="History">
          <ChangesOf
            query={{ action: 'organization.guardrails_updated' }}
            empty="The guardrails have never been changed."
          />
        </Section>
      )}
      {search.open === 'edit' && <GuardrailsForm rules={rules} onClose={close} onDone={close} />}
    </Page>
  )
}
