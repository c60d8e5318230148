import { count } from '../../output/count.ts'
import { kinds } from '../kinds.ts'
import { projectAt } from '../source/project.ts'

/** Says what the files have, or all their faults. */
export async function validateFiles(paths: readonly string[]): Promise<void> {
  const { name, entries } = await projectAt(paths)
  const counts = kinds.flatMap((kind) => {
    const found = entries.filter((entry) => entry.kind === kind).length
    return found === 0 ? [] : [count(found, kind)]
  })
  process.stdout.write(`Project ${name}: ${counts.join(', ') || 'no objects'}. No faults.\n`)
}
