import { byId, setText } from '../dom.ts'
import { joinSession, type Session } from '../session/session.ts'
import type { SessionState } from '../session/state.ts'
import { createApi } from './api.ts'
import { type Attendance, createAttendance } from './attendance.ts'
import { keepChoices, readChoices, readInvitation } from './invitation.ts'
import { endingOf, mediaProblem } from './labels.ts'
import { createLobby } from './lobby/lobby.ts'
import { createLocalMedia, type DeviceKind } from './lobby/local-media.ts'
import { CHAT, HAND } from './room.ts'
import { createChat } from './stage/chat.ts'
import { bindControls } from './stage/controls.ts'
import { createPublishing } from './stage/publishing.ts'
import { createStage } from './stage/stage.ts'

/** Milliseconds for which a banner stays. */
const BANNER_MS = 8_000
const LOST = 'The connection is lost. You will join again automatically.'

const wait = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms))

function start(): void {
  const invitation = readInvitation(location)
  const { name, camera = '', microphone = '', isCameraOff = false, isMuted = false } = readChoices()
  byId('input', 'name').value = name ?? ''
  const media = createLocalMedia({
    camera: { isOn: !isCameraOff, deviceId: camera },
    microphone: { isOn: !isMuted, deviceId: microphone },
  })
  let state: Attendance | undefined
  let phase: Attendance['phase'] | undefined
  let session: Session | undefined
  let known: SessionState | undefined

  const publishing = createPublishing(media, redraw)
  const stage = createStage(media, publishing)
  const attendance = createAttendance<SessionState>({
    api: createApi(invitation),
    connect({ sandboxUrl: url, sessionId }, token, handlers) {
      session = joinSession({ url, sessionId, token, ...handlers })
      return session
    },
    wait,
    now: Date.now,
    onChange: update,
    onVisit: follow,
    onAnnouncement: announce,
  })
  const chat = createChat((text) => attendance.signal(CHAT, text))
  const lobby = createLobby({
    media,
    onJoin: (given) => void attendance.join(given),
    onStopWaiting: () => location.reload(),
  })
  const drawControls = bindControls({
    microphone: () => void flip('microphone'),
    camera: () => void flip('camera'),
    screen: () =>
      void publishing.toggleScreen().catch((error: DOMException) => {
        if (error.name !== 'NotAllowedError') showBanner(`The screen cannot be shared (${error.name}). Try again.`)
      }),
    hand: () => void attendance.signal(HAND, hasHand() ? 'down' : 'up').catch(() => {}),
    leave: attendance.leave,
  })

  async function flip(kind: DeviceKind): Promise<void> {
    const isOn = !media[kind].track
    keepChoices({ [kind === 'camera' ? 'isCameraOff' : 'isMuted']: !isOn })
    await media.switch(kind, isOn)
    const { problem } = media[kind]
    if (problem) showBanner(problem)
  }
  const hasHand = () => state?.room.hands.includes(state.room.ownId) === true
  function announce(text: string): void {
    byId('p', 'announcer').textContent = text
  }
  let bannerTimer: ReturnType<typeof setTimeout> | undefined
  /** Shows a text above the pictures. While the participant joins again, it is the reason for that. */
  function showBanner(text: string): void {
    setText(byId('p', 'banner'), text)
    clearTimeout(bannerTimer)
    bannerTimer = setTimeout(() => setText(byId('p', 'banner'), phase === 'reconnecting' ? LOST : undefined), BANNER_MS)
  }

  /** Notices what a moderator does, and shows what the session receives. */
  function follow(next: SessionState): void {
    const isMuted = ({ publications }: SessionState) => publications.some((one) => one.isMutedByModerator)
    if (isMuted(next) && !(known && isMuted(known))) {
      void media.switch('microphone', false)
      showBanner('A moderator has muted you. You can unmute yourself with the microphone button.')
    } else if (next.isMuted && known?.isMuted === false)
      showBanner('A moderator has muted everyone who joins from now on.')
    else {
      const problem = mediaProblem(next.publications, navigator.userAgent)
      if (problem && !(known && mediaProblem(known.publications, navigator.userAgent))) showBanner(problem)
    }
    known = next
    stage.note(next)
    redraw()
  }

  function update(next: Attendance): void {
    state = next
    if (next.phase !== phase) changePhase(next)
    redraw()
  }

  function changePhase(next: Attendance): void {
    const isOnStage = (one: typeof phase) => one === 'joined' || one === 'reconnecting'
    const wasOnStage = isOnStage(phase)
    phase = next.phase
    document.body.dataset.phase = phase
    byId('main', 'lobby').hidden = isOnStage(phase) || phase === 'ended'
    byId('div', 'stage').hidden = !isOnStage(phase)
    byId('main', 'ended').hidden = phase !== 'ended'
    if (isOnStage(phase)) lobby.stop()
    if (phase === 'joined' && !wasOnStage) {
      if (session) publishing.begin(session, next.room.ownName)
      byId('button', 'microphone').focus()
    }
    if (phase === 'reconnecting') showBanner(LOST)
    if (phase === 'joined' && wasOnStage) setText(byId('p', 'banner'), undefined)
    if (phase === 'ended') end(next)
  }

  function end({ ending = 'left', reason }: Attendance): void {
    session = undefined
    known = undefined
    publishing.stop()
    stage.clear()
    chat.reset()
    media.close()
    const { title, text } = endingOf(ending, reason)
    setText(byId('h1', 'ended-title'), title)
    setText(byId('p', 'ended-text'), text)
    byId('button', 'again').hidden = ending === 'over'
    byId('h1', 'ended-title').focus()
  }

  function redraw(): void {
    if (!state) return
    const { room, show } = state
    document.title = show ? `${show.name} – Showrunner` : 'Join the show'
    if (state.phase === 'joined' || state.phase === 'reconnecting') {
      stage.draw(state)
      chat.update(room.messages)
      drawControls({
        isMuted: !media.microphone.track,
        isCameraOff: !media.camera.track,
        isSharing: publishing.screen !== undefined,
        hasHand: hasHand(),
        isEnabled: state.phase === 'joined',
      })
    } else if (state.phase !== 'ended') lobby.update(state)
  }

  media.listen(() => {
    publishing.sync()
    redraw()
  })
  byId('button', 'again').addEventListener('click', () => location.reload())
  addEventListener('pagehide', attendance.close)
  document.body.dataset.phase = 'lobby'
  byId('main', 'lobby').hidden = false // before, its buttons would do nothing
  lobby.start()
  void media.open()
  void attendance.followInLobby()
}

try {
  start()
} catch (error) {
  byId('main', 'lobby').hidden = true
  byId('main', 'ended').hidden = false
  const { title, text } = endingOf('refused', (error as Error).message)
  setText(byId('h1', 'ended-title'), title)
  setText(byId('p', 'ended-text'), text)
  byId('button', 'again').hidden = true
}
