import { describe, expect, it } from 'vitest'
import { createPages, type Page, readFiltered } from '../../../web/console/pages.ts'

/** A list of numbers, the newest first, whose cursors are the last number of a page. */
function createApi(size: number, limit = 2) {
  const api = { newest: size, requests: 0 }
  const read = async (cursor: string | undefined): Promise<Page<number>> => {
    api.requests += 1
    const first = cursor === undefined ? api.newest : Number(cursor) - 1
    const items = Array.from({ length: Math.min(limit, first) }, (_, index) => first - index)
    return { items, ...(first > limit && { cursor: String(items.at(-1)) }) }
  }
  return Object.assign(api, { read })
}

describe('createPages', () => {
  it('reads one page more on demand, to the end of the list', async () => {
    const { read } = createApi(5)
    const pages = createPages(read, 60_000)
    await pages.refresh(0)
    expect([pages.items(), pages.hasMore()]).toEqual([[5, 4], true])
    for (let page = 0; page < 3; page++) {
      pages.wantMore()
      await pages.refresh(0)
    }
    expect([pages.items(), pages.hasMore()]).toEqual([[5, 4, 3, 2, 1], false])
  })

  it('reads later pages again when they are old', async () => {
    const api = createApi(4)
    const pages = createPages(api.read, 60_000)
    pages.wantMore()
    await pages.refresh(0)
    pages.wantMore()
    await pages.refresh(0)
    const before = api.requests
    await pages.refresh(59_999)
    expect(api.requests - before).toBe(1)
    await pages.refresh(60_000)
    expect(api.requests - before).toBe(3)
  })

  it('reads the first page again once it is as old as asked for, or after a reset', async () => {
    const api = createApi(4)
    const pages = createPages(api.read, 60_000, () => 6_000)
    for (const now of [0, 1_500, 5_999]) await pages.refresh(now)
    expect(api.requests).toBe(1)
    await pages.refresh(6_000)
    expect(api.requests).toBe(2)
    pages.reset()
    await pages.refresh(6_001)
    expect([api.requests, pages.items()]).toEqual([3, [4, 3]])
  })

  it('loses no item between pages when others are added', async () => {
    const api = createApi(6)
    const pages = createPages(api.read, 60_000)
    await pages.refresh(0)
    pages.wantMore()
    await pages.refresh(0)
    api.newest = 7
    await pages.refresh(1)
    expect(pages.items()).toEqual([7, 6, 5, 4])
  })

  it('keeps the page that was wanted while an earlier refresh was under way', async () => {
    const { read } = createApi(4)
    const answers: (() => void)[] = []
    const slow = async (cursor: string | undefined) => {
      await new Promise<void>((resolve) => answers.push(resolve))
      return read(cursor)
    }
    const pages = createPages(slow, 60_000)
    const first = pages.refresh(0)
    pages.wantMore()
    const second = pages.refresh(0)
    answers[1]?.()
    await second
    answers[0]?.()
    await first
    expect(pages.items()).toEqual([4, 3])
  })

  it('forgets what was under way when it was reset', async () => {
    const { read } = createApi(3)
    const pages = createPages(read, 60_000)
    const refreshing = pages.refresh(0)
    pages.reset()
    await refreshing
    expect(pages.items()).toEqual([])
  })
})

describe('readFiltered', () => {
  it('reads past empty pages until it has enough items', async () => {
    const wanted = [8, 3, 2, 1]
    const api = createApi(9, 1)
    const read = async (cursor: string | undefined) => {
      const { items, ...page } = await api.read(cursor)
      return { items: items.filter((item) => wanted.includes(item)), ...page }
    }
    const first = await readFiltered(read, undefined, 2)
    expect(first).toEqual({ items: [8, 3], cursor: '3' })
    expect(await readFiltered(read, first.cursor, 5)).toEqual({ items: [2, 1] })
  })

  it('ends after ten requests, with a cursor', async () => {
    const api = createApi(100, 1)
    const read = async (cursor: string | undefined) => ({ ...(await api.read(cursor)), items: [] })
    expect(await readFiltered(read, undefined, 1)).toEqual({ items: [], cursor: '91' })
    expect(api.requests).toBe(10)
  })
})
