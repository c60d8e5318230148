import { generatedFiles } from './generated-files.ts'

export type Commit = { id: string; subject: string; body: string; files: readonly string[] }

const mostSubjectCharacters = 72
/** A commit of more files says why in its body. */
const mostFilesWithoutBody = 10

/** A format of `git log --name-only` that `commitsIn` reads. */
export const logFormat = '%x1e%h%x1f%s%x1f%b%x1f'

export const commitsIn = (log: string): Commit[] =>
  log
    .split('\u001e')
    .slice(1)
    .map((entry) => {
      const [id = '', subject = '', body = '', files = ''] = entry.split('\u001f')
      return { id, subject, body, files: files.split('\n').filter((file) => file !== '') }
    })

/** Rules for commits that one of them breaks. */
export function commitFaults({ id, subject, body, files }: Commit): string[] {
  const faults: string[] = []
  const length = [...subject].length
  const changed = files.filter((file) => !generatedFiles.has(file)).length
  if (length > mostSubjectCharacters)
    faults.push(`the subject has ${length} characters: at most ${mostSubjectCharacters}`)
  if (subject.endsWith('.')) faults.push('the subject ends with a full stop')
  if (changed > mostFilesWithoutBody && withoutTrailers(body) === '')
    faults.push(`${changed} files change, and no body says why`)
  return faults.map((fault) => `${id} ${subject}: ${fault}`)
}

const withoutTrailers = (body: string): string =>
  body
    .split('\n')
    .filter((line) => !/^(?:co-authored-by|signed-off-by):/i.test(line))
    .join('\n')
    .trim()
