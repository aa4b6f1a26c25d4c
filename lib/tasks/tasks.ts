import type { z } from 'zod'
import { names } from '../show/document/fields/names.ts'
import {
  deleteUploadKeys,
  handleCallback,
  manageProject,
  notifyOwner,
  receiveCallback,
  recordUsage,
  rotateProjectSecret,
  rotateUploadKey,
} from './operations.ts'
import {
  copyAudio,
  encodePiece,
  findChapters,
  hashSource,
  makeThumbnails,
  measureAudio,
  writeManifest,
} from './publish-complete.ts'
import { findOverlap, findParts, joinParts } from './publish-joined.ts'
import {
  assembleComposite,
  composePiece,
  cutPiece,
  inspectRecording,
  makeFaststart,
  makePoster,
  mixAudio,
  startPublish,
  writePlaylists,
} from './publish-ready.ts'
import {
  acceptShow,
  checkAudience,
  goLive,
  noteFailure,
  openSession,
  setUploadTarget,
  startBroadcast,
  startDialIn,
  startRecording,
  startScene,
  startShow,
} from './show-opening.ts'
import { checkUploads, reportShow, rescueArchive, rollOver, stopShow, sweepShows, watchShow } from './show-running.ts'

/** Every task, by the folder of `lambdas/` that holds its function, in the order of a show and of a publish. */
const groups = {
  show: {
    startShow,
    acceptShow,
    openSession,
    setUploadTarget,
    startScene,
    startDialIn,
    noteFailure,
    checkAudience,
    startRecording,
    startBroadcast,
    goLive,
    watchShow,
    rollOver,
    stopShow,
    checkUploads,
    rescueArchive,
    reportShow,
    sweepShows,
  },
  publish: {
    startPublish,
    inspectRecording,
    composePiece,
    mixAudio,
    assembleComposite,
    makeFaststart,
    makePoster,
    makeThumbnails,
    cutPiece,
    writePlaylists,
    copyAudio,
    measureAudio,
    findChapters,
    encodePiece,
    hashSource,
    writeManifest,
    findParts,
    findOverlap,
    joinParts,
  },
  operations: {
    notifyOwner,
    rotateUploadKey,
    rotateProjectSecret,
    deleteUploadKeys,
    manageProject,
    receiveCallback,
    handleCallback,
    recordUsage,
  },
} as const

export const tasks = { ...groups.show, ...groups.publish, ...groups.operations } as const

export type Tasks = typeof tasks
export type TaskName = keyof Tasks
export type TaskInput<Name extends TaskName> = z.output<Tasks[Name]['input']>
export type TaskOutput<Name extends TaskName> = z.output<Tasks[Name]['output']>

/**
 * Returns the file of a function below `lambdas/`, without its extension, such as `show/start-recording`.
 * @param name a task, or `api` or `watch`, whose folders have their names
 */
export function lambdaOf(name: string): string {
  const group = Object.entries(groups).find(([, own]) => name in own)?.[0]
  return `${group ?? name}/${names.file(name)}`
}
