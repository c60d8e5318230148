import { Status } from '../../ui/values/status.tsx'

export const MemberStatus = ({ disabled }: { disabled: boolean }) =>
  disabled ? <Status tone="neutral">Disabled</Status> : <Status tone="good">Active</Status>
