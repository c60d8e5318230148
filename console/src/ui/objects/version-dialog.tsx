import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { actionText } from '../../data/events/words.ts'
import { partKey } from '../../data/keys.ts'
import { byActor } from '../../data/values/actor.ts'
import { Button } from '../button.tsx'
import fieldStyles from '../fields.module.css'
import { Confirm } from '../forms/confirm.tsx'
import { Dialog } from '../layers/dialog.tsx'
import { say } from '../layers/toast.tsx'
import { Skeleton } from '../lists/skeleton.tsx'
import { Notice, ProblemNotice } from '../notice.tsx'
import { Section } from '../page.tsx'
import { Soft } from '../values/text.tsx'
import { Time } from '../values/time.tsx'
import { Diff, differencesOf } from './diff.tsx'
import type { Entry, HistoryProps, Versioned } from './version.tsx'

type VersionProps<Of extends Versioned> = HistoryProps<Of> & { entry: Entry; onClose: () => void }

/** One version: what it changed, how the object was then, and how to go back to it. */
export function VersionDialog<Of extends Versioned>(props: VersionProps<Of>) {
  const { entry, object, reading, blocked, onClose } = props
  const [isReverting, setReverting] = useState(false)
  const isPresent = entry.version === object.version
  return (
    <Dialog
      kind="drawer"
      wide
      title={`Version ${entry.version} of ${object.name}`}
      onClose={onClose}
      footer={
        <Button
          blocked={isPresent ? 'This is the present version.' : blocked}
          onClick={() => setReverting(true)}
        >
          Revert to this version…
        </Button>
      }
    >
      <div className={fieldStyles.form}>
        <p>
          {actionText(entry.action)} {byActor(entry.actor)}, <Time time={entry.at} />
        </p>
        <Section title="What it changed">
          <Diff
            caption={`What version ${entry.version} changed`}
            differences={entry.changes}
            reading={reading}
          />
        </Section>
        {!isPresent && <Then {...props} />}
      </div>
      {isReverting && <Revert {...props} onClose={() => setReverting(false)} onDone={onClose} />}
    </Dialog>
  )
}

/** Fields that the service keeps count of, in every object. */
const kept = ['version', 'updated_at', 'updated_by', 'updated_by_name', 'available_actions']

function Then<Of extends Versioned>({ kind, object, resource, entry, reading }: VersionProps<Of>) {
  const { data, error } = useQuery({
    queryKey: partKey(kind, object.id, 'as it was', { at: entry.at }),
    queryFn: async () => resource.get(object.id, { as_of: entry.at }),
  })
  const differences =
    data && differencesOf(data, object).filter(({ field }) => !kept.includes(field))
  return (
    <Section title="As it was then">
      {error && <ProblemNotice error={error} />}
      {!error && !differences && <Skeleton rows={4} />}
      {differences?.length === 0 && <Soft>It is the same now.</Soft>}
      {differences && differences.length > 0 && (
        <Diff
          caption="What was different then"
          before="Then"
          after="Now"
          differences={differences}
          reading={reading}
        />
      )}
    </Section>
  )
}

/** Asks first, with what the service says would change. */
function Revert<Of extends Versioned>(props: VersionProps<Of> & { onDone: () => void }) {
  const { object, resource, entry, reading, onClose, onDone } = props
  const [seen] = useState(object)
  const to = { to_version: entry.version }
  const { data, error } = useQuery({
    queryKey: ['try', 'revert', seen.id, seen.version, entry.version],
    queryFn: () => resource.revert(seen, to).dryRun(),
    retry: false,
    staleTime: 0,
  })
  const differences =
    data && differencesOf(seen, data).filter(({ field }) => ![...kept, 'warnings'].includes(field))
  const isSame = differences?.length === 0
  return (
    <Confirm
      title={`Revert ${seen.name} to version ${entry.version}?`}
      text={`Its fields become what they were then, as a new version.${'status' in seen ? ' Its status stays.' : ''}`}
      verb="Revert"
      wide
      blocked={isSame ? 'Nothing would change.' : null}
      run={(write) => resource.revert(seen, to, write)}
      onClose={onClose}
      onDone={() => {
        say(`${seen.name} is as it was in version ${entry.version}`)
        onDone()
      }}
    >
      {error && <ProblemNotice error={error} />}
      {!error && !differences && <Skeleton rows={2} />}
      {isSame && <Notice title="Nothing would change." />}
      {differences && !isSame && (
        <Diff
          caption="What would change"
          before="Now"
          after="Then"
          differences={differences}
          reading={reading}
        />
      )}
    </Confirm>
  )
}
