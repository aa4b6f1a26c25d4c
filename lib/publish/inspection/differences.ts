import type { Archive } from '../../platform/client/answers.ts'
import type { Facts } from './facts.ts'

/** The platform's record has whole seconds, rounded. */
const ROUNDING_SECONDS = 0.55

/** Returns a sentence for each difference from the platform's record, which may lag behind the upload: empty values are skipped. */
export function differencesBetween(facts: Facts | null, size: number, archive: Archive): string[] {
  const inBytes = archive.size > 0 && archive.size !== size
  return [
    ...(inBytes ? [`It has ${size} bytes; the platform recorded ${archive.size}.`] : []),
    ...(facts ? differencesInMedia(facts, archive) : []),
  ]
}

function differencesInMedia({ video, audio, duration }: Facts, archive: Archive): string[] {
  const resolution = video && `${video.width}x${video.height}`
  const checks: [boolean, string][] = [
    [
      archive.duration > 0 && Math.abs(archive.duration - duration) > ROUNDING_SECONDS,
      `It lasts ${duration.toFixed(2)} s; the platform recorded ${archive.duration} s.`,
    ],
    [archive.hasVideo !== (video !== null), presence('video', video !== null)],
    [archive.hasAudio !== (audio !== null), presence('audio', audio !== null)],
    [
      resolution !== null && archive.resolution !== undefined && archive.resolution !== resolution,
      `Its picture is ${resolution}; the platform recorded ${archive.resolution}.`,
    ],
  ]
  return checks.flatMap(([differs, sentence]) => (differs ? sentence : []))
}

const presence = (what: string, isThere: boolean) =>
  isThere ? `It has ${what}; the platform recorded none.` : `It has no ${what}; the platform recorded ${what}.`
