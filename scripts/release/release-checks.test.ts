import { expect, test } from 'vitest'
import { notesOf, releasedVersions, releaseFaults } from './release-checks.ts'

const changelog = `# Changelog

## Unreleased

## 0.2.0 (2026-12-01)

- Two.

### Upgrading

- Nothing to do.

## 0.1.0 (2026-11-21)

- One.
`
const fine = {
  versions: { 'package.json': '0.2.0' },
  changelog,
  tag: 'v0.2.0',
  today: '2026-12-01',
}

test('a tagged version that the changelog has is released', () => {
  expect(releaseFaults(fine)).toEqual([])
  expect(notesOf(changelog)).toBe('- Two.\n\n### Upgrading\n\n- Nothing to do.')
  expect(releasedVersions(changelog)).toEqual(['0.2.0', '0.1.0'])
})

test.each([
  [{ tag: 'v0.1.0' }, 'the commit has the tag "v0.1.0", not v0.2.0'],
  [{ tag: '' }, 'the commit has the tag "", not v0.2.0'],
  [
    { versions: { 'sdk/package.json': '0.1.0' } },
    'sdk/package.json has the version 0.1.0, and CHANGELOG.md 0.2.0',
  ],
  [{ today: '2026-11-30' }, '2026-12-01 is not a past date'],
  [
    { changelog: changelog.replace('Unreleased\n', 'Unreleased\n\n- Three.\n') },
    'CHANGELOG.md has changes that are not in the version',
  ],
  [
    { changelog: changelog.replace('## Unreleased\n', '') },
    'CHANGELOG.md has no part "## Unreleased"',
  ],
  [
    { changelog: changelog.replace('### Upgrading', '### Removed') },
    'CHANGELOG.md has no "### Upgrading" in the part of 0.2.0',
  ],
  [{ changelog: '# Changelog\n' }, 'CHANGELOG.md has no heading like "## 1.2.3 (2026-11-21)"'],
])('anything else is not: %j', (difference, fault) => {
  expect(releaseFaults({ ...fine, ...difference })).toEqual([fault])
})

test('a rehearsal may have unreleased changes, and no tag', () => {
  const unfinished = changelog.replace('Unreleased\n', 'Unreleased\n\n- Three.\n')
  expect(releaseFaults({ ...fine, changelog: unfinished, tag: null })).toEqual([])
})
