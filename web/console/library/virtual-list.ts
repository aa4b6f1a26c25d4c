import { createList, element, type View } from '../../dom.ts'
import { isNearEnd, type RowView, rowAfterKey, rowsInView, scrollTopFor } from './row-window.ts'

/** Pixels. */
const ROW_HEIGHT = 64

/** A row: an item and its place in the list. */
interface Row<Item> {
  readonly item: Item
  readonly index: number
}

interface VirtualListOptions<Item> {
  readonly label: string
  readonly keyOf: (item: Item) => string
  /** Creates the content of a row. It is a button that opens the item. */
  readonly createContent: (item: Item) => View<Item>
  readonly onOpen: (item: Item) => void
  /** Called when fewer than two heights of rows follow. */
  readonly onNearEnd: () => void
}

/** A list of which only the rows in view are in the document. One row takes the focus, and keys move it. */
export interface VirtualList<Item> {
  readonly element: HTMLElement
  /**
   * @param count number of all items, or undefined while it is unknown
   * @param opened key of the item that is open
   */
  update(items: readonly Item[], count: number | undefined, opened: string | undefined): void
}

/** Creates a list of any length. */
export function createVirtualList<Item>(options: VirtualListOptions<Item>): VirtualList<Item> {
  const { label, keyOf, onOpen, onNearEnd } = options
  const list = element('ul', { class: 'rows', 'aria-label': label })
  const scroller = element('div', { class: 'rows-scroller' }, list)
  let items: readonly Item[] = []
  let setSize = -1
  let opened: string | undefined
  let active = 0

  const view = (): RowView => ({
    scrollTop: scroller.scrollTop,
    height: scroller.clientHeight,
    rowHeight: ROW_HEIGHT,
    count: items.length,
  })
  const drawRows = createList<Row<Item>>(
    list,
    ({ item }) => keyOf(item),
    ({ item }) => createRow(item),
  )

  function createRow(first: Item): View<Row<Item>> {
    const content = options.createContent(first)
    const button = element('button', { type: 'button', class: 'row-button' }, content.element)
    const root = element('li', {}, button)
    let row: Row<Item> = { item: first, index: 0 }
    button.addEventListener('click', () => {
      active = row.index
      onOpen(row.item)
    })
    button.addEventListener('focus', () => {
      active = row.index
    })
    return {
      element: root,
      update(next) {
        row = next
        root.style.top = `${row.index * ROW_HEIGHT}px`
        root.setAttribute('aria-posinset', String(row.index + 1))
        root.setAttribute('aria-setsize', String(setSize))
        button.tabIndex = row.index === active ? 0 : -1
        button.setAttribute('aria-current', String(keyOf(row.item) === opened))
        content.update(row.item)
      },
    }
  }

  function draw(): void {
    const { first, end } = rowsInView(view())
    active = Math.max(0, Math.min(active, items.length - 1))
    // The row with the focus stays in the document, so that the focus is not lost.
    const indexes = new Set(items.length === 0 ? [] : [active])
    for (let index = first; index < end; index++) indexes.add(index)
    const rows = [...indexes].sort((one, other) => one - other)
    list.style.height = `${items.length * ROW_HEIGHT}px`
    drawRows(rows.flatMap((index) => (items[index] === undefined ? [] : [{ item: items[index] as Item, index }])))
    if (isNearEnd(view())) onNearEnd()
  }

  scroller.addEventListener('scroll', draw)
  new ResizeObserver(draw).observe(scroller)
  list.addEventListener('keydown', (event) => {
    const next = rowAfterKey(event.key, active, view())
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    active = next
    scroller.scrollTop = scrollTopFor(next, view())
    draw()
    list.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  })

  return {
    element: scroller,
    update(next, count, open) {
      items = next
      setSize = count ?? -1
      opened = open
      draw()
    },
  }
}
