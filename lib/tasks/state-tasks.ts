import { names } from '../show/document/fields/names.ts'
import { type TaskName, tasks } from './tasks.ts'

/** Tasks of states that another name distinguishes from a state of the same task. */
const others: Readonly<Record<string, TaskName>> = {
  'Inspect recording as composed': 'inspectRecording',
  'Write first playlists': 'writePlaylists',
  'Write first manifest': 'writeManifest',
  'Take turn for the rest': 'takeTurn',
  'Note scene failure': 'noteFailure',
  'Note dial-in failure': 'noteFailure',
}

const byState = new Map((Object.keys(tasks) as TaskName[]).map((task) => [names.state(task), task]))

/** Returns the task of a state, by the name of the state; undefined for a state without a function. */
export const taskOfState = (state: string): TaskName | undefined => byState.get(state) ?? others[state]
