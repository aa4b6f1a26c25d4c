import { Command } from 'commander'
import { captionsCommand } from './captions.ts'
import { clipCommand, clipsCommand } from './clips.ts'
import { deleteCommand, restoreCommand } from './delete.ts'
import { downloadCommand } from './download.ts'
import { acceptCommand, rejectCommand } from './judge.ts'
import { listRecordingsCommand } from './list.ts'
import { openCommand } from './open.ts'
import { revokeCommand } from './revoke.ts'
import { showRecordingCommand } from './show.ts'

export const recordingsCommand = () =>
  new Command('recordings')
    .description('list, open, download and manage published recordings')
    .addCommand(listRecordingsCommand())
    .addCommand(showRecordingCommand())
    .addCommand(openCommand())
    .addCommand(downloadCommand())
    .addCommand(captionsCommand())
    .addCommand(clipCommand())
    .addCommand(clipsCommand())
    .addCommand(deleteCommand())
    .addCommand(restoreCommand())
    .addCommand(acceptCommand())
    .addCommand(rejectCommand())
    .addCommand(revokeCommand())
