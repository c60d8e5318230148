import { lazyPart } from '../../../ui/lazily.tsx'

/** Charts of results over time, of all or of what filters name: for any screen. */
export const OverTime = lazyPart(() => import('./over-time.tsx'))
