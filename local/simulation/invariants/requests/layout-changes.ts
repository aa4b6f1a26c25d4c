import type { Evidence } from '../evidence.ts'

/** A layout as an owner orders it, in the document, by a cue or by a change. */
export interface Layout {
  readonly type?: string | undefined
  readonly stylesheet?: string | undefined
  readonly screenshareType?: string | undefined
}

interface LayoutChange {
  readonly recording?: string | undefined
  readonly broadcast?: string | undefined
  readonly layout?: Layout | undefined
}

/** A change of a layout that a caller asked for. */
export interface AskedLayout extends LayoutChange {
  readonly askedAt: number
  readonly status: number | undefined
}

/** Returns the changes of layouts that were asked for, also those that were not answered, in order. */
export const layoutChangesIn = (requests: Evidence['apiRequests'], showId: string): AskedLayout[] =>
  requests
    .filter(({ method, path, body }) => method === 'PATCH' && path === `/shows/${showId}` && body !== '')
    .flatMap(({ askedAt, status, body }) => {
      const { layouts = [] } = JSON.parse(body) as { readonly layouts?: readonly LayoutChange[] }
      return layouts.map((change) => ({ ...change, askedAt, status }))
    })
    .toSorted((one, other) => one.askedAt - other.askedAt)

/** Returns the words of a layout with its defaults. */
export const wordsOf = ({ type = 'bestFit', stylesheet = '', screenshareType = '' }: Layout = {}): string =>
  [type, stylesheet, screenshareType].filter(Boolean).join(' ')
