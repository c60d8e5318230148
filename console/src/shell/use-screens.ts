import { useIsSandbox } from '../data/organization.ts'
import { rolesOf } from '../rights.ts'
import { useSession } from '../session.tsx'
import { navigation, type Screen } from './navigation.ts'

/** The groups and screens that the role may read; the clock of a sandbox only where there is one. */
export function useScreens(): readonly { title: string; screens: readonly Screen[] }[] {
  const { role } = useSession().user
  const isSandbox = useIsSandbox()
  return navigation
    .map(({ title, screens }) => ({
      title,
      screens: screens.filter(
        ({ to, needs }) => rolesOf(needs).includes(role) && (to !== '/sandbox' || isSandbox),
      ),
    }))
    .filter(({ screens }) => screens.length > 0)
}
