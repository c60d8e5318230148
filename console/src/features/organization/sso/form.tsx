import { choicesOf } from '../../../data/choices.ts'
import { flightdeck } from '../../../flightdeck.ts'
import { CheckField, FieldRow, SelectField, TextField } from '../../../ui/fields/fields.tsx'
import { type Form, useForm } from '../../../ui/fields/form.ts'
import { LabelsField } from '../../../ui/fields/labels-field.tsx'
import { bodyOf } from '../../../ui/forms/body.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { storedIn } from '../../../ui/forms/stored.ts'
import { Copy } from '../../../ui/values/text.tsx'
import { RoleMapField } from './role-map-field.tsx'
import { labels, type Sso, type SsoValues, sent, valuesOf } from './values.ts'

export type SsoFormProps = { sso: Sso | null; onDone: () => void; onClose: () => void }

const secrets = ['client_secret'] as const

/** Sets single sign-on up, or changes it. */
export default function SsoForm({ sso, onDone, onClose }: SsoFormProps) {
  const form = useForm({
    draft: 'single sign-on',
    secrets,
    initial: valuesOf(sso),
    version: sso?.version ?? null,
  })
  return (
    <FormDialog
      title={sso ? 'Edit single sign-on' : 'Set up single sign-on'}
      submitLabel={sso ? 'Save' : 'Set up'}
      form={form}
      isNew={!sso}
      onDone={onDone}
      onClose={onClose}
      submit={(changes, write) => flightdeck.organization.putSso(bodyOf(sent(changes)), write)}
      stored={async () => storedIn(await flightdeck.organization.getSso(), valuesOf)}
      labels={labels}
    >
      {!sso && <ToRegister />}
      <ProviderFields form={form} isNew={!sso} />
      <RoleFields form={form} />
      <PeopleFields form={form} />
    </FormDialog>
  )
}

/** The address that a provider asks for before it gives a client id. */
const ToRegister = () => (
  <div>
    <p>
      Register Flightdeck at your provider as a web application (confidential client, authorization
      code) with this redirect URI. What the provider gives you goes below.
    </p>
    <p>
      <Copy text={`${location.origin}/api/v1/auth/sso/callback`} />
    </p>
  </div>
)

type PartProps = { form: Form<SsoValues> }

const ProviderFields = ({ form, isNew }: PartProps & { isNew: boolean }) => (
  <>
    <TextField
      label={labels.issuer}
      placeholder="https://login.example.com"
      hint="The URL of your provider, as its configuration names it."
      {...form.field('issuer')}
    />
    <FieldRow>
      <TextField label={labels.client_id} autoComplete="off" {...form.field('client_id')} />
      <TextField
        label={labels.client_secret}
        type="password"
        autoComplete="off"
        optional={!isNew}
        hint={isNew ? undefined : 'Stored. Type another to replace it.'}
        {...form.field('client_secret')}
      />
    </FieldRow>
    <LabelsField
      label={labels.domains}
      hint="Of your members’ addresses, such as acme.example. Each has to be proved before it counts."
      {...form.field('domains')}
    />
  </>
)

const RoleFields = ({ form }: PartProps) => (
  <>
    <SelectField
      label={labels.default_role}
      choices={choicesOf('SsoRole')}
      hint="And of members whose values give no role."
      {...form.field('default_role')}
    />
    <TextField
      label={labels.role_claim}
      optional
      hint="The claim with a person’s roles or groups, such as groups. Without one, roles are set here by hand."
      {...form.field('role_claim')}
    />
    {form.values.role_claim !== null && <RoleMapField {...form.field('role_map')} />}
  </>
)

const PeopleFields = ({ form }: PartProps) => (
  <>
    <CheckField
      label="Make an account at a person’s first login"
      hint="Else only those who are members already are let in."
      {...form.field('create_members')}
    />
    <CheckField
      label="Trust addresses that the provider does not call verified"
      hint="Only if no one but you can write them there, as with Microsoft Entra."
      {...form.field('trust_email')}
    />
    <CheckField
      label="Let members of the proved domains log in only so"
      hint="Their sessions by password end. Owners with a second factor keep their password, for when the provider is down."
      {...form.field('enforced')}
    />
    <CheckField
      label="Use a redirect URI of one’s own"
      hint="For providers that do not name themselves in their answers. It has to be registered there again."
      {...form.field('own_redirect_uri')}
    />
  </>
)
