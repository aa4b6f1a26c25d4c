import type { z } from 'zod'
import { acceptShow } from './accept-show.ts'
import { assembleComposite } from './assemble-composite.ts'
import { checkAudience } from './check-audience.ts'
import { checkUploads } from './check-uploads.ts'
import { composePiece } from './compose-piece.ts'
import { copySound } from './copy-sound.ts'
import { cutPiece } from './cut-piece.ts'
import { deleteUploadKeys } from './delete-upload-keys.ts'
import { encodePiece } from './encode-piece.ts'
import { findChapters } from './find-chapters.ts'
import { findOverlap } from './find-overlap.ts'
import { findParts } from './find-parts.ts'
import { goLive } from './go-live.ts'
import { handleCallback } from './handle-callback.ts'
import { hashSource } from './hash-source.ts'
import { inspectRecording } from './inspect-recording.ts'
import { joinParts } from './join-parts.ts'
import { makePoster } from './make-poster.ts'
import { makeStreamable } from './make-streamable.ts'
import { makeThumbnails } from './make-thumbnails.ts'
import { manageProject } from './manage-project.ts'
import { measureSound } from './measure-sound.ts'
import { mixAudio } from './mix-audio.ts'
import { noteFailure } from './note-failure.ts'
import { openSession } from './open-session.ts'
import { receiveCallback } from './receive-callback.ts'
import { recordUsage } from './record-usage.ts'
import { reportShow } from './report-show.ts'
import { rescueArchive } from './rescue-archive.ts'
import { rollOver } from './roll-over.ts'
import { rotateProjectSecret } from './rotate-project-secret.ts'
import { rotateUploadKey } from './rotate-upload-key.ts'
import { setUploadTarget } from './set-upload-target.ts'
import { startBroadcast } from './start-broadcast.ts'
import { startDialIn } from './start-dial-in.ts'
import { startPublish } from './start-publish.ts'
import { startRecording } from './start-recording.ts'
import { startScene } from './start-scene.ts'
import { startShow } from './start-show.ts'
import { stopShow } from './stop-show.ts'
import { sweepShows } from './sweep-shows.ts'
import { tellOwner } from './tell-owner.ts'
import { watchShow } from './watch-show.ts'
import { writeManifest } from './write-manifest.ts'
import { writePlaylists } from './write-playlists.ts'

/** Every task, in the order in which a show and then its recordings meet them; last those that look after credentials. */
export const tasks = {
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
  tellOwner,
  startPublish,
  inspectRecording,
  composePiece,
  mixAudio,
  assembleComposite,
  makeStreamable,
  makePoster,
  makeThumbnails,
  cutPiece,
  writePlaylists,
  copySound,
  measureSound,
  findChapters,
  encodePiece,
  hashSource,
  writeManifest,
  findParts,
  findOverlap,
  joinParts,
  rotateUploadKey,
  rotateProjectSecret,
  deleteUploadKeys,
  manageProject,
  receiveCallback,
  handleCallback,
  recordUsage,
} as const

export type Tasks = typeof tasks
export type TaskName = keyof Tasks
export type TaskInput<Name extends TaskName> = z.output<Tasks[Name]['input']>
export type TaskOutput<Name extends TaskName> = z.output<Tasks[Name]['output']>
