import { clockTime } from '../../format.ts'
import type { ExecutionAnswer } from '../answers.ts'
import type { Bar, BarChart } from './timeline-rows.ts'

type State = ExecutionAnswer['states'][number]

/** States that decide in no time. They are left out of a waterfall, as AWS does in its table of states. */
const INSTANT = ['Choice', 'Pass']

/** Returns the states of an execution as a chart: one row for each, below the state in which it ran. */
export function waterfallOf({ startedAt, stoppedAt, states }: ExecutionAnswer, now: number): BarChart {
  const from = Date.parse(startedAt)
  const to = stoppedAt === undefined ? now : Date.parse(stoppedAt)
  const byId = new Map(states.map((state) => [state.id, state]))
  const depthOf = ({ parent }: State): number => {
    const above = parent === undefined ? undefined : byId.get(parent)
    return above ? 1 + depthOf(above) : 0
  }
  const rows = states
    .filter(({ type, status }) => !INSTANT.includes(type) || status !== 'succeeded')
    .map((state) => ({
      key: String(state.id),
      label: labelOf(state),
      depth: depthOf(state),
      bars: barsOf(state, to),
      text: textOf(state, to),
    }))
  return { from, to, rows }
}

/** Names a state, with the number of its item in a Map. */
const labelOf = ({ name, iteration }: State) => (iteration === undefined ? name : `${name} ${iteration + 1}`)

const TONES = { running: 'running', succeeded: 'good', caught: 'bad', failed: 'bad', aborted: 'quiet' } as const

/** Returns one bar for each attempt, so that retries and the waits between them can be seen. */
function barsOf({ type, status, enteredAt, exitedAt, attempts }: State, end: number): Bar[] {
  const to = exitedAt === undefined ? end : Date.parse(exitedAt)
  if (type === 'Wait') return [{ from: Date.parse(enteredAt), to, tone: 'planned' }]
  if (attempts.length === 0) return [{ from: Date.parse(enteredAt), to, tone: TONES[status] }]
  return attempts.map(({ startedAt, endedAt, error }) => ({
    from: Date.parse(startedAt),
    to: endedAt === undefined ? to : Date.parse(endedAt),
    tone: error === undefined ? TONES[status] : 'bad',
  }))
}

function textOf(state: State, end: number): string {
  const { type, status, enteredAt, exitedAt, attempts, child } = state
  const seconds = ((exitedAt === undefined ? end : Date.parse(exitedAt)) - Date.parse(enteredAt)) / 1000
  const lasted = seconds < 60 ? `${seconds.toFixed(1)} s` : clockTime(seconds)
  const failed = attempts.filter(({ error }) => error !== undefined)
  return [
    `${labelOf(state)} (${type}): ${status}, ${lasted}`,
    ...(attempts.length > 1 ? [`${attempts.length} attempts`] : []),
    ...(failed.length > 0 ? [`last error ${failed.at(-1)?.error}`] : []),
    ...(child ? [`child of the machine ${child.machine}`] : []),
  ].join(', ')
}
