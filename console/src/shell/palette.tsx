import type { Page } from '@flightdeckhq/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import type { ObjectPath } from '../address.ts'
import { finderOf } from '../data/finder.ts'
import { flightdeck } from '../flightdeck.ts'
import { rolesOf } from '../rights.ts'
import { useSession } from '../session.tsx'
import fieldStyles from '../ui/fields.module.css'
import { Dialog } from '../ui/layers/dialog.tsx'
import { creations } from './creations.ts'
import { help, inbox } from './navigation.ts'
import styles from './palette.module.css'
import { useScreens } from './use-screens.ts'

type Command = { id: string; name: string; kind: string; keys?: string; run: () => void }

/** Goes to any screen or object, and begins anything new. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const { commands, isBusy } = useCommands(typed)
  const [chosen, setChosen] = useState(0)
  const listId = useId()
  const at = Math.min(chosen, commands.length - 1)
  const run = (command: Command) => {
    onClose()
    command.run()
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setChosen((at + step + commands.length) % Math.max(1, commands.length))
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      if (commands[at]) run(commands[at])
    }
  }
  return (
    <Dialog title="Find or do" onClose={onClose}>
      <div className={styles.palette}>
        <input
          role="combobox"
          aria-label="Find a screen, a campaign, a profile, a client, or something to do"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={commands[at] ? `${listId}-${at}` : undefined}
          className={fieldStyles.input}
          placeholder="Campaigns, profiles, clients, screens, actions…"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setChosen(0)
          }}
          onKeyDown={onKey}
        />
        <Results id={listId} commands={commands} at={at} onChoose={setChosen} onRun={run} />
        <p role="status" className={styles.kind}>
          {commands.length === 0 && !isBusy && `Nothing matches “${typed.trim()}”.`}
        </p>
      </div>
    </Dialog>
  )
}

type ResultsProps = {
  id: string
  commands: readonly Command[]
  at: number
  onChoose: (index: number) => void
  onRun: (command: Command) => void
}

const Results = ({ id, commands, at, onChoose, onRun }: ResultsProps) => (
  <div role="listbox" id={id} aria-label="Results" className={styles.results}>
    {commands.map((command, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the search box.
      <div
        key={command.id}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === at}
        className={styles.command}
        onClick={() => onRun(command)}
        onPointerMove={() => onChoose(index)}
        ref={index === at ? scrollIntoView : undefined}
      >
        <span className={styles.name}>{command.name}</span>
        <span className={styles.kind}>{command.kind}</span>
        {command.keys && <kbd className={styles.kind}>{command.keys}</kbd>}
      </div>
    ))}
  </div>
)

const scrollIntoView = (element: HTMLElement | null) =>
  element?.scrollIntoView({ block: 'nearest' })

function useCommands(typed: string) {
  const navigate = useNavigate()
  const { role } = useSession().user
  const isSought = finderOf(typed)
  const screens = useScreens().flatMap(({ screens }) => screens)
  const { objects, similar, isBusy } = useObjects(typed.trim())
  const toScreens: Command[] = [...screens, inbox].map(({ to, name, keys }) => ({
    id: to,
    name,
    kind: 'Screen',
    keys,
    run: () => void navigate({ to }),
  }))
  const toHelp: Command[] = help.map(({ to, name }) => ({
    id: to,
    name,
    kind: 'Reference',
    run: () => void navigate({ to }),
  }))
  const toForms: Command[] = creations
    .filter(({ needs }) => rolesOf(needs).includes(role))
    .map(({ name, at }) => ({
      id: name,
      name,
      kind: 'Action',
      run: () => void navigate(at),
    }))
  const own = [...toScreens, ...toForms, ...toHelp].filter(({ name }) => isSought(name))
  const exact = [...own, ...objects]
  return { commands: exact.length > 0 ? exact : similar, isBusy }
}

const kindOf = (kind: string, { search }: { search?: 'similar' }): string =>
  search === 'similar' ? `Similar ${kind.toLowerCase()}` : kind

/** Objects by their names, of each kind the first few. */
async function found(typed: string) {
  const query = { q: typed, limit: 6, fields: ['id' as const, 'name' as const] }
  const [campaigns, profiles, clients] = await Promise.all([
    flightdeck.campaigns.list(query),
    flightdeck.profiles.list(query),
    flightdeck.clients.list(query),
  ])
  return [
    ...foundIn(campaigns, { kind: 'Campaign', to: '/campaigns/$id' }),
    ...foundIn(profiles, { kind: 'Profile', to: '/profiles/$id' }),
    ...foundIn(clients, { kind: 'Client', to: '/clients/$id' }),
  ]
}

type FoundAt = { kind: string; to: ObjectPath }

const foundIn = ({ data, meta }: Page<{ id: string; name: string }>, { kind, to }: FoundAt) =>
  data.map(({ id, name }) => ({
    id,
    name,
    isSimilar: meta.search === 'similar',
    kind: kindOf(kind, meta),
    to,
  }))

function useObjects(typed: string) {
  const navigate = useNavigate()
  const {
    data = [],
    isFetching,
    isPlaceholderData,
  } = useQuery({
    queryKey: ['palette', typed],
    queryFn: () => found(typed),
    enabled: typed.length > 1,
    placeholderData: (before) => before,
  })
  // Results for other words are shown only if they have these too.
  const isSought = finderOf(typed)
  const fitting = isPlaceholderData ? data.filter(({ name }) => isSought(name)) : data
  const commandsOf = (some: typeof data): Command[] =>
    some.map(({ to, isSimilar: _, ...shown }) => ({
      ...shown,
      run: () => void navigate({ to, params: { id: shown.id } }),
    }))
  return {
    objects: commandsOf(fitting.filter(({ isSimilar }) => !isSimilar)),
    /** Shown where nothing else is found. */
    similar: commandsOf(fitting.filter(({ isSimilar }) => isSimilar)),
    isBusy: isFetching,
  }
}
