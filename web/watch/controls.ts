import { byId, fillChoice } from '../dom.ts'
import type { CaptionsControl } from './captions.ts'
import { connectKeys, type KeyActions } from './keyboard.ts'
import type { Player } from './player.ts'

/** Milliseconds without a movement after which the controls are hidden. */
const IDLE_MS = 3_000

/** Connects buttons, choices and keys with the video. */
export function connectControls(video: HTMLVideoElement, player: Player, captions: CaptionsControl): void {
  const [play, mute, volume] = [byId('button', 'play'), byId('button', 'mute'), byId('input', 'volume')]
  const [quality, speed, fullscreen] = [
    byId('select', 'quality'),
    byId('select', 'speed'),
    byId('button', 'fullscreen'),
  ]
  const [stage, begin, captionsToggle] = [
    byId('div', 'stage'),
    byId('button', 'begin'),
    byId('button', 'captions-toggle'),
  ]

  const actions: KeyActions = {
    play: () => (video.paused ? void video.play().catch(() => {}) : video.pause()),
    mute: () => (video.muted = !video.muted),
    fullScreen: () => toggleFullScreen(stage, video),
    captions: captions.toggle,
    move: (by: number) => (video.currentTime = Math.max(0, video.currentTime + by)),
    jump: (to: number) => (video.currentTime = to * (video.duration || 0)),
    pictureInPicture: () => togglePictureInPicture(video),
    faster: (by: number) => {
      speed.selectedIndex = Math.min(speed.length - 1, Math.max(0, speed.selectedIndex + by))
      video.playbackRate = Number(speed.value)
    },
    louder: (by: number) => (video.volume = Math.min(1, Math.max(0, video.volume + by))),
  }
  connectKeys(actions)
  play.addEventListener('click', actions.play)
  begin.addEventListener('click', actions.play)
  video.addEventListener('click', ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'touch') actions.play() // a touch only shows the controls
  })
  video.addEventListener('dblclick', actions.fullScreen)
  mute.addEventListener('click', actions.mute)
  captionsToggle.addEventListener('click', actions.captions)
  fullscreen.addEventListener('click', actions.fullScreen)
  const floating = byId('button', 'picture-in-picture')
  floating.hidden = !document.pictureInPictureEnabled
  floating.addEventListener('click', actions.pictureInPicture)
  volume.addEventListener('input', () => {
    video.volume = Number(volume.value)
    video.muted = false
  })
  speed.addEventListener('change', () => {
    video.playbackRate = Number(speed.value)
  })
  quality.addEventListener('change', () => player.choose(Number(quality.value)))
  player.onPlayed((label) => {
    byId('span', 'quality-played').textContent = label
  })
  player.onQualities((qualities) =>
    fillChoice(
      quality,
      qualities.map(({ level, label }) => ({ value: String(level), label })),
    ),
  )

  const showPlaying = () => {
    stage.classList.toggle('playing', !video.paused)
    begin.hidden = !video.paused || video.currentTime > 0
    play.setAttribute('aria-label', video.paused ? 'Play' : 'Pause')
  }
  const showVolume = () => {
    const isSilent = video.muted || video.volume === 0
    stage.classList.toggle('silenced', isSilent)
    mute.setAttribute('aria-label', isSilent ? 'Unmute' : 'Mute')
    volume.value = String(video.muted ? 0 : video.volume)
  }
  for (const event of ['play', 'pause', 'ended']) video.addEventListener(event, showPlaying)
  video.addEventListener('volumechange', showVolume)
  showPlaying()
  showWaiting(stage, video)
  connectSettings()
  hideWhenIdle(stage, video)
}

function showWaiting(stage: HTMLElement, video: HTMLVideoElement): void {
  const show = (isWaiting: boolean) => () => stage.classList.toggle('waiting', isWaiting)
  for (const event of ['waiting', 'seeking']) video.addEventListener(event, show(true))
  for (const event of ['playing', 'seeked', 'canplay', 'error', 'ended']) video.addEventListener(event, show(false))
}

/** Closes the settings when the user touches or focuses anything else. */
function connectSettings(): void {
  const settings = byId('details', 'settings')
  const closeFrom = ({ target }: Event) => {
    if (target instanceof Node && !settings.contains(target)) settings.open = false
  }
  document.addEventListener('pointerdown', closeFrom)
  document.addEventListener('focusin', closeFrom)
  settings.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') settings.open = false
  })
}

function hideWhenIdle(stage: HTMLElement, video: HTMLVideoElement): void {
  const settings = byId('details', 'settings')
  let timer: ReturnType<typeof setTimeout> | undefined
  const wake = () => {
    stage.classList.remove('idle')
    clearTimeout(timer)
    timer = setTimeout(() => stage.classList.toggle('idle', !video.paused && !settings.open), IDLE_MS)
  }
  for (const event of ['pointermove', 'pointerdown', 'keydown', 'focusin']) stage.addEventListener(event, wake)
  for (const event of ['play', 'pause']) video.addEventListener(event, wake)
}

/** Toggles full screen. Safari on a phone can only show the video itself in full screen. */
function toggleFullScreen(stage: HTMLElement, video: HTMLVideoElement): void {
  if (document.fullscreenElement) return void document.exitFullscreen()
  if (document.fullscreenEnabled) return void stage.requestFullscreen().catch(() => {})
  ;(video as HTMLVideoElement & { webkitEnterFullscreen?: () => void }).webkitEnterFullscreen?.()
}

/** Toggles a floating window for the video. A browser refuses one before there is a picture. */
function togglePictureInPicture(video: HTMLVideoElement): void {
  if (document.pictureInPictureElement) return void document.exitPictureInPicture()
  if (document.pictureInPictureEnabled) void video.requestPictureInPicture().catch(() => {})
}
