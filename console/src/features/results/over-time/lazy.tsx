import { lazyPart } from '../../../ui/lazily.tsx'
import { Skeleton } from '../../../ui/lists/skeleton.tsx'

/** Charts of results over time, of all or of what filters name: for any screen, which does not wait for them. */
export const OverTime = lazyPart(() => import('./over-time.tsx'), <Skeleton rows={6} />)
// Screens that have it nearly always show it.
void OverTime.preload()
