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
