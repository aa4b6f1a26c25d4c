/** Formats a time for WebVTT, `HH:MM:SS.mmm`; hours may have more digits. */
export function webVttTime(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000)
  const part = (unit: number, limit: number) => Math.floor(milliseconds / unit) % limit
  const [minutes, whole] = [part(60_000, 60), part(1000, 60)].map((value) => String(value).padStart(2, '0'))
  const hours = String(Math.floor(milliseconds / 3_600_000)).padStart(2, '0')
  return `${hours}:${minutes}:${whole}.${String(milliseconds % 1000).padStart(3, '0')}`
}
