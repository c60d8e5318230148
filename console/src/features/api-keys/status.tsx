import { nameOf } from '../../data/choices.ts'
import { Status } from '../../ui/values/status.tsx'

export const ApiKeyStatus = ({ status }: { status: string }) => (
  <Status tone={status === 'active' ? 'good' : 'neutral'}>{nameOf(status)}</Status>
)
