import type { Archive } from '../../platform/client/answers.ts'
import type { Facts } from './facts.ts'

/** Records give whole seconds, rounded, so half a second is no difference. */
const ROUNDING_SECONDS = 0.55

/** The record may lag behind the upload: what it does not say yet is not compared. */
export function differencesBetween(facts: Facts | null, size: number, archive: Archive): string[] {
  const inBytes = archive.size > 0 && archive.size !== size
  return [
    ...(inBytes ? [`It has ${size} bytes, the platform says ${archive.size}.`] : []),
    ...(facts ? differencesInMedia(facts, archive) : []),
  ]
}

function differencesInMedia({ video, audio, duration }: Facts, archive: Archive): string[] {
  const resolution = video && `${video.width}x${video.height}`
  const checks: [boolean, string][] = [
    [
      archive.duration > 0 && Math.abs(archive.duration - duration) > ROUNDING_SECONDS,
      `It lasts ${duration.toFixed(2)} s, the platform says ${archive.duration} s.`,
    ],
    [archive.hasVideo !== (video !== null), `It has ${video ? '' : 'no '}video, against the platform’s word.`],
    [archive.hasAudio !== (audio !== null), `It has ${audio ? '' : 'no '}audio, against the platform’s word.`],
    [
      resolution !== null && archive.resolution !== undefined && archive.resolution !== resolution,
      `Its picture is ${resolution}, the platform says ${archive.resolution}.`,
    ],
  ]
  return checks.flatMap(([differs, words]) => (differs ? words : []))
}
