import type Hls from 'hls.js'

/** Settings of hls.js for low latency. A stall moves the target a little, and a slightly faster playback returns to it. */
export const LOW_LATENCY = { liveSyncOnStallIncrease: 0.3, maxLiveSyncPlaybackRate: 1.1 } as const

/** Seconds behind the target from which hls.js no longer plays faster: it takes this for a choice of the viewer. */
const FAR = 2
/** The same at the start, whose delay the viewer has not chosen. */
const SLOW_START = 0.4
/** The same from which playback continues there before that is loaded: a slow machine would never load all that is between. */
const LOST = 6
/** Milliseconds without a stall after which the target is that of the playlist again. */
const CALM = 20_000

/** Members of a video that following needs. Times are in seconds. */
export interface FollowedVideo extends Pick<EventTarget, 'addEventListener' | 'removeEventListener'> {
  currentTime: number
  readonly paused: boolean
  readonly seeking: boolean
  readonly buffered: { readonly length: number; start(index: number): number; end(index: number): number }
}

/** Members of hls.js that following needs. */
export type FollowingHls = Pick<Hls, 'liveSyncPosition' | 'targetLatency' | 'latestLevelDetails' | 'on'>

export interface LiveEdge {
  /** Seeks to the live edge. */
  catchUp(): void
  stop(): void
}

/**
 * Keeps a viewer of a playlist with parts at the live edge: after a stall or a slow start, playback continues there as soon as
 * it is loaded, and at once if it is far away. A viewer who paused or sought stays behind until `catchUp`, or a seek to the edge.
 */
export function followLiveEdge(hls: FollowingHls, video: FollowedVideo, events: typeof Hls.Events): LiveEdge {
  let follows = true
  let hasStarted = false
  /** Position before a seek, in seconds. */
  let last = 0
  let calm: ReturnType<typeof setTimeout> | undefined

  const holdBack = () => hls.latestLevelDetails?.partHoldBack ?? 0
  const isFar = (limit: number) => holdBack() > 0 && (hls.liveSyncPosition ?? 0) - video.currentTime > limit
  function jump(limit: number): void {
    const target = hls.liveSyncPosition ?? 0
    const isReachable = isBuffered(video, target) || (isFar(LOST) && !video.seeking)
    if (isFar(limit) && isReachable) video.currentTime = target
  }
  /** Overrides a number of segments that the page has set for other playlists. */
  function resetTarget(): void {
    if (holdBack() > 0) hls.targetLatency = holdBack()
  }

  hls.on(events.LEVEL_UPDATED, () => {
    if (!hasStarted) resetTarget()
    else if (follows && !video.paused) jump(FAR)
  })
  hls.on(events.ERROR, (_, { details }) => {
    if (details !== 'bufferStalledError') return
    clearTimeout(calm)
    calm = setTimeout(resetTarget, CALM)
  })
  const listeners = {
    playing() {
      if (!hasStarted) jump(SLOW_START)
      hasStarted = true
    },
    pause() {
      follows = false
    },
    play() {
      follows ||= !isFar(FAR)
    },
    timeupdate() {
      if (!video.seeking) last = video.currentTime
    },
    /** hls.js seeks too, a little and never back. */
    seeking() {
      if (!isFar(FAR)) follows = true
      else if (video.currentTime < last) follows = false
    },
  }
  for (const [name, listen] of Object.entries(listeners)) video.addEventListener(name, listen)
  return {
    catchUp() {
      follows = true
      video.currentTime = hls.liveSyncPosition ?? video.currentTime
    },
    stop() {
      clearTimeout(calm)
      for (const [name, listen] of Object.entries(listeners)) video.removeEventListener(name, listen)
    },
  }
}

const isBuffered = ({ buffered }: FollowedVideo, time: number) =>
  Array.from({ length: buffered.length }, (_, index) => index).some(
    (index) => buffered.start(index) <= time && time < buffered.end(index),
  )
