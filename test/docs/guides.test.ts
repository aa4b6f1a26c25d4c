import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseShow } from '../../lib/show/document/show.ts'
import { listFiles, root } from '../laws/sources.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const guides = listFiles('docs/guides').filter((path) => path.endsWith('.md'))

/** Code blocks of a document in languages that run. */
const blocksOf = (text: string) =>
  [...text.matchAll(/^```(?:ts|js|html)\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)

/** Texts of the example apps that a document links to, which test/examples/apps runs. */
const linkedApps = (path: string, text: string) =>
  [...text.matchAll(/\]\(([\w./-]*examples\/apps\/[\w.-]+)\)/g)].map(([, link = '']) =>
    read(posix.join(posix.dirname(path), link)),
  )

const foreignBlocks = (path: string, text: string) =>
  blocksOf(text).filter((code) => !linkedApps(path, text).some((app) => app.includes(code)))

describe('README.md', () => {
  it('names the video platform, the price and the status before the first code', () => {
    const [opening = ''] = read('README.md').split('```')
    expect(opening).toContain('OpenTok/Vonage Video REST interface')
    expect(opening).toMatch(/about US\$ \d+\.\d\d for an hour/)
    expect(opening).toContain('has not been deployed to an AWS account')
  })
})

describe('docs/guides', () => {
  it('has five tutorials, and an index with a row for each guide', () => {
    const index = read('docs/guides/README.md')
    const others = guides.filter((path) => !path.endsWith('README.md')).map((path) => posix.basename(path))
    expect(others.filter((name) => blocksOf(read(`docs/guides/${name}`)).length > 0)).toHaveLength(5)
    expect([...index.matchAll(/^\| \[([\w.-]+)\]\(\1\)/gm)].map(([, name]) => name).toSorted()).toEqual(others)
  })

  it.each([...guides, 'README.md'])('%s shows only code of apps that it links to', (path) => {
    expect(foreignBlocks(path, read(path))).toEqual([])
  })

  it('begin with an app of twelve lines', () => {
    const app = read('examples/apps/express-minimal.ts')
    expect(app.split('\n').filter(Boolean)).toHaveLength(12)
    for (const path of ['README.md', 'docs/guides/first-show.md']) expect(read(path)).toContain(app)
  })

  it('notices code that is in no app', () => {
    const app = '[a](examples/apps/express-minimal.ts)\n'
    const block = (code: string) => `${app}\`\`\`ts\n${code}\n\`\`\`\n`
    expect(foreignBlocks('a.md', block("import express from 'express'"))).toEqual([])
    expect(foreignBlocks('a.md', block("import fastify from 'fastify'"))).toHaveLength(1)
  })

  it.each(guides)('%s shows only starts that a show may have', (path) => {
    for (const [, start = ''] of read(path).matchAll(/`(\{ "cron": [^`]*\})`/g)) {
      const recordings = [{ name: 'program' }]
      const show = { version: 1, name: 'A show', duration: 60, start: JSON.parse(start), recordings }
      expect(parseShow(show)).toHaveProperty('show')
    }
  })
})
