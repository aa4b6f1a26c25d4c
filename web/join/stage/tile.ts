import { element, setText, type View } from '../../dom.ts'
import { initialsOf, QUALITIES, type QualityLabel, tileLabel } from '../labels.ts'
import { createLevelMeter, type LevelMeter } from '../lobby/level.ts'
import type { Tile } from '../room.ts'

/** A tile, with what this page shows and measures of its stream. */
export interface TileState extends Tile {
  /** The received media, or the own picture. */
  readonly media: MediaStream | undefined
  readonly quality: QualityLabel
}

export interface TileView extends View<TileState> {
  /** Marks the tile of a participant who speaks. */
  measure(): void
  remove(): void
}

/** Level from which on a participant counts as speaking. */
const SPEAKING = 0.4

/** Pictures with a smaller ratio, such as upright ones, are shown whole. Others fill their tile. */
const MIN_RATIO = 1.5

const MUTED = 'M9 6a3 3 0 0 1 6 0v5a3 3 0 0 1-6 0zM6 11a6 6 0 0 0 12 0M12 17v4M4 4l16 16'
const HAND =
  'M7 12V6.5a1.5 1.5 0 0 1 3 0V11M10 10V4.5a1.5 1.5 0 0 1 3 0V11M13 11V5.5a1.5 1.5 0 0 1 3 0V12M16 12V8.5a1.5 1.5 0 0 1 3 0V15a6 6 0 0 1-6 6h-1a6 6 0 0 1-5-2.7L4 14.5a1.5 1.5 0 0 1 2.4-1.8L7 13.5'

/** Creates the tile of a participant or of a screen. @param onBlocked called if the browser plays no audio without a click */
export function createTile(tile: TileState, onBlocked: () => void): TileView {
  const video = element('video', { autoplay: '', playsinline: '', 'aria-hidden': 'true' })
  video.muted = tile.isOwn
  video.addEventListener('resize', () => {
    root.dataset.shape = video.videoWidth / video.videoHeight < MIN_RATIO ? 'narrow' : 'wide'
  })
  const avatar = element('span', { class: 'avatar', 'aria-hidden': 'true' }, initialsOf(tile.name))
  const label = element('span', { class: 'unseen' })
  const name = element('span', { class: 'name' })
  const muted = icon(MUTED)
  const plate = element('span', { class: 'plate', 'aria-hidden': 'true' }, muted, name)
  const hand = element('span', { class: 'hand', 'aria-hidden': 'true' }, icon(HAND))
  const bars = element('span', { class: 'bars', 'aria-hidden': 'true' }, ...[1, 2, 3].map(() => element('i')))
  const root = element('li', { class: 'tile' }, video, avatar, label, plate, hand, bars)
  let meter: { readonly of: MediaStreamTrack; readonly level: LevelMeter | undefined } | undefined

  function show(media: MediaStream | undefined): void {
    if (video.srcObject !== (media ?? null)) {
      video.srcObject = media ?? null
      if (media) void video.play().catch((error: DOMException) => error.name === 'NotAllowedError' && onBlocked())
    }
    const track = media?.getAudioTracks()[0]
    if (track === meter?.of) return
    meter?.level?.close()
    meter = track && { of: track, level: createLevelMeter(track) }
  }

  return {
    element: root,
    update(state) {
      const { media, quality, kind, isOwn, hasAudio, hasVideo, hasHand, isPublished } = state
      root.dataset.kind = kind
      root.dataset.own = String(isOwn)
      root.dataset.quality = quality
      root.dataset.picture = String(hasVideo && media !== undefined)
      setText(label, tileLabel(state, quality))
      setText(name, kind === 'screen' ? (isOwn ? 'Your screen' : `${state.name}’s screen`) : ownOrName(state))
      avatar.textContent = initialsOf(state.name)
      muted.toggleAttribute('hidden', kind === 'screen' || !isPublished || hasAudio)
      hand.hidden = !hasHand
      bars.hidden = quality === 'unknown'
      bars.title = QUALITIES[quality]
      show(media)
    },
    measure() {
      root.toggleAttribute('data-speaking', (meter?.level?.level() ?? 0) > SPEAKING)
    },
    remove() {
      meter?.level?.close()
      video.srcObject = null
      root.remove()
    },
  }
}

const ownOrName = ({ isOwn, name }: TileState) => (isOwn ? `${name} (you)` : name)

function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  const drawn = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  drawn.setAttribute('class', 'drawn')
  drawn.setAttribute('d', path)
  svg.append(drawn)
  return svg
}
