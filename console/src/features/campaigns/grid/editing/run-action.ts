import { loadCode } from '../../../../data/code.ts'
import { say } from '../../../../ui/layers/toast.tsx'
import { type Start, type Tray, trayIsFull } from '../../../change-sets/tray.ts'
import { actionBlocked } from '../../reasons.ts'
import type { GridRow } from '../columns/column.ts'
import { learn } from '../known.ts'

type RunAction = 'pause' | Start

const runActions: readonly RunAction[] = ['pause', 'resume', 'launch']

/** The one of them that the service offers now. */
export const runActionOf = ({ available_actions }: Pick<GridRow, 'available_actions'>): RunAction =>
  runActions.find((each) => available_actions.some(({ action }) => action === each)) ?? 'resume'

/** Whether a start of the campaign waits to be published. */
export const waitsToStart = ({ edits }: Pick<Tray, 'edits'>, { id }: Pick<GridRow, 'id'>) =>
  edits.some((edit) => edit.id === id && edit.action !== null)

/** A pause is done at once, and back again from the message. A start waits with other edits. */
export async function run(row: GridRow, tray: Tray): Promise<void> {
  if (waitsToStart(tray, row)) return tray.withdraw(row.id)
  const action = runActionOf(row)
  const blocked = actionBlocked(row, action)
  if (blocked) return say(`${row.name}: ${blocked}`)
  if (action !== 'pause') return startLater(row, { action, tray })
  const { performAtOnce } = await loadCode(() => import('../../acting/perform.ts'))
  await performAtOnce(action, row, {
    onChanged: (changed) => learn([changed]),
    // The way back of a pause may need a change set.
    instead: (_, campaign) => ({
      name: 'Publish later',
      run: () => startLater(campaign, { action: 'resume', tray }),
    }),
  })
}

type Waiting = Pick<GridRow, 'id' | 'name' | 'version'>

const done = { launch: 'launched', resume: 'resumed' }

function startLater(row: Waiting, { action, tray }: { action: Start; tray: Tray }): void {
  const { id, name, version } = row
  const isAdded = tray.add([{ id, name, version, body: {}, action }])
  say(isAdded ? `${name} is ${done[action]} once you publish` : trayIsFull, { about: 'tray' })
}
