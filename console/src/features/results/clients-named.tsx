import { Link } from '@tanstack/react-router'
import { Cut } from '../../ui/values/text.tsx'

/** Results are grouped by the name of a client: the list finds it. */
export const ClientsNamed = ({ name }: { name: string }) => (
  <Link to="/clients" search={{ q: name }}>
    <Cut text={name} />
  </Link>
)
