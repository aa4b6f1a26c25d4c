import { jsonOf, type Visit, type Visitor } from './visitor.ts'

/** The id of no clip. */
export const UNKNOWN_CLIP = '0123456789abcdef'

/** Pages that are read of one list at most. */
const MAX_PAGES = 40

/** A link to a watch page, as the API shows it. */
export interface WatchLink {
  readonly link: string
  readonly isPublic: boolean
}

/** Reads every page of a list, and returns the items. @param address with its first parameter */
export async function visitPages<Item>(
  { get }: Visitor,
  address: string,
  asked: Pick<Visit, 'as'>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  for (let page = 0, cursor: string | undefined; page < MAX_PAGES; page++) {
    const next = cursor === undefined ? '' : `&cursor=${cursor}`
    const answer = jsonOf<{ items: Item[]; cursor?: string }>(await get(address + next, { ...asked, expects: 200 }))
    items.push(...(answer?.items ?? []))
    cursor = answer?.cursor
    if (cursor === undefined) return items
  }
  return items
}

/** Returns path and query of a link to this deployment. */
export function pathIn(link: string): string {
  const { pathname, search } = new URL(link, 'http://api.invalid')
  return pathname + search
}

/** Returns a link with `/name` after its path. */
export function below(link: string, name: string): string {
  const { pathname, search } = new URL(link, 'http://api.invalid')
  return `${pathname}/${name}${search}`
}

/** Returns a link with another signature. */
export const tampered = (link: string): string =>
  link.replace(/signature=(.)/, (_, first) => `signature=${first === 'A' ? 'B' : 'A'}`)

/** Returns a link that claims a later end than its signature. */
export const prolonged = (link: string): string =>
  link.replace(/expires=(\d+)/, (_, end) => `expires=${Number(end) + 3_600}`)

/** Returns a link without one of its parameters. */
export function without(link: string, name: string): string {
  const { pathname, searchParams } = new URL(link, 'http://api.invalid')
  searchParams.delete(name)
  return `${pathname}?${searchParams}`
}

/** Returns a link that claims to be made after one more revocation than its signature. */
export function renewed(link: string): string {
  const { pathname, searchParams } = new URL(link, 'http://api.invalid')
  searchParams.set('epoch', `${Number(searchParams.get('epoch') ?? 0) + 1}`)
  return `${pathname}?${searchParams}`
}
