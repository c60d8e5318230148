type Repository = {
  /** Paths of all files from the root. */
  files: readonly string[]
  /** A link's target, as a path from the root. */
  fromHere: (target: string) => string
}

/** Files and directories that a Markdown text names but that do not exist. */
export function brokenReferences(markdown: string, repository: Repository): string[] {
  const prose = withoutCode(markdown)
  const links = linksIn(prose).filter((target) => !leads(target, repository))
  const names = pathsIn(prose).filter((name) => !isThere(name, repository.files))
  return [...new Set([...links, ...names])]
}

const warnings = /never (?:run )?`?npx flightdeck/gi
const fetched = /\b(?:npx|npm exec|npm x) (?:-\S{1,30} ){0,3}flightdeck\b/gi

/** Commands that fetch the npm package `flightdeck`, which is another project's. */
export function foreignCommands(text: string): string[] {
  const found = text.replaceAll(/\s+/g, ' ').replaceAll(warnings, '').match(fetched)
  return [...new Set(found)]
}

const ownVersion = /\b(?:flightdeck[:-]|git checkout |flightdeck |version )v?(\d+\.\d+\.\d+)/gi

/** Versions of Flightdeck that a text names but that were never released. */
export const unknownVersions = (text: string, released: readonly string[]): string[] =>
  [...text.matchAll(ownVersion)]
    .map(([, version = '']) => version)
    .filter((version) => !released.includes(version))

/** Drops fenced code blocks. */
function withoutCode(markdown: string): string {
  let open: string | undefined
  const prose = markdown.split('\n').filter((line) => {
    const fence = ['```', '~~~'].find((each) => line.startsWith(each))
    const isCode = open !== undefined || fence !== undefined
    if (open === undefined) open = fence
    else if (fence === open) open = undefined
    return !isCode
  })
  return prose.join('\n')
}

/** Targets of relative links, without their anchors. */
const linksIn = (prose: string): string[] =>
  [...prose.matchAll(/\]\(([^()\s]+)\)/g)]
    .map(([, target = '']) => target.split('#', 1)[0] ?? '')
    .filter((target) => target !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(target))

function leads(target: string, { files, fromHere }: Repository): boolean {
  const path = target.startsWith('/') ? target.slice(1) : fromHere(target)
  return path === '' || isPrefixed(path.replace(/\/$/, ''), files)
}

const isPrefixed = (path: string, files: readonly string[]) =>
  files.some((file) => file === path || file.startsWith(`${path}/`))

const fileName = /^[\w@.-]+(?:\/[\w@.-]+)*\.(?:ts|js|json|sql|md|yml|yaml)$/
const directory = /^(?:server|sdk|console|scripts|docs|bench|\.ci)(?:\/[\w@.-]+)*\/?$/

/** Code spans that name one of our files, or a directory below the root. */
const pathsIn = (prose: string): string[] =>
  [...prose.matchAll(/`([^`\n]+)`/g)]
    .map(([, code = '']) => code.trim())
    .filter((code) => fileName.test(code) || (code.includes('/') && directory.test(code)))

/** A name may omit leading directories. */
function isThere(name: string, files: readonly string[]): boolean {
  const path = name.replace(/\/$/, '')
  return isPrefixed(path, files) || files.some((file) => file.endsWith(`/${path}`))
}
