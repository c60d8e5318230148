import { useNavigate } from '@tanstack/react-router'
import { type Choice, choicesOf } from '../../data/choices.ts'
import { useScreenState, useSetSearch } from '../../data/search.ts'
import { flightdeck, type Profile } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Confirm } from '../../ui/forms/confirm.tsx'
import type { MenuItem } from '../../ui/layers/menu.tsx'
import { say } from '../../ui/layers/toast.tsx'
import { DeleteDialog } from '../../ui/objects/delete-dialog.tsx'
import { NewCampaign } from '../../ui/objects/new-campaign.tsx'
import { EditButton, MoreMenu } from '../../ui/objects/object-actions.tsx'
import { ProfileForm } from './form.tsx'

type ProfileProps = { profile: Profile }

export function Actions({ profile }: ProfileProps) {
  const setSearch = useSetSearch()
  const navigate = useNavigate()
  const maySwitch = useBlocked('patchProfile')
  const mayDelete = useBlocked('deleteProfile')
  const statuses = choicesOf('ProfileStatus').map(
    ({ value, name }): MenuItem => ({
      name,
      checked: value === profile.status,
      blocked: maySwitch,
      run: () => value !== profile.status && setSearch({ open: value }),
    }),
  )
  return (
    <>
      <NewCampaign search={{ profile: profile.id }} />
      <EditButton needs="updateProfile" />
      <MoreMenu
        items={[
          {
            name: 'Campaigns of this profile',
            run: () => void navigate({ to: '/campaigns', search: { profile_id: profile.id } }),
          },
          'line',
          ...statuses,
          'line',
          {
            name: 'Delete…',
            danger: true,
            blocked: mayDelete,
            run: () => setSearch({ open: 'delete' }),
          },
        ]}
      />
    </>
  )
}

/** The dialog that the address says is open. */
export function Dialogs({ profile }: ProfileProps) {
  const [{ open }, setSearch] = useScreenState()
  const onClose = () => setSearch({ open: undefined })
  const status = choicesOf('ProfileStatus').find(({ value }) => value === open)
  if (open === 'edit') return <ProfileForm profile={profile} onClose={onClose} onDone={onClose} />
  if (open === 'delete') return <DeleteProfile profile={profile} onClose={onClose} />
  if (status && open !== profile.status) {
    return <SetStatus profile={profile} status={status} onClose={onClose} />
  }
  return null
}

type DialogProps = ProfileProps & { onClose: () => void }
type Status = Choice<Profile['status']>

/** Running campaigns pause when their profile stops being active: that is asked before. */
function SetStatus({ profile, status, onClose }: DialogProps & { status: Status }) {
  const name = status.name.toLowerCase()
  const { active } = profile.campaign_counts
  const follows =
    status.value === 'active'
      ? 'Its campaigns may run again; those that were paused stay paused until they are resumed.'
      : `Campaigns run only while their profile is active. Of its campaigns, ${active} run now and will pause.`
  return (
    <Confirm
      title={`Make ${profile.name} ${name}?`}
      text={follows}
      verb={`Make it ${name}`}
      run={(write) => flightdeck.profiles.patch(profile, { status: status.value }, write)}
      onClose={onClose}
      onDone={() => {
        say(`${profile.name} is ${name}`)
        onClose()
      }}
    />
  )
}

const DeleteProfile = ({ profile, onClose }: DialogProps) => (
  <DeleteDialog
    name={profile.name}
    kind="profile"
    text="The profile is deleted for good. Its campaigns must be deleted or moved before."
    run={(write) => flightdeck.profiles.delete(profile, write)}
    list="/profiles"
    onClose={onClose}
  />
)
