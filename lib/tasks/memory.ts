import { DEFAULT_MEMORY, type Task } from './task.ts'
import { type TaskName, tasks } from './tasks.ts'

/** Megabytes that every account gives a function; new ones give no more until they ask for it. */
export const MIN_LIMIT = 3_008

/** Memory settings of a deployment, in megabytes. */
export interface MemorySettings {
  readonly most: number
  /** In the place of what the tasks' own tables ask for. */
  readonly tasks: Readonly<Partial<Record<TaskName, number>>>
}

export const defaultMemory: MemorySettings = { most: MIN_LIMIT, tasks: {} }

/** Returns the megabytes of a task's function: those its table or the settings ask for, as far as the cap allows. */
export const memoryOf = (name: TaskName, { most, tasks: own }: MemorySettings = defaultMemory): number =>
  Math.min(own[name] ?? (tasks[name] as Task).memory ?? DEFAULT_MEMORY, most)
