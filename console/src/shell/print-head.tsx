import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { profileNames } from '../data/profile-names.ts'
import { useScreenState } from '../data/search.ts'
import { formatExactTime } from '../data/values/time.ts'
import { useSession } from '../session.tsx'
import { wordsOfSearch } from './words-of-search.ts'

/** Above the title on paper: whose it is, when it was printed, and what it was filtered by. */
export default function PrintHead() {
  const { organization } = useSession()
  const [search] = useScreenState()
  const profiles = useQueryClient().getQueryData(profileNames.queryKey)
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const refresh = () => flushSync(() => setNow(new Date()))
    window.addEventListener('beforeprint', refresh)
    return () => window.removeEventListener('beforeprint', refresh)
  }, [])
  const words = wordsOfSearch(search, (id) => profiles?.get(id)?.name ?? id)
  return (
    <div className="print-only">
      <p>
        {organization.name} · Printed {formatExactTime(now.toISOString())}
      </p>
      {words.length > 0 && <p>{words.join(' · ')}</p>}
    </div>
  )
}
