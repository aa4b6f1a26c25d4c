import { levelOf } from './loudness.ts'

/** Measures how loud a track is. */
export interface LevelMeter {
  /** Returns the level now, from 0 (silence) to 1 (full scale), on a scale on which speech is in the middle. */
  level(): number
  close(): void
}

let shared: AudioContext | undefined

/** Starts to measure an audio track. Returns undefined in a browser without Web Audio. */
export function createLevelMeter(track: MediaStreamTrack): LevelMeter | undefined {
  if (typeof AudioContext === 'undefined') return undefined
  shared ??= new AudioContext()
  void shared.resume().catch(() => {}) // before the first click it stays suspended, and the level 0
  const source = shared.createMediaStreamSource(new MediaStream([track]))
  const analyser = new AnalyserNode(shared, { fftSize: 1024 })
  source.connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  return {
    level() {
      analyser.getFloatTimeDomainData(samples)
      return levelOf(samples)
    },
    close: () => source.disconnect(),
  }
}

/** Lets measuring begin. Browsers suspend Web Audio until the first click or key. */
export const resumeLevels = (): void => void shared?.resume().catch(() => {})
