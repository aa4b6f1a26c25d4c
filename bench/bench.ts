/** A figure and its baseline, measured in the same run. */
export interface Measurement {
  readonly work: string
  readonly unit: string
  readonly value: number | null
  readonly baseline: number | null
  /** Absent if the figure has no goal. */
  readonly goal?: Goal
}

/** A bound of the ratio of value to baseline, or of the value. */
export type Goal = ({ readonly atMost: number } | { readonly atLeast: number }) & { readonly of?: 'value' }

export interface Bench {
  readonly summary: string
  /** Measures. `onStep` reports what it is doing; an aborted signal ends what it has started. */
  run(onStep: (words: string) => void, signal: AbortSignal): Promise<readonly Measurement[]>
  /** Returns the bench for another duration in seconds. @default its duration cannot be set */
  lasting?(seconds: number): Bench
}

/**
 * Creates a bench from its workload.
 * @param measure reports each step, which throws once the signal has aborted
 */
export const createBench = (summary: string, measure: Bench['run']): Bench => ({
  summary,
  run: async (onStep, signal) =>
    measure((words) => {
      signal.throwIfAborted()
      onStep(words)
    }, signal),
})

/** Creates a measurement. */
export const measurement = (
  work: string,
  unit: string,
  value: number | null,
  baseline: number | null,
  goal?: Goal,
): Measurement => ({ work, unit, value, baseline, ...(goal && { goal }) })

/** A measurement for programs: `ratio` is value / baseline, `met` is null without a goal. */
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

/** Evaluates a measurement. A figure that could not be measured misses its goal. */
export function toRow(bench: string, { work, unit, value, baseline, goal }: Measurement): Row {
  const ratio = value === null || !baseline ? null : value / baseline
  const met = goal ? isMet(goal.of === 'value' ? value : ratio, goal) : null
  return { bench, work, unit, value, baseline, ratio, goal: boundOf(goal), met }
}

const boundOf = (goal?: Goal) => (!goal ? null : 'atMost' in goal ? goal.atMost : goal.atLeast)

const isMet = (figure: number | null, goal: Goal) =>
  figure !== null && ('atMost' in goal ? figure <= goal.atMost : figure >= goal.atLeast)

/** Renders the measurements as text: a heading, and one line each. */
export function toTable(bench: string, measurements: readonly Measurement[]): string {
  const rows = measurements.map((one) => {
    const { work, unit, value, baseline, ratio, met } = toRow(bench, one)
    const { goal } = one
    const wanted = goal ? inWords(goal) : ''
    const outcome = met === null ? '' : met ? 'met' : 'MISSED'
    return [work, figure(value), figure(baseline), unit, ratio === null ? '–' : ratio.toFixed(2), wanted, outcome]
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

function inWords(goal: Goal): string {
  const bound = boundOf(goal)
  const sign = 'atMost' in goal ? '≤' : '≥'
  return goal.of === 'value' ? `value ${sign} ${bound?.toLocaleString('en')}` : `${sign} ${bound?.toFixed(2)}`
}

/** Three significant digits. */
function figure(value: number | null): string {
  if (value === null) return '–'
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}
