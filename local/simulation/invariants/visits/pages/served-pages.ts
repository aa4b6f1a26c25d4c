import { type PageContent, readPage } from '../../../visits/page-content.ts'
import type { Visit } from '../../../visits/visitor.ts'
import type { Evidence } from '../../evidence.ts'
import { areSame } from '../recorded-documents.ts'
import { type ExpectedPage, expectedPage } from './expected-pages.ts'
import { policyOf, wrongHeaders } from './page-headers.ts'

type Judged = Pick<Evidence, 'visits' | 'objects'>

const PAGE = /^\/watch\/(show\/[^/?]+|[^/?]+(\/clips\/[^/?]+)?)(\/embed)?(\?|$)/

/** Splits the address of a page. Returns undefined for another address. */
function partsOf({ address }: Visit) {
  const [path = '', query = ''] = address.split('?')
  const subject = path.replace(/\/embed$/, '')
  return PAGE.test(address) ? { subject, isEmbed: path !== subject, query } : undefined
}

/**
 * Checks the watch pages that were visited: their headers, and what a reader, a frame, a search engine and a browser without scripts
 * find in them. Only a page that anyone may watch has a preview.
 */
export function servedPages({ visits, objects }: Judged): string[] {
  return visits.flatMap((visit) => {
    const parts = partsOf(visit)
    if (!parts || !visit.isAtRest || visit.status !== 200) return []
    const expected = expectedPage(parts.subject, objects)
    if (!expected) return [`${visit.address} is a page of nothing`]
    const { ancestors } = visit.site
    const wrong = [
      ...wrongHeaders(visit, policyOf({ ...expected, ancestors })),
      ...wrongContent(readPage(visit.answer), { ...expected, ...parts, site: visit.site }),
    ]
    return wrong.map((what) => `the page ${parts.subject}${parts.isEmbed ? '/embed' : ''} has a wrong ${what}`)
  })
}

interface Expected extends ExpectedPage, Pick<Visit, 'site'> {
  readonly subject: string
  readonly isEmbed: boolean
  readonly query: string
}

function wrongContent(page: PageContent, expected: Expected): string[] {
  const { titles, description = '', note, isEmbed, links, site, subject, query, isPublic } = expected
  const credentials = isPublic || query === '' ? '' : `?${query}`
  const embed = site.ancestors === "'none'" ? undefined : `${site.origin}${subject}/embed${credentials}`
  const facts: readonly (readonly [what: string, is: unknown, wanted: unknown])[] = [
    ['title', page.title, titles.join(' – ')],
    ['heading', page.heading, titles[0]],
    ['description', page.description, description],
    ['script', [page.scripts, page.hasInlineScript], [['/assets/watch.js'], false]],
    ['style', page.styles, ['/assets/watch.css']],
    ['class', page.bodyClass, isEmbed ? 'embed' : undefined],
    ['address for frames', page.embed, embed],
    ['note', page.plain.text, note ?? links.join(' ')],
    ['list of links', Object.keys(page.plain.links), links],
    ['video without scripts', keyIn(page.plain.video), expected.video],
    ['poster without scripts', page.plain.poster, posterOf(expected, credentials)],
    ...previewOf(page, expected),
  ]
  return facts.flatMap(([what, is, wanted]) => (areSame([is], [wanted]) ? [] : [`${what} (${JSON.stringify(is)})`]))
}

/** Returns the picture of the player without scripts, which a page without a video does not have. */
function posterOf({ video, cover, poster, site }: Expected, credentials: string): string | undefined {
  const own = poster === undefined ? undefined : site.origin + poster + credentials
  return video === undefined ? undefined : (cover ?? own)
}

/** The fields of a preview, in messengers and search engines. */
function previewOf({ meta, canonical }: PageContent, expected: Expected) {
  const { titles, description, isPublic, subject, site, cover, poster } = expected
  const address = isPublic ? site.origin + subject : undefined
  const image = cover ?? (poster === undefined ? undefined : site.origin + poster)
  const shown = isPublic ? { description, image } : {}
  const wanted: Readonly<Record<string, string | undefined>> = {
    'og:type': 'video.other',
    'og:title': titles.join(' – '),
    'og:url': address,
    'og:description': shown.description,
    'og:image': shown.image,
    description: shown.description,
    'twitter:card': shown.image === undefined ? undefined : 'summary_large_image',
    robots: isPublic ? undefined : 'noindex',
  }
  return [
    ['canonical address', canonical, address] as const,
    ...Object.entries(wanted).map(([name, value]) => [name, meta[name], value] as const),
  ]
}

/** Returns the key of the object to which a link leads: of its path without the bucket. */
const keyIn = (link: string | undefined) =>
  link === undefined ? undefined : decodeURIComponent(new URL(link).pathname).replace(/^\/[^/]+\//, '')
