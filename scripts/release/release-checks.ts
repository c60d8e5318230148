export type Candidate = {
  /** Versions by the file that has them. */
  versions: Readonly<Record<string, string>>
  changelog: string
  /** The tag of the commit, or null for a rehearsal, which may have unreleased changes. */
  tag: string | null
  /** YYYY-MM-DD. */
  today: string
}

const heading = /^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$/m
const headings = /^## (\d+\.\d+\.\d+) \(.+\)$/gm
const unreleased = '## Unreleased'
/** The heading above all that operators have to know or do. */
const upgrading = '### Upgrading'

/** Faults that keep this from being released. */
export function releaseFaults({ versions, changelog, tag, today }: Candidate): string[] {
  const [, version = '', date = ''] = heading.exec(changelog) ?? []
  if (version === '') return ['CHANGELOG.md has no heading like "## 1.2.3 (2026-11-21)"']
  const faults = Object.entries(versions)
    .filter(([, each]) => each !== version)
    .map(([file, each]) => `${file} has the version ${each}, and CHANGELOG.md ${version}`)
  if (Number.isNaN(Date.parse(date)) || date > today) faults.push(`${date} is not a past date`)
  if (!notesOf(changelog).includes(upgrading))
    faults.push(`CHANGELOG.md has no "${upgrading}" in the part of ${version}`)
  if (sectionOf(changelog, unreleased) === undefined)
    faults.push(`CHANGELOG.md has no part "${unreleased}"`)
  return tag === null ? faults : [...faults, ...tagFaults(tag, version, changelog)]
}

function tagFaults(tag: string, version: string, changelog: string): string[] {
  const faults = tag === `v${version}` ? [] : [`the commit has the tag "${tag}", not v${version}`]
  const left = sectionOf(changelog, unreleased)
  return left ? [...faults, 'CHANGELOG.md has changes that are not in the version'] : faults
}

/** Versions with a part in the changelog, the newest first. */
export const releasedVersions = (changelog: string): string[] =>
  [...changelog.matchAll(headings)].map(([, version = '']) => version)

/** The part of the newest version, without its heading. */
export const notesOf = (changelog: string): string =>
  sectionOf(changelog, heading.exec(changelog)?.[0] ?? '') ?? ''

function sectionOf(changelog: string, title: string): string | undefined {
  const parts = changelog.split(/^(?=## )/m)
  const part = parts.find((each) => each.split('\n', 1)[0] === title)
  return part?.slice(title.length).trim()
}
