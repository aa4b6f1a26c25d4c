import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { commandsOf } from '../../../bin/completions/command-tree.ts'
import { completionScript } from '../../../bin/completions/scripts.ts'
import { root } from '../../../bin/local/root.ts'

let script: string
beforeAll(() => {
  const run = spawnSync(process.execPath, [join(root, 'bin/showrunner.ts'), 'completions', 'bash'], {
    encoding: 'utf8',
  })
  expect([run.status, run.stderr]).toEqual([0, ''])
  script = run.stdout
})

/** Returns what bash completes for a line; its last word may be empty. */
function complete(line: string): string[] {
  const words = line.split(' ')
  const program = `${script}
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${words.length - 1}
    _showrunner
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-u', '-c', program], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  return stdout.split('\n').filter(Boolean)
}

/** The program of the scripts whose text is examined: its words would break a script that does not quote them. */
const program = new Command('showrunner').addCommand(
  new Command('tape')
    .description("plays it's tape: now")
    .addOption(new Option('--speed <speed>', 'how fast').choices(['half', 'full']))
    .addOption(new Option('--secret', 'not for the help').hideHelp())
    .addCommand(new Command('stop').description('stops it')),
)

describe('completionScript', () => {
  it('completes commands and options in bash', () => {
    expect(complete('showrunner sta')).toEqual(['start'])
    expect(complete('showrunner ')).toEqual(expect.arrayContaining(['start', 'demo', 'doctor', 'init', '--version']))
    expect(complete('showrunner run show.json --part')).toEqual(['--participants'])
    expect(complete('showrunner list --js')).toEqual(['--json'])
  })

  it('completes commands of commands, and the values of options in bash', () => {
    expect(complete('showrunner recordings op')).toEqual(['open'])
    expect(complete('showrunner start --composers ')).toEqual(['simulated', 'chromium'])
    expect(complete('showrunner start --composers chr')).toEqual(['chromium'])
  })

  it('leaves values without a list to the names of files', () => {
    expect(complete('showrunner start --directory ')).toEqual([])
    expect(script).toMatch(/^complete -o default -F _showrunner showrunner$/m)
  })

  it('quotes descriptions and leaves hidden options out', () => {
    const commands = commandsOf(program)
    const zsh = completionScript('zsh', commands)
    expect(zsh).toContain(String.raw`'' entries=('tape:plays it'\''s tape: now'`.slice(3))
    expect(zsh).toContain(`'tape:--speed') compadd -- 'half' 'full'; return ;;`)
    const fish = completionScript('fish', commands)
    expect(fish).toContain(String.raw`-f -a 'tape' -d 'plays it'\''s tape: now'`)
    expect(fish).toContain(`-n 'test "$(__showrunner_path)" = "tape"' -l 'speed' -x -a 'half full' -d 'how fast'`)
    for (const text of [zsh, fish]) expect(text).not.toContain('secret')
  })
})
