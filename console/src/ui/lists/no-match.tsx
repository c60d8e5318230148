import type { ReactNode } from 'react'
import { one, useScreenState } from '../../data/search.ts'
import { Empty } from './empty.tsx'

type NoMatchProps = {
  /** The listed objects: `campaign`. */
  kind: string
  action?: ReactNode
  children?: ReactNode
}

/** A list of nothing, with what was looked for. */
export function NoMatch({ kind, action, children = 'Change or clear the filters.' }: NoMatchProps) {
  const [search] = useScreenState()
  const sought = one(search.q)?.trim()
  return (
    <Empty title={`No ${kind} matches${sought ? ` “${sought}”` : ''}`} action={action}>
      {children}
    </Empty>
  )
}
