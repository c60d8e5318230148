import { FlightdeckError } from '@flightdeckhq/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { one, type Search, useScreenState } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'
import { say, sayTrouble } from '../../ui/layers/toast.tsx'
import { searchOf, type View, type Viewed } from './state.ts'

/** Replaces the whole state in the address; the client that screens are narrowed to stays. */
export function useGoTo() {
  const navigate = useNavigate()
  return (search: Search, replace = false) => void navigate({ to: '.', search, replace })
}

/** Opens the view that a link names, in the place of the link. */
export function useNamedView(resource: Viewed, onOpened: (view: View) => void): void {
  const [search] = useScreenState()
  const named = one(search.view)
  const goTo = useGoTo()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link.
  useEffect(() => {
    if (named === undefined) return
    void openNamed(resource, named).then((view) => {
      goTo(view ? searchOf(view) : { ...search, view: undefined }, true)
      if (view) onOpened(view)
    })
  }, [named])
}

async function openNamed(resource: Viewed, id: string): Promise<View | undefined> {
  try {
    const view = await flightdeck.views.get(id)
    if (view.resource === resource) return view
    say('That view is of another list', { tone: 'bad' })
  } catch (error) {
    if (error instanceof FlightdeckError && error.status === 404)
      say('That view is gone, or not shared with you', { tone: 'bad' })
    else sayTrouble(error)
  }
  return undefined
}
