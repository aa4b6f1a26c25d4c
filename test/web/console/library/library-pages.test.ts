import { describe, expect, it } from 'vitest'
import { createLibraryPages, type LibraryQuery } from '../../../../web/console/library/library-pages.ts'

const items = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ archiveId: `r${first - index}` }))

/** Returns pages of three, newest first, of which the cursor is the last id. */
function libraryOf(newest: number) {
  const asked: (string | undefined)[] = []
  const read = async (cursor: string | undefined, _query: LibraryQuery) => {
    asked.push(cursor)
    const first = cursor === undefined ? newest : Number(cursor.slice(1)) - 1
    const page = items(first, Math.min(3, first))
    return { items: page, ...(first > 3 && { cursor: page.at(-1)?.archiveId }) }
  }
  return { pages: createLibraryPages(read), asked, read }
}
const ids = (pages: ReturnType<typeof libraryOf>['pages']) => pages.items().map(({ archiveId }) => archiveId)

describe('createLibraryPages', () => {
  it('reads page after page until the end', async () => {
    const { pages, asked } = libraryOf(7)
    while (pages.hasMore()) await pages.more()
    expect(ids(pages)).toEqual(['r7', 'r6', 'r5', 'r4', 'r3', 'r2', 'r1'])
    await pages.more()
    expect(asked).toEqual([undefined, 'r5', 'r2'])
  })

  it('reads one page at a time', async () => {
    const { pages, asked } = libraryOf(7)
    await Promise.all([pages.more(), pages.more(), pages.more()])
    expect(asked).toEqual([undefined])
  })

  it('takes new and deleted recordings at the beginning, and keeps what follows', async () => {
    const { pages, read } = libraryOf(7)
    await pages.more()
    await pages.more()
    pages.renew({ items: [{ archiveId: 'r8' }, { archiveId: 'r7' }, { archiveId: 'r5' }], cursor: 'r5' })
    expect(ids(pages)).toEqual(['r8', 'r7', 'r5', 'r4', 'r3', 'r2'])
    await pages.more()
    expect(ids(pages)).toEqual(['r8', 'r7', 'r5', 'r4', 'r3', 'r2', 'r1'])
    pages.renew(await read('r21', {}))
    expect(ids(pages)).toEqual(['r20', 'r19', 'r18'])
    expect(pages.hasMore()).toBe(true)
  })

  it('ignores the answer to a former filter', async () => {
    const { pages } = libraryOf(7)
    const former = pages.more()
    pages.begin({ name: 'launch' })
    await former
    expect(pages.items()).toEqual([])
    await pages.more()
    expect(ids(pages)).toEqual(['r7', 'r6', 'r5'])
  })
})
