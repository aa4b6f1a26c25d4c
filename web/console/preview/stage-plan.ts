import type { Rect } from '../../../lib/platform/layouts/rectangles.ts'
import { createList, element, setText, type View } from '../../dom.ts'
import type { DrawnLayout, PlacedStream } from './next-layout.ts'

/** A picture to draw, with all streams that could be in it. */
interface Plan extends DrawnLayout {
  readonly streams: readonly PlacedStream[]
  /** Width and height of the picture in pixels. */
  readonly size: readonly [number, number]
  /** False for a layout in which streams keep their places. */
  readonly canMove: boolean
}

interface PlannedStream extends PlacedStream {
  /** Absent for a stream that is not in the picture. */
  readonly cell?: Rect
  readonly depth: number
}

/**
 * Creates the drawing of a layout. A stream is moved to the place of another by dragging. By keyboard, Enter picks a stream
 * up, and Enter on another one exchanges them. Escape puts it back.
 * @param exchange is called with the moved stream and the one at its new place. Returns false if the layout does not allow it.
 */
export function createStagePlan(name: string, exchange: (moved: string, other: string) => boolean) {
  const picture = element('div', { class: 'plan' })
  const rest = element('div', { class: 'left-out' })
  const line = element('p', { class: 'quiet plan-line', role: 'status' })
  const root = element(
    'div',
    { class: 'planned', role: 'group', 'aria-label': `Places in the next layout of ${name}` },
    picture,
    rest,
    line,
  )
  let plan: Plan | undefined
  let picked: string | undefined

  const nameOf = (id: string) => plan?.streams.find(({ streamId }) => streamId === id)?.name ?? ''
  const describe = (text: string) => {
    if (line.textContent !== text) line.textContent = text
  }
  function pick(id: string | undefined, text = ''): void {
    picked = id
    for (const place of root.querySelectorAll<HTMLElement>('.place'))
      place.setAttribute('aria-pressed', String(place.dataset.stream === picked))
    describe(text)
  }
  function drop(moved: string, other: string): void {
    if (moved === other) {
      pick(undefined)
      return
    }
    const isDone = exchange(moved, other)
    root.querySelector<HTMLElement>(`[data-stream="${CSS.escape(moved)}"]`)?.focus()
    pick(
      undefined,
      isDone ? `${nameOf(moved)} and ${nameOf(other)} change places.` : 'Only the large place can be given here.',
    )
  }
  function choose(id: string): void {
    if (!plan?.canMove) describe('In a grid, streams are in the order of publishing.')
    else if (picked === undefined) pick(id, `${nameOf(id)} is picked up. Choose its place, or press Escape.`)
    else drop(picked, id)
  }
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && picked !== undefined) pick(undefined)
  })

  const isMovable = () => plan?.canMove === true
  const create = ({ streamId }: PlannedStream) => createPlace(streamId, { choose, drop, isMovable }, () => plan)
  const [updatePicture, updateRest] = [picture, rest].map((parent) =>
    createList<PlannedStream>(parent, ({ streamId }) => streamId, create),
  )
  return {
    element: root,
    draw(next: Plan): void {
      plan = next
      if (picked !== undefined && (!next.canMove || nameOf(picked) === '')) pick(undefined)
      const [width, height] = next.size
      picture.style.aspectRatio = `${width} / ${height}`
      const planned = next.streams.map((stream) => {
        const index = next.places.findIndex((one) => one.stream.streamId === stream.streamId)
        const cell = next.places[index]?.cell
        return { ...stream, depth: index, ...(cell && cell.width > 0 && cell.height > 0 && { cell }) }
      })
      updatePicture?.(planned.filter(({ cell }) => cell))
      updateRest?.(planned.filter(({ cell }) => !cell))
      for (const place of root.querySelectorAll<HTMLElement>('.place'))
        place.setAttribute('aria-pressed', String(place.dataset.stream === picked))
    },
  }
}

const KIND = 'application/x-showrunner-stream'

interface PlaceActions {
  readonly choose: (id: string) => void
  readonly drop: (moved: string, other: string) => void
  readonly isMovable: () => boolean
}

function createPlace(id: string, { choose, drop, isMovable }: PlaceActions, plan: () => Plan | undefined) {
  const label = element('span')
  const place = element('button', { type: 'button', class: 'place', 'aria-pressed': 'false', 'data-stream': id }, label)
  place.addEventListener('click', () => choose(id))
  place.addEventListener('dragstart', ({ dataTransfer }) => dataTransfer?.setData(KIND, id))
  place.addEventListener('dragover', (event) => {
    if (isMovable() && event.dataTransfer?.types.includes(KIND)) event.preventDefault()
  })
  place.addEventListener('drop', (event) => {
    event.preventDefault()
    const moved = event.dataTransfer?.getData(KIND)
    if (moved) drop(moved, id)
  })
  const view: View<PlannedStream> = {
    element: place,
    update({ name, cell, depth, layoutClasses }) {
      const [width, height] = plan()?.size ?? [1, 1]
      const share = (length: number, of: number) => `${((length / of) * 100).toFixed(3)}%`
      setText(label, layoutClasses.length > 0 ? `${name} (${layoutClasses.join(', ')})` : name)
      place.draggable = isMovable()
      if (cell)
        Object.assign(place.style, {
          left: share(cell.x, width),
          top: share(cell.y, height),
          width: share(cell.width, width),
          height: share(cell.height, height),
          zIndex: String(depth),
        })
    },
  }
  return view
}
