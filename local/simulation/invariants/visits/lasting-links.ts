import type { Evidence } from '../evidence.ts'
import { answersTo } from './recorded-documents.ts'

interface Listed {
  readonly recordings: readonly { readonly path: string }[]
}

/**
 * Checks that a link to the page of a show leads to recordings until it ends, and no longer (docs/threat-model.md): the links that the page
 * lists have the end of the link that was opened.
 */
export function lastingLinks({ visits }: Pick<Evidence, 'visits'>): string[] {
  return answersTo<Listed>(visits, /^\/watch\/show\/([^/?]+)\/state/).flatMap(
    ({ visit, captured: [showId = ''], body: { recordings } }) => {
      const end = endOf(visit.address)
      return recordings.flatMap(({ path }) => {
        const listed = endOf(path)
        if (listed === null || listed === end) return [] // a public recording needs no link
        return [
          `a link to the show ${showId.slice(0, 12)} that ends at ${end} leads to a recording until ${listed}: ${path.split('?')[0]}`,
        ]
      })
    },
  )
}

/** Returns when a link ends, in seconds since 1970; null if it never does. */
const endOf = (address: string) => new URL(address, 'http://api.invalid').searchParams.get('expires')
