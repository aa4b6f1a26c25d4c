import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../../bin/local/root.ts'

interface Listed {
  readonly path: string
  readonly commands: readonly Described[]
  readonly options: readonly Described[]
}

interface Described {
  readonly name: string
  readonly description: string
}

/** Commands without a result of their own: a script, files, a deployment whose stacks the CDK prints. */
const WITHOUT_RESULT = ['completions', 'docs', 'build', 'deploy']

/** Every command with its options, as the completions for fish list them. */
let all: Listed[]
beforeAll(() => {
  const program = [join(root, 'bin/showrunner.ts'), 'completions', 'fish']
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  const lines = stdout.matchAll(/__showrunner_path\)" = "([^"]*)"' (?:-f -a|-l) '([^']+)'.*? -d '(.*)'$/gm)
  const found = [...lines].map(([line, path = '', name = '', text = '']) => {
    const described = { name, description: text.replaceAll("'\\''", "'") }
    return line.includes("' -l '") ? { path, option: described } : { path, command: described }
  })
  all = [...Map.groupBy(found, ({ path }) => path)].map(([path, entries]) => ({
    path,
    commands: entries.flatMap(({ command }) => command ?? []),
    options: entries.flatMap(({ option }) => option ?? []),
  }))
})

describe('every command', () => {
  it('has a description and describes its options, in lower case and without a full stop', () => {
    expect(all.length).toBeGreaterThan(40)
    const own = all.filter(({ path }) => path !== 'platform') // those of the contract are sentences
    const described = own.flatMap(({ commands, options }) => [...commands, ...options])
    const odd = described.filter(({ description }) => !/^(?:[a-z0-9{]|[A-Z]{2,}|IPv4).*[^.]$/.test(description))
    expect(odd).toEqual([])
  })

  it('prints its result as JSON with --json', () => {
    const leaves = all.filter(({ path, commands }) => path && commands.length === 0 && !path.startsWith('platform'))
    const silent = leaves.filter(({ options }) => !options.some(({ name }) => name === 'json')).map(({ path }) => path)
    expect(silent.filter((path) => !WITHOUT_RESULT.includes(path))).toEqual([])
  })
})
