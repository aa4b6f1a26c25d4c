import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchor } from '../../../bin/docs/markdown.ts'
import { type Limit, limits } from '../../../lib/platform/contract/limits.ts'
import { readSources, root } from '../sources.ts'

const units: Readonly<Record<Limit['unit'], string>> = {
  seconds: ' s',
  minutes: ' min',
  hours: ' h',
  days: ' days',
  months: ' months',
  bytes: ' bytes',
  characters: ' character',
  items: '',
  calls: ' calls',
}

/** A heading and what follows it up to the next one; undefined where the page or the heading is missing. */
function sectionAt(source: string): string | undefined {
  const [path = '', heading] = source.split('#')
  if (!existsSync(join(root, path))) return undefined
  const text = readFileSync(join(root, path), 'utf8')
  if (heading === undefined) return text
  return text.split(/^#+ /m).find((section) => anchor(section.split('\n', 1)[0] ?? '') === `#${heading}`)
}

/** The row of a limit as the table of its section has to state it. */
const rowOf = (name: string, { value, unit }: Limit) => `| \`${name}\` | ${value.toLocaleString('en-US')}${units[unit]}`

describe('limits', () => {
  it.each(Object.entries<Limit>(limits))('%s is stated, with its unit, by the section that it cites', (name, limit) => {
    expect(sectionAt(limit.source)).toContain(rowOf(name, limit))
  })

  it('are the only ones in docs/platform/limits.md', () => {
    const stated = [...(sectionAt('docs/platform/limits.md') ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(
      ([, name]) => name,
    )
    expect(stated.sort()).toEqual(Object.keys(limits).sort())
  })

  it('are not taken for stated elsewhere', () => {
    expect(sectionAt('docs/platform/limits.md#no-such-heading')).toBeUndefined()
    expect(sectionAt('docs/platform/no-such-page.md')).toBeUndefined()
    expect(sectionAt('docs/platform/limits.md#calls')).not.toContain(rowOf('tokenLifetime', limits.tokenLifetime))
    expect(sectionAt(limits.callSilence.source)).not.toContain(
      rowOf('callSilence', { ...limits.callSilence, value: 30 }),
    )
  })
})

describe('sources of facts', () => {
  const sources = readSources('bin', 'lib', 'lambdas', 'local', 'web', 'bench', 'test')
  const cited = sources
    .filter(({ path }) => path !== 'test/laws/documents/platform-pages.test.ts')
    .flatMap(({ path, text }) =>
      [...text.matchAll(/docs\/platform\/[a-z-]+\.md(#[a-z-]+)?/g)].map(([source]) => ({ path, source })),
    )

  it('are cited by comments', () => expect(cited.length).toBeGreaterThan(3))

  it.each(cited)('$source, which $path cites, exists', ({ source }) => expect(sectionAt(source)).toBeDefined())
})
