import type { PublishedStream } from '../../session/own-stream.ts'
import type { Session } from '../../session/session.ts'
import type { PublicationState } from '../../session/state.ts'
import type { DeviceKind, LocalMedia } from '../lobby/local-media.ts'

/** The own streams of a visit: camera with microphone, and screen. */
export interface Publishing {
  readonly camera: PublicationState | undefined
  readonly screen: PublicationState | undefined
  /** Publishes camera and microphone. Without any, it publishes as soon as one works. */
  begin(session: Session, name: string): void
  /** Sends what camera and microphone capture now. */
  sync(): void
  /** Starts or stops sharing the screen. @throws DOMException if the participant or the browser refuses */
  toggleScreen(): Promise<void>
  stop(): void
}

const KINDS: readonly DeviceKind[] = ['microphone', 'camera']

/** Creates the own streams. @param onChange called when a screen is shared or no longer */
export function createPublishing(media: LocalMedia, onChange: () => void): Publishing {
  let session: Session | undefined
  let name = ''
  let camera: PublishedStream | undefined
  let screen: PublishedStream | undefined
  /** Tracks that are sent. */
  const sent: Partial<Record<DeviceKind, MediaStreamTrack | undefined>> = {}

  async function send(kind: DeviceKind, to: PublishedStream): Promise<void> {
    const { track } = media[kind]
    if (track === sent[kind]) return
    sent[kind] = track
    const turn = (isOn: boolean) => (kind === 'camera' ? to.setVideo(isOn) : to.setAudio(isOn))
    if (track) await to.replaceTrack(track)
    if (track === media[kind].track) await turn(track !== undefined)
  }

  function sync(): void {
    if (!session) return
    if (camera) {
      const to = camera
      // A refusal means that the stream is gone: it is published again with the present tracks.
      for (const kind of KINDS) void send(kind, to).catch(() => {})
      return
    }
    const tracks = KINDS.flatMap((kind) => media[kind].track ?? [])
    if (tracks.length === 0) return
    for (const kind of KINDS) sent[kind] = media[kind].track
    camera = session.publish(new MediaStream(tracks), { name })
  }

  async function stopScreen(): Promise<void> {
    const stopped = screen
    screen = undefined
    await stopped?.stop()
    onChange()
  }

  return {
    get camera() {
      return camera?.state
    },
    get screen() {
      return screen?.state
    },
    begin(of, own) {
      session = of
      name = own
      sync()
    },
    sync,
    async toggleScreen() {
      if (screen) return stopScreen()
      if (!session) return
      const shared = await navigator.mediaDevices.getDisplayMedia({ video: true, audio: true })
      const [track] = shared.getVideoTracks()
      if (track) track.contentHint = 'detail'
      const own = session.publishScreen(shared, { name })
      screen = own
      track?.addEventListener('ended', () => {
        if (screen === own) void stopScreen() // by the browser's own button
      })
      onChange()
    },
    stop() {
      session = undefined
      camera = undefined
      screen = undefined
    },
  }
}
