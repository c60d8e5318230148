import type { Command } from 'commander'
import { ofProjects } from './project.ts'

/** Commands that are no operation of the API. Each loads its code when it runs. */
export const byHand: readonly ((program: Command) => void)[] = [
  login,
  logout,
  whoami,
  context,
  api,
  explain,
  open,
  listen,
  trigger,
  fixtures,
  completion,
  doctor,
  ...ofProjects,
]

function login(program: Command): void {
  program
    .command('login')
    .description('Log in, or keep an API key')
    .option('--email <email>', 'whose')
    .option('--password <->', 'only -: standard input')
    .option('--otp <code>', 'the code of a second factor')
    .option('--token <->', 'only -: an API key on standard input')
    .option('--web', 'by a code that you confirm in the console: no secret is typed here')
    .action(async (options, command) => {
      const { logIn } = await import('./login.ts')
      await logIn(command, options)
    })
}

function logout(program: Command): void {
  program
    .command('logout')
    .description('End the session, and forget its token')
    .action(async (_options, command) => {
      const { logOut } = await import('./login.ts')
      await logOut(command)
    })
}

function whoami(program: Command): void {
  program
    .command('whoami')
    .description('Who is logged in, and where')
    .option('--json', 'the answer of the API as it is')
    .action(async (options, command) => {
      const { whoAmI } = await import('./login.ts')
      await whoAmI(command, options)
    })
}

function context(program: Command): void {
  const group = program.command('context').description('Services that one works with, by name')
  const run = async (name: 'add' | 'use' | 'list' | 'delete', given: readonly string[]) => {
    const contexts = await import('./contexts.ts')
    await contexts[name](...(given as [string, string]))
  }
  group
    .command('add <name> <address>')
    .description('Add a service, and use it')
    .action((name, address) => run('add', [name, address]))
  group
    .command('use <name>')
    .description('Use it from now on')
    .action((name) => run('use', [name]))
  group
    .command('list')
    .description('All of them; * is used')
    .action(() => run('list', []))
  group
    .command('delete <name>')
    .description('Forget it, and its credential')
    .action((name) => run('delete', [name]))
}

function api(program: Command): void {
  program
    .command('api <method> <path>')
    .description('Any request, such as: api GET /campaigns')
    .option('--query <name=value>', 'a parameter; repeatable', (value, former: string[] = []) => [
      ...former,
      value,
    ])
    .option('--data <text>', 'the JSON body: @file, - for standard input, or itself')
    .option('--paginate', 'all pages of a list')
    .option('--jq <expression>', "what jq makes of the answer: '.data[].id'")
    .action(async (method, path, options, command) => {
      const { request } = await import('./request.ts')
      await request(command, { method, path, ...options })
    })
}

function explain(program: Command): void {
  program
    .command('explain <code>')
    .description('What an error code means, and what to do')
    .action(async (code, _options, command) => {
      const { explainCode } = await import('./explain.ts')
      await explainCode(command, code)
    })
}

function open(program: Command): void {
  program
    .command('open <id>')
    .description('Show an object in the console')
    .action(async (id, _options, command) => {
      const { openInConsole } = await import('./open.ts')
      await openInConsole(command, id)
    })
}

function listen(program: Command): void {
  withCredential(program.command('listen'))
    .description('Show events as they happen, and post them to a local program')
    .option('--forward-to <url>', 'posts each event there, signed as a webhook')
    .option('--events <types>', 'such as campaign.*,profile.updated; all without it')
    .option('--secret <secret>', 'whsec_… to sign with; else one is made and printed')
    .option('--json', 'one JSON value per event, with the answer to it')
    .action(async (options, command) => {
      const { listen } = await import('../listen/listen.ts')
      await listen(command, options)
    })
}

function trigger(program: Command): void {
  program
    .command('trigger <event>')
    .description('Make an event of this type happen, in a sandbox')
    .option('--json', 'the requests and their answers as one JSON value')
    .action(async (event, options, command) => {
      const { trigger } = await import('../fixtures/run.ts')
      await trigger(command, event, options)
    })
}

function fixtures(program: Command): void {
  program
    .command('fixtures')
    .description('Requests of a file')
    .command('run <file>')
    .description('Send the requests of a file one after another, in a sandbox')
    .option('--json', 'the requests and their answers as one JSON value')
    .action(async (file, options, command) => {
      const { runFixture } = await import('../fixtures/run.ts')
      await runFixture(command, file, options)
    })
}

/** For programs that do not log in; see `login` for the others. */
const withCredential = (command: Command): Command =>
  command
    .option('--token <token>', 'access token or API key, instead of FLIGHTDECK_TOKEN')
    .option('--email <email>', 'whom to log in for this command')
    .option('--password <password>', 'of --email')

/** Reports the days of a file, beside the operations on results. */
export function addImport(results: Command): void {
  withCredential(results.command('import <file>'))
    .description('Report the days of a CSV file; with a fault nothing, unless --rejected is given')
    .requiredOption('--source <name>', 'where the figures come from, such as google_ads')
    .option('--preset <network>', 'google_ads, meta, tiktok, microsoft or linkedin')
    .option('--map <columns>', 'such as "Campaign ID=external_id,Cost=spend"')
    .option('--header-line <line>', 'line of the header; else it is found by its names')
    .option('--skip-totals', 'leave out totals and lines of text, as --preset does')
    .option('--date-format <format>', 'such as DD.MM.YYYY; else as all days read')
    .option('--decimal <sign>', '. or , of numbers; else as all numbers read')
    .option('--rejected <file>', 'write rows with faults there, and store the others')
    .option('--reported-at <time>', 'when the figures were true; else now')
    .option('--complete-through <date>', 'last complete day; else by the rows')
    .option('--final', 'the days will not change any more')
    .option('--restate', 'correct days that are final')
    .option('--additional', 'admit a second source of the campaigns for good')
    .option('--dry-run', 'only show what would become of the rows')
    .option('--json', 'the outcome as one JSON value')
    .action(async (file, options, command) => {
      const { importResults } = await import('../results/import.ts')
      await importResults(command, file, options)
    })
}

function completion(program: Command): void {
  program
    .command('completion <shell>')
    .description('Completion for bash, zsh, fish or powershell')
    .action(async (shell) => {
      const { printCompletion } = await import('./completion.ts')
      printCompletion(shell)
    })
  program
    .command('__complete [words...]', { hidden: true })
    .allowUnknownOption()
    .action(async (words, _options, command) => {
      const { complete } = await import('./complete.ts')
      await complete(command, words)
    })
}

function doctor(program: Command): void {
  program
    .command('doctor')
    .description('Check the address, the service and the credential')
    .action(async (_options, command) => {
      const { examine } = await import('./doctor.ts')
      await examine(command)
    })
}

/** A plain word for moving the clock, beside the operation itself. */
export function addAdvance(sandbox: Command): void {
  sandbox
    .command('advance <time>')
    .description('Move the clock on, such as 7d')
    .option('--json', 'the answer of the API as it is')
    .action(async (time, _options, command) => {
      const { advance } = await import('./advance.ts')
      await advance(command, time)
    })
}
