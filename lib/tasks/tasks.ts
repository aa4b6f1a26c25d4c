import type { z } from 'zod'
import { names } from '../show/document/fields/names.ts'
import { operationTasks } from './operations.ts'
import { clipTasks } from './publish-clip.ts'
import { completeTasks } from './publish-complete.ts'
import { joinedTasks } from './publish-joined.ts'
import { readyTasks } from './publish-ready.ts'
import { openingTasks } from './show-opening.ts'
import { runningTasks } from './show-running.ts'

/** Every task, by the folder of `lambdas/` that holds its function, in the order of a show, of a publish and of a clip. */
const groups = {
  show: { ...openingTasks, ...runningTasks },
  publish: { ...readyTasks, ...completeTasks, ...joinedTasks },
  clips: clipTasks,
  operations: operationTasks,
} as const

export const tasks = { ...groups.show, ...groups.publish, ...groups.clips, ...groups.operations } as const

export type Tasks = typeof tasks
export type TaskName = keyof Tasks
export type TaskInput<Name extends TaskName> = z.output<Tasks[Name]['input']>
export type TaskOutput<Name extends TaskName> = z.output<Tasks[Name]['output']>

/** Returns a function's file below `lambdas/`, such as `show/start-recording`. @param name a task, `api`, `watch` or `join` */
export function lambdaOf(name: string): string {
  const group = Object.entries(groups).find(([, own]) => name in own)?.[0]
  return `${group ?? name}/${names.file(name)}`
}
