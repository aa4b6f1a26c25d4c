import { describe, expect, it } from 'vitest'
import { servedPages } from '../../../../../../local/simulation/invariants/visits/pages/served-pages.ts'
import type { Visit } from '../../../../../../local/simulation/visits/visitor.ts'
import { content, headers, objects, pageVisit, policy } from './pages.ts'

const problemsOf = (visit: Visit) => servedPages({ objects, visits: [visit] })

describe('servedPages', () => {
  it('accepts the page of a recording, whose title is shown as text', () => {
    expect(problemsOf(pageVisit())).toEqual([])
  })

  it.each<[string, object, string]>([
    ['title', { titles: ['Other', 'program'] }, 'title ("Other – program")'],
    ['description', { description: undefined }, 'description ("")'],
    ['preview', { preview: undefined }, 'canonical address (undefined)'],
    ['picture', { preview: { ...content.preview, image: 'https://other.example.com' } }, 'og:image'],
    ['class', { isEmbed: true }, 'class ("embed")'],
    ['address for frames', { embed: 'http://api.invalid/watch/x/embed' }, 'address for frames'],
    ['link', { plain: { ...content.plain, links: content.plain.links.slice(1) } }, 'list of links'],
    ['video', { plain: { ...content.plain, video: null } }, 'video without scripts (undefined)'],
    ['note', { note: 'No.' }, 'note ("No.")'],
  ])('finds another %s', (_, changes, problem) => {
    expect(problemsOf(pageVisit(changes)).join()).toContain(`the page /watch/x has a wrong ${problem}`)
  })

  it('finds a title that is not escaped, and a script in the page', () => {
    const { answer } = pageVisit()
    expect(problemsOf(pageVisit({}, { answer: answer.replaceAll('&#60;', '<') }))).not.toEqual([])
    expect(
      problemsOf(pageVisit({}, { answer: answer.replace('</h1>', '</h1><script>a()</script>') })).join(),
    ).toContain('wrong script')
  })

  it.each<[string, string]>([
    ["script-src 'self' 'unsafe-inline'", 'script-src'],
    ['img-src *', 'img-src'],
    ['frame-ancestors *', 'frame-ancestors'],
    ["require-trusted-types-for 'none'", 'require-trusted-types-for'],
  ])('finds the policy %s', (directive, name) => {
    const text = policy(' https://pictures.example.com').replace(new RegExp(`${name} [^;]*`), directive)
    const visit = pageVisit({}, { headers: { ...headers, 'content-security-policy': text } })
    expect(problemsOf(visit)).toEqual([expect.stringContaining(`has a wrong ${name} in its policy`)])
  })

  it('finds another header, and a preview of a page that not everyone may watch', () => {
    const visit = pageVisit()
    expect(problemsOf({ ...visit, headers: { ...visit.headers, 'cache-control': 'public' } })).toEqual([
      'the page /watch/x has a wrong cache-control',
    ])
    const [[key = '', record] = []] = [...objects]
    const signed = new Map([[key, { ...record, text: record?.text.replace('public', 'signed') }]]) as typeof objects
    expect(servedPages({ objects: signed, visits: [visit] }).join()).toContain('wrong og:url')
  })

  it('finds a page of nothing', () => {
    expect(problemsOf(pageVisit({}, { address: '/watch/y' }))).toEqual(['/watch/y is a page of nothing'])
  })
})
