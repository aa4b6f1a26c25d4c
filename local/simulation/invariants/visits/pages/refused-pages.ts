import { readPage } from '../../../visits/page-content.ts'
import type { Evidence } from '../../evidence.ts'
import { refusalPolicyOf, wrongHeaders } from './page-headers.ts'

/** The headings and the advice of refused pages, by status. */
const ADVICE: Readonly<Record<string, string>> = {
  'Nothing to watch here': 'The address is wrong or incomplete. If you received a link, open it in full.',
  'This link has expired': 'Ask the person or page that you got it from for a new one.',
  'This link was withdrawn': 'Ask the person or page that you got it from for a new one.',
  'This show is gone': 'Its publisher has deleted it.',
  'This recording is gone': 'Its publisher has deleted it.',
}

/**
 * Checks the pages of links that are refused: they are pages without scripts, which no search engine keeps, and say what the viewer
 * can do. Requests past the distribution are led through it.
 */
export function refusedPages({ visits }: Pick<Evidence, 'visits'>): string[] {
  return visits.flatMap((visit) => {
    const { accept, status = 0, isAtRest, address, headers, answer, site } = visit
    if (!isAtRest || accept !== 'text/html' || status < 300) return []
    const place = address.slice(0, 100)
    if (status === 307) {
      const wanted = [site.origin + address, 'no-store', 'no-referrer'].join()
      const given = ['location', 'cache-control', 'referrer-policy'].map((name) => headers[name]).join()
      return given === wanted ? [] : [`${place} leads to ${given} instead of ${wanted}`]
    }
    const { title, heading = '', scripts, hasInlineScript, styles } = readPage(answer)
    const wrong = [
      ...wrongHeaders(visit, refusalPolicyOf(site.ancestors), { 'x-robots-tag': 'noindex' }),
      ...(title === heading ? [] : ['title']),
      ...(ADVICE[heading] !== undefined && answer.includes(`<p>${ADVICE[heading]}</p>`) ? [] : ['text']),
      ...(scripts.length === 0 && !hasInlineScript ? [] : ['script']),
      ...(styles.join() === '/assets/watch.css' ? [] : ['style']),
    ]
    return wrong.map((what) => `the refused page ${place} has a wrong ${what}`)
  })
}
