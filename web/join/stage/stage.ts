import { byId, createList, setText } from '../../dom.ts'
import type { PublicationState, RemoteStream, SessionState } from '../../session/state.ts'
import type { Attendance } from '../attendance.ts'
import { badgeOf, type QualityLabel } from '../labels.ts'
import type { LocalMedia } from '../lobby/local-media.ts'
import { type Room, type Tile, tilesOf } from '../room.ts'
import { arrangeTiles } from './grid.ts'
import type { Publishing } from './publishing.ts'
import { createTile, type TileState, type TileView } from './tile.ts'

/** Pixels between tiles, and the smallest width of one. */
const GRID = { gap: 8, minWidth: 150 }
/** Milliseconds between measurements of who speaks. */
const SPEAKING_MS = 150

/** Creates the pictures of everyone. */
export function createStage(media: LocalMedia, publishing: Publishing) {
  const people = byId('ul', 'people')
  const frame = byId('div', 'frame')
  const views = new Map<string, TileView>()
  let visit: SessionState | undefined

  const blocked = () => {
    byId('button', 'sound').hidden = false
  }
  byId('button', 'sound').addEventListener('click', () => {
    byId('button', 'sound').hidden = true
    for (const video of frame.querySelectorAll('video')) void video.play().catch(() => {})
  })

  const create = (tile: TileState): TileView => {
    const view = createTile(tile, blocked)
    views.set(tile.key, view)
    return view
  }
  const showPeople = createList<TileState>(people, ({ key }) => key, create)
  const showScreens = createList<TileState>(byId('ul', 'screens'), ({ key }) => key, create)
  new ResizeObserver(fit).observe(people)

  function fit(): void {
    // Widths in CSS may have fractions, which the integers of the browser round up.
    const [width, height] = [people.clientWidth - 1, people.clientHeight - 1]
    const { tileWidth } = arrangeTiles(people.childElementCount, { width, height }, GRID)
    people.style.setProperty('--tile', `${tileWidth}px`)
    // A list that scrolls is reached by the keyboard.
    if (people.scrollHeight > people.clientHeight + 1) people.tabIndex = 0
    else people.removeAttribute('tabindex')
  }

  /** The own picture. Its video element gets a new stream only if the camera is another one. */
  let own: MediaStream | undefined
  function ownPicture(): MediaStream | undefined {
    const { track } = media.camera
    if (!track) own = undefined
    else if (own?.getVideoTracks()[0] !== track) own = new MediaStream([track])
    return own
  }

  function ownTiles({ ownId, ownName: name, hands }: Room): readonly TileState[] {
    const { camera, screen } = publishing
    const tile = { name, isOwn: true, isPublished: true } as const
    const ofCamera: TileState = {
      ...tile,
      key: 'own camera',
      kind: 'camera',
      hasHand: hands.includes(ownId),
      hasAudio: media.microphone.track !== undefined && camera?.isMutedByModerator !== true,
      hasVideo: media.camera.track !== undefined,
      isPublished: camera !== undefined,
      media: ownPicture(),
      quality: camera ? qualityOf(camera) : 'unknown',
    }
    if (!screen) return [ofCamera]
    const state = { hasHand: false, hasAudio: screen.hasAudio, hasVideo: true, quality: qualityOf(screen) }
    return [{ ...tile, ...state, key: 'own screen', kind: 'screen', media: screen.media }, ofCamera]
  }

  function received(tile: Tile): TileState {
    const stream = visit?.streams.find(({ id }) => id === tile.key)
    const media = stream && stream.media.getTracks().length > 0 ? stream.media : undefined
    return { ...tile, media, quality: stream ? qualityOf(stream) : 'unknown' }
  }

  function draw({ room, show }: Attendance): void {
    const tiles = [...ownTiles(room), ...tilesOf(room).map(received)]
    const keys = new Set(tiles.map(({ key }) => key))
    for (const [key, view] of views) {
      if (keys.has(key)) continue
      view.remove()
      views.delete(key)
    }
    const screens = tiles.filter(({ kind }) => kind === 'screen')
    showScreens(screens)
    showPeople(tiles.filter(({ kind }) => kind === 'camera'))
    byId('ul', 'screens').hidden = screens.length === 0
    frame.toggleAttribute('data-screen', screens.length > 0)
    fit()
    setText(byId('h1', 'title'), show?.name)
    const { text, state } = badgeOf(show)
    const badge = byId('p', 'badge')
    setText(badge, text)
    badge.dataset.state = state
    const others = room.connections.length
    setText(byId('p', 'headcount'), others === 0 ? 'Only you' : `${others + 1} people`)
  }

  setInterval(() => {
    for (const view of views.values()) view.measure()
  }, SPEAKING_MS)

  return {
    /** Notes what the session receives. The next `draw` shows it. */
    note(state: SessionState): void {
      visit = state
    },
    draw,
    /** Removes every picture after a visit. */
    clear(): void {
      visit = undefined
      for (const view of views.values()) view.remove()
      views.clear()
      showPeople([])
      showScreens([])
    },
  }
}

/** Returns the quality of a stream as its tile shows it. */
function qualityOf({ status, quality }: Pick<RemoteStream | PublicationState, 'status' | 'quality'>): QualityLabel {
  if (status === 'interrupted' || status === 'failed') return 'lost'
  return quality?.level ?? 'unknown'
}
