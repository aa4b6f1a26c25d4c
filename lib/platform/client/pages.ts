import { z } from 'zod'
import type { Operation } from '../contract/operation.ts'

interface Page {
  readonly count: number
  readonly items: readonly Item[]
  readonly skipped?: number
}

interface Item {
  readonly id?: unknown
}

/** Returns true if the operation answers a list: a page of items, or the whole array of listProjects. */
export function isList({ method, success: { response } }: Operation): boolean {
  if (method !== 'GET') return false
  return response instanceof z.ZodArray || (response instanceof z.ZodObject && 'items' in response.shape)
}

/**
 * Iterates over all items of a list, page by page. `count` in the request is the page size.
 *
 * Lists are newest first. An item that is created meanwhile shifts the others to later pages, so repeated ids are skipped. An
 * item that is removed meanwhile shifts them to earlier pages, so one item may be missed.
 */
export async function* eachItem(
  { query }: Operation,
  list: (request: Readonly<Record<string, unknown>>) => Promise<Page | readonly Item[]>,
  request: Readonly<Record<string, unknown>> = {},
): AsyncGenerator<unknown, void, undefined> {
  const isPaged = query !== undefined && 'offset' in query.shape
  const seen = new Set<unknown>()
  let offset = Number(request.offset ?? 0)
  for (;;) {
    const answer = await list(isPaged ? { ...request, offset } : request)
    const { count, items, skipped = 0 } = 'items' in answer ? answer : { count: answer.length, items: answer }
    for (const item of items) {
      if (item.id !== undefined && seen.has(item.id)) continue
      seen.add(item.id)
      yield item
    }
    const sent = items.length + skipped
    offset += sent
    // `count` may include other sessions of the project, so an empty page is also the last.
    if (!isPaged || sent === 0 || offset >= count) return
  }
}
