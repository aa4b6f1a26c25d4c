import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchor } from '../../bin/docs/markdown.ts'
import { type ApiDocument, operationsOf, renderApi } from '../../site/api-pages.ts'
import { collectPages, sections, slugOf } from '../../site/pages.ts'
import { listFiles, root } from '../laws/sources.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { pages, pathOf, files } = collectPages(listFiles('docs'), read)
const served = new Set([...files.values()])

const linksOf = (text: string) => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
const headingsOf = (text = '') => [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => slugOf(title))

/** Links of a page that lead to no page, heading, file of the site or file of the repository. */
function brokenLinks(page: string, text: string): string[] {
  const leads = (link: string): boolean => {
    const inRepository = /^https:\/\/github\.com\/showrunner\/showrunner\/blob\/main\/([^#]*)/.exec(link)?.[1]
    if (inRepository !== undefined) return existsSync(join(root, inRepository))
    if (/^\w+:/.test(link)) return true
    if (link.startsWith('/')) return served.has(`public${link}`)
    const [file = '', heading] = link.split('#')
    const target = file ? posix.join(posix.dirname(page), file) : page
    if (served.has(target)) return true
    const isThere = target === page || pages.has(target)
    const known = target === page ? text : pages.get(target)
    return isThere && (heading === undefined || headingsOf(known).includes(heading))
  }
  return linksOf(text).filter((link) => !leads(link))
}

describe('collectPages', () => {
  it('has a page for each document of docs/, and those of the other folders for users', () => {
    const documents = listFiles('docs').filter((path) => path.endsWith('.md'))
    expect(documents.filter((path) => !pathOf.has(path))).toEqual([])
    expect(new Set(pathOf.values()).size).toBe(pathOf.size)
    expect([...pages.keys()]).toEqual(expect.arrayContaining(['index.md', 'client.md', 'guides/index.md', 'deploy.md']))
  })

  it('has only links that lead somewhere', () => {
    const broken = [...pages].flatMap(([page, text]) => brokenLinks(page, text).map((link) => `${page}: ${link}`))
    expect(broken).toEqual([])
    expect(brokenLinks('a.md', '# A\n[b](./b.md) [c](#c) [d](#a) [e](/e.json) [f](./deploy.md#nowhere)')).toEqual([
      ...['./b.md', '#c', '/e.json', './deploy.md#nowhere'],
    ])
  })

  it('leads to pages of the site where there is one, and else to the repository', () => {
    expect(linksOf(pages.get('index.md') ?? '')).toEqual(
      expect.arrayContaining(['./guides/first-show.md', './images/console.png']),
    )
    expect(linksOf(pages.get('guides/at-a-glance.md') ?? '')).toContain('/show.schema.json')
    expect(pages.get('guides/first-show.md')).toContain('blob/main/examples/apps/first-show.ts')
  })

  it('shows no comment, and has a title on each page', () => {
    for (const [page, text] of pages) {
      expect(text, page).not.toContain('<!--')
      expect(text, page).toMatch(/^::: v-pre\n\n# \S/)
    }
  })

  it('lists in the sidebar what it has', () => {
    const listed = Object.values(sections).flatMap(Object.values)
    expect(listed.filter((page) => !pages.has(page))).toEqual([])
  })
})

describe('slugOf', () => {
  it('gives a heading the anchor that the documents use', () => {
    for (const heading of ['2. Settings', 'What it costs', 'A deployment, once', 'Why is `x` 640x480?'])
      expect(`#${slugOf(heading)}`).toBe(anchor(heading))
  })
})

describe('renderApi', () => {
  it.each(['docs/showrunner-api.json', 'docs/openapi.json'])('has every operation of %s, once', (path) => {
    const document: ApiDocument = JSON.parse(read(path))
    const text = renderApi(document, '/api.json')
    const headings = [...text.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading)
    const expected = operationsOf(document).map(({ heading }) => heading)
    expect(headings.toSorted()).toEqual(expected.toSorted())
    expect(expected.length).toBeGreaterThan(20)
  })

  it('renders parameters, fields, values, answers and examples', () => {
    const text = renderApi(JSON.parse(read('docs/showrunner-api.json')), '/showrunner-api.json')
    const start = text.split('### POST /shows\n')[1]?.split('\n### ')[0] ?? ''
    expect(start).toContain('Role: `showrunner/operator`.')
    expect(start).toMatch(/^\| `Idempotency-Key` \| header \|/m)
    expect(start).toMatch(/^\| `recordings\[\]\.resolution` \| string \|.*One of .*`1280x720`/m)
    expect(start).toMatch(/^\| `202` \|/m)
    expect(start).toContain('"name": "Launch webinar"')
    expect(text).toContain('[showrunner-api.json](/showrunner-api.json)')
  })
})
