const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

/** Describes by how much a clock is ahead of this machine: `2 days 3 h ahead of this machine`. @param ms whole minutes count */
export function leadText(ms: number): string {
  const parts = [
    [Math.floor(ms / DAY), 'days'],
    [Math.floor(ms / HOUR) % 24, 'h'],
    [Math.floor(ms / MINUTE) % 60, 'min'],
  ] as const
  const lead = parts.flatMap(([count, unit]) =>
    count > 0 ? `${count} ${count === 1 && unit === 'days' ? 'day' : unit}` : [],
  )
  return lead.length > 0 ? `${lead.join(' ')} ahead of this machine` : 'as on this machine'
}
