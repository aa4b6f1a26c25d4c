import { byId, setText } from '../../dom.ts'
import type { KnownRecording, Recording } from '../answers.ts'
import { timeNow } from '../clock.ts'
import { deletedHere } from '../controls/recording-control.ts'
import { withDeleted } from '../controls/recording-state.ts'
import { linkTo } from '../keys/deep-link.ts'
import { linkedRecording } from '../model.ts'
import type { Page } from '../pages.ts'
import { connectLibraryFilter } from './library-filter.ts'
import { createLibraryPages, type LibraryQuery } from './library-pages.ts'
import { createLibraryRow } from './library-row.ts'
import { createRecordingCard } from './recording-card.ts'
import { createVirtualList } from './virtual-list.ts'

/** Milliseconds after which the links of the open recording are renewed. They last 15 minutes at least. */
const LINK_AGE_MS = 10 * 60_000

interface LibraryApi {
  readonly list: (cursor: string | undefined, query: LibraryQuery) => Promise<Page<Recording>>
  readonly read: (archiveId: string) => Promise<Recording>
}

/** Connects the list of all recordings, its filter, and the recording that is open beside it. */
export function connectLibrary({ list, read }: LibraryApi) {
  const card = byId('section', 'library-open')
  const status = byId('p', 'library-status')
  const problem = byId('p', 'library-problem')
  const pages = createLibraryPages(list)
  let opened: KnownRecording | undefined
  let shownCard: ReturnType<typeof createRecordingCard> | undefined

  const rows = createVirtualList<Recording>({
    label: 'Recordings, newest first',
    keyOf: ({ archiveId }) => archiveId,
    createContent: createLibraryRow,
    onOpen: (recording) => {
      history.replaceState(null, '', linkTo({ recording: recording.archiveId }))
      open(recording)
    },
    onNearEnd: () => void more(),
  })
  byId('div', 'library-rows').append(rows.element)

  async function more(): Promise<void> {
    if (!pages.hasBegun() && Object.keys(pages.query()).length === 0) return // the page reads the first one
    if (pages.isReading() || !pages.hasMore()) return
    await attempt(() => pages.more())
  }

  async function attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action()
      setText(problem, undefined)
      draw()
    } catch (error) {
      setText(problem, (error as Error).message)
    }
  }

  function open(recording: Recording): void {
    if (opened?.archiveId === recording.archiveId) return
    opened = linkedRecording(recording, undefined, timeNow())
    shownCard = createRecordingCard(opened)
    shownCard.update(opened)
    card.replaceChildren(shownCard.element)
    draw()
    void attempt(renewLinks)
  }

  /** Reads the open recording, whose row may be hours old. */
  async function renewLinks(): Promise<void> {
    if (!opened || deletedHere.has(opened.archiveId)) return
    const { archiveId } = opened
    const fresh = await read(archiveId)
    if (opened?.archiveId !== archiveId) return
    opened = linkedRecording(fresh, undefined, timeNow())
    shownCard?.update(opened)
  }

  function draw(): void {
    const items = pages.items()
    const isFiltered = Object.keys(pages.query()).length > 0
    rows.update(items, pages.hasMore() ? undefined : items.length, opened?.archiveId)
    const first = items[0]
    if (!opened && first) open(first)
    setText(status, statusOf(items.length, { isFiltered, hasMore: pages.hasMore() }))
    const isEmpty = pages.hasBegun() && !isFiltered && items.length === 0
    byId('p', 'no-recordings').hidden = !isEmpty
    byId('div', 'library').hidden = !pages.hasBegun() || isEmpty
    byId('form', 'library-filter').hidden = isEmpty || (!pages.hasBegun() && !isFiltered)
  }

  connectLibraryFilter((query) => {
    pages.begin(query)
    void attempt(() => pages.more())
  })

  return {
    /** Opens a recording by its archive, which may be far down the list, and puts the focus on it. */
    async open(archiveId: string): Promise<void> {
      await attempt(async () => open(await read(archiveId)))
      card.scrollIntoView({ block: 'nearest' })
      card.focus({ preventScroll: true })
    },
    /** Takes the newest recordings, which the page reads anyway. The outcome of a search stays as it is. */
    async update(newest: Page<Recording>, now: number): Promise<void> {
      if (Object.keys(pages.query()).length === 0) {
        const before = pages.items().slice(0, newest.items.length + 1)
        pages.renew({ ...newest, items: withDeleted(newest.items, before, deletedHere) })
      }
      const fresh = newest.items.find(({ archiveId }) => archiveId === opened?.archiveId)
      if (opened && fresh) opened = linkedRecording(fresh, opened, now)
      else if (opened && now - opened.linkedAt >= LINK_AGE_MS) await attempt(renewLinks)
      if (opened) shownCard?.update(opened)
      draw()
    },
  }
}

function statusOf(count: number, { isFiltered, hasMore }: { isFiltered: boolean; hasMore: boolean }): string {
  const recordings = count === 1 ? '1 recording' : `${count.toLocaleString('en-GB')} recordings`
  if (!isFiltered) return hasMore ? `${recordings}, more as you scroll` : recordings
  if (hasMore) return `${recordings} found so far`
  return count === 0 ? 'No recording matches.' : `${recordings} found`
}
