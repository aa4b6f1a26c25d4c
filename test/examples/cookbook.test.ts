import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../bin/local/root.ts'
import { parseShow } from '../../lib/show/document/show.ts'

const text = readFileSync(join(root, 'docs/guides/cookbook.md'), 'utf8')
const sections = text.split(/^## /m).slice(1)

describe('docs/guides/cookbook.md', () => {
  it('has fifteen shows or more', () => {
    expect(sections.length).toBeGreaterThanOrEqual(15)
  })

  it.each(sections.map((section) => [section.split('\n', 1)[0], section]))('has a valid show for: %s', (_, section) => {
    const documents = [...section.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, json = '']) => JSON.parse(json))
    expect(documents).toHaveLength(1)
    expect(parseShow(documents[0])).toHaveProperty('show')
    expect(documents[0]).toHaveProperty('version', 1.1) // what a newcomer copies has the newest defaults
  })
})
