import { element } from '../../dom.ts'
import { timeNow } from '../clock.ts'
import { linkTo } from '../keys/deep-link.ts'

/** Milliseconds after which an open fold of a running show is read again. */
const REFRESH_MS = 4_000

/** A part of a show's card that is read only while it is open. */
export interface Fold {
  readonly element: HTMLDetailsElement
  /** Reads again if the fold is open, and long enough ago. @param isBusy true while its content may change */
  refresh(now: number, isBusy: boolean): void
}

/** The name of a fold, and its link. */
export interface FoldPlace {
  readonly showId: string
  /** Name in the address of the page. */
  readonly tab: string
}

/**
 * Creates a fold that reads its content when it is opened, and regularly while it is open and the show is busy.
 * @param read draws the content. Its error becomes the line of the fold.
 */
export function createFold(
  title: string,
  { showId, tab }: FoldPlace,
  content: HTMLElement,
  read: () => Promise<void>,
): Fold {
  const line = element('p', { class: 'fold-line quiet', role: 'status' })
  const root = element(
    'details',
    { class: 'fold', 'data-tab': tab, 'data-link': linkTo({ show: showId, tab }) },
    element('summary', {}, title),
    content,
    line,
  )
  let readAt = Number.NEGATIVE_INFINITY
  let isReading = false
  let wasBusy = true
  const show = (text: string) => {
    if (line.textContent !== text) line.textContent = text
  }
  async function run(now: number): Promise<void> {
    if (isReading) return
    isReading = true
    readAt = now
    if (content.childElementCount === 0) show('Reading …')
    try {
      await read()
      show('')
    } catch (error) {
      show((error as Error).message)
    }
    isReading = false
  }
  root.addEventListener('toggle', () => {
    if (root.open) void run(timeNow())
  })
  return {
    element: root,
    refresh(now, isBusy) {
      const isDue = (isBusy || wasBusy) && now - readAt >= REFRESH_MS
      if (!root.open || !isDue) return
      wasBusy = isBusy
      void run(now)
    },
  }
}
