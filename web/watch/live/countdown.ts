const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]

/** Formats the time to a start: `3 days`, `5:04:09`, `4:09`. @param seconds whole or fractional, not negative */
export function timeLeft(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole >= 2 * DAY) return `${Math.round(whole / DAY)} days`
  const two = (number: number) => String(number).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(whole / HOUR), Math.floor(whole / MINUTE) % 60, whole % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/**
 * Shows the time to a start in an element, each second.
 * @param started is called once a start that was ahead has passed
 * @returns the function that shows another start, or none
 */
export function createCountdown(
  element: { textContent: string | null; hidden: boolean | string },
  started: () => void,
  now: () => number = Date.now,
): (startsAt: number | undefined) => void {
  let start: number | undefined
  const show = () => {
    const wasAhead = !element.hidden
    element.hidden = start === undefined || start <= now()
    if (wasAhead && element.hidden && start !== undefined) started()
    if (start !== undefined) element.textContent = timeLeft(Math.max(0, start - now()) / 1000)
  }
  setInterval(show, 1_000)
  return (startsAt) => {
    start = startsAt
    show()
  }
}
