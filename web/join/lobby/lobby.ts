import { byId, fillChoice, setText } from '../../dom.ts'
import type { Attendance } from '../attendance.ts'
import { keepChoices } from '../invitation.ts'
import { badgeOf, isVisitOver, lobbyNote, waitingNote } from '../labels.ts'
import { createLevelMeter, type LevelMeter, resumeLevels } from './level.ts'
import type { DeviceKind, LocalMedia } from './local-media.ts'

interface LobbyOptions {
  readonly media: LocalMedia
  readonly onJoin: (name: string) => void
  readonly onStopWaiting: () => void
}

/** Level above which a microphone has been tested. */
const AUDIBLE = 0.35

const NOTES: Readonly<Record<DeviceKind, string>> = { camera: 'Your camera is off', microphone: '' }

/** Creates the lobby: self view, level, devices and name. */
export function createLobby({ media, onJoin, onStopWaiting }: LobbyOptions) {
  const selfView = byId('video', 'self-view')
  const level = byId('meter', 'level')
  const name = byId('input', 'name')
  const form = byId('form', 'entry')
  let meter: { readonly of: MediaStreamTrack; readonly level: LevelMeter | undefined } | undefined
  let hasSpoken = false
  let frame = 0

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const given = name.value.trim()
    setText(byId('p', 'name-problem'), given ? undefined : 'Enter the name that the others see.')
    name.setAttribute('aria-invalid', String(!given))
    if (!given) return name.focus()
    keepChoices({ name: given })
    resumeLevels()
    onJoin(given)
  })
  name.addEventListener('input', () => {
    setText(byId('p', 'name-problem'), undefined)
    name.removeAttribute('aria-invalid')
  })
  byId('button', 'stop-waiting').addEventListener('click', onStopWaiting)
  bindDevice('camera', 'isCameraOff')
  bindDevice('microphone', 'isMuted')

  function bindDevice(kind: DeviceKind, off: 'isCameraOff' | 'isMuted'): void {
    byId('button', `lobby-${kind}`).addEventListener('click', async () => {
      resumeLevels()
      const isOn = !media[kind].isOn
      keepChoices({ [off]: !isOn })
      await media.switch(kind, isOn)
    })
    const choice = byId('select', `${kind}-choice`)
    choice.addEventListener('change', async () => {
      keepChoices({ [kind]: choice.value, [off]: false })
      await media.choose(kind, choice.value)
    })
  }

  async function drawDevice(kind: DeviceKind): Promise<void> {
    const { isOn, track, problem } = media[kind]
    const toggle = byId('button', `lobby-${kind}`)
    toggle.setAttribute('aria-pressed', String(isOn && track !== undefined))
    toggle.title = `Turn the ${kind} ${isOn ? 'off' : 'on'}`
    setText(byId('p', `${kind}-problem`), problem)
    const devices = await media.list(kind)
    const choice = byId('select', `${kind}-choice`)
    const listed = [...choice.options].map(({ value, label }) => value + label).join()
    if (listed !== devices.map(({ value, label }) => value + label).join()) fillChoice(choice, devices)
    const chosen = media[kind].track?.getSettings().deviceId
    if (chosen) choice.value = chosen
  }

  function drawMedia(): void {
    const { camera, microphone } = media
    showTrack(selfView, camera.track)
    setText(byId('p', 'self-note'), camera.track ? undefined : NOTES.camera)
    if (microphone.track !== meter?.of) {
      meter?.level?.close()
      meter = microphone.track && { of: microphone.track, level: createLevelMeter(microphone.track) }
    }
    level.hidden = !meter?.level
    drawLevelNote()
    void drawDevice('camera')
    void drawDevice('microphone')
  }

  function drawLevelNote(): void {
    const text = hasSpoken ? 'Your microphone works.' : 'Speak to test your microphone.'
    setText(byId('p', 'level-note'), media.microphone.track ? text : 'Your microphone is off.')
  }

  function measure(): void {
    frame = requestAnimationFrame(measure)
    const now = meter?.level?.level() ?? 0
    level.value = now
    if (now > AUDIBLE && !hasSpoken) {
      hasSpoken = true
      drawLevelNote()
    }
  }

  media.listen(drawMedia)
  return {
    /** Starts the level meter and draws the devices. */
    start(): void {
      drawMedia()
      measure()
    },
    /** Stops what only the lobby needs. */
    stop(): void {
      cancelAnimationFrame(frame)
      frame = 0
    },
    update({ phase, show, reason }: Attendance): void {
      const { text, state } = badgeOf(show)
      const badge = byId('p', 'lobby-badge')
      setText(badge, text)
      badge.dataset.state = state
      setText(byId('h1', 'lobby-title'), show?.name ?? 'Join the show')
      setText(byId('p', 'lobby-note'), phase === 'lobby' ? lobbyNote(show) : undefined)
      setText(byId('p', 'lobby-trouble'), reason)
      byId('button', 'enter').disabled = show !== undefined && isVisitOver(show)
      form.hidden = phase !== 'lobby'
      byId('div', 'waiting').hidden = phase === 'lobby'
      setText(byId('p', 'waiting-title'), phase === 'lobby' ? undefined : titleOf(phase))
      setText(byId('p', 'waiting-note'), phase === 'waiting' ? waitingNote(show) : undefined)
    },
  }
}

const titleOf = (phase: Attendance['phase']) => (phase === 'waiting' ? 'You are in the green room' : 'Joining …')

/** Shows a track in a video element, or nothing. An equal track does not restart the picture. */
export function showTrack(video: HTMLVideoElement, track: MediaStreamTrack | undefined): void {
  const shown = video.srcObject instanceof MediaStream ? video.srcObject.getVideoTracks()[0] : undefined
  if (shown !== track) video.srcObject = track ? new MediaStream([track]) : null
}
