import { names } from '../../../../lib/show/document/fields/names.ts'
import { type TaskName, tasks } from '../../../../lib/tasks/tasks.ts'
import type { AimedFaults } from '../../faults/aimed-faults.ts'

/** Failures of each kind, which are more than a task is repeated after them, except after throttling. */
const TURNS = [
  { kind: 'crashed before', times: 16 },
  { kind: 'out of memory', times: 2 },
  { kind: 'throttled', times: 2 },
] as const satisfies readonly Omit<AimedFaults, 'operation' | 'from'>[]

const all = Object.keys(tasks) as TaskName[]

/**
 * Returns aims at three functions, whose tasks are given up, run out of memory, and are throttled. Functions take turns, since a
 * random draw leaves some out: as many random seeds as there are functions strike each of them in each way.
 * @param number of the random seed, without gaps
 */
export const exhaustTasks = (number: number): AimedFaults[] =>
  TURNS.map((failures, turn) => {
    const task = all[(number + Math.floor((turn * all.length) / TURNS.length)) % all.length] as TaskName
    return { operation: `lambda ${names.substitution(task)}`, from: 1, ...failures }
  })
