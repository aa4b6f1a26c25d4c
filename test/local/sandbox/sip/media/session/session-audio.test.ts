import { describe, expect, it, onTestFinished } from 'vitest'
import type { Ear } from '../../../../../../local/sandbox/media/media.ts'
import type { PresenceListener } from '../../../../../../local/sandbox/participants/presence.ts'
import type { CallLeg } from '../../../../../../local/sandbox/sip/media/call-audio.ts'
import { createSessionAudio } from '../../../../../../local/sandbox/sip/media/session/session-audio.ts'
import type { StreamRecord } from '../../../../../../local/sandbox/state/records.ts'
import { joined, peakOf, toneAt } from '../../../../../support/media/tones.ts'

const BLOCK = 960

/** Session audio with streams that the test publishes. `speak` gives the rendered audio to the ear of the engine. */
function open() {
  const streams = new Map<string, StreamRecord>()
  const listeners: PresenceListener[] = []
  const selections: string[][] = []
  let ear: Ear | undefined
  const audio = createSessionAudio({
    store: { streams: { find: () => [...streams.values()] } } as never,
    presence: { listen: (listener) => void listeners.push(listener) },
    media: {
      listenToStreams: async ({ streams: chosen }, listener) => {
        selections.push(chosen.map(({ streamId }) => streamId))
        ear = listener
        return { setStreams() {}, stop: async () => {} }
      },
    },
    findLive: () => undefined,
  })
  onTestFinished(audio.close)
  const publish = (id: string, state: Partial<StreamRecord> = {}) => {
    const stream = { id, sessionId: 's', hasAudio: true, hasVideo: false, ...state } as StreamRecord
    const event = streams.has(id) ? 'onChanged' : 'onPublished'
    streams.set(id, stream)
    for (const listener of listeners) listener[event]?.(stream)
  }
  return { audio, publish, selections, speak: (samples: Int16Array) => ear?.onSamples(samples) }
}

/** A phone that sends a tone, and keeps the last blocks that it hears. */
function phone(hertz: number) {
  const heard: Int16Array[] = []
  let [sent, skipped] = [0, 0]
  const leg: CallLeg = {
    take: () => toneAt(hertz, BLOCK, { start: BLOCK * sent++ }),
    skip(blocks) {
      skipped += blocks
    },
    send: (block) => heard.push(block),
  }
  const hears = (tone: number) => peakOf(joined(heard.slice(-5)), tone)
  return { leg, heard, hears, skipped: () => skipped }
}

const after = (blocks: number, heard: readonly Int16Array[]) => {
  const end = heard.length + blocks
  return expect.poll(() => heard.length).toBeGreaterThanOrEqual(end)
}

describe('createSessionAudio', () => {
  it('lets each phone hear everything except itself, and nothing that is muted', async () => {
    const { audio, publish, selections, speak } = open()
    const [one, two] = [phone(400), phone(1_000)]
    for (const [id, { leg }] of [
      ['one', one],
      ['two', two],
    ] as const) {
      const place = audio.open('s', id)
      publish(id)
      onTestFinished(place.connect(leg))
    }
    await after(6, two.heard)
    expect([one.hears(400), one.hears(1_000)].map(Math.round)).toEqual([0, 8_000])
    expect([two.hears(400), two.hears(1_000)].map(Math.round)).toEqual([8_000, 0])

    publish('pattern')
    publish('one', { muted: true })
    await after(6, two.heard)
    expect(selections).toEqual([['pattern']])
    speak(toneAt(600, 9_600))
    await after(3, two.heard)
    expect(peakOf(joined(two.heard.slice(-3)), 600)).toBeGreaterThan(2_000)
    expect(Math.round(two.hears(400))).toBe(0)
    expect(one.hears(1_000)).toBeGreaterThan(7_000)
  })

  it('leaves out what it missed while the process was busy', async () => {
    const { audio, publish } = open()
    const { leg, heard, skipped } = phone(400)
    const place = audio.open('s', 'one')
    publish('one')
    onTestFinished(place.connect(leg))
    await after(1, heard)
    const before = skipped()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400) // keeps the process from ticking
    await after(1, heard)
    expect(skipped() - before).toBeGreaterThan(15)
  })
})
