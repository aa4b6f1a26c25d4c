/** One figure beside what it is compared with, measured in the same run. */
export interface Measurement {
  readonly work: string
  readonly unit: string
  readonly value: number | null
  readonly baseline: number | null
  /** Where nothing was promised there is none. */
  readonly goal?: Goal
}

/** Of the ratio of value to baseline, or of the value itself. */
export type Goal = ({ readonly atMost: number } | { readonly atLeast: number }) & { readonly of?: 'value' }

export interface Bench {
  readonly summary: string
  /** Tells what it is doing in words; ends what it has started when the signal aborts. */
  run(onStep: (words: string) => void, signal: AbortSignal): Promise<readonly Measurement[]>
}

/** A measurement as programs read it: `ratio` is value / baseline, `goal` what it is to keep to, `met` whether it does. */
export interface Row {
  readonly bench: string
  readonly work: string
  readonly unit: string
  readonly value: number | null
  readonly baseline: number | null
  readonly ratio: number | null
  readonly goal: number | null
  readonly met: boolean | null
}

/** What could not be measured misses its goal. */
export function toRow(bench: string, { work, unit, value, baseline, goal }: Measurement): Row {
  const ratio = value === null || !baseline ? null : value / baseline
  const met = goal ? isMet(goal.of === 'value' ? value : ratio, goal) : null
  return { bench, work, unit, value, baseline, ratio, goal: boundOf(goal), met }
}

const boundOf = (goal?: Goal) => (!goal ? null : 'atMost' in goal ? goal.atMost : goal.atLeast)

const isMet = (figure: number | null, goal: Goal) =>
  figure !== null && ('atMost' in goal ? figure <= goal.atMost : figure >= goal.atLeast)

/** The measurements as a person reads them, one line each under a heading. */
export function toTable(bench: string, measurements: readonly Measurement[]): string {
  const rows = measurements.map((measurement) => {
    const { work, unit, value, baseline, ratio, met } = toRow(bench, measurement)
    const { goal } = measurement
    const wanted = goal ? inWords(goal) : ''
    const verdict = met === null ? '' : met ? 'met' : 'MISSED'
    return [work, figure(value), figure(baseline), unit, ratio === null ? '–' : ratio.toFixed(2), wanted, verdict]
  })
  const heading = ['work', 'value', 'baseline', 'unit', 'ratio', 'goal', '']
  const widths = heading.map((_, column) => Math.max(...[heading, ...rows].map((row) => row[column]?.length ?? 0)))
  const isNumber = (column: number) => column === 1 || column === 2 || column === 4
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(heading), ...rows.map(line)].map((text) => `${text}\n`).join('')
}

/** What is to be kept to. */
function inWords(goal: Goal): string {
  const bound = boundOf(goal)
  const sign = 'atMost' in goal ? '≤' : '≥'
  return goal.of === 'value' ? `value ${sign} ${bound?.toLocaleString('en')}` : `${sign} ${bound?.toFixed(2)}`
}

/** Three digits that count. */
function figure(value: number | null): string {
  if (value === null) return '–'
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}
