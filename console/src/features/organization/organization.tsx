import { useQuery } from '@tanstack/react-query'
import { nameOf } from '../../data/choices.ts'
import { organizationQuery } from '../../data/organization.ts'
import { useScreenState } from '../../data/search.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'
import { CheckField, TextField } from '../../ui/fields/fields.tsx'
import { useForm } from '../../ui/fields/form.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { EditButton } from '../../ui/objects/object-actions.tsx'
import { ObjectScreen } from '../../ui/objects/object-screen.tsx'
import { Card, Facts, Page } from '../../ui/page.tsx'
import { Status } from '../../ui/values/status.tsx'
import { Copy } from '../../ui/values/text.tsx'
import { Time } from '../../ui/values/time.tsx'
import { LimitsSections } from './limits.tsx'
import { OrganizationSections } from './sections.tsx'

type Organization = Schema<'Organization'>

export default function OrganizationScreen() {
  return (
    <ObjectScreen query={useQuery(organizationQuery)}>
      {(organization) => <OrganizationPage organization={organization} />}
    </ObjectScreen>
  )
}

function OrganizationPage({ organization }: { organization: Organization }) {
  const [search, setSearch] = useScreenState()
  const close = () => setSearch({ open: undefined })
  const { name, plan, status, require_if_match, sandbox, id, created_at } = organization
  const { require_second_factor: isRequired } = organization
  return (
    <Page
      title={name}
      beside={status === 'suspended' && <Status tone="bad">Suspended</Status>}
      about="Your organization, and how much of its limits is used."
      actions={<EditButton needs="updateOrganization" />}
    >
      <OrganizationSections />
      <Card>
        <Facts
          facts={[
            ['Plan', nameOf(plan)],
            ['Edits', require_if_match ? 'Only of the newest version' : 'Of any version'],
            ['Second factor', isRequired ? 'Required of all members' : 'As each member likes'],
            ['Sandbox', sandbox ? 'Yes: its clock can be moved' : 'No'],
            ['SCIM address', <Copy key="scim" text={`${location.origin}/scim/v2`} />],
            ['Created', <Time key="created" time={created_at} />],
            ['Id', <Copy key="id" text={id} />],
          ]}
        />
      </Card>
      <LimitsSections />
      {search.open === 'edit' && (
        <OrganizationForm organization={organization} onClose={close} onDone={close} />
      )}
    </Page>
  )
}

const valuesOf = ({ name, require_if_match, require_second_factor }: Organization) => ({
  name,
  require_if_match,
  require_second_factor,
})

type OrganizationFormProps = { organization: Organization; onDone: () => void; onClose: () => void }

function OrganizationForm({ organization, onDone, onClose }: OrganizationFormProps) {
  const form = useForm({
    draft: 'organization',
    initial: valuesOf(organization),
    version: organization.version,
  })
  const { field } = form
  return (
    <FormDialog
      title="Edit the organization"
      submitLabel="Save"
      form={form}
      onDone={onDone}
      onClose={onClose}
      submit={(changes, write) => flightdeck.organization.update(changes, write)}
      stored={async () => {
        const stored = await flightdeck.organization.get()
        return { values: valuesOf(stored), version: stored.version, changedBy: null }
      }}
      labels={{
        require_if_match: 'Only changes of the version that was seen',
        require_second_factor: 'Second factor',
      }}
    >
      <TextField label="Name" {...field('name')} />
      <CheckField
        label="Only accept changes of the version that was seen"
        hint="Programs must send If-Match. No one overwrites what another person has just changed. The console always sends it."
        {...field('require_if_match')}
      />
      <CheckField
        label="Require a second factor of all members"
        hint="Members without one can do nothing but set one up. An owner must have one first. API keys are unaffected."
        {...field('require_second_factor')}
      />
    </FormDialog>
  )
}
