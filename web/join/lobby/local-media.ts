import { deviceProblem } from '../labels.ts'

export type DeviceKind = 'camera' | 'microphone'

/** The camera or the microphone of this browser. */
export interface Device {
  /** True if the participant wants it on. */
  readonly isOn: boolean
  /** The captured track, while it is on and works. */
  readonly track?: MediaStreamTrack
  /** Id of the chosen device; empty for the browser's default. */
  readonly deviceId: string
  /** Why it cannot be used, and what to do. */
  readonly problem?: string
}

/** Camera and microphone, which the participant switches and chooses. */
export interface LocalMedia {
  readonly camera: Device
  readonly microphone: Device
  /** Starts both as far as they are on. Asks for permission once for both. */
  open(): Promise<void>
  /** Turns a device on or off. A device that is off captures nothing, so that its light is off as well. */
  switch(kind: DeviceKind, isOn: boolean): Promise<void>
  choose(kind: DeviceKind, deviceId: string): Promise<void>
  /** Lists the devices that can be chosen. Before the permission they have no labels. */
  list(kind: DeviceKind): Promise<readonly { readonly value: string; readonly label: string }[]>
  /** Calls a function after each change of a device or of the list. */
  listen(onChange: () => void): void
  close(): void
}

const CONSTRAINTS: Readonly<Record<DeviceKind, MediaTrackConstraints>> = {
  camera: { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } },
  microphone: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
}
const INPUTS = { camera: 'videoinput', microphone: 'audioinput' } as const
const LABELS = { camera: 'Camera', microphone: 'Microphone' } as const
const KINDS = ['camera', 'microphone'] as const

/** Creates the local devices. Nothing is captured before `open`. */
export function createLocalMedia(initial: Readonly<Record<DeviceKind, Pick<Device, 'isOn' | 'deviceId'>>>): LocalMedia {
  const devices: Record<DeviceKind, Device> = { camera: initial.camera, microphone: initial.microphone }
  const listeners: (() => void)[] = []
  /** Absent on http pages of other machines. */
  const { mediaDevices } = navigator as { readonly mediaDevices?: MediaDevices }
  const changed = () => {
    for (const listener of listeners) listener()
  }
  mediaDevices?.addEventListener?.('devicechange', changed)

  const constraintsOf = (kind: DeviceKind): MediaTrackConstraints => {
    const { deviceId } = devices[kind]
    return { ...CONSTRAINTS[kind], ...(deviceId && { deviceId: { exact: deviceId } }) }
  }
  const capture = (kinds: readonly DeviceKind[]): Promise<MediaStream> => {
    if (!mediaDevices) throw new DOMException('', 'insecure')
    return mediaDevices.getUserMedia({
      ...(kinds.includes('camera') && { video: constraintsOf('camera') }),
      ...(kinds.includes('microphone') && { audio: constraintsOf('microphone') }),
    })
  }

  function set(kind: DeviceKind, { isOn, track, problem }: Pick<Device, 'isOn' | 'track' | 'problem'>): void {
    const former = devices[kind].track
    if (former !== track) former?.stop()
    const { deviceId } = devices[kind]
    devices[kind] = { isOn, deviceId, ...(track && { track }), ...(problem && { problem }) }
    track?.addEventListener('ended', () => {
      // It was unplugged, or its permission was withdrawn.
      if (devices[kind].track === track) set(kind, { isOn: false, problem: deviceProblem(kind, 'ended') })
    })
    changed()
  }

  const trackOf = (kind: DeviceKind, stream: MediaStream) =>
    (kind === 'camera' ? stream.getVideoTracks() : stream.getAudioTracks())[0]

  async function start(kind: DeviceKind): Promise<void> {
    try {
      const track = trackOf(kind, await capture([kind]))
      if (devices[kind].isOn) set(kind, { isOn: true, ...(track && { track }) })
      else track?.stop() // switched off meanwhile
    } catch (error) {
      const { name } = error as DOMException
      if (name === 'OverconstrainedError' && devices[kind].deviceId) {
        devices[kind] = { ...devices[kind], deviceId: '' } // the device of the last visit is not connected
        return start(kind)
      }
      set(kind, { isOn: false, problem: deviceProblem(kind, name) })
    }
  }

  return {
    get camera() {
      return devices.camera
    },
    get microphone() {
      return devices.microphone
    },
    async open() {
      const wanted = KINDS.filter((kind) => devices[kind].isOn)
      if (wanted.length < 2) return void (await Promise.all(wanted.map(start)))
      try {
        const stream = await capture(wanted)
        for (const kind of wanted) {
          const track = trackOf(kind, stream)
          set(kind, { isOn: true, ...(track && { track }) })
        }
      } catch {
        for (const kind of wanted) await start(kind) // one of them may work
      }
    },
    async switch(kind, isOn) {
      if (!isOn) return set(kind, { isOn: false })
      devices[kind] = { isOn: true, deviceId: devices[kind].deviceId }
      await start(kind)
    },
    async choose(kind, deviceId) {
      devices[kind] = { ...devices[kind], deviceId, isOn: true }
      await start(kind)
    },
    async list(kind) {
      const all = (await mediaDevices?.enumerateDevices().catch(() => [])) ?? []
      return all
        .filter((device) => device.kind === INPUTS[kind] && device.deviceId)
        .map(({ deviceId, label }, index) => ({ value: deviceId, label: label || `${LABELS[kind]} ${index + 1}` }))
    },
    listen: (onChange) => void listeners.push(onChange),
    close() {
      for (const kind of KINDS) devices[kind].track?.stop()
    },
  }
}
