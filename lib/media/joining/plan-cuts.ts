import type { Bounds } from './cut-seam.ts'

export interface PlannedPart {
  /** Seconds at which it ends. */
  readonly end: number
  /** Seconds at which segments of its video begin; undefined for audio alone, which can begin at any packet. */
  readonly starts: readonly number[] | undefined
  /** Seconds of the part before at this one's time 0; at least that part's end without overlap. 0 for the first. */
  readonly shift: number
}

export interface Cut extends Bounds {
  /** Seconds of the joined presentation at which this part’s time 0 is. */
  readonly offset: number
}

/** Seconds after its start in which a recording may be unsettled. */
const SETTLING = 2
/** Seconds before the end of a recording that is being stopped. */
const ENDING = 0.1

/**
 * Decides where each part is entered and left: at a keyframe of the later one after it has settled, or else at its
 * first, while the earlier one is still recorded. Parts without overlap follow one another whole.
 */
export function planCuts(parts: readonly PlannedPart[]): Cut[] {
  const cuts: Cut[] = []
  for (const [index, part] of parts.entries()) {
    const before = cuts.at(-1)
    const earlier = parts[index - 1]
    if (!before || !earlier) cuts.push({ offset: 0 })
    else {
      const from = entry(part, earlier.end - part.shift, (before.from ?? 0) - part.shift)
      if (from === undefined) cuts.push({ offset: before.offset + earlier.end })
      else {
        cuts[index - 1] = { ...before, until: part.shift + from }
        cuts.push({ offset: before.offset + part.shift, from })
      }
    }
  }
  return cuts
}

/** Returns the time at which a part is entered, between the times at which the part before was entered and ends. */
function entry({ starts }: PlannedPart, end: number, begin: number): number | undefined {
  const candidates = starts ?? [Math.min(SETTLING, end / 2)]
  const possible = candidates.filter((start) => start > begin && start <= end)
  return possible.find((start) => start >= SETTLING && start <= end - ENDING) ?? possible[0]
}
