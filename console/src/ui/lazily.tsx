import {
  type ComponentType,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useState,
} from 'react'
import { loadCode } from '../data/code.ts'
import { Dialog } from './layers/dialog.tsx'
import { ReadFailed } from './notice.tsx'

type FailedProps = { error: unknown; retry: () => void }
type Load<Props> = () => Promise<{ default: ComponentType<Props> }>
type Failed<Props> = (props: Props & FailedProps) => ReactNode

/**
 * A component whose code is loaded when it is first shown. `lazy` of React would keep a failure for
 * ever; this one shows it, and tries again when it is asked to or shown again. Until it is loaded,
 * `waiting` is shown, or else what the nearest `Suspense` shows.
 */
export function lazily<Props extends object>(
  load: Load<Props>,
  Failed: Failed<Props>,
  waiting?: ReactNode,
) {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<unknown> | undefined
  const begin = () => {
    loading ??= loadCode(load).then(
      (module) => {
        Loaded = module.default
      },
      (error) => error,
    )
    return loading
  }
  const forget = () => {
    loading = undefined
  }
  let shown = 0
  /** The next one that is shown after all are gone tries again. */
  const stay = () => {
    shown += 1
    return () => {
      shown -= 1
      if (shown === 0) forget()
    }
  }
  function Lazily(props: Props) {
    const [answer, setAnswer] = useState<{ error: unknown } | null>(null)
    useEffect(stay, [])
    const isWaiting = waiting !== undefined && !Loaded && answer === null
    useEffect(() => {
      if (isWaiting) void begin().then((error) => setAnswer({ error }))
    }, [isWaiting])
    if (isWaiting) return waiting
    const error = Loaded ? undefined : waiting === undefined ? use(begin()) : answer?.error
    if (Loaded) return <Loaded {...props} />
    const retry = () =>
      startTransition(() => {
        forget()
        setAnswer(waiting === undefined ? { error: undefined } : null)
      })
    return <Failed {...props} error={error} retry={retry} />
  }
  // After a failed preload, the screen loads again when it is shown.
  return Object.assign(Lazily, { preload: () => begin().then(forget) })
}

/**
 * A part of a screen. With `waiting`, which stands in for it, what it reads does not wait: React holds
 * back for 300 ms what a `Suspense` shows after its fallback.
 */
export const lazyPart = <Props extends object>(load: Load<Props>, waiting?: ReactNode) =>
  lazily<Props>(load, ({ error, retry }) => <ReadFailed error={error} retry={retry} />, waiting)

/** A dialog that is loaded when it opens. */
export const lazyDialog = <Props extends { onClose: () => void }>(load: Load<Props>) =>
  lazily<Props>(load, ({ error, retry, onClose }) => (
    <Dialog title="Not loaded" onClose={onClose}>
      <ReadFailed error={error} retry={retry} />
    </Dialog>
  ))
