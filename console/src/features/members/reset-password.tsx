import { useState } from 'react'
import { flightdeck, type Member, type Schema } from '../../flightdeck.ts'
import { Confirm } from '../../ui/forms/confirm.tsx'
import { say } from '../../ui/layers/toast.tsx'
import { SecretDialog } from '../../ui/secret.tsx'

type Given = Schema<'GivenReset'>

/** Sends a member a link to set a password, or shows it where the service sends no mail. */
export default function ResetPassword({
  member,
  onClose,
}: {
  member: Member
  onClose: () => void
}) {
  const [given, setGiven] = useState<Given | null>(null)
  const { name, id, email } = member
  if (given) {
    return (
      <SecretDialog
        title={`A link for ${name}`}
        name="Link"
        secret={given.url}
        about={`This service sends no mail: give the link to ${name}. It works once, for 30 minutes.`}
        lost="Ask for another link."
        onClose={onClose}
      />
    )
  }
  return (
    <Confirm
      title={`Send ${name} a link to set a password?`}
      text="The password works until another one is set; then all sessions of this person end."
      verb="Send the link"
      run={(write) => flightdeck.members.resetPassword(id, write)}
      onClose={onClose}
      onDone={(answer) => {
        if (!answer.mailed) return setGiven(answer)
        say(`${email} has been sent a link`)
        onClose()
      }}
    />
  )
}
