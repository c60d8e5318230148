import { Link, type UseNavigateResult, useParams } from '@tanstack/react-router'
import type { Address } from './address.ts'
import { LinkButton } from './ui/button.tsx'

declare const navigate: UseNavigateResult<string>
declare const id: string

/** The compiler checks these; they are never shown. */
export const refused = [
  // @ts-expect-error: a screen that there is not
  () => <Link to="/campaing/$id" params={{ id }} />,
  // @ts-expect-error: without the id
  () => <Link to="/campaigns/$id" />,
  // @ts-expect-error: a parameter that there is not
  () => <Link to="/campaigns/$id" params={{ campaign: id }} />,
  // @ts-expect-error: an address that is built
  () => <Link to={`/campaigns/${id}`} />,
  // @ts-expect-error: the same as a button: a screen that there is not
  () => <LinkButton to="/campaing">Campaigns</LinkButton>,
  // @ts-expect-error: without the id
  () => <LinkButton to="/campaigns/$id">Campaign</LinkButton>,
  // @ts-expect-error: the same by a function: a screen that there is not
  () => navigate({ to: '/campaing/$id', params: { id } }),
  // @ts-expect-error: without the id
  () => navigate({ to: '/campaigns/$id' }),
  // @ts-expect-error: the same as data: a screen that there is not
  (): Address => ({ to: '/campaing' }),
  // @ts-expect-error: an id where there is none
  (): Address => ({ to: '/campaigns', params: { id } }),
  // @ts-expect-error: parameters of a screen that there is not
  () => useParams({ from: '/campaing/$id' }),
]

/** Links that router and compiler take. */
export const taken = [
  () => <Link to="/campaigns/$id" params={{ id }} search={{ tab: 'pacing' }} />,
  () => <LinkButton to="/campaigns">Campaigns</LinkButton>,
  () => navigate({ to: '/campaigns/$id', params: { id } }),
  (address: Address) => <Link {...address} />,
  (address: Address) => navigate(address),
]
