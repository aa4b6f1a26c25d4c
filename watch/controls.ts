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
  const stage = byId('div', 'stage')

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
  video.addEventListener('click', acts.play)
  mute.addEventListener('click', acts.mute)
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
    play.textContent = video.paused ? '▶' : '⏸'
    play.setAttribute('aria-label', video.paused ? 'Play' : 'Pause')
  }
  const showVolume = () => {
    const isSilent = video.muted || video.volume === 0
    mute.textContent = isSilent ? '🔇' : '🔊'
    mute.setAttribute('aria-label', isSilent ? 'Unmute' : 'Mute')
    volume.value = String(video.muted ? 0 : video.volume)
  }
  for (const event of ['play', 'pause', 'ended']) video.addEventListener(event, showPlaying)
  video.addEventListener('volumechange', showVolume)
  hideWhenIdle(stage, video)
}

function hideWhenIdle(stage: HTMLElement, video: HTMLVideoElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wake = () => {
    stage.classList.remove('idle')
    clearTimeout(timer)
    timer = setTimeout(() => stage.classList.toggle('idle', !video.paused), IDLE_MS)
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
