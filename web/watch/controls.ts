import type { Captions } from './captions.ts'
import { listenToKeys } from './keyboard.ts'
import { byId, fillChoice } from './page.ts'
import type { Player } from './player.ts'

/** Milliseconds without a movement after which the controls leave the picture alone. */
const IDLE_MS = 3_000

/** Buttons, choices and keys. */
export function connectControls(video: HTMLVideoElement, player: Player, captions: Captions): void {
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

  const acts = {
    play: () => (video.paused ? void video.play().catch(() => {}) : video.pause()),
    mute: () => (video.muted = !video.muted),
    fullScreen: () => toggleFullScreen(stage, video),
    captions: captions.toggle,
    move: (by: number) => (video.currentTime = Math.max(0, video.currentTime + by)),
    jump: (to: number) => (video.currentTime = to * (video.duration || 0)),
    louder: (by: number) => (video.volume = Math.min(1, Math.max(0, video.volume + by))),
  }
  listenToKeys(acts)
  play.addEventListener('click', acts.play)
  begin.addEventListener('click', acts.play)
  video.addEventListener('click', ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'touch') acts.play() // a touch brings the controls, and nothing else
  })
  video.addEventListener('dblclick', acts.fullScreen)
  mute.addEventListener('click', acts.mute)
  captionsToggle.addEventListener('click', acts.captions)
  fullscreen.addEventListener('click', acts.fullScreen)
  volume.addEventListener('input', () => {
    video.volume = Number(volume.value)
    video.muted = false
  })
  speed.addEventListener('change', () => {
    video.playbackRate = Number(speed.value)
  })
  quality.addEventListener('change', () => player.choose(Number(quality.value)))
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
  closeSettings()
  hideWhenIdle(stage, video)
}

function showWaiting(stage: HTMLElement, video: HTMLVideoElement): void {
  const show = (isWaiting: boolean) => () => stage.classList.toggle('waiting', isWaiting)
  for (const event of ['waiting', 'seeking']) video.addEventListener(event, show(true))
  for (const event of ['playing', 'seeked', 'canplay', 'error', 'ended']) video.addEventListener(event, show(false))
}

/** As soon as something else is touched. */
function closeSettings(): void {
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

/** A phone may show nothing but the video itself on the whole screen. */
function toggleFullScreen(stage: HTMLElement, video: HTMLVideoElement): void {
  if (document.fullscreenElement) return void document.exitFullscreen()
  if (document.fullscreenEnabled) return void stage.requestFullscreen().catch(() => {})
  ;(video as HTMLVideoElement & { webkitEnterFullscreen?: () => void }).webkitEnterFullscreen?.()
}
