import { UsageError } from '../faults.ts'

const scripts: Readonly<Record<string, string>> = {
  bash: `_flightdeck() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(flightdeck __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _flightdeck flightdeck
`,
  zsh: `#compdef flightdeck
_flightdeck() {
  local -a found
  found=("\${(@f)$(flightdeck __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -Q -a found
}
compdef _flightdeck flightdeck
`,
  fish: `function __flightdeck_complete
  set -l words (commandline -opc) (commandline -ct)
  flightdeck __complete -- $words[2..-1] 2>/dev/null
end
complete -c flightdeck -f -a '(__flightdeck_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName flightdeck -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  flightdeck __complete -- @words 2>$null | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
}

export function printCompletion(shell: string): void {
  const script = scripts[shell]
  if (!script) throw new UsageError(`"${shell}" is none of ${Object.keys(scripts).join(', ')}.`)
  process.stdout.write(script)
}
