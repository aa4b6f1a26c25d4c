import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listFiles, root } from '../sources.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { scripts } = JSON.parse(read('package.json'))
const commands = [...read('bin/showrunner.ts').matchAll(/^ {4}(\w+): async \(\) => \(await import/gm)].map(
  ([, name]) => name,
)

const documents = [...globSync('*.md', { cwd: root }), ...listFiles('bin', 'docs', 'examples', 'local')].filter(
  (path) => path.endsWith('.md'),
)

/** Every script and command of the project that a text names, as one problem if it does not exist. */
function missingCommands(path: string, text: string): string[] {
  const called = [...text.matchAll(/npm run (?:-s )?([a-z:]+)(?: -- ([a-z]+))?/g)]
  return called
    .filter(([, script = '', command]) =>
      script === 'showrunner' ? command && !commands.includes(command) : !(script in scripts),
    )
    .map(([call]) => `${path} names ${call}, which does not exist.`)
}

describe('documents', () => {
  it('name only commands that exist', () => {
    expect(commands.length).toBeGreaterThan(20)
    expect(documents.flatMap((path) => missingCommands(path, read(path)))).toEqual([])
    expect(missingCommands('a.md', 'npm run demo, npm run attic, npm run -s showrunner -- attic')).toHaveLength(2)
  })
})

describe('docs/guides/at-a-glance.md', () => {
  it('shows the first example as it is', () => {
    const [, sample = ''] = /```json\n([\s\S]*?)```/.exec(read('docs/guides/at-a-glance.md')) ?? []
    expect(JSON.parse(sample)).toEqual(JSON.parse(read('examples/webinar.json')))
  })
})

describe('examples/README.md', () => {
  it('has a row for every example, and no other', () => {
    const linked = [...read('examples/README.md').matchAll(/(?:^\| |, )\[[\w.-]+\]\(([\w./-]+)\)/gm)]
    const named = linked.map(([, path]) => `examples/${path}`)
    const shown = listFiles('examples').filter((path) => path.endsWith('.json') || path.startsWith('examples/apps/'))
    expect(named.toSorted()).toEqual(shown)
  })
})
