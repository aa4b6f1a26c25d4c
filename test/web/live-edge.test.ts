import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { followLiveEdge } from '../../web/live-edge.ts'

const EVENTS = { LEVEL_UPDATED: 'updated', ERROR: 'error' } as never
/** Position to which hls.js aims, in seconds. */
const TARGET = 100
/** The part target of the playlist, three times. */
const HOLD_BACK = 1

/** A video and an hls.js as they are in a page; the buffer reaches from 60 s to 101 s. */
function open({ partHoldBack = HOLD_BACK, bufferedUntil = 101 } = {}) {
  const listeners = new Map<string, (event: string, data: { details?: string }) => void>()
  const hls = {
    ...{ liveSyncPosition: TARGET, targetLatency: 4, latestLevelDetails: { partHoldBack } },
    on: (name: string, listen: never) => listeners.set(name, listen),
  }
  const buffered = { length: 1, start: () => 60, end: () => bufferedUntil }
  const video = Object.assign(new EventTarget(), { currentTime: 0, paused: false, seeking: false, buffered })
  const edge = followLiveEdge(hls as never, video, EVENTS)
  const report = (name: string) => video.dispatchEvent(new Event(name))
  const page = {
    ...{ hls, video, edge, report },
    updatePlaylist: () => listeners.get('updated')?.('updated', {}),
    stall: () => listeners.get('error')?.('error', { details: 'bufferStalledError' }),
    /** Plays at a position. */
    playAt(position: number) {
      video.currentTime = position
      report('timeupdate')
    },
    /** Seeks as a viewer does. */
    seek(position: number) {
      video.currentTime = position
      report('seeking')
      report('timeupdate')
    },
  }
  page.updatePlaylist()
  page.playAt(TARGET)
  report('playing')
  return page
}

describe('followLiveEdge', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('continues at the edge after a stall, as soon as that is loaded', () => {
    const { video, playAt, updatePlaylist } = open()
    playAt(90)
    updatePlaylist()
    expect(video.currentTime).toBe(TARGET)
    const waiting = open({ bufferedUntil: 98 })
    waiting.playAt(95)
    waiting.updatePlaylist()
    expect(waiting.video.currentTime).toBe(95)
  })

  it('does not wait for what is loaded far behind the edge, but for a seek that is under way', () => {
    const { video, playAt, updatePlaylist } = open({ bufferedUntil: 95 })
    playAt(90)
    video.seeking = true
    updatePlaylist()
    expect(video.currentTime).toBe(90)
    video.seeking = false
    updatePlaylist()
    expect(video.currentTime).toBe(TARGET)
  })

  it('leaves small delays to a faster playback', () => {
    const { video, playAt, updatePlaylist } = open()
    playAt(98.5)
    updatePlaylist()
    expect(video.currentTime).toBe(98.5)
  })

  it('leaves a viewer behind who sought back or paused, until it is asked for the edge', () => {
    const { video, edge, seek, report, playAt, updatePlaylist } = open()
    seek(70)
    updatePlaylist()
    expect(video.currentTime).toBe(70)
    edge.catchUp()
    expect(video.currentTime).toBe(TARGET)
    report('pause')
    playAt(90)
    report('play')
    updatePlaylist()
    expect(video.currentTime).toBe(90)
    seek(99)
    playAt(90)
    updatePlaylist()
    expect(video.currentTime).toBe(TARGET)
  })

  it('does not take it for a choice when hls.js skips a gap', () => {
    const { video, seek, playAt, updatePlaylist } = open()
    playAt(89.9)
    seek(90)
    updatePlaylist()
    expect(video.currentTime).toBe(TARGET)
  })

  it('takes its target from the playlist, and returns to it 20 s after the last stall', () => {
    const { hls, stall } = open()
    expect(hls.targetLatency).toBe(HOLD_BACK)
    hls.targetLatency = 1.3
    stall()
    vi.advanceTimersByTime(19_000)
    stall()
    vi.advanceTimersByTime(19_000)
    expect(hls.targetLatency).toBe(1.3)
    vi.advanceTimersByTime(1_000)
    expect(hls.targetLatency).toBe(HOLD_BACK)
  })

  it('does nothing where a playlist has no parts', () => {
    const { hls, video, playAt, updatePlaylist } = open({ partHoldBack: 0 })
    playAt(70)
    updatePlaylist()
    expect(video.currentTime).toBe(70)
    expect(hls.targetLatency).toBe(4)
  })

  it('touches the video no more once it is stopped', () => {
    const { video, edge, report, stall, hls } = open()
    hls.targetLatency = 1.3
    stall()
    edge.stop()
    vi.advanceTimersByTime(30_000)
    expect(hls.targetLatency).toBe(1.3)
    video.currentTime = 90
    report('playing')
    expect(video.currentTime).toBe(90)
  })
})
