import { type TaskName, tasks } from '../../tasks/tasks.ts'
import type { Settings } from './settings.ts'

/** The tasks whose functions a deployment has: all but those that only its settings ask for. */
export function tasksFor({ platform, rotation }: Settings): TaskName[] {
  const isWanted: Partial<Record<TaskName, boolean>> = {
    rotateProjectSecret: rotation.projectSecretDays !== undefined,
    manageProject: platform.project !== undefined,
  }
  return (Object.keys(tasks) as TaskName[]).filter((task) => isWanted[task] ?? true)
}
