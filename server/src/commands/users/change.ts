import { updateMember } from '../../features/members/members.ts'
import type { MemberChanges } from '../../features/members/schema.ts'
import { actIn, administer } from '../administer.ts'
import { action, type Given } from '../command.ts'
import { readRole } from '../read.ts'
import { readEmail } from '../read-account.ts'
import { readAll } from '../read-all.ts'
import { facts } from '../table.ts'
import { findUser } from './find-user.ts'

/** The same change as the API's, with its guards: the last owner stays, sessions end at once. */
const changing = (name: string, changesIn: (given: Given) => MemberChanges) =>
  action({
    async run(given) {
      const { email, changes } = readAll({
        email: () => readEmail(given.text('email')),
        changes: () => changesIn(given),
      })
      return administer(name, async (services) => {
        const { id, organization_id } = await findUser(services, email)
        const member = await updateMember(await actIn(services, organization_id), id, changes)
        return { ...member, organization_id }
      })
    },
    show: ({ email, id, role, disabled }) =>
      facts({ User: `${email} (${role})`, Id: id, State: disabled ? 'disabled' : 'enabled' }),
  })

export const usersDisable = changing('users disable', () => ({ disabled: true }))
export const usersEnable = changing('users enable', () => ({ disabled: false }))
export const usersSetRole = changing('users set-role', ({ text }) => ({
  role: readRole(text('role')),
}))
