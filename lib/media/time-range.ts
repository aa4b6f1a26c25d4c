/** A part of a recording, in seconds from its start. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}

/** Formats a time of a recording: `12:30`, `1:02:03`. Fractions are left out. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** Formats a time range for messages; both ends are included. */
export const formatTimeRange = ({ start, end }: { readonly start: number; readonly end: number }): string =>
  `between ${clockTime(start)} and ${clockTime(Math.ceil(end))}`
