import { type TaskName, tasks } from '../../tasks/tasks.ts'
import type { Settings } from './settings.ts'

/** Returns the tasks that a deployment has functions for: some depend on its settings. */
export function tasksFor({ platform, rotation }: Settings): TaskName[] {
  const isWanted: Partial<Record<TaskName, boolean>> = {
    rotateProjectSecret: rotation.projectSecretDays !== undefined,
    manageProject: platform.project !== undefined,
  }
  return (Object.keys(tasks) as TaskName[]).filter((task) => isWanted[task] ?? true)
}
