import { expect, it, vi } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { paletteIdentityOf } from '../../../../local/sandbox/media/pattern/palette.ts'
import { frameAt, timeOf } from '../../../../local/sandbox/media/timebase.ts'
import { attempt } from '../../../support/browsers/attempt.ts'
import { findCells, readCellTimecode } from '../../../support/media/cells.ts'
import { decodeAudio, decodePictures } from '../../../support/media/decode.ts'
import { peakOf } from '../../../support/media/tones.ts'
import { openPhoneRoom, PATIENCE } from './open-phone-room.ts'
import { type HeardPacket, type SentTone, startTimedPhone, TONE_SAMPLES } from './timed-phone.ts'

/** Milliseconds from one end to the other. */
const MAX_LATENCY = 150
const SAMPLES_PER_MS = 48
/** Samples of one measurement: 10 ms. */
const WINDOW = 480
/** Half of the peak of what the phone sends, and of a beep. */
const HALF_TONE = 4_000
const HALF_BEEP = 3_250
/** Share of the windows that may miss the tone or its phase. */
const MAX_GAPS = 0.005
/** Radians by which the phase may change from one window to the next. */
const MAX_JUMP = Math.PI / 4
/** Samples around the expected place at which a tone is searched: half of those after which it repeats. */
const MAX_DISTANCE = 3_000 * SAMPLES_PER_MS
/** Frames after which the timecode repeats. */
const CODES = 2 ** 24
const SIZE = { width: 320, height: 240 }

async function openRoomWithTimedPhone() {
  const room = await openPhoneRoom()
  const phone = await startTimedPhone()
  const called = await room.dial(phone)
  await called.until('ACTIVE')
  await vi.waitUntil(() => phone.heard.length > 100, PATIENCE)
  return {
    ...room,
    phone,
    async [Symbol.asyncDispose]() {
      await room.call('forceDisconnect', { sessionId: room.sessionId, connectionId: called.connectionId })
      await phone.done
      phone.close()
      await room[Symbol.asyncDispose]()
    },
  }
}

it('has each tone of a phone within 150 ms in an archive, without gaps', async () => {
  await using room = await openRoomWithTimedPhone()
  const { phone, join, call, sessionId, fileOf, ffmpegPath } = room
  await join(sessionId, { name: 'Ada' }) // for the timecode
  await attempt(async () => {
    const { body } = await call('startArchive', { sessionId })
    await realClock.sleep(4_000)
    const path = await fileOf(body.id)
    const startedAt = startOf(await decodePictures(ffmpegPath, path, { ...SIZE, seconds: 1 }), realClock.now())
    const audio = await decodeAudio(ffmpegPath, path)
    const endedAt = startedAt + audio.length / SAMPLES_PER_MS
    // The first and the last one may have been recorded in part.
    const sent = phone.sent.filter(({ at }) => at > startedAt + 500 && at < endedAt - 1_000)
    expect(sent.length).toBeGreaterThan(6)
    const found = sent.map((tone) => ({ ...tone, onset: onsetOf(audio, tone, (tone.at - startedAt) * SAMPLES_PER_MS) }))
    for (const { at, onset } of found) {
      const latency = startedAt + onset / SAMPLES_PER_MS - at
      expect(latency).toBeGreaterThan(0)
      expect(latency).toBeLessThan(MAX_LATENCY)
    }
    const windows = found.flatMap(({ hertz, onset }) => continuity(audio.subarray(onset, onset + TONE_SAMPLES), hertz))
    expect(windows.filter((isContinuous) => !isContinuous).length / windows.length).toBeLessThan(MAX_GAPS)
  })
})

it('sends each beep of a participant to a phone within 150 ms', async () => {
  await using room = await openRoomWithTimedPhone()
  const { phone, join, sessionId } = room
  await attempt(async () => {
    // The first beep is at the next full second, since there is none before the participant has joined.
    await realClock.sleep(1_200 - (realClock.now() % 1_000))
    const joinedAt = realClock.now()
    const second = Math.ceil(joinedAt / 1_000) * 1_000
    const ada = await join(sessionId, { name: 'Ada' })
    await vi.waitUntil(() => (phone.heard.at(-1)?.at ?? 0) > second + 3_500, PATIENCE)
    await ada.leave()
    const heard = phone.heard.filter(({ at }) => at > joinedAt && at <= second + 3_500)
    const beeps = beepArrivals(heard, paletteIdentityOf(1).tone) // the phone has the first place
    expect(beeps).toHaveLength(4)
    for (const [index, at] of beeps.entries()) {
      const latency = at - (second + 1_000 * index)
      expect(latency).toBeGreaterThan(0)
      expect(latency).toBeLessThan(MAX_LATENCY)
    }
  })
})

/** Returns when a recording begins, in milliseconds since the epoch, by the timecode of the participant beside the phone. */
function startOf(pictures: Awaited<ReturnType<typeof decodePictures>>, now: number): number {
  for (const [index, picture] of pictures.entries()) {
    const cell = findCells(picture).get(1)
    const code = cell && readCellTimecode(picture, cell)
    if (code === undefined) continue
    const latest = frameAt(now)
    const ago = (((latest - code) % CODES) + CODES) % CODES
    return timeOf(latest - ago - index)
  }
  throw new Error('No picture of the recording has a timecode.')
}

/** Returns the sample at which a tone begins, up to half of its repetition before or after a sample. */
function onsetOf(audio: Int16Array, { hertz }: SentTone, around: number): number {
  const [from, to] = [around - MAX_DISTANCE, around + MAX_DISTANCE].map(Math.round) as [number, number]
  const isThere = (start: number) => peakOf(audio.subarray(start, start + WINDOW), hertz) > HALF_TONE
  // A gap has every frequency for a moment.
  for (let start = Math.max(0, from); start + TONE_SAMPLES / 2 < Math.min(to, audio.length); start += SAMPLES_PER_MS)
    if (isThere(start) && isThere(start + TONE_SAMPLES / 4)) return start + WINDOW / 2
  throw new Error(`There is no tone of ${hertz} Hz.`)
}

/** Returns for each window inside a tone whether it is there, in the phase of the one before. */
function continuity(audio: Int16Array, hertz: number): boolean[] {
  const count = Math.floor(audio.length / WINDOW) - 1
  const windows = Array.from({ length: count }, (_, index) => phasorOf(audio, hertz, (index + 0.5) * WINDOW))
  return windows.map(({ size, angle }, index) => {
    const before = windows[index - 1]?.angle ?? angle
    const jump = Math.abs(Math.atan2(Math.sin(angle - before), Math.cos(angle - before)))
    return size > HALF_TONE && jump < MAX_JUMP
  })
}

/** Returns the peak and the phase of a tone in one window. */
function phasorOf(audio: Int16Array, hertz: number, start: number): { size: number; angle: number } {
  let [real, imaginary] = [0, 0]
  for (let place = start; place < start + WINDOW; place++) {
    const angle = (2 * Math.PI * hertz * place) / 48_000
    real += (audio[place] as number) * Math.cos(angle)
    imaginary -= (audio[place] as number) * Math.sin(angle)
  }
  return { size: (2 * Math.hypot(real, imaginary)) / WINDOW, angle: Math.atan2(imaginary, real) }
}

/** Returns when each beep arrives, by the packet in which it begins. */
function beepArrivals(heard: readonly HeardPacket[], hertz: number): number[] {
  const isBeep = heard.map(({ samples }) => peakOf(samples, hertz) > HALF_BEEP)
  return heard.flatMap(({ at }, index) => (isBeep[index] && !isBeep[index - 1] ? [at] : []))
}
