import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Search } from '../../data/search.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../button.tsx'

/** Begins a campaign with what the screen is of: a client, or a profile. */
export function NewCampaign({ search }: { search: Search }) {
  const navigate = useNavigate()
  return (
    <Button
      icon={<IconPlus aria-hidden />}
      blocked={useBlocked('createCampaign')}
      onClick={() => void navigate({ to: '/campaigns/new', search })}
    >
      New campaign
    </Button>
  )
}
