import { createList, element, setText } from '../../dom.ts'
import type { ListedStream, Show } from '../answers.ts'
import { act, sandboxUrl } from '../api.ts'
import { createButton, createControlGroup } from '../controls/control-group.ts'
import { describeControl, outputsOf, reasonAgainst, streamCount, streamLines } from '../controls/control-state.ts'
import { createMonitor } from './monitor.ts'
import { streamsOnAir, tallyOf } from './tally.ts'
import { createTile, type TileState, type TileView } from './tile.ts'

/** A running show, its streams, which are undefined until they are read, and those of its next layout. */
export interface MultiviewState {
  readonly show: Show
  readonly streams: readonly ListedStream[] | undefined
  readonly next: ReadonlySet<string> | undefined
}

/** Milliseconds between two readings of the level meters. */
const METER_MS = 100

/**
 * Creates the tiles of the streams in a session, in a place of a fixed height. Each has its tally, its layout classes, and
 * buttons. In the sandbox, the page can also receive the streams: then a tile has the picture, the level, the frame rate and
 * the bitrate, measured here. The API of the platform has none of them.
 */
export function createMultiview({ showId, name }: Pick<Show, 'showId' | 'name'>) {
  const count = element('p', { class: 'quiet' })
  const list = element('ul', { class: 'tiles' })
  const scroller = element(
    'div',
    { class: 'scroller', tabindex: '0', role: 'group', 'aria-label': `Streams of ${name}` },
    list,
  )
  const mute = (active: boolean) =>
    void group.run(active ? 'Muting all …' : 'Admitting new streams unmuted …', async () =>
      describeControl(
        await act(({ controls }) => controls.mute(showId, { active })),
        active ? 'All streams were muted' : 'Muting of new streams was stopped',
      ),
    )
  const watch = createButton('Watch the streams', () => (monitor.state ? monitor.stop() : start()))
  watch.dataset.action = 'watch'
  const all = element(
    'div',
    { class: 'buttons' },
    watch,
    createButton('Mute all', () => mute(true)),
    createButton('Stop muting new ones', () => mute(false)),
  )
  const group = createControlGroup('People and streams', count, scroller, all)
  const monitor = createMonitor(() => draw())
  const tiles = new Map<string, TileView>()
  const updateList = createList<TileState>(
    list,
    ({ streamId }) => streamId,
    (state) => {
      const tile = createTile(state, { showId, group })
      tiles.set(state.streamId, tile)
      return tile
    },
  )
  let latest: MultiviewState | undefined
  let url: string | undefined
  let meters: ReturnType<typeof setInterval> | undefined
  void sandboxUrl().then((found) => {
    url = found
    draw()
  })

  function start(): void {
    const sessionId = latest?.show.sessionId
    if (url === undefined || sessionId === undefined) return
    monitor.watch({ showId, sessionId, url })
    meters = setInterval(() => {
      if (!document.hidden) for (const tile of tiles.values()) tile.measure()
    }, METER_MS)
    draw()
  }
  function draw(): void {
    if (!latest) return
    const { show, streams = [], next } = latest
    const { state } = monitor
    if (!state) clearInterval(meters)
    const onAir = streamsOnAir(show, streams)
    const manual = outputsOf(show).filter(({ isManual }) => isManual)
    const lines = streamLines(streams, show.timeline)
    updateList(
      streams.map((stream, index) => ({
        ...stream,
        ...(lines[index] as (typeof lines)[number]),
        tally: tallyOf(stream.streamId, onAir, next),
        manual,
        received: state?.streams.find(({ id }) => id === stream.streamId),
      })),
    )
    const ids = new Set(streams.map(({ streamId }) => streamId))
    for (const [id, tile] of tiles) {
      if (ids.has(id)) continue
      tile.remove()
      tiles.delete(id)
    }
    watch.hidden = url === undefined || show.sessionId === undefined
    const text = state ? 'Stop watching' : 'Watch the streams'
    if (watch.textContent !== text) watch.textContent = text
  }

  return {
    element: group.element,
    /** @param isOpen a folded show receives nothing */
    update(state: MultiviewState, isOpen: boolean) {
      latest = state
      setText(count, state.streams === undefined ? 'The session is not open.' : streamCount(state.streams.length))
      const reason = reasonAgainst('mute', state.show)
      if (monitor.state && (!isOpen || reason !== undefined)) monitor.stop()
      draw()
      group.refuse(reason)
    },
  }
}
